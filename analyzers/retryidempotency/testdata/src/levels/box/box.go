// Package box repeats methods of services in other packages.
package box

import (
	"context"

	"levels/tickets"

	"github.com/avast/retry-go/v4"
)

type Box struct{ office tickets.TicketOfficeClient }

// Reserve is idempotent, as the service says.
func (b *Box) Reserve(ctx context.Context, t *tickets.Ticket) error {
	return retry.Do(func() error {
		_, err := b.office.ReserveSeat(ctx, t)
		return err
	})
}

// Report only reads, whatever it is called.
func (b *Box) Report(ctx context.Context, t *tickets.Ticket) error {
	return retry.Do(func() error {
		_, err := b.office.RunReport(ctx, t)
		return err
	})
}

// Book says nothing, and books.
func (b *Box) Book(ctx context.Context, t *tickets.Ticket) error {
	return retry.Do(func() error {
		_, err := b.office.BookSeat(ctx, t) // want `executes BookSeat`
		return err
	})
}

// Issue has the level that says nothing.
func (b *Box) Issue(ctx context.Context, t *tickets.Ticket) error {
	return retry.Do(func() error {
		_, err := b.office.IssueTicket(ctx, t) // want `executes IssueTicket`
		return err
	})
}
