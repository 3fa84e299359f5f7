//go:build amd64 || arm64

// Shared is a C library (-buildmode=c-shared) that calls C through fastcgo. The program load.c of fixtures/buildmode loads it.
package main

import (
	"fmt"
	"os"

	"rustgo.dev/fastcgo/internal/buildmode/check"
)

import "C"

// rustgo_check returns 0 if all calls give the right results.
//
//export rustgo_check
func rustgo_check() C.int {
	if problem := check.Run(); problem != "" {
		fmt.Fprintln(os.Stderr, "shared:", problem)
		return 1
	}
	return 0
}

func main() {}
