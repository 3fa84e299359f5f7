// Package bench compares ways to call C: rustgo.dev/fastcgo, cgo, purego, and a switch to the system stack without any
// safeguard, which is what the fastest packages of this kind do. In two of the comparisons libraries are called, zlib and libsodium; in
// one the same function stands in Rust, made a Go package by rustgo. The package has only tests and benchmarks.
//
//	go test -run Compare -v . -compare 60s   the comparison, as ratios, and whether the targets are met
//	go test -run '^$' -bench .             the same ways as ordinary benchmarks
//	go test -run Hammer -hammer 5m         the pressure test with real C, for minutes
//
// The targets: a call takes at most a tenth of cgo's, and no longer than the best of the others (3 % are no difference). Figures that
// the others publish, on other machines: github.com/nitrix/fastcgo 2.89 ns beside cgo's 51.7, rust2go 2.32 ns on the system stack
// and 1.83 ns on the goroutine's. Package bare does what these do.
package bench
