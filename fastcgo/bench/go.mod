module rustgo.dev/fastcgo/bench

go 1.24.0

replace (
	rustgo.dev/fastcgo => ..
	rustgo.dev/fixtures => ../../fixtures
	rustgo.dev/go => ../../go
)

require (
	github.com/ebitengine/purego v0.10.2
	rustgo.dev/fastcgo v0.1.0
	rustgo.dev/fixtures v0.0.0
)

require rustgo.dev/go v0.1.0 // indirect
