module rustgo.dev/packages/tests

go 1.24

replace (
	rustgo.dev/fixtures => ../../fixtures
	rustgo.dev/go => ../../go
	rustgo.dev/packages => ../
)

require (
	filippo.io/edwards25519 v1.1.1
	github.com/BurntSushi/toml v1.5.0
	github.com/google/pprof v0.0.0-20250317173921-a4b03ec1a45e
	github.com/klauspost/compress v1.18.0
	github.com/zeebo/blake3 v0.2.4
	github.com/zeebo/xxh3 v1.1.0
	golang.org/x/net v0.39.0
	lukechampine.com/blake3 v1.4.1
	rustgo.dev/fixtures v0.0.0
	rustgo.dev/packages v0.0.0
)

require (
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	golang.org/x/sys v0.32.0 // indirect
	rustgo.dev/go v0.0.0 // indirect
)
