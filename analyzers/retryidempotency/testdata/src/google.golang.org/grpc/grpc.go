package grpc

type CallOption interface{ apply() }
