// The benchmarks are in border_test.go. rust2go generates package main with unexported methods, so the benchmarks must be in this package.
package main

// #cgo LDFLAGS: ${SRCDIR}/../rust/target/release/libborder.a -lm -ldl -lpthread
import "C"

func main() {}
