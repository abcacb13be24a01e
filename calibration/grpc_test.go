package calibration

import (
	"context"
	"fmt"
	"net"
	"testing"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/retry"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/types/known/emptypb"
)

func TestGRPC(t *testing.T) {
	conn := look(t, "google.golang.org/grpc", "ClientConn")
	calibrate(t, inProcess, []measurement{
		{"default", conn.byDefault(), invoke()},
		{"maxAttempts 4", conn.after("WithDefaultServiceConfig", 4), invoke(maxAttempts(4))},
		{"maxAttempts 10", conn.after("WithDefaultServiceConfig", 10), invoke(maxAttempts(10))},
		{"maxAttempts 0", conn.after("WithDefaultServiceConfig", 0), invoke(maxAttempts(0))},
		{"WithDisableRetry", conn.after("WithDisableRetry", 0), invoke(maxAttempts(4), grpc.WithDisableRetry())},
		{"WithMaxCallAttempts 8", conn.after("WithMaxCallAttempts", 8), invoke(maxAttempts(10), grpc.WithMaxCallAttempts(8))},
	})
}

func TestGRPCMiddleware(t *testing.T) {
	interceptor := look(t, "github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/retry", "interceptor")
	with := func(options ...retry.CallOption) call {
		return invoke(grpc.WithUnaryInterceptor(retry.UnaryClientInterceptor(options...)))
	}
	withMax := func(n uint) measurement {
		return measurement{named("WithMax", n), interceptor.after("WithMax", int(n)), with(retry.WithMax(n))}
	}
	calibrate(t, inProcess, []measurement{
		{"default", interceptor.byDefault(), with()},
		withMax(5), withMax(1), withMax(0),
		{"Disable", interceptor.after("Disable", 0), with(retry.WithMax(5), retry.Disable())},
	})
}

// maxAttempts is a service config as servers publish it, for all methods.
func maxAttempts(n int) grpc.DialOption {
	return grpc.WithDefaultServiceConfig(fmt.Sprintf(`{"methodConfig": [{"name": [{}], "retryPolicy": {
		"maxAttempts": %d, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2,
		"retryableStatusCodes": ["UNAVAILABLE"]}}]}`, n))
}

// invoke calls a method of a server that is never available, over a connection in memory: the bubble's clock doesn't run
// while somebody waits for a socket.
func invoke(options ...grpc.DialOption) call {
	return func(ctx context.Context, d *dependency) error {
		listener := bufconn.Listen(1 << 16)
		server := grpc.NewServer(grpc.UnknownServiceHandler(func(any, grpc.ServerStream) error {
			if d.ask() == nil {
				return status.Error(codes.Internal, "beyond the brake")
			}
			return status.Error(codes.Unavailable, "out of order")
		}))
		go server.Serve(listener)
		defer server.Stop()

		options := append(options,
			grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
		conn, err := grpc.NewClient("passthrough:///calibration", options...)
		if err != nil {
			return err
		}
		defer conn.Close()
		return conn.Invoke(ctx, "/calibration.Calibration/Call", new(emptypb.Empty), new(emptypb.Empty))
	}
}
