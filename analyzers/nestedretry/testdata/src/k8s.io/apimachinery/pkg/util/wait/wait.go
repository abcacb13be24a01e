// Package wait stands in for k8s.io/apimachinery/pkg/util/wait: the catalogue knows what it does.
package wait

// Backoff is a policy.
type Backoff struct{ Steps int }
