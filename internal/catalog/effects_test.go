package catalog

import "testing"

func TestEffects(t *testing.T) {
	e, err := parseEffects(effectsData, tokensData)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Validate(); err != nil {
		t.Error(err)
	}
}

func TestKeys(t *testing.T) {
	keys := &OfEffects().Keys
	for _, c := range []struct {
		name     string
		mutation bool
		want     bool
	}{
		{"Idempotency-Key", false, true},
		{"MessageDeduplicationId", false, true},
		{"ClientToken", false, true},
		{"Webhook-Id", false, true},
		{"X-Line-Retry-Key", false, true},
		{"X-Request-Id", false, false},
		{"RequestId", false, false},
		{"RequestId", true, true},
		{"X-Attempt-Id", false, false},
		{"IdempotencyAttempt", false, false},
	} {
		if got := keys.IsKey(c.name, c.mutation); got != c.want {
			t.Errorf("%s in a mutation (%v): %v", c.name, c.mutation, got)
		}
	}
}

func TestTokens(t *testing.T) {
	e := OfEffects()
	for _, c := range []struct{ pkgPath, operation, want string }{
		{"github.com/aws/aws-sdk-go-v2/service/ec2", "RunInstances", "ClientToken"},
		{"github.com/aws/aws-sdk-go-v2/service/dynamodb", "TransactWriteItems", "ClientRequestToken"},
		{"github.com/aws/aws-sdk-go-v2/service/accessanalyzer", "DeleteAnalyzer", ""}, // repeats without harm
		{"github.com/aws/aws-sdk-go-v2/service/sqs", "SendMessage", ""},
		{"example.com/service/ec2", "RunInstances", ""},
	} {
		if got := e.Token(c.pkgPath, c.operation); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.pkgPath, c.operation, got, c.want)
		}
	}
}

func TestWrites(t *testing.T) {
	e := OfEffects()
	for _, c := range []struct {
		pkgPath, typeName, name string
		want                    bool
	}{
		{"github.com/redis/go-redis/v9", "cmdable", "HIncrBy", true},
		{"github.com/redis/go-redis/v9", "cmdable", "HSet", false},
		{"github.com/stripe/stripe-go/v82", "v1SubscriptionService", "Create", true},
		{"github.com/stripe/stripe-go/v82/paymentintent", "", "New", true},
		{"github.com/stripe/stripe-go/v82/paymentintent", "", "Get", false},
		{"net/smtp", "", "SendMail", true},
		{"github.com/IBM/sarama", "SyncProducer", "SendMessage", true},
		{"github.com/IBM/sarama", "Client", "SendMessage", false},
	} {
		if got := len(e.WritesOf(c.pkgPath, c.typeName, c.name)) > 0; got != c.want {
			t.Errorf("%s.%s.%s: %v", c.pkgPath, c.typeName, c.name, got)
		}
	}
}

func TestGRPCRepeats(t *testing.T) {
	const config = `{"methodConfig": [
		{"name": [{"service": "desk.v1.Tickets", "method": "Get"}, {"service": "desk.v1.Users"}], "retryPolicy": {"maxAttempts": 3}},
		{"name": [{"service": "desk.v1.Users", "method": "Add"}]}]}`
	for method, want := range map[string]bool{
		"/desk.v1.Tickets/Get":    true,
		"/desk.v1.Tickets/Create": false,
		"/desk.v1.Users/Get":      true,
		"/desk.v1.Users/Add":      false,
	} {
		if got := GRPCRepeats(config, method); got != want {
			t.Errorf("%s: %v", method, got)
		}
	}
}
