// Package fastcgo compares ways to call C: rustgo.dev/go/fastcgo, cgo, purego, and a switch to the system stack without any
// safeguard, which is what the fastest packages of this kind do. It has only tests and benchmarks; METHOD.md, one level up, says
// how numbers are made.
//
//	go test -run '^$' -bench . ./fastcgo             the comparison
//	go test -run Hammer ./fastcgo -hammer 5m        the pressure test with real C, for minutes
package fastcgo
