package ec2

import "context"

type Client struct{}

type RunInstancesInput struct {
	ImageId     *string
	ClientToken *string
}

type RunInstancesOutput struct{}

func (*Client) RunInstances(ctx context.Context, in *RunInstancesInput) (*RunInstancesOutput, error) {
	return nil, nil
}
