// Package nestedretry reports retries that compose multiplicatively.
//
// # nestedretry: report retries inside retries
//
// A loop of three attempts around a client that makes three attempts by itself makes nine, and five such layers make 243:
// most of them when the dependency is weakest. Each layer looks modest in review, since the layers stand in different
// functions, packages and libraries.
//
// The analyzer reports an operation inside a retry site that reaches another one:
//
//	func (c *Client) Get(ctx context.Context, id string) (item Item, err error) {
//		for range 3 {
//			if item, err = c.fetch(ctx, id); err == nil { // fetch sends through retryablehttp: up to 15 attempts
//				return item, nil
//			}
//		}
//		return item, err
//	}
//
// A retry site is a loop, a jump backwards or a recursion that repeats an operation because it failed; a call of a helper or
// a library that does; or a client that retries by itself. The message states the product of total attempts, then the sites,
// outermost first, each with its count, its place and how its setting became that count ("RetryMax 2 makes 3": libraries
// count retries or attempts, each its own way). A chain is reported once, at its outermost site.
//
// # What to write instead
//
// Let one layer retry: the one that knows whether the operation can be repeated, and for how long the caller waits. Mostly
// that is the outermost one. Switch the others off where the client is made:
//
//	c := retryablehttp.NewClient()
//	c.RetryMax = 0 // Get repeats
//
// or keep the client's policy and remove the loop. Where two layers are needed, mark what the inner one gives up on as
// permanent for the outer one, or share one budget.
//
// # What is not reported
//
// Two retries one after the other; an inner site that makes one attempt; a client whose retries are switched off; an inner
// site whose error ends the outer one; conflict loops (compare-and-swap); a site of unknown effect behind an interface. A
// number that can't be read from the code is shown as the code names it, with its default where there is one.
//
// # How to opt out
//
//	//retrylint:ignore nestedretry.amplification <reason>
//
// at the end of the line or on the line above. -max-attempts N of the retrylint command accepts chains of up to N attempts.
package nestedretry
