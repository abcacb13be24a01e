// Package shop_test counts what arrives at the database while it's down.
package shop_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"example.com/shop/catalogue"
	"example.com/shop/inventory"
	"example.com/shop/storefront"
)

// TestOneOrderMakes243Requests is the proof by execution: 3 × 3 × 3 × 3 × 3. The code under test is what main runs, with
// its waits; they pass at once, on the clock of a synctest bubble.
func TestOneOrderMakes243Requests(t *testing.T) {
	ignoreEnvironment(t)
	var requests atomic.Int64
	server := failingDatabase(t, &requests)
	synctest.Test(t, func(t *testing.T) {
		articles, err := catalogue.Open(t.Context(), server.URL)
		if err != nil {
			t.Fatal(err)
		}
		shop := storefront.New(inventory.New(articles, 1))
		if _, err := shop.PlaceOrder(t.Context(), storefront.Order{Article: "teapot", Quantity: 1}); err == nil {
			t.Error("the order was placed, though the database is down")
		}
	})
	if got := requests.Load(); got != 243 {
		t.Errorf("one order made %d requests, want 243", got)
	}
}

// failingDatabase answers every request as DynamoDB does when it's out of order. It runs outside of the bubble and closes
// each connection, since a goroutine that waits for the network inside would hold the bubble's clock.
func failingDatabase(t *testing.T, requests *atomic.Int64) *httptest.Server {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(http.StatusInternalServerError)
		w.Write([]byte(`{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"out of order"}`))
	}))
	server.Config.SetKeepAlivesEnabled(false)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// ignoreEnvironment unsets what else the SDK would read, such as AWS_MAX_ATTEMPTS.
func ignoreEnvironment(t *testing.T) {
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "AWS_") {
			os.Unsetenv(name)
			t.Cleanup(func() { os.Setenv(name, value) })
		}
	}
	t.Setenv("AWS_CONFIG_FILE", os.DevNull)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", os.DevNull)
}
