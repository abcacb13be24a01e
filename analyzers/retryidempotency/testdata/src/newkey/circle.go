package newkey

import "context"

// A named result that a body in between captures is assigned to itself by its return statement: where its fields come from leads
// round in a circle.
func (c *Client) prepared(ctx context.Context, steps func(func(int) bool)) (in *ChargeRequest, err error) {
	for n := range steps {
		if in, err = c.draft(ctx, n); err != nil {
			continue
		}
		if in.Cents == 0 {
			break
		}
	}
	return in, err
}

func (c *Client) draft(ctx context.Context, n int) (*ChargeRequest, error) { return nil, ctx.Err() }

func (c *Client) payPrepared(ctx context.Context, steps func(func(int) bool)) (err error) {
	for range 3 {
		in, err := c.prepared(ctx, steps)
		if err != nil {
			return err
		}
		if err = c.bank.Pay(ctx, in.RequestID, in.Cents); err == nil {
			return nil
		}
	}
	return err
}
