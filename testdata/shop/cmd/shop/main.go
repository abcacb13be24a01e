// Command shop places one order.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"example.com/shop/catalogue"
	"example.com/shop/inventory"
	"example.com/shop/storefront"
)

func main() {
	endpoint := flag.String("endpoint", "http://127.0.0.1:8000", "address of the DynamoDB server that holds the articles")
	article := flag.String("article", "teapot", "what to order")
	quantity := flag.Int("quantity", 1, "how many to order")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := order(ctx, *endpoint, storefront.Order{Article: *article, Quantity: *quantity}); err != nil {
		fmt.Fprintln(os.Stderr, "shop:", err)
		os.Exit(1)
	}
}

// order opens the shop and places the order.
func order(ctx context.Context, endpoint string, order storefront.Order) error {
	articles, err := catalogue.Open(ctx, endpoint)
	if err != nil {
		return err
	}
	shop := storefront.New(inventory.New(articles, 1))
	receipt, err := shop.PlaceOrder(ctx, order)
	if err != nil {
		return err
	}
	fmt.Printf("%d × %s, delivered: %t\n", receipt.Order.Quantity, receipt.Order.Article, receipt.Delivered)
	return nil
}
