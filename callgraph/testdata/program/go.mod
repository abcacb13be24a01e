module example.com/program

go 1.25

require k8s.io/client-go v0.37.2

replace k8s.io/client-go v0.37.2 => ./client-go
