// Package usage calls libraries the way applications do. A comment at the end of a line says how many attempts retrylint has to
// show there for that layer: a number that the tests of package calibration have counted.
package usage

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/PuerkitoBio/rehttp"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/go-resty/resty/v2"
	"github.com/gojek/heimdall/v7/httpclient"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/imroc/req/v3"
	"github.com/minio/minio-go/v7"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/redis/go-redis/v9"
	"github.com/sethgrid/pester"
	"github.com/stripe/stripe-go/v84"
	"github.com/stripe/stripe-go/v84/customer"
	"github.com/valyala/fasthttp"
	"github.com/ybbus/httpretry"
	"google.golang.org/api/storage/v1"
	"k8s.io/client-go/rest"
)

func Pester() (*http.Response, error) {
	c := pester.New()
	return c.Get("http://localhost") // attempts: 3
}

func PesterMore() (*http.Response, error) {
	c := pester.New()
	c.MaxRetries = 5
	return c.Get("http://localhost") // attempts: 5
}

func Heimdall() (*http.Response, error) {
	c := httpclient.NewClient(httpclient.WithHTTPTimeout(time.Second), httpclient.WithRetryCount(3)) // attempts: 4
	return c.Get("http://localhost", nil)                                                            // attempts: 4
}

func Rehttp() (*http.Response, error) {
	rt := rehttp.NewTransport(nil, rehttp.RetryAll(rehttp.RetryMaxRetries(2), rehttp.RetryTemporaryErr()), rehttp.ConstDelay(time.Second)) // attempts: 3
	c := &http.Client{Transport: rt}
	return c.Get("http://localhost")
}

func HTTPRetry() (*http.Response, error) {
	c := httpretry.NewDefaultClient(httpretry.WithMaxRetryCount(2)) // attempts: 3
	return c.Get("http://localhost")
}

func Retryable() (*http.Response, error) {
	c := retryablehttp.NewClient()   // attempts: 5
	return c.Get("http://localhost") // attempts: 5
}

func RetryableStandard(ctx context.Context) (*http.Response, error) {
	c := retryablehttp.NewClient() // attempts: 3
	c.RetryMax = 2
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost", nil)
	if err != nil {
		return nil, err
	}
	return c.StandardClient().Do(r)
}

func Resty() (*resty.Response, error) {
	c := resty.New().SetRetryCount(2)
	return c.R().Get("http://localhost") // attempts: 3
}

func Req() (*req.Response, error) {
	c := req.C().SetCommonRetryCount(2)
	return c.R().Get("http://localhost") // attempts: 3
}

func Fasthttp() error {
	c := &fasthttp.Client{MaxIdemponentCallAttempts: 3}
	return c.Do(new(fasthttp.Request), new(fasthttp.Response)) // attempts: 3
}

func Minio(ctx context.Context) error {
	c, err := minio.New("localhost", &minio.Options{MaxRetries: 4}) // attempts: 4
	if err != nil {
		return err
	}
	_, err = c.ListBuckets(ctx) // attempts: 4
	return err
}

func Stripe() error {
	backend := stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{MaxNetworkRetries: stripe.Int64(4)}) // attempts: 5
	_, err := customer.Client{B: backend, Key: "k"}.New(&stripe.CustomerParams{})                                        // attempts: 5
	return err
}

func OpenAI(ctx context.Context) error {
	c := openai.NewClient(option.WithMaxRetries(4)) // attempts: 5
	_, err := c.Models.List(ctx)                    // attempts: 5
	return err
}

func OpenAIOnce(ctx context.Context) error {
	c := openai.NewClient()                                // attempts: 3
	_, err := c.Models.List(ctx, option.WithMaxRetries(0)) // attempts: 1
	return err
}

type ledger struct{ db *redis.Client }

func newLedger() *ledger { return &ledger{db: redis.NewClient(&redis.Options{MaxRetries: 5})} }

func (l *ledger) Add(ctx context.Context) error {
	return l.db.Incr(ctx, "n").Err() // attempts: 6
}

type table struct {
	items *dynamodb.Client
	queue *sqs.Client
}

func newTable(ctx context.Context) (*table, error) {
	cfg, err := config.LoadDefaultConfig(ctx, config.WithRetryMaxAttempts(6)) // attempts: 6
	if err != nil {
		return nil, err
	}
	return &table{
		items: dynamodb.NewFromConfig(cfg),                                             // attempts: 6
		queue: sqs.NewFromConfig(cfg, func(o *sqs.Options) { o.RetryMaxAttempts = 2 }), // attempts: 2
	}, nil
}

func (t *table) Put(ctx context.Context) error {
	_, err := t.items.PutItem(ctx, &dynamodb.PutItemInput{}) // attempts: 6
	return err
}

func (t *table) Send(ctx context.Context) error {
	_, err := t.queue.SendMessage(ctx, &sqs.SendMessageInput{}) // attempts: 2
	return err
}

func Queue(ctx context.Context) error {
	_, err := sqs.New(sqs.Options{}).ListQueues(ctx, &sqs.ListQueuesInput{}) // attempts: 3
	return err
}

func Pods(ctx context.Context, c rest.Interface) error {
	return c.Get().Resource("pods").Do(ctx).Error() // attempts: 11
}

func Upload(s *storage.Service, r io.Reader) (*storage.Object, error) {
	return s.Objects.Insert("bucket", &storage.Object{}).Media(r).Do() // attempts: 1
}

func UploadAgain(ctx context.Context, s *storage.Service, r io.Reader) (*storage.Object, error) {
	return s.Objects.Insert("bucket", &storage.Object{}).Media(r).WithRetry(nil, nil).Context(ctx).Do() // attempts: unlimited
}
