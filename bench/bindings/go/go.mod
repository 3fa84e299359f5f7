module rustgo.dev/bench/bindings

go 1.26.0

replace (
	github.com/cdump/evmole/go => ../clones/evmole/go
	github.com/kanrichan/resvg-go => ../clones/resvg-go
	github.com/xo/resvg => ../clones/xo-resvg
	rustgo.dev/bench => ../../
	rustgo.dev/go => ../../../go
)

require (
	github.com/automerge/automerge-go v0.0.0-20230903201930-b80ce8aadbb9
	github.com/cdump/evmole/go v0.9.4
	github.com/kanrichan/resvg-go v0.0.0
	github.com/xo/resvg v0.0.0
	golang.org/x/image v0.48.0
	rustgo.dev/bench v0.0.0
	rustgo.dev/go v0.1.0
)

require (
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
