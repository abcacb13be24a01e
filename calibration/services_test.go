package calibration

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elastic/go-elasticsearch/v8"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stripe/stripe-go/v84"
	"github.com/stripe/stripe-go/v84/customer"
	apioption "google.golang.org/api/option"
	"google.golang.org/api/storage/v1"
)

func TestMinio(t *testing.T) {
	client := look(t, "github.com/minio/minio-go/v7", "Client")
	maxRetries := func(n int) measurement {
		return measurement{named("MaxRetries", n), client.with("MaxRetries", n), listBuckets(n)}
	}
	calibrate(t, unavailable, []measurement{
		{"default", client.byDefault(), listBuckets(0)},
		maxRetries(3), maxRetries(1), maxRetries(0), maxRetries(-1),
	})
}

func listBuckets(maxRetries int) call {
	return func(ctx context.Context, d *dependency) error {
		endpoint, err := url.Parse(d.url)
		if err != nil {
			return err
		}
		client, err := minio.New(endpoint.Host, &minio.Options{
			Creds:      credentials.NewStaticV4("calibration", "calibration", ""),
			Region:     "eu-central-1", // else it's asked for, with attempts of its own
			MaxRetries: maxRetries,
		})
		if err != nil {
			return err
		}
		_, err = client.ListBuckets(ctx)
		return err
	}
}

func TestGoogleUpload(t *testing.T) {
	upload := look(t, "google.golang.org/api/storage/v1", "upload")
	calibrate(t, unavailable, []measurement{
		{"default", upload.byDefault(), insertObject(false)},
		{"WithRetry", upload.with("retried", 0), insertObject(true)},
	})
}

func insertObject(retried bool) call {
	return func(ctx context.Context, d *dependency) error {
		service, err := storage.NewService(ctx, apioption.WithEndpoint(d.url), apioption.WithHTTPClient(http.DefaultClient))
		if err != nil {
			return err
		}
		insert := service.Objects.Insert("bucket", &storage.Object{Name: "calibration"}).Media(strings.NewReader("text"))
		if retried {
			insert = insert.WithRetry(nil, nil)
		}
		_, err = insert.Context(ctx).Do()
		return err
	}
}

func TestStripe(t *testing.T) {
	backend := look(t, "github.com/stripe/stripe-go/v84", "BackendConfig")
	maxRetries := func(n int64) measurement {
		return measurement{named("MaxNetworkRetries", n), backend.with("MaxNetworkRetries", int(n)),
			createCustomer(&n)}
	}
	calibrate(t, unavailable, []measurement{
		{"default", backend.byDefault(), createCustomer(nil)},
		maxRetries(4), maxRetries(1), maxRetries(0), maxRetries(-1),
	})
}

func createCustomer(maxRetries *int64) call {
	return func(ctx context.Context, d *dependency) error {
		backend := stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{
			URL:               &d.url,
			MaxNetworkRetries: maxRetries,
			LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
			EnableTelemetry:   stripe.Bool(false),
		})
		params := &stripe.CustomerParams{}
		params.Context = ctx
		_, err := customer.Client{B: backend, Key: "calibration"}.New(params)
		return err
	}
}

func TestElasticsearch(t *testing.T) {
	client := look(t, "github.com/elastic/go-elasticsearch/v8", "Client")
	info := func(cfg elasticsearch.Config) call {
		return func(ctx context.Context, d *dependency) error {
			cfg.Addresses = []string{d.url}
			es, err := elasticsearch.NewClient(cfg)
			if err != nil {
				return err
			}
			response, err := es.Info(es.Info.WithContext(ctx))
			if err != nil {
				return err
			}
			return response.Body.Close()
		}
	}
	maxRetries := func(n int) measurement {
		return measurement{named("MaxRetries", n), client.with("MaxRetries", n),
			info(elasticsearch.Config{MaxRetries: n})}
	}
	calibrate(t, unavailable, []measurement{
		{"default", client.byDefault(), info(elasticsearch.Config{})},
		maxRetries(5), maxRetries(1), maxRetries(0), maxRetries(-1),
		{"DisableRetry", client.with("DisableRetry", 1), info(elasticsearch.Config{DisableRetry: true})},
	})
}

func TestOpenAI(t *testing.T) {
	client := look(t, "github.com/openai/openai-go/v3", "Client")
	list := func(options ...option.RequestOption) call {
		return func(ctx context.Context, d *dependency) error {
			c := openai.NewClient(append(options, option.WithBaseURL(d.url), option.WithAPIKey("calibration"))...)
			_, err := c.Models.List(ctx)
			return err
		}
	}
	maxRetries := func(n int) measurement {
		return measurement{named("WithMaxRetries", n), client.after("option.WithMaxRetries", n),
			func(ctx context.Context, d *dependency) error { return list(option.WithMaxRetries(n))(ctx, d) }}
	}
	calibrate(t, unavailable, []measurement{
		{"default", client.byDefault(), list()},
		maxRetries(5), maxRetries(1), maxRetries(0), maxRetries(-1),
	})
}
