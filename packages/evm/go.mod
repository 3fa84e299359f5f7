module rustgo.dev/packages/evm

go 1.24

require rustgo.dev/go v0.1.0

replace rustgo.dev/go => ../../go
