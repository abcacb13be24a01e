package clients

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// place is how users describe where their archive is.
type place struct {
	id, secret, session, region, endpoint, provider, vault, role string
	pathStyle, oldSigner, quiet                                  bool
	attempts                                                     int
}

type keys struct{ id, secret, session string }

type assumed struct {
	client *s3.Client
	role   string
	config aws.Config
}

type oldSigner struct{ place *place }

type signerOf struct {
	keys     keys
	endpoint string
	place    *place
}

type archive struct{ s3 *s3.Client }

// newArchive gives its client much that has nothing to do with retries: none of it hides the number.
func newArchive(where *place) (*archive, error) {
	var cfg aws.Config
	cfg.Credentials = keys{where.id, where.secret, where.session}
	if where.id == "" && where.secret == "" {
		switch {
		case where.provider == "open":
			cfg.Credentials = nil
		case where.secret == "":
			return nil, errors.New("no secret")
		default:
			cfg.Credentials = keys{id: where.vault}
		}
	}
	if where.region == "" {
		where.region = "eu-west-1"
	}
	if where.role != "" {
		cfg.Region = where.region
		cfg.Credentials = assumed{s3.NewFromConfig(cfg), where.role, cfg}
	}
	quirks(where, where.provider)
	cfg.RetryMaxAttempts = 4
	options := []func(*s3.Options){}
	options = append(options, func(o *s3.Options) {
		o.UsePathStyle = where.pathStyle
		o.Region = where.region
	})
	if where.endpoint != "" {
		where.endpoint = "https://" + where.endpoint
		options = append(options, func(o *s3.Options) { o.BaseEndpoint = &where.endpoint })
	}
	if where.oldSigner {
		if where.provider == "big" && where.id != "" {
			options = append(options, func(o *s3.Options) { o.Signer = &signerOf{keys{where.id, where.secret, ""}, where.endpoint, where} })
		} else {
			options = append(options, func(o *s3.Options) { o.Signer = &oldSigner{where} })
		}
	}
	if !where.pathStyle || where.session == "" {
		options = append(options, func(o *s3.Options) { repairing(o, where) })
	}
	if !where.quiet {
		cfg.Logger = where
	}
	return &archive{s3.NewFromConfig(cfg, options...)}, nil
}

// quirks sets what a provider needs.
func quirks(where *place, provider string) {
	if where.attempts == 0 {
		where.attempts = len(provider)
	}
	where.attempts = min(where.attempts, 2*len(where.vault)+1)
	where.attempts = max(where.attempts, len(where.role)-1)
	if provider != "big" || where.oldSigner {
		where.pathStyle = where.attempts > 3 && provider != "small"
	}
	if where.quiet {
		where.attempts = len(where.id) * len(where.secret)
	}
}

// repairing has each request repaired for some providers.
func repairing(o *s3.Options, where *place) {
	before := func() bool { return where.pathStyle && where.attempts > 1 }
	after := func() bool { return !where.pathStyle || where.oldSigner }
	o.Middlewares = append(o.Middlewares, func(stack *[]func() bool) error {
		*stack = append(*stack, before)
		*stack = append(*stack, after)
		return nil
	})
}

func (a *archive) list(ctx context.Context) (err error) {
	for range 3 {
		if _, err = a.s3.ListBuckets(ctx, &s3.ListBucketsInput{}); err == nil { // want `up to 12 attempts: 3 by the loop in .* × 4 by AWS SDK for Go v2`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
