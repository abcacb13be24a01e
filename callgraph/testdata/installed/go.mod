module example.com/installed

go 1.26
