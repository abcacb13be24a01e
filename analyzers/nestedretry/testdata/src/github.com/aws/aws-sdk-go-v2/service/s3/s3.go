// Package s3 stands in for the real one.
package s3

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
)

type Options struct {
	Region           string
	UsePathStyle     bool
	BaseEndpoint     *string
	Signer           any
	Middlewares      []func(*[]func() bool) error
	RetryMaxAttempts int
}

type Client struct{ options Options }

func NewFromConfig(cfg aws.Config, optFns ...func(*Options)) *Client { return &Client{} }

type ListBucketsInput struct{}

type ListBucketsOutput struct{}

func (c *Client) ListBuckets(ctx context.Context, in *ListBucketsInput, optFns ...func(*Options)) (*ListBucketsOutput, error) {
	return nil, nil
}
