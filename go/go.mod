module rustgo.dev/go

go 1.24
