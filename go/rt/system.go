//go:build amd64 || arm64

//lint:file-ignore U1000 assembly uses these declarations

package rt

import (
	"syscall"

	"rustgo.dev/go/rt/internal/hwcap"
	"rustgo.dev/go/rt/internal/system"
)

// std and C code use these functions of the operating system, through the C library's functions in the support crate (crates/support/src/libc).
// Rust code is compiled for Linux, so arguments and results are Linux's on every system: numbers of clocks, errors, and kinds of entries of the
// auxiliary vector.
//
// On Linux and FreeBSD, system_*.s makes system calls itself, on the goroutine's stack. The scheduler does not know of these system calls, so no
// call may wait for long.

// Rust code calls writeOut, clock, auxiliary and random. system_amd64.s documents their registers and results.
func writeOut()
func clock()
func auxiliary()
func random()

// The function auxiliary returns these values: the page size in bytes, and the features of the processor, as in Linux's AT_HWCAP and AT_HWCAP2 for
// GOARCH.
var auxPageSize, auxHwcap, auxHwcap2 uintptr

// startSystem sets the variables that the function auxiliary returns, and the key of the random generator.
func startSystem() {
	auxPageSize = uintptr(syscall.Getpagesize())
	auxHwcap, auxHwcap2 = hwcap.Read()
	auxHwcap &^= hwcap.Hidden(switchedOff)
	if key, ok := system.RandomKey(); ok {
		randomSeed(key[0], key[1], key[2], key[3])
	}
}
