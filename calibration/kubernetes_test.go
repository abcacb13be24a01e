package calibration

import (
	"context"
	"net/http"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/retry"
)

func TestKubernetesWait(t *testing.T) {
	backoff := look(t, "k8s.io/apimachinery/pkg/util/wait", "Backoff")
	steps := func(n int) measurement {
		return measurement{named("Steps", n), backoff.with("Steps", n), func(_ context.Context, d *dependency) error {
			return wait.ExponentialBackoff(wait.Backoff{Duration: time.Second, Steps: n}, func() (bool, error) {
				return d.ask() == nil, nil
			})
		}}
	}
	calibrate(t, inProcess, []measurement{steps(5), steps(1), steps(0), steps(-1)})
}

func TestKubernetesRetry(t *testing.T) {
	policies := lookLibrary(t, "k8s.io/client-go/util/retry") // values of wait's type, with Steps set
	policies.policy = look(t, "k8s.io/apimachinery/pkg/util/wait", "Backoff").policy
	always := func(error) bool { return true }
	onError := func(policy wait.Backoff) call {
		return func(_ context.Context, d *dependency) error { return retry.OnError(policy, always, d.ask) }
	}
	calibrate(t, inProcess, []measurement{
		{"DefaultRetry", policies.after("DefaultRetry", 0), onError(retry.DefaultRetry)},
		{"DefaultBackoff", policies.after("DefaultBackoff", 0), onError(retry.DefaultBackoff)},
	})
}

func TestKubernetesRequest(t *testing.T) {
	request := look(t, "k8s.io/client-go/rest", "rest.Request")
	get := func(change func(*rest.Request)) call {
		return func(ctx context.Context, d *dependency) error {
			client, err := rest.RESTClientFor(&rest.Config{Host: d.url, ContentConfig: rest.ContentConfig{
				GroupVersion:         &schema.GroupVersion{Version: "v1"},
				NegotiatedSerializer: scheme.Codecs.WithoutConversion(),
			}})
			if err != nil {
				return err
			}
			r := client.Get().Resource("pods")
			change(r)
			return r.Do(ctx).Error()
		}
	}
	maxRetries := func(n int) measurement {
		return measurement{named("MaxRetries", n), request.after("(*rest.Request).MaxRetries", n),
			get(func(r *rest.Request) { r.MaxRetries(n) })}
	}
	calibrate(t, behindHTTP(http.StatusServiceUnavailable, http.Header{"Retry-After": {"1"}}), []measurement{
		{"default", request.byDefault(), get(func(*rest.Request) {})},
		maxRetries(2), maxRetries(0), maxRetries(-1),
	})
}
