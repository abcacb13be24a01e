package status

import "google.golang.org/grpc/codes"

func Code(err error) codes.Code {
	return err.(interface{ Code() codes.Code }).Code()
}
