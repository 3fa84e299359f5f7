// Shared is a C library (-buildmode=c-shared) that calls the packages; load.c is the program that loads it.
package main

import (
	"fmt"
	"os"

	"rustgo.dev/packages/internal/buildmode/check"
)

import "C"

// rustgo_check returns 0 if all functions give what they should.
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
