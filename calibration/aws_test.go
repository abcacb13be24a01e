package calibration

import (
	"context"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

const awsPath = "github.com/aws/aws-sdk-go-v2"

func TestAWSDynamoDB(t *testing.T) {
	client := look(t, awsPath, "service/dynamodb.Client")
	maxAttempts := func(n int) measurement {
		return measurement{named("RetryMaxAttempts", n), client.with("RetryMaxAttempts", n),
			listTables(func(o *dynamodb.Options) { o.RetryMaxAttempts = n })}
	}
	calibrate(t, unavailable, []measurement{
		{"default", client.byDefault(), listTables(func(*dynamodb.Options) {})},
		maxAttempts(1), maxAttempts(25), maxAttempts(0),
		{"RetryMaxAttempts -1", client.with("RetryMaxAttempts", -1),
			listTables(func(o *dynamodb.Options) { o.RetryMaxAttempts, o.Retryer = -1, withoutQuota() })},
		{"NopRetryer", look(t, awsPath, "aws.NopRetryer").byDefault(),
			listTables(func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })},
	})
}

// TestAWSQuota measures what the catalogue's note says of the token bucket, which each client has for all of its calls: a
// retry costs 14 tokens of 500.
func TestAWSQuota(t *testing.T) {
	look(t, awsPath, "service/dynamodb.Client")
	calibrate(t, unavailable, []measurement{
		{"RetryMaxAttempts -1", claim{attempts: number(1 + 500/14)},
			listTables(func(o *dynamodb.Options) { o.RetryMaxAttempts = -1 })},
	})
}

// withoutQuota is the default retryer without its token bucket, which would end an endless call at some time.
func withoutQuota() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) { o.RateLimiter = ratelimit.None })
}

func TestAWSRetryer(t *testing.T) {
	standard := look(t, awsPath, "aws/retry.Standard")
	added := look(t, awsPath, "aws.Retryer")
	with := func(retryer func() aws.Retryer) call {
		return listTables(func(o *dynamodb.Options) { o.Retryer = retryer() })
	}
	maxAttempts := func(n int) measurement {
		return measurement{named("MaxAttempts", n), standard.with("MaxAttempts", n), with(func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) { o.MaxAttempts = n })
		})}
	}
	addMaxAttempts := func(n int) measurement {
		return measurement{named("AddWithMaxAttempts", n), added.after("aws/retry.AddWithMaxAttempts", n),
			with(func() aws.Retryer { return retry.AddWithMaxAttempts(withoutQuota(), n) })}
	}
	calibrate(t, unavailable, []measurement{
		{"NewStandard", standard.byDefault(), with(func() aws.Retryer { return retry.NewStandard() })},
		{"NewAdaptiveMode", look(t, awsPath, "aws/retry.AdaptiveMode").byDefault(),
			with(func() aws.Retryer { return retry.NewAdaptiveMode() })},
		maxAttempts(5), maxAttempts(0), maxAttempts(-1),
		addMaxAttempts(7), addMaxAttempts(0), addMaxAttempts(-1),
	})
}

// TestAWSConfig goes the way from the configuration to another service's client.
func TestAWSConfig(t *testing.T) {
	ignoreEnvironment(t)
	cfg := look(t, awsPath, "aws.Config")
	plain := func(*sqs.Options) {}
	endless := func(o *sqs.Options) { o.Retryer = withoutQuota() }
	calibrate(t, unavailable, []measurement{
		{"default", cfg.byDefault(), listQueues(plain)},
		{"sqs", look(t, awsPath, "service/sqs.Client").byDefault(), listQueues(plain)},
		{"WithRetryMaxAttempts 2", cfg.after("config.WithRetryMaxAttempts", 2),
			listQueues(plain, config.WithRetryMaxAttempts(2))},
		{"WithRetryMaxAttempts 0", cfg.after("config.WithRetryMaxAttempts", 0),
			listQueues(plain, config.WithRetryMaxAttempts(0))},
		{"WithRetryMaxAttempts -1", cfg.after("config.WithRetryMaxAttempts", -1),
			listQueues(endless, config.WithRetryMaxAttempts(-1))},
	})
}

// TestAWSConfigRetryer measures what the catalogue's note says of LoadDefaultConfig: a Retryer there wins.
func TestAWSConfigRetryer(t *testing.T) {
	ignoreEnvironment(t)
	standard := look(t, awsPath, "aws/retry.Standard")
	calibrate(t, unavailable, []measurement{
		{"WithRetryer and WithRetryMaxAttempts 5", standard.byDefault(),
			listQueues(func(*sqs.Options) {}, config.WithRetryer(withoutQuota), config.WithRetryMaxAttempts(5))},
	})
}

// listQueues calls SQS once, through a client that was made from a configuration loaded with the options given.
func listQueues(change func(*sqs.Options), options ...func(*config.LoadOptions) error) call {
	return func(ctx context.Context, d *dependency) error {
		cfg, err := config.LoadDefaultConfig(ctx, append(options,
			config.WithRegion("eu-central-1"),
			config.WithCredentialsProvider(aws.CredentialsProviderFunc(anybody)))...)
		if err != nil {
			return err
		}
		client := sqs.NewFromConfig(cfg, change, func(o *sqs.Options) { o.BaseEndpoint = &d.url })
		_, err = client.ListQueues(ctx, new(sqs.ListQueuesInput))
		return err
	}
}

// listTables calls DynamoDB once, through a client that was made with the options given.
func listTables(change func(*dynamodb.Options)) call {
	return func(ctx context.Context, d *dependency) error {
		client := dynamodb.New(dynamodb.Options{
			Region:       "eu-central-1",
			BaseEndpoint: &d.url,
			Credentials:  aws.CredentialsProviderFunc(anybody),
		}, change)
		_, err := client.ListTables(ctx, new(dynamodb.ListTablesInput))
		return err
	}
}

func anybody(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "calibration", SecretAccessKey: "calibration"}, nil
}

// ignoreEnvironment hides what else the SDK would read.
func ignoreEnvironment(t *testing.T) {
	for _, name := range []string{"AWS_MAX_ATTEMPTS", "AWS_RETRY_MODE", "AWS_PROFILE"} {
		t.Setenv(name, "") // as if unset
	}
	t.Setenv("AWS_CONFIG_FILE", os.DevNull)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", os.DevNull)
}
