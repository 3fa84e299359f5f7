module rustgo.dev/bench

go 1.24

replace (
	rustgo.dev/go => ../go
	rustgo.dev/packages => ../packages
)

require (
	filippo.io/edwards25519 v1.1.1
	github.com/ebitengine/purego v0.10.2
	github.com/zeebo/blake3 v0.2.4
	lukechampine.com/blake3 v1.4.1
	rustgo.dev/go v0.0.0
	rustgo.dev/packages v0.0.0
)

require (
	github.com/klauspost/cpuid/v2 v2.0.12 // indirect
)
