// Package retrybound reports retries without an end.
//
// # retrybound: report retries that nothing bounds
//
// A retry that never gives up turns a failure that lasts into a hang.
package retrybound
