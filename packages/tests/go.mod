module rustgo.dev/packages/tests

go 1.24.0

replace (
	rustgo.dev/fixtures => ../../fixtures
	rustgo.dev/go => ../../go
	rustgo.dev/packages => ../
	rustgo.dev/packages/xlsx => ../xlsx
)

require (
	filippo.io/edwards25519 v1.1.1
	github.com/BurntSushi/toml v1.5.0
	github.com/google/pprof v0.0.0-20250317173921-a4b03ec1a45e
	github.com/klauspost/compress v1.18.0
	github.com/xuri/excelize/v2 v2.10.1
	github.com/zeebo/blake3 v0.2.4
	github.com/zeebo/xxh3 v1.1.0
	golang.org/x/net v0.50.0
	lukechampine.com/blake3 v1.4.1
	rustgo.dev/fixtures v0.0.0
	rustgo.dev/packages v0.1.0
	rustgo.dev/packages/xlsx v0.1.0
)

require (
	github.com/richardlehane/mscfb v1.0.6 // indirect
	github.com/richardlehane/msoleps v1.0.6 // indirect
	github.com/tiendc/go-deepcopy v1.7.2 // indirect
	github.com/xuri/efp v0.0.1 // indirect
	github.com/xuri/nfp v0.0.2-0.20250530014748-2ddeb826f9a9 // indirect
	golang.org/x/crypto v0.48.0 // indirect
	golang.org/x/text v0.34.0 // indirect
)

require (
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	golang.org/x/sys v0.41.0 // indirect
	rustgo.dev/go v0.1.0 // indirect
)
