// Package inventory knows how much of each article the shop can sell.
package inventory

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"

	"example.com/shop/catalogue"
)

// Inventory answers from the catalogue, less what is kept back.
type Inventory struct {
	catalogue *catalogue.Catalogue
	keepBack  int
}

// New returns an inventory that keeps the last keepBack pieces of each article for the shop window.
func New(articles *catalogue.Catalogue, keepBack int) *Inventory {
	return &Inventory{catalogue: articles, keepBack: keepBack}
}

// Available returns how many pieces of the article can be sold.
func (i *Inventory) Available(ctx context.Context, article string) (int, error) {
	stock, err := retry.DoWithData(
		func() (int, error) { return i.catalogue.Stock(ctx, article) },
		retry.Attempts(3),
		retry.Context(ctx),
		retry.Delay(100*time.Millisecond),
		retry.LastErrorOnly(true),
	)
	if err != nil {
		return 0, err
	}
	return max(0, stock-i.keepBack), nil
}
