package calibration

import (
	"bufio"
	"context"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

func TestRedis(t *testing.T) {
	client := look(t, "github.com/redis/go-redis/v9", "Client")
	maxRetries := func(n int) measurement {
		return measurement{named("MaxRetries", n), client.with("MaxRetries", n), increment(n)}
	}
	calibrate(t, inProcess, []measurement{
		{"default", client.byDefault(), increment(0)},
		maxRetries(5), maxRetries(1), maxRetries(0), maxRetries(-1),
	})
}

// increment sends one INCR to a server that is loading.
func increment(maxRetries int) call {
	return func(ctx context.Context, d *dependency) error {
		client := redis.NewClient(&redis.Options{
			MaxRetries: maxRetries,
			Addr:       "127.0.0.1:6379",
			Protocol:   2,
			Dialer: func(context.Context, string, string) (net.Conn, error) {
				// A pipe, not a socket: the bubble's clock doesn't run while somebody waits for a socket.
				ours, theirs := net.Pipe()
				go serveRedis(theirs, d)
				return ours, nil
			},
		})
		defer client.Close()
		return client.Incr(ctx, "counter").Err()
	}
}

// serveRedis answers INCR as a server does that has just started; everything else, such as the greeting, it doesn't know.
func serveRedis(conn net.Conn, d *dependency) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		command, err := readCommand(in)
		if err != nil {
			return // the client went
		}
		switch {
		case !strings.EqualFold(command, "incr"):
			io.WriteString(conn, "-ERR unknown command\r\n")
		case d.ask() == nil:
			io.WriteString(conn, ":1\r\n")
		default:
			io.WriteString(conn, "-LOADING the dataset is read\r\n")
		}
	}
}

// readCommand reads an array of strings (*2, $4, INCR, $7, counter) and returns the first.
func readCommand(in *bufio.Reader) (string, error) {
	header, err := readLine(in)
	if err != nil {
		return "", err
	}
	length, err := strconv.Atoi(strings.TrimPrefix(header, "*"))
	if err != nil {
		return "", err
	}
	var words []string
	for range 2 * length {
		line, err := readLine(in)
		if err != nil {
			return "", err
		}
		words = append(words, line)
	}
	return words[1], nil
}

func readLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}
