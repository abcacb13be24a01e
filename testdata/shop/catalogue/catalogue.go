// Package catalogue reads the shop's articles from DynamoDB.
package catalogue

import (
	"context"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/shop/transport"
)

const table = "articles"

// Catalogue is the table of articles.
type Catalogue struct {
	db *dynamodb.Client
}

// Open returns the catalogue that the DynamoDB server at endpoint holds. The server is one of the shop's own, such as
// DynamoDB local: it wants a region and a key, and takes any.
func Open(ctx context.Context, endpoint string) (*Catalogue, error) {
	cfg, err := config.LoadDefaultConfig(ctx,
		config.WithRegion("eu-central-1"),
		config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider("shop", "shop", "")),
		config.WithHTTPClient(transport.NewClient()),
	)
	if err != nil {
		return nil, fmt.Errorf("configuration of the catalogue: %w", err)
	}
	db := dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		o.BaseEndpoint = aws.String(endpoint)
	})
	return &Catalogue{db: db}, nil
}

// Stock returns how many pieces of the article there are: none if the shop doesn't know it.
func (c *Catalogue) Stock(ctx context.Context, article string) (int, error) {
	out, err := c.db.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: aws.String(table),
		Key:       map[string]types.AttributeValue{"article": &types.AttributeValueMemberS{Value: article}},
	})
	if err != nil {
		return 0, fmt.Errorf("stock of %s: %w", article, err)
	}
	return stockOf(out.Item)
}

func stockOf(item map[string]types.AttributeValue) (int, error) {
	number, ok := item["stock"].(*types.AttributeValueMemberN)
	if !ok {
		return 0, nil
	}
	return strconv.Atoi(number.Value)
}
