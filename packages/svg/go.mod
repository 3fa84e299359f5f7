module rustgo.dev/packages/svg

go 1.24

require rustgo.dev/go v0.1.0

replace rustgo.dev/go => ../../go
