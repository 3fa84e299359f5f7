module rustgo.dev/bench/crypto

go 1.26.0

replace (
	rustgo.dev/fixtures => ../../fixtures
	rustgo.dev/fastcgo => ../../fastcgo
	rustgo.dev/go => ../../go
	rustgo.dev/packages => ../../packages
)

require (
	github.com/cloudflare/circl v1.6.5
	github.com/hdevalence/ed25519consensus v0.2.0
	github.com/oasisprotocol/curve25519-voi v0.0.0-20230904125328-1f23a7beb09a
	golang.org/x/crypto v0.59.0
	rustgo.dev/fixtures v0.0.0
	rustgo.dev/fastcgo v0.0.0
	rustgo.dev/go v0.0.0
	rustgo.dev/packages v0.0.0
)

require (
	filippo.io/edwards25519 v1.0.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
