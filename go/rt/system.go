//go:build amd64 || arm64

//lint:file-ignore U1000 assembly uses these declarations

package rt

import "syscall"

// Functions of the operating system for std and C code. The support crate's functions of the C library (crates/support/src/libc) call them. Rust
// code is compiled for Linux, so arguments and results are Linux's on every system: numbers of clocks, errors, and kinds of entries of the
// auxiliary vector.
//
// system_*.s makes system calls itself, on the goroutine's stack, on Linux and FreeBSD. The scheduler does not know of them, so none may wait for
// long.

// Rust code calls writeOut, clock, auxiliary and random: see system_amd64.s and system_arm64.s.
func writeOut()
func clock()
func auxiliary()
func random()

// The results of auxiliary: the page size in bytes, and the features of the processor, as in Linux's AT_HWCAP and AT_HWCAP2 for GOARCH.
var auxPageSize, auxHwcap, auxHwcap2 uintptr

// startSystem sets these variables and the key of the random generator.
func startSystem() {
	auxPageSize = uintptr(syscall.Getpagesize())
	auxHwcap, auxHwcap2 = hardware()
	auxHwcap &^= hiddenHwcap()
	seed()
}
