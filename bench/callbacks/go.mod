module rustgo.dev/bench/callbacks

go 1.26.0

replace (
	rustgo.dev/fixtures => ../../fixtures
	rustgo.dev/go => ../../go
)

require (
	github.com/ebitengine/purego v0.10.2
	github.com/tetratelabs/wazero v1.12.0
	rustgo.dev/fixtures v0.0.0
)

require (
	golang.org/x/sys v0.44.0 // indirect
	rustgo.dev/go v0.1.0 // indirect
)
