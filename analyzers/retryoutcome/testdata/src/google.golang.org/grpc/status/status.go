// Package status is a stand-in for that of gRPC.
package status

func Error(code int, msg string) error { return nil }
