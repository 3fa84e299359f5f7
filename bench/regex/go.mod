module rustgo.dev/bench/regex

go 1.26.0

replace (
	rustgo.dev/go => ../../go
	rustgo.dev/packages => ../../packages
)

require (
	github.com/coregx/coregex v0.12.0
	github.com/grafana/regexp v0.0.0-20240518133315-a468a5bfb3bc
	github.com/wasilibs/go-re2 v1.13.0
	rustgo.dev/packages v0.1.0
)

require (
	github.com/coregx/ahocorasick v0.1.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	rustgo.dev/go v0.1.0 // indirect
)
