//go:build amd64 || arm64

//lint:file-ignore U1000 assembly uses these declarations

package rt

import "syscall"

// What std and C ask of the operating system, on behalf of the support crate's functions of the C library (crates/support/src/libc). The code
// is compiled for Linux, so arguments and results are Linux's on every system: numbers of clocks, errors and kinds of the auxiliary vector.
//
// system_*.s makes system calls itself, on the goroutine's stack, where the system allows that: on Linux and FreeBSD. The scheduler is not
// told, so none of these calls may wait for long.

// writeOut, clock, auxiliary and random are what the Rust code calls: see system_amd64.s and system_arm64.s.
func writeOut()
func clock()
func auxiliary()
func random()

// What auxiliary answers: the page size in bytes, and the features of the processor, as in Linux's AT_HWCAP and AT_HWCAP2 for GOARCH.
var auxPageSize, auxHwcap, auxHwcap2 uintptr

// startSystem prepares what these functions read.
func startSystem() {
	auxPageSize = uintptr(syscall.Getpagesize())
	auxHwcap, auxHwcap2 = hardware()
	auxHwcap &^= hiddenHwcap()
	seed()
}
