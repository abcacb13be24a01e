module example.com/quote

go 1.26.0
