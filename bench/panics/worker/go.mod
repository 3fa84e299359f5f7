module rustgo.dev/bench/panics/worker

go 1.24

replace rustgo.dev/go => ../../../go

require rustgo.dev/go v0.1.0
