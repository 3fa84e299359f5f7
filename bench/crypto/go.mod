module rustgo.dev/bench/crypto

go 1.26.0

replace (
	rustgo.dev/fastcgo => ../../fastcgo
	rustgo.dev/fixtures => ../../fixtures
	rustgo.dev/go => ../../go
	rustgo.dev/packages => ../../packages
)

require (
	github.com/cloudflare/circl v1.6.5
	github.com/hdevalence/ed25519consensus v0.2.0
	github.com/oasisprotocol/curve25519-voi v0.0.0-20230904125328-1f23a7beb09a
	golang.org/x/crypto v0.59.0
	gonum.org/v1/plot v0.17.0
	rustgo.dev/fastcgo v0.1.0
	rustgo.dev/fixtures v0.0.0
	rustgo.dev/go v0.1.0
	rustgo.dev/packages v0.1.0
)

require (
	codeberg.org/go-fonts/liberation v0.5.0 // indirect
	codeberg.org/go-latex/latex v0.2.0 // indirect
	codeberg.org/go-pdf/fpdf v0.11.1 // indirect
	filippo.io/edwards25519 v1.0.0 // indirect
	git.sr.ht/~sbinet/gg v0.7.0 // indirect
	github.com/ajstarks/svgo v0.0.0-20211024235047-1546f124cd8b // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	golang.org/x/image v0.30.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)
