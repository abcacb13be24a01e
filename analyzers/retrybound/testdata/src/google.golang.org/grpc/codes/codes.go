package codes

type Code uint32

const (
	OK                Code = 0
	InvalidArgument   Code = 3
	DeadlineExceeded  Code = 4
	AlreadyExists     Code = 6
	ResourceExhausted Code = 8
	Unavailable       Code = 14
)
