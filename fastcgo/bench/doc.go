// Package bench compares ways to call C: rustgo.dev/fastcgo, cgo, purego, and a bare switch to the system stack, as the fastest other packages make
// it. Two of the comparisons call the libraries zlib and libsodium. One comparison also calls a function of a Go package that rustgo made: the C
// function, written in Rust. The package has only tests and benchmarks.
//
//	go test -run Compare -v . -compare 60s   the comparison, as ratios, and whether the targets are met
//	go test -run '^$' -bench .             the same ways as ordinary benchmarks
//	go test -run Hammer -hammer 5m         the pressure test with real C, for minutes
//
// The targets are that a call takes at most a tenth of cgo's time, and at most 3 % longer than the best of the other packages. The authors of other
// packages published these figures, measured on other machines: github.com/nitrix/fastcgo 2.89 ns against cgo's 51.7, rust2go 2.32 ns on the system
// stack and 1.83 ns on the goroutine's stack. Package bare uses the technique of these packages.
package bench
