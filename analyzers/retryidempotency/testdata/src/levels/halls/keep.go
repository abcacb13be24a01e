package halls

import (
	"context"

	"github.com/avast/retry-go/v4"
)

// Order repeats what is idempotent, beside the generated code.
func Order(ctx context.Context, keeper HallKeeperClient, h *Hall) error {
	return retry.Do(func() error {
		if _, err := keeper.OrderHall(ctx, h); err != nil {
			return err
		}
		_, err := keeper.StartCount(ctx, h)
		return err
	})
}

// Show doesn't.
func Show(ctx context.Context, keeper HallKeeperClient, h *Hall) error {
	return retry.Do(func() error {
		_, err := keeper.RunShow(ctx, h) // want `executes RunShow`
		return err
	})
}
