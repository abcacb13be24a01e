// Package ledger asks a ledger for other packages.
package ledger

import (
	"context"
	"net/http"
	"time"
)

// Fetch has a context of its own.
func Fetch(url string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return get(ctx, url)
}

// Ask has, too.
func Ask(url string) error { return get(context.TODO(), url) }

// FetchContext is given one.
func FetchContext(ctx context.Context, url string) error { return get(ctx, url) }

func get(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
