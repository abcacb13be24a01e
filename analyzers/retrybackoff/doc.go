// Package retrybackoff reports what is wrong with the waits between attempts.
//
// # retrybackoff: report waits that don't protect a dependency
//
// Waits between attempts are there to give a dependency time.
package retrybackoff
