module rustgo.dev/check

go 1.24

require golang.org/x/arch v0.20.0
