module example.com/desk

go 1.26.0

require github.com/avast/retry-go/v4 v4.7.0

replace github.com/avast/retry-go/v4 => ./retry-go
