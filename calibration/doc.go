// Package calibration proves the numbers of the catalogue by execution: its tests call the real libraries, each at the
// version that the catalogue names, let everything below them fail, count what arrives, and compare that with what the
// catalogue says of the same call.
//
// The waits between attempts are the libraries' own. They pass on the clock of a synctest bubble, so that even a policy
// of fifteen minutes is measured at once.
//
// It is a module of its own, so that none of these libraries becomes a dependency of retrylint.
package calibration
