module rustgo.dev/bench/peers

go 1.24

replace (
	github.com/ihciah/rust2go => ../clones/rust2go
	rustgo.dev/fixtures => ../../../fixtures
	rustgo.dev/go => ../../../go
	rustgo.dev/packages => ../../../packages
)

require (
	github.com/ihciah/rust2go v0.0.0
	rustgo.dev/fixtures v0.0.0
	rustgo.dev/packages v0.1.0
)

require rustgo.dev/go v0.1.0 // indirect
