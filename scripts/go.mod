module rustgo.dev/scripts

go 1.24
