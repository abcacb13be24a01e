package clients

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// buckets holds a client of a family whose types the catalogue knows by pattern.
type buckets struct{ s3 *s3.Client }

func newBuckets(patient bool, attempts int) *buckets {
	var cfg aws.Config
	cfg.Region = "eu-west-1"
	cfg.RetryMaxAttempts = 5
	return &buckets{s3.NewFromConfig(cfg, func(o *s3.Options) { o.Region = "eu-west-2" })}
}

func (b *buckets) list(ctx context.Context) (err error) {
	for range 2 {
		if _, err = b.s3.ListBuckets(ctx, &s3.ListBucketsInput{}); err == nil { // want `up to 10 attempts: 2 by the loop in .* × 5 by AWS SDK for Go v2`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (b *buckets) listOnce(ctx context.Context) (err error) {
	for range 2 {
		_, err = b.s3.ListBuckets(ctx, &s3.ListBucketsInput{}, func(o *s3.Options) { o.RetryMaxAttempts = 1 })
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
