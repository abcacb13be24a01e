// Package newkey makes keys of idempotency in all the places where code makes them.
package newkey

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

type Client struct {
	hc    *http.Client
	newID func() string
	bank  Bank
	ec2   *ec2.Client
}

func New() *Client { return &Client{hc: new(http.Client), newID: uuid.NewString} }

type Bank interface {
	Transfer(ctx context.Context, idempotencyKey string, cents int64) error
	ChargeCard(ctx context.Context, in *ChargeRequest) error
	Pay(ctx context.Context, key string, cents int64) error
	PutObject(ctx context.Context, key string, data []byte) error
}

type ChargeRequest struct {
	RequestID string
	Cents     int64
}

var errBusy = errors.New("busy")

// InHeader makes the key beside the header.
func (c *Client) InHeader(body []byte) error {
	var err error
	for range 3 {
		req, rerr := http.NewRequest(http.MethodPost, "https://bank/v1/payments", bytes.NewReader(body))
		if rerr != nil {
			return rerr
		}
		req.Header.Set("Idempotency-Key", uuid.NewString()) // want `Idempotency-Key is made anew for each attempt`
		if err = c.send(req); err == nil {
			return nil
		}
	}
	return err
}

// Once makes it before.
func (c *Client) Once(body []byte) error {
	var err error
	key := uuid.NewString()
	for range 3 {
		req, rerr := http.NewRequest(http.MethodPost, "https://bank/v1/payments", bytes.NewReader(body))
		if rerr != nil {
			return rerr
		}
		req.Header.Set("Idempotency-Key", key)
		req.Header.Set("X-Attempt-Id", uuid.NewString())
		if err = c.send(req); err == nil {
			return nil
		}
	}
	return err
}

func (c *Client) send(req *http.Request) error {
	resp, err := c.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Literal writes the header as a map.
func (c *Client) Literal(body []byte) error {
	var err error
	for attempt := 1; attempt <= 4; attempt++ {
		hdr := http.Header{"PayPal-Request-Id": []string{ulid.Make().String()}} // want `PayPal-Request-Id is made anew`
		if err = c.post(hdr, body); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (c *Client) post(hdr http.Header, body []byte) error {
	req, err := http.NewRequest(http.MethodPost, "https://bank/v1/payments", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = hdr
	return c.send(req)
}

// Random makes the key of random bytes, in a helper.
func (c *Client) Random(ctx context.Context, cents int64) error {
	return retry.Do(func() error {
		key, err := randomKey() // want `idempotencyKey is made anew`
		if err != nil {
			return err
		}
		return c.bank.Transfer(ctx, key, cents)
	}, retry.Attempts(3))
}

func randomKey() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(b[:]), nil
}

// Clock makes the key of the time.
func (c *Client) Clock(ctx context.Context, order string, cents int64) error {
	return retry.Do(func() error {
		key := order + "-" + strconv.FormatInt(time.Now().UnixNano(), 10) // want `idempotencyKey is made anew`
		return c.bank.Transfer(ctx, key, cents)
	})
}

// Day is the same key all day.
func (c *Client) Day(ctx context.Context, order string, cents int64) error {
	return retry.Do(func() error {
		key := order + "-" + time.Now().Format("2006-01-02")
		return c.bank.Transfer(ctx, key, cents)
	})
}

// Injected makes the key by a function that is a field.
func (c *Client) Injected(ctx context.Context, cents int64) error {
	return retry.Do(func() error {
		return c.bank.Transfer(ctx, c.newID(), cents) // want `idempotencyKey is made anew`
	})
}

// Derived is of what the order is about.
func (c *Client) Derived(ctx context.Context, order string, cents int64) error {
	return retry.Do(func() error {
		return c.bank.Transfer(ctx, uuid.NewSHA1(uuid.UUID{}, []byte(order)).String(), cents)
	})
}

// Request puts the id of a request that mutates into a struct.
func (c *Client) Request(ctx context.Context, cents int64) error {
	return retry.Do(func() error {
		in := &ChargeRequest{RequestID: uuid.NewString(), Cents: cents} // want `RequestID is made anew`
		return c.bank.ChargeCard(ctx, in)
	})
}

// Object is called by a random name, which is no key of idempotency.
func (c *Client) Object(ctx context.Context, data []byte) error {
	return retry.Do(func() error {
		return c.bank.PutObject(ctx, uuid.NewString(), data)
	})
}

// Payment names its parameter key.
func (c *Client) Payment(ctx context.Context, cents int64) error {
	return retry.Do(func() error {
		return c.bank.Pay(ctx, uuid.NewString(), cents) // want `key is made anew`
	})
}

// Unset makes the key once, where there is none.
func (c *Client) Unset(ctx context.Context, key string, cents int64) error {
	return retry.Do(func() error {
		if key == "" {
			key = uuid.NewString()
		}
		return c.bank.Transfer(ctx, key, cents)
	})
}

// Body puts the key into the message.
func (c *Client) Body(cents int64) error {
	var err error
	for range 5 {
		msg := struct {
			Key   string `json:"idempotency_key"`
			Cents int64  `json:"cents"`
		}{uuid.NewString(), cents} // want `Key is made anew`
		body, merr := json.Marshal(msg)
		if merr != nil {
			return merr
		}
		if err = c.post(nil, body); err == nil {
			return nil
		}
	}
	return err
}

// Metadata sends it beside the request.
func (c *Client) Metadata(ctx context.Context, in *ChargeRequest) error {
	return retry.Do(func() error {
		out := metadata.AppendToOutgoingContext(ctx, "idempotency-key", uuid.NewString()) // want `idempotency-key is made anew`
		return c.bank.ChargeCard(out, in)
	})
}

// OverGRPC executes a write with a key that is another one each time: one fault, and not a write without a key.
func OverGRPC(ctx context.Context, cc *grpc.ClientConn, in *ChargeRequest) error {
	return retry.Do(func() error {
		out := metadata.AppendToOutgoingContext(ctx, "idempotency-key", uuid.NewString()) // want `idempotency-key is made anew`
		return cc.Invoke(out, "/bank.v1.Payments/CreatePayment", in, nil)
	})
}

// Captured keeps the key in a variable that the function captures.
func (c *Client) Captured(ctx context.Context, cents int64) (string, error) {
	var key string
	err := retry.Do(func() error {
		key = uuid.NewString() // want `idempotencyKey is made anew`
		return c.bank.Transfer(ctx, key, cents)
	})
	return key, err
}

// Input is made before.
func (c *Client) Input(ctx context.Context, image string) error {
	token := uuid.NewString()
	in := &ec2.RunInstancesInput{ImageId: &image, ClientToken: &token}
	for range 3 {
		if _, err := c.ec2.RunInstances(ctx, in); err == nil {
			return nil
		}
	}
	return errBusy
}

// Builder makes the input, and the token in it.
func (c *Client) Builder(ctx context.Context, image string) error {
	var err error
	for range 3 {
		if _, err = c.ec2.RunInstances(ctx, input(image)); err == nil { // want `ClientToken is made anew`
			return nil
		}
	}
	return err
}

func input(image string) *ec2.RunInstancesInput {
	in := &ec2.RunInstancesInput{ImageId: &image}
	token := fmt.Sprintf("run-%s", uuid.New())
	in.ClientToken = &token
	return in
}

// Recursive calls itself again.
func (c *Client) Recursive(ctx context.Context, cents int64, left int) error {
	err := c.bank.Transfer(ctx, uuid.NewString(), cents) // want `idempotencyKey is made anew`
	if err != nil && left > 0 {
		return c.Recursive(ctx, cents, left-1)
	}
	return err
}

// Items have a key each.
func (c *Client) Items(ctx context.Context, list []int64) error {
	var errs []error
	for _, cents := range list {
		if err := c.bank.Transfer(ctx, uuid.NewString(), cents); err != nil {
			errs = append(errs, err)
			continue
		}
	}
	return errors.Join(errs...)
}

// Numbered puts the number of the attempt into the key.
func (c *Client) Numbered(ctx context.Context, order string, cents int64) error {
	var err error
	for n := 1; n <= 3; n++ {
		if err = c.bank.Transfer(ctx, fmt.Sprintf("%s-%d", order, n), cents); err == nil { // want `the number of the attempt is part of idempotencyKey`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Counted counts in a function.
func (c *Client) Counted(ctx context.Context, order string, cents int64) error {
	n := 0
	return retry.Do(func() error {
		n++
		return c.bank.Transfer(ctx, order+strconv.Itoa(n), cents) // want `the number of the attempt is part of idempotencyKey`
	})
}

type IDs interface{ NextID() string }

// Unknown asks something that makes ids.
func (c *Client) Unknown(ctx context.Context, ids IDs, cents int64) error {
	return retry.Do(func() error {
		return c.bank.Transfer(ctx, ids.NextID(), cents) // want `idempotencyKey is made anew`
	})
}

// Document makes the id of a document that is inserted.
func Document(ctx context.Context, c *mongo.Collection) error {
	return retry.Do(func() error {
		_, err := c.InsertOne(ctx, map[string]any{"_id": uuid.NewString()}) // want `_id is made anew`
		return err
	})
}

// Row makes the id of a row.
func Row(ctx context.Context, db *sql.DB, text string) error {
	return retry.Do(func() error {
		_, err := db.ExecContext(ctx, "INSERT INTO notes (id, text) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", uuid.New(), text) // want `id is made anew`
		return err
	})
}
