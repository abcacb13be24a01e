package catalog

import "testing"

func TestAllFilesAreValid(t *testing.T) {
	libraries, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, library := range libraries {
		if err := library.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// TestDecisiveFacts holds what is told apart by version only, or reads like the opposite of what it does.
func TestDecisiveFacts(t *testing.T) {
	tests := []struct {
		root, policy, setting, version string
		unit                           string
		zero                           Attempts
	}{
		{"github.com/cenkalti/backoff", "BackOff", "retries", "v2.2.1+incompatible", "retries", "unlimited"},
		{"github.com/cenkalti/backoff/v3", "BackOff", "retries", "v3.2.2", "retries", "unlimited"},
		{"github.com/cenkalti/backoff/v4", "BackOff", "retries", "v4.3.0", "retries", "1"},
		{"github.com/cenkalti/backoff/v5", "call", "tries", "v5.0.3", "attempts", "default"},
		{"github.com/avast/retry-go/v3", "Config", "attempts", "v3.1.1", "attempts", "never"},
		{"github.com/avast/retry-go/v4", "Config", "attempts", "v4.7.0", "attempts", "unlimited"},
		{"github.com/go-resty/resty/v2", "Client", "RetryCount", "v2.0.0", "attempts", "1"},
		{"github.com/go-resty/resty/v2", "Client", "RetryCount", "v2.17.2", "retries", "1"},
		{"github.com/grpc-ecosystem/go-grpc-middleware/retry", "interceptor", "max", "v1.4.0", "attempts", "1"},
		{"github.com/grafana/dskit", "backoff.Config", "MaxRetries", "", "attempts", "unlimited"},
		{"github.com/Azure/go-autorest/autorest", "decorator", "retries", "v0.11.30", "retries", "1"},
		{"github.com/valyala/fasthttp", "Client", "MaxIdemponentCallAttempts", "v1.78.0", "attempts", "default"},
		{"k8s.io/apimachinery/pkg/util/wait", "Backoff", "Steps", "v0.37.2", "attempts", "error"},
		{"google.golang.org/grpc", "unary", "serviceConfig", "v1.85.0", "grpc-service-config", "error"},
	}
	for _, test := range tests {
		setting := For(test.root).Policy(test.policy, test.version).Setting(test.setting, test.version)
		if setting == nil || setting.Unit != test.unit || setting.Zero != test.zero {
			t.Errorf("%s %s of %s is %+v", test.root, test.setting, test.version, setting)
		}
	}
	if setting := For("google.golang.org/grpc").Policy("unary", "v1.42.0").Setting("serviceConfig", "v1.42.0"); setting != nil {
		t.Error("grpc v1.42 repeated only when an environment variable asked for it")
	}
	if site := For("github.com/valyala/fasthttp").Function("(*Client).Post", "v1.55.0").Site; site.Policy != "Client" {
		t.Error("fasthttp v1.55 repeated POST")
	}
}
