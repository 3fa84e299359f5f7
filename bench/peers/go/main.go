// The benchmarks are in border_test.go. rust2go writes package main, and methods with small letters, so that they must be here.
package main

// #cgo LDFLAGS: ${SRCDIR}/../rust/target/release/libborder.a -lm -ldl -lpthread
import "C"

func main() {}
