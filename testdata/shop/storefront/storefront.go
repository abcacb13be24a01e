// Package storefront takes the orders of customers.
package storefront

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"example.com/shop/again"
	"example.com/shop/inventory"
)

// A customer waits in front of the screen: better to try again here than to show an error.
const maxAttempts = 3

// An Order asks for a quantity of one article.
type Order struct {
	Article  string
	Quantity int
}

// A Receipt tells whether the order can be delivered.
type Receipt struct {
	Order     Order
	Delivered bool
}

// Storefront is the shop as a customer sees it.
type Storefront struct {
	inventory *inventory.Inventory
}

// New returns a storefront that sells what is in the inventory.
func New(stock *inventory.Inventory) *Storefront {
	return &Storefront{inventory: stock}
}

// PlaceOrder places the order, and tries again for a while if the shop's servers have a bad moment.
func (s *Storefront) PlaceOrder(ctx context.Context, order Order) (Receipt, error) {
	var lastErr error
	for attempt := 0; attempt < maxAttempts; attempt++ {
		if attempt > 0 {
			if err := pause(ctx); err != nil {
				return Receipt{}, err
			}
		}
		receipt, err := s.place(ctx, order)
		if err == nil {
			return receipt, nil
		}
		lastErr = err
	}
	return Receipt{}, fmt.Errorf("order of %s after %d attempts: %w", order.Article, maxAttempts, lastErr)
}

// place asks the inventory, which answers late or not at all when it's busy.
func (s *Storefront) place(ctx context.Context, order Order) (Receipt, error) {
	available, err := again.Do(ctx, 3, func(ctx context.Context) (int, error) {
		return s.inventory.Available(ctx, order.Article)
	})
	if err != nil {
		return Receipt{}, err
	}
	return Receipt{Order: order, Delivered: available >= order.Quantity}, nil
}

// pause waits a quarter to three quarters of a second, or until ctx ends.
func pause(ctx context.Context) error {
	const shortest, spread = 250 * time.Millisecond, 500 * time.Millisecond
	select {
	case <-time.After(shortest + rand.N(spread)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
