//go:build amd64 || arm64

//lint:file-ignore U1000 assembly uses these declarations

package rt

import "syscall"

// These functions of the operating system are for std and C code, which call them through the C library's functions of the support crate
// (crates/support/src/libc). Rust code is compiled for Linux, so arguments and results are Linux's on every system: numbers of clocks, errors, and
// kinds of entries of the auxiliary vector.
//
// On Linux and FreeBSD, system_*.s makes system calls itself, on the goroutine's stack. The scheduler does not know of these system calls, so none of
// them may wait for long.

// Rust code calls writeOut, clock, auxiliary and random, which system_amd64.s and system_arm64.s describe.
func writeOut()
func clock()
func auxiliary()
func random()

// auxiliary returns these values: the page size in bytes, and the features of the processor, as in Linux's AT_HWCAP and AT_HWCAP2 for GOARCH.
var auxPageSize, auxHwcap, auxHwcap2 uintptr

// startSystem sets the variables for auxiliary and the key of the random generator.
func startSystem() {
	auxPageSize = uintptr(syscall.Getpagesize())
	auxHwcap, auxHwcap2 = hardware()
	auxHwcap &^= hiddenHwcap()
	seed()
}
