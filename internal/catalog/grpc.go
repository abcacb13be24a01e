package catalog

import (
	"encoding/json"
	"strings"
)

// maxGRPCAttempts is the number to which grpc-go cuts maxAttempts down (dialoptions.go: defaultMaxCallAttempts).
const maxGRPCAttempts = 5

// GRPCAttempts returns the largest maxAttempts of the retry policies of a gRPC service config in JSON, as grpc-go applies it:
// cut to 5, and only below methodConfig with a name. ok is false if the config has no retry policy that is applied.
func GRPCAttempts(config string) (n int64, ok bool) {
	var parsed struct {
		MethodConfig []struct {
			Name        []any
			RetryPolicy *struct{ MaxAttempts int64 }
		}
	}
	if err := json.Unmarshal([]byte(config), &parsed); err != nil {
		return 0, false
	}
	for _, m := range parsed.MethodConfig {
		if m.RetryPolicy == nil || len(m.Name) == 0 {
			continue
		}
		n, ok = max(n, min(m.RetryPolicy.MaxAttempts, maxGRPCAttempts)), true
	}
	return n, ok
}

// GRPCThrottles reports whether a gRPC service config has the retries of a target throttled (service_config.go:
// retryThrottlingPolicy).
func GRPCThrottles(config string) bool {
	var parsed struct {
		RetryThrottling *struct{ MaxTokens, TokenRatio float64 }
	}
	return json.Unmarshal([]byte(config), &parsed) == nil && parsed.RetryThrottling != nil
}

// GRPCRepeats reports whether a gRPC service config has a retry policy for a method, written /package.Service/Method.
func GRPCRepeats(config, fullMethod string) bool {
	var parsed struct {
		MethodConfig []struct {
			Name        []struct{ Service, Method string }
			RetryPolicy *struct{}
		}
	}
	if err := json.Unmarshal([]byte(config), &parsed); err != nil {
		return false
	}
	service, method, _ := strings.Cut(strings.TrimPrefix(fullMethod, "/"), "/")
	best, repeats := -1, false // the most specific name counts
	for _, m := range parsed.MethodConfig {
		for _, name := range m.Name {
			rank := 0
			switch {
			case name.Service == service && name.Method == method:
				rank = 2
			case name.Service == service && name.Method == "":
				rank = 1
			case name.Service != "" || name.Method != "":
				continue
			}
			if rank > best {
				best, repeats = rank, m.RetryPolicy != nil
			}
		}
	}
	return repeats
}
