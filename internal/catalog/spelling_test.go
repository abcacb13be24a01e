package catalog

import "testing"

func TestSpelling(t *testing.T) {
	tests := []struct{ root, policy, setting, want string }{
		{"github.com/hashicorp/go-retryablehttp", "Client", "RetryMax", "RetryMax 2 makes 3"},
		{"github.com/avast/retry-go/v4", "Config", "attempts", "Attempts 2 makes 3"},
		{"github.com/avast/retry-go/v5", "RetrierWithData", "attempts", "Attempts 2 makes 3"},
		{"github.com/Rican7/retry", "strategies", "limit", "strategy.Limit 2 makes 3"},
		{"github.com/IBM/go-sdk-core/v5", "core.BaseService", "retries", "EnableRetries 2 makes 3"},
		{"github.com/imroc/req/v3", "Client", "retries", "SetRetryCount 2 makes 3"},
		{"github.com/eapache/go-resiliency", "delays", "count", "given 2 retries, which makes 3"},
		{"github.com/eapache/go-resiliency", "retrier.Retrier", "infinite", "WithInfiniteRetry makes 3"},
		{"github.com/samber/lo", "attempts", "count", "given 2, which makes 3"},
		{"github.com/confluentinc/confluent-kafka-go/v2", "kafka.Producer", "retries", "retries 2 makes 3"},
	}
	for _, test := range tests {
		library := For(test.root)
		setting := library.Policy(test.policy, "").Setting(test.setting, "")
		if setting == nil {
			t.Errorf("%s has no setting %s of %s", test.root, test.setting, test.policy)
			continue
		}
		if got := library.Spelling(test.policy, test.setting, "").Counted(*setting, 2, "3"); got != test.want {
			t.Errorf("%s %s: %q, want %q", test.root, test.setting, got, test.want)
		}
	}
	if got := For("github.com/hashicorp/go-retryablehttp").Spelling("Client", "RetryMax", "").Counts(Setting{Unit: "retries"}); got != "RetryMax counts retries" {
		t.Error(got)
	}
	if got := For("github.com/samber/lo").Spelling("attempts", "count", "").Counts(Setting{Unit: "attempts"}); got != "set by its argument" {
		t.Error(got)
	}
}

// TestEverySettingHasASpelling finds made-up names that no function gives: messages would show them.
func TestEverySettingHasASpelling(t *testing.T) {
	libraries, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, library := range libraries {
		for _, policy := range library.Policies {
			for _, setting := range policy.Settings {
				if !counts(setting) || library.file() == keysInLowerCase {
					continue
				}
				if s := library.Spelling(policy.Type, setting.Name, setting.Since); s.Name == setting.Name && setting.Name[0] >= 'a' {
					t.Errorf("%s: no function gives %s of %s a value, so messages can't say how it is set", library.file(), setting.Name, policy.Type)
				}
			}
		}
	}
}

// counts reports whether messages show the setting's name.
func counts(s Setting) bool {
	return s.Unit == "attempts" || s.Unit == "retries" || s.Unit == "off" || s.Unit == "on"
}

// keysInLowerCase is a library whose own keys look like made-up names.
const keysInLowerCase = "data/github.com/confluentinc/confluent-kafka-go/v2.yaml"
