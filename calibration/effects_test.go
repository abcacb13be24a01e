package calibration

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avast/retry-go/v5"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/go-resty/resty/v2"
	interceptor "github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/retry"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/stripe/stripe-go/v84"
	"github.com/stripe/stripe-go/v84/customer"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/types/known/emptypb"
)

// A peer is the other side: it executes what it is asked for, once for each key, and the answer to the first request gets lost.
type peer struct {
	mu       sync.Mutex
	requests int
	executed []string // the keys of what was executed; each request without a key is executed
}

// execute tells whether the answer arrives.
func (p *peer) execute(key string) (arrives bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests++
	known := false
	for _, k := range p.executed {
		known = known || key != "" && k == key
	}
	if !known {
		p.executed = append(p.executed, key)
	}
	return p.requests > 1
}

// serve is the peer behind HTTP, with the key in a header or in a field of the body.
func (p *peer) serve(t *testing.T, header, field string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get(header)
		if field != "" {
			var body map[string]any
			json.NewDecoder(r.Body).Decode(&body)
			key, _ = body[field].(string)
		}
		if !p.execute(key) {
			panic(http.ErrAbortHandler) // the connection breaks
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "{}")
	}))
	server.Config.ErrorLog = nil
	t.Cleanup(server.Close)
	return server.URL
}

// wants compares how often something was executed.
func (p *peer) wants(t *testing.T, err error, executions int) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if p.requests != 2 {
		t.Errorf("%d requests, want 2", p.requests)
	}
	if len(p.executed) != executions {
		t.Errorf("executed %d times, with the keys %q, want %d", len(p.executed), p.executed, executions)
	}
}

func again(operation func() error) error {
	return retry.New(retry.Attempts(3), retry.Delay(time.Millisecond)).Do(operation)
}

var keys int

func newKey() string { keys++; return fmt.Sprintf("key-%d", keys) }

func post(hc interface {
	Do(*http.Request) (*http.Response, error)
}, url, key string) error {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader([]byte("{}")))
	if err != nil {
		return err
	}
	if key != "" {
		request.Header.Set("X-Key", key)
	}
	response, err := hc.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// TestKeys makes the key in the attempt, and before.
func TestKeys(t *testing.T) {
	t.Run("in the attempt", func(t *testing.T) {
		p := new(peer)
		url := p.serve(t, "X-Key", "")
		p.wants(t, again(func() error { return post(http.DefaultClient, url, newKey()) }), 2)
	})
	t.Run("before", func(t *testing.T) {
		p := new(peer)
		url, key := p.serve(t, "X-Key", ""), newKey()
		p.wants(t, again(func() error { return post(http.DefaultClient, url, key) }), 1)
	})
	t.Run("with the number of the attempt", func(t *testing.T) {
		p := new(peer)
		url, n := p.serve(t, "X-Key", ""), 0
		p.wants(t, again(func() error { n++; return post(http.DefaultClient, url, fmt.Sprint("order-", n)) }), 2)
	})
}

type stamp struct{ next http.RoundTripper }

func (s stamp) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("X-Key", newKey())
	return s.next.RoundTrip(request)
}

// TestStampingTransport has a transport that makes the key, below and above the client that repeats.
func TestStampingTransport(t *testing.T) {
	t.Run("below", func(t *testing.T) {
		p := new(peer)
		client := impatient()
		client.HTTPClient.Transport = stamp{http.DefaultTransport}
		p.wants(t, post(client.StandardClient(), p.serve(t, "X-Key", ""), ""), 2)
	})
	t.Run("above", func(t *testing.T) {
		p := new(peer)
		client := &http.Client{Transport: stamp{impatient().StandardClient().Transport}}
		p.wants(t, post(client, p.serve(t, "X-Key", ""), ""), 1)
	})
}

func impatient() *retryablehttp.Client {
	client := retryablehttp.NewClient()
	client.Logger, client.RetryWaitMin, client.RetryWaitMax = nil, time.Millisecond, time.Millisecond
	return client
}

// TestPostTwice has clients that repeat a POST of which nobody knows whether it was executed.
func TestPostTwice(t *testing.T) {
	for key, executions := range map[string]int{"": 2, "order-1": 1} {
		t.Run("retryablehttp "+key, func(t *testing.T) {
			p := new(peer)
			p.wants(t, post(impatient().StandardClient(), p.serve(t, "X-Key", ""), key), executions)
		})
		t.Run("resty "+key, func(t *testing.T) {
			p := new(peer)
			client := resty.New().SetRetryCount(2).SetRetryWaitTime(time.Millisecond)
			_, err := client.R().SetHeader("X-Key", key).SetBody("{}").Post(p.serve(t, "X-Key", ""))
			p.wants(t, err, executions)
		})
	}
}

// TestPostOnce shows that net/http doesn't repeat one.
func TestPostOnce(t *testing.T) {
	p := new(peer)
	err := post(http.DefaultClient, p.serve(t, "X-Key", ""), "")
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil || p.requests != 1 {
		t.Errorf("%d requests, error %v", p.requests, err)
	}
}

// TestSDKToken shows that the AWS SDK makes one token for each call, which its own attempts share and those of a loop around don't.
func TestSDKToken(t *testing.T) {
	ignoreEnvironment(t)
	write := func(url string, attempts int, token *string) error {
		client := dynamodb.New(dynamodb.Options{
			Region: "eu-central-1", BaseEndpoint: &url, Credentials: aws.CredentialsProviderFunc(anybody), RetryMaxAttempts: attempts,
		})
		_, err := client.TransactWriteItems(context.Background(), &dynamodb.TransactWriteItemsInput{
			ClientRequestToken: token,
			TransactItems: []types.TransactWriteItem{{Delete: &types.Delete{
				TableName: aws.String("t"), Key: map[string]types.AttributeValue{"k": &types.AttributeValueMemberS{Value: "v"}},
			}}},
		})
		return err
	}
	t.Run("SDK", func(t *testing.T) {
		p := new(peer)
		p.wants(t, write(p.serve(t, "", "ClientRequestToken"), 3, nil), 1)
	})
	t.Run("loop", func(t *testing.T) {
		p := new(peer)
		url := p.serve(t, "", "ClientRequestToken")
		p.wants(t, again(func() error { return write(url, 1, nil) }), 2)
	})
	t.Run("loop with a token", func(t *testing.T) {
		p := new(peer)
		url := p.serve(t, "", "ClientRequestToken")
		p.wants(t, again(func() error { return write(url, 1, aws.String("order-1")) }), 1)
	})
}

// TestStripeKey shows that the Stripe SDK makes one key for all attempts of a call.
func TestStripeKey(t *testing.T) {
	p := new(peer)
	url := p.serve(t, "Idempotency-Key", "")
	backend := stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{
		URL: &url, MaxNetworkRetries: stripe.Int64(2), LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull}, EnableTelemetry: stripe.Bool(false),
	})
	_, err := customer.Client{B: backend, Key: "calibration"}.New(new(stripe.CustomerParams))
	p.wants(t, err, 1)
}

// TestServiceTwice has an interceptor that repeats a call that was executed.
func TestServiceTwice(t *testing.T) {
	create := func(p *peer, ctx context.Context, options ...grpc.CallOption) error {
		listener := bufconn.Listen(1 << 16)
		server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
			key := ""
			if md, ok := metadata.FromIncomingContext(stream.Context()); ok {
				key = strings.Join(md.Get("idempotency-key"), "")
			}
			if !p.execute(key) {
				return status.Error(codes.Unavailable, "the answer is lost")
			}
			return stream.SendMsg(new(emptypb.Empty))
		}))
		go server.Serve(listener)
		defer server.Stop()
		conn, err := grpc.NewClient("passthrough:///calibration",
			grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
			grpc.WithUnaryInterceptor(interceptor.UnaryClientInterceptor(interceptor.WithMax(3))))
		if err != nil {
			return err
		}
		defer conn.Close()
		return conn.Invoke(ctx, "/calibration.Calibration/CreateThing", new(emptypb.Empty), new(emptypb.Empty), options...)
	}
	t.Run("without a key", func(t *testing.T) {
		p := new(peer)
		p.wants(t, create(p, context.Background()), 2)
	})
	t.Run("with a key", func(t *testing.T) {
		p := new(peer)
		p.wants(t, create(p, metadata.AppendToOutgoingContext(context.Background(), "idempotency-key", "thing-1")), 1)
	})
	t.Run("disabled", func(t *testing.T) {
		p := new(peer)
		if err := create(p, context.Background(), interceptor.Disable()); err == nil || len(p.executed) != 1 {
			t.Errorf("executed %d times, error %v", len(p.executed), err)
		}
	})
}

// A table is a database that stores a row and loses its first answer. Only a statement that says so looks for a row of the same id.
type table struct{ peer }

func (db *table) Open(string) (driver.Conn, error)             { return db, nil }
func (db *table) Prepare(query string) (driver.Stmt, error)    { return nil, errors.New("not prepared") }
func (db *table) Close() error                                 { return nil }
func (db *table) Begin() (driver.Tx, error)                    { return db, nil }
func (db *table) Commit() error                                { return nil }
func (db *table) Rollback() error                              { return nil }
func (db *table) Connect(context.Context) (driver.Conn, error) { return db, nil }
func (db *table) Driver() driver.Driver                        { return db }

func (db *table) ExecContext(_ context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	key := ""
	if strings.Contains(query, "ON CONFLICT") {
		key = fmt.Sprint(args[0].Value)
	}
	if !db.execute(key) {
		return nil, io.ErrUnexpectedEOF
	}
	return driver.RowsAffected(1), nil
}

// TestInsertTwice inserts a row again whose first insert was executed.
func TestInsertTwice(t *testing.T) {
	for query, executions := range map[string]int{
		"INSERT INTO audit (id) VALUES ($1)":                             2,
		"INSERT INTO audit (id) VALUES ($1) ON CONFLICT (id) DO NOTHING": 1,
	} {
		t.Run(query, func(t *testing.T) {
			store := new(table)
			db := sql.OpenDB(store)
			defer db.Close()
			store.wants(t, again(func() error { _, err := db.Exec(query, "a"); return err }), executions)
		})
	}
	t.Run("with a new id", func(t *testing.T) {
		store := new(table)
		db := sql.OpenDB(store)
		defer db.Close()
		store.wants(t, again(func() error {
			_, err := db.Exec("INSERT INTO audit (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", newKey())
			return err
		}), 2)
	})
}

// TestTransactionAgain runs a function again whose transaction has conflicted.
func TestTransactionAgain(t *testing.T) {
	transact := func(fn func() error) error {
		for n := 0; ; n++ {
			if err := fn(); err != nil {
				return err
			}
			if n > 0 { // the first commit conflicts
				return nil
			}
		}
	}
	seats := []string{"A1", "A2"}
	var kept, emptied []string
	err := transact(func() error {
		emptied = nil
		for _, seat := range seats {
			kept, emptied = append(kept, seat), append(emptied, seat)
		}
		return nil
	})
	if err != nil || len(kept) != 4 || len(emptied) != 2 {
		t.Errorf("kept %q, emptied %q, error %v", kept, emptied, err)
	}
}
