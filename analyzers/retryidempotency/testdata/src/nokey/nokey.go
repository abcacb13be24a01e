// Package nokey repeats writes.
package nokey

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"net/http"
	"net/smtp"
	"strings"
	"syscall"
	"time"

	"github.com/IBM/sarama"
	"github.com/avast/retry-go/v4"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/cenkalti/backoff/v4"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/redis/go-redis/v9"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

type CreateUserRequest struct{ Name, UserId string }

type User struct{}

// UsersClient is as generated.
type UsersClient interface {
	CreateUser(ctx context.Context, in *CreateUserRequest, opts ...grpc.CallOption) (*User, error)
	GetUser(ctx context.Context, in *CreateUserRequest, opts ...grpc.CallOption) (*User, error)
	AddCredit(ctx context.Context, in *User, opts ...grpc.CallOption) (*User, error)
}

type Store struct {
	db       *sql.DB
	conn     *pgx.Conn
	rdb      *redis.Client
	hc       *http.Client
	producer sarama.SyncProducer
	users    UsersClient
	docs     *mongo.Collection
	ec2      *ec2.Client
	rhc      *retryablehttp.Client
}

func New() *Store {
	rhc := retryablehttp.NewClient()
	rhc.RetryMax = 2
	return &Store{rhc: rhc, hc: new(http.Client), rdb: redis.NewClient(&redis.Options{MaxRetries: -1})}
}

const visit = `INSERT INTO visits (page, at) VALUES (?, ?)`

// Visit inserts on any error.
func (s *Store) Visit(ctx context.Context, page string) error {
	var err error
	for range 3 {
		if _, err = s.db.ExecContext(ctx, visit, page, time.Now()); err == nil { // want `inserts a row, and again`
			return nil
		}
	}
	return err
}

// Balance changes relatively, through a helper.
func (s *Store) Balance(ctx context.Context, id string, cents int64) error {
	return retry.Do(func() error {
		return s.add(ctx, id, cents) // want `changes a row relative to its old value`
	})
}

func (s *Store) add(ctx context.Context, id string, cents int64) error {
	_, err := s.conn.Exec(ctx, "UPDATE accounts SET balance = balance + $1 WHERE id = $2", cents, id)
	return err
}

// Name sets what it set before.
func (s *Store) Name(ctx context.Context, id, name string) error {
	return retry.Do(func() error {
		_, err := s.conn.Exec(ctx, "UPDATE accounts SET name = $1 WHERE id = $2", name, id)
		return err
	})
}

// Order has a key of its own.
func (s *Store) Order(ctx context.Context, id string) error {
	return retry.Do(func() error {
		_, err := s.conn.Exec(ctx, "INSERT INTO orders (id) VALUES ($1)", id)
		return err
	})
}

// NotSent repeats what was not sent.
func (s *Store) NotSent(ctx context.Context, page string) error {
	var err error
	for range 3 {
		if _, err = s.conn.Exec(ctx, visit, page); err == nil || !pgconn.SafeToRetry(err) {
			return err
		}
	}
	return err
}

// Refused repeats what was refused.
func (s *Store) Refused(ctx context.Context, page string) error {
	var err error
	for range 3 {
		if _, err = s.conn.Exec(ctx, visit, page); !errors.Is(err, syscall.ECONNREFUSED) {
			return err
		}
	}
	return err
}

// Conflicts repeats what was undone.
func (s *Store) Conflicts(ctx context.Context, page string) error {
	var err error
	for range 3 {
		_, err = s.conn.Exec(ctx, visit, page)
		var pe *pgconn.PgError
		if err == nil || !errors.As(err, &pe) || pe.Code != "40001" {
			return err
		}
	}
	return err
}

// Duplicate takes a second row for the first.
func (s *Store) Duplicate(ctx context.Context, page string) error {
	var err error
	for range 3 {
		_, err = s.conn.Exec(ctx, visit, page)
		var pe *pgconn.PgError
		if err == nil || errors.As(err, &pe) && pe.Code == "23505" {
			return nil
		}
	}
	return err
}

// Count counts again after a timeout.
func (s *Store) Count(ctx context.Context, key string) error {
	return backoff.Retry(func() error {
		err := s.rdb.Incr(ctx, key).Err() // want `adds to a counter, and again`
		var ne net.Error
		if errors.As(err, &ne) && ne.Timeout() {
			return err
		}
		if err != nil {
			return backoff.Permanent(err)
		}
		return nil
	}, backoff.NewExponentialBackOff())
}

// Set is idempotent.
func (s *Store) Set(ctx context.Context, key string) error {
	return backoff.Retry(func() error { return s.rdb.HSet(ctx, key, "a", 1).Err() }, backoff.NewExponentialBackOff())
}

// Post sends a form twice.
func (s *Store) Post(body []byte) error {
	var err error
	for range 3 {
		var resp *http.Response
		resp, err = s.hc.Post("https://shop/orders", "application/json", bytes.NewReader(body)) // want `sends a POST, and again`
		if err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

// Do builds the request in a helper.
func (s *Store) Do(body []byte) error {
	return retry.Do(func() error {
		req, err := newRequest(http.MethodPatch, "https://shop/orders/1", body)
		if err != nil {
			return err
		}
		resp, err := s.hc.Do(req) // want `sends a PATCH, and again`
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

func newRequest(method, url string, body []byte) (*http.Request, error) {
	req, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	return req, nil
}

// Replace puts.
func (s *Store) Replace(body []byte) error {
	return retry.Do(func() error {
		req, err := newRequest(http.MethodPut, "https://shop/orders/1", body)
		if err != nil {
			return err
		}
		_, err = s.hc.Do(req)
		return err
	})
}

// Search asks by POST.
func (s *Store) Search(body []byte) error {
	return retry.Do(func() error {
		_, err := s.hc.Post("https://shop/orders/search", "application/json", bytes.NewReader(body))
		return err
	})
}

// Guarded has a precondition.
func (s *Store) Guarded(body []byte, etag string) error {
	return retry.Do(func() error {
		req, err := newRequest(http.MethodPatch, "https://shop/orders/1", body)
		if err != nil {
			return err
		}
		req.Header.Set("If-Match", etag)
		_, err = s.hc.Do(req)
		return err
	})
}

// Client is repeated by the client.
func (s *Store) Client(body []byte) error {
	req, err := retryablehttp.NewRequest("POST", "https://shop/orders", body)
	if err != nil {
		return err
	}
	resp, err := s.rhc.Do(req) // want `sends a POST, and again`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Keyed has a key.
func (s *Store) Keyed(body []byte, order string) error {
	req, err := retryablehttp.NewRequest("POST", "https://shop/orders", body)
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", order)
	_, err = s.rhc.Do(req)
	return err
}

// Publish sends a message twice.
func (s *Store) Publish(msg *sarama.ProducerMessage) error {
	return retry.Do(func() error {
		_, _, err := s.producer.SendMessage(msg) // want `sends a message to Kafka, and again`
		return err
	}, retry.Attempts(5))
}

// Mail sends it twice.
func Mail(to string, msg []byte) error {
	var err error
	for n := 0; n < 2; n++ {
		if err = smtp.SendMail("mx:25", nil, "shop@example.com", []string{to}, msg); err == nil { // want `sends an e-mail, and again`
			break
		}
	}
	return err
}

// Create is repeated when the service can't be reached.
func (s *Store) Create(ctx context.Context, u *User) (err error) {
	for range 3 {
		_, err = s.users.AddCredit(ctx, u) // want `executes AddCredit, and again`
		if err == nil || status.Code(err) != codes.Unavailable {
			return err
		}
	}
	return err
}

// Named says what the user is called.
func (s *Store) Named(ctx context.Context, name string) (err error) {
	for range 3 {
		_, err = s.users.CreateUser(ctx, &CreateUserRequest{UserId: name})
		if err == nil || status.Code(err) != codes.Unavailable {
			return err
		}
	}
	return err
}

// Throttled repeats what was refused.
func (s *Store) Throttled(ctx context.Context, u *User) (err error) {
	for range 3 {
		_, err = s.users.AddCredit(ctx, u)
		if err == nil || status.Code(err) != codes.ResourceExhausted {
			return err
		}
	}
	return err
}

// Denied repeats everything but what can't be mended.
func (s *Store) Denied(ctx context.Context, u *User) (err error) {
	for range 3 {
		_, err = s.users.AddCredit(ctx, u) // want `executes AddCredit, and again`
		if err == nil || status.Code(err) == codes.InvalidArgument {
			return err
		}
	}
	return err
}

// User only reads.
func (s *Store) User(ctx context.Context, in *CreateUserRequest) (err error) {
	for range 3 {
		if _, err = s.users.GetUser(ctx, in); err == nil {
			return nil
		}
	}
	return err
}

var errBusy = errors.New("busy")

// Own repeats an error of its own.
func (s *Store) Own(ctx context.Context, page string) error {
	return retry.Do(func() error {
		_, err := s.conn.Exec(ctx, visit, page)
		return err
	}, retry.RetryIf(func(err error) bool { return errors.Is(err, errBusy) }))
}

// Lost repeats lost connections.
func (s *Store) Lost(ctx context.Context, page string) error {
	return retry.Do(func() error {
		_, err := s.conn.Exec(ctx, visit, page) // want `inserts a row, and again`
		return err
	}, retry.RetryIf(lost))
}

func lost(err error) bool { return errors.Is(err, io.EOF) || pgconn.Timeout(err) }

// Document gets an id with each call.
func (s *Store) Document(ctx context.Context, doc map[string]any) error {
	return retry.Do(func() error {
		_, err := s.docs.InsertOne(ctx, doc) // want `inserts documents, and again`
		return err
	})
}

// Identified has one already.
func (s *Store) Identified(ctx context.Context, id string) error {
	doc := map[string]any{"_id": id}
	return retry.Do(func() error {
		_, err := s.docs.InsertOne(ctx, doc)
		return err
	})
}

// Run gets a token with each call.
func (s *Store) Run(ctx context.Context, image string) (err error) {
	in := &ec2.RunInstancesInput{ImageId: &image}
	for range 3 {
		if _, err = s.ec2.RunInstances(ctx, in); err == nil { // want `gets a new ClientToken from the SDK with each call, and again`
			return nil
		}
	}
	return err
}

// Transaction commits in the attempt.
func (s *Store) Transaction(ctx context.Context, page string) error {
	return retry.Do(func() error {
		return pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error { // want `inserts a row, and again`
			_, err := tx.Exec(ctx, visit, page)
			return err
		})
	})
}

// Anew makes the id of the row in each attempt.
func (s *Store) Check(ctx context.Context, page string) error {
	return retry.Do(func() error {
		var n int
		if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM visits WHERE page = ?", page).Scan(&n); err != nil || n > 0 {
			return err
		}
		_, err := s.db.ExecContext(ctx, visit, page)
		return err
	})
}

var errTemporary = errors.New("temporary")

type failure struct {
	error
	again bool
}

// Wrapped repeats an error of its own that any failure becomes.
func (s *Store) Wrapped(ctx context.Context, page string) error {
	var err error
	for range 3 {
		if err = s.insert(ctx, page); !errors.Is(err, errTemporary) { // want `inserts a row, and again`
			return err
		}
	}
	return err
}

func (s *Store) insert(ctx context.Context, page string) error {
	if _, err := s.conn.Exec(ctx, visit, page); err != nil {
		return errors.Join(errTemporary, err)
	}
	return nil
}

var errSlower = errors.New("slower")

// Slower repeats what the other side refused.
func (s *Store) Slower(body []byte) error {
	var err error
	for range 3 {
		if err = s.order(body); !errors.Is(err, errSlower) {
			return err
		}
	}
	return err
}

func (s *Store) order(body []byte) error {
	resp, err := s.hc.Post("https://shop/orders", "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusTooManyRequests {
		return errSlower
	}
	return nil
}

// Place repeats statuses, and any error.
func (s *Store) Place(body []byte) error {
	var err error
	for range 3 {
		var resp *http.Response
		resp, err = s.hc.Post("https://shop/orders", "application/json", bytes.NewReader(body)) // want `sends a POST, and again`
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode != http.StatusTooManyRequests {
				return nil
			}
		}
		time.Sleep(time.Second)
	}
	return err
}

// Busy repeats a status that says that nothing was done.
func (s *Store) Busy(body []byte) error {
	for range 3 {
		resp, err := s.hc.Post("https://shop/orders", "application/json", bytes.NewReader(body))
		if err != nil {
			return err
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusTooManyRequests {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errBusy
}

// Failed repeats what is marked.
func (s *Store) Failed(body []byte) error {
	var err error
	for range 3 {
		err = s.send(body) // want `sends a POST, and again`
		var f *failure
		if !errors.As(err, &f) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func (s *Store) send(body []byte) error {
	resp, err := s.hc.Post("https://shop/orders", "application/json", bytes.NewReader(body))
	if err != nil {
		return &failure{err, true}
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 500 {
		return &failure{errors.New(resp.Status), true}
	}
	return nil
}

// patiently repeats any error, and refused what was refused.
func patiently(fn func() error) (err error) {
	for n := 0; n < 3; n++ {
		if err = fn(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func refused(fn func() error) (err error) {
	for n := 0; n < 3; n++ {
		if err = fn(); err == nil || !errors.Is(err, syscall.ECONNREFUSED) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func slower(fn func() error) (err error) {
	for n := 0; n < 3; n++ {
		if err = fn(); err == nil || status.Code(err) != codes.ResourceExhausted {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func unless(fn func() error) (err error) {
	for n := 0; n < 3; n++ {
		if err = fn(); err == nil || hopeless(err) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func hopeless(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// Helped is repeated by helpers.
func (s *Store) Helped(ctx context.Context, page string) error {
	insert := func() error {
		_, err := s.conn.Exec(ctx, visit, page)
		return err
	}
	return errors.Join(
		patiently(func() error {
			_, err := s.conn.Exec(ctx, visit, page) // want `inserts a row, and again`
			return err
		}),
		refused(insert),
		slower(insert),
		unless(func() error {
			_, err := s.conn.Exec(ctx, visit, page) // want `inserts a row, and again`
			return err
		}),
	)
}

// Dial repeats where no connection was made.
func (s *Store) Dial(ctx context.Context, page string) error {
	return retry.Do(func() error {
		_, err := s.conn.Exec(ctx, visit, page)
		return err
	}, retry.RetryIf(func(err error) bool {
		var oe *net.OpError
		return errors.As(err, &oe) && oe.Op == "dial"
	}))
}

// Texts asks for messages.
func (s *Store) Texts(ctx context.Context, page string) (err error) {
	for range 3 {
		_, err = s.conn.Exec(ctx, visit, page) // want `inserts a row, and again`
		if err == nil || !strings.Contains(err.Error(), "connection reset by peer") {
			return err
		}
	}
	return err
}

// Deadlock repeats what the server has undone.
func (s *Store) Deadlock(ctx context.Context, page string) (err error) {
	for range 3 {
		_, err = s.conn.Exec(ctx, visit, page)
		if err == nil || !strings.Contains(err.Error(), "deadlock detected") {
			return err
		}
	}
	return err
}

// Asks looks whether it was done after all.
func (s *Store) Asks(ctx context.Context, page string) (err error) {
	for range 3 {
		if _, err = s.conn.Exec(ctx, visit, page); err == nil {
			return nil
		}
		if found, ferr := s.exists(ctx, page); ferr == nil && found {
			return nil
		}
	}
	return err
}

func (s *Store) exists(ctx context.Context, page string) (bool, error) {
	var n int
	err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM visits WHERE page = ?", page).Scan(&n)
	return n > 0, err
}

// Second makes another attempt without a loop.
func (s *Store) Second(ctx context.Context, page string) error {
	_, err := s.conn.Exec(ctx, visit, page) // want `inserts a row, and again`
	if err == nil || ctx.Err() != nil {
		return err
	}
	time.Sleep(time.Second)
	_, err = s.conn.Exec(ctx, visit, page)
	return err
}
