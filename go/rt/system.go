//go:build amd64 || arm64

package rt

import (
	"runtime"
	"strings"
	"syscall"
)

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

const isARM64 = runtime.GOARCH == "arm64"

// What auxiliary answers: the page size in bytes, and the features of the processor, as in Linux's AT_HWCAP and AT_HWCAP2 for GOARCH.
var auxPageSize, auxHwcap, auxHwcap2 uintptr

// startSystem prepares what these functions read.
func startSystem() {
	auxPageSize = uintptr(syscall.Getpagesize())
	auxHwcap, auxHwcap2 = hardware()
	auxHwcap &^= switchedOff()
	seed()
}

// hwcapBits are the features that GODEBUG names for arm64 (internal/cpu) and the bits that they have in AT_HWCAP
// (arch/arm64/include/uapi/asm/hwcap.h of Linux).
var hwcapBits = []struct {
	name string
	bit  uintptr
}{
	{"aes", hwcapAES}, {"pmull", hwcapPMULL}, {"sha1", hwcapSHA1}, {"sha2", hwcapSHA2}, {"crc32", hwcapCRC32},
	{"atomics", hwcapAtomics}, {"cpuid", 1 << 11}, {"sha3", hwcapSHA3}, {"sha512", hwcapSHA512}, {"dit", hwcapDIT},
}

const (
	hwcapFP      = 1 << 0
	hwcapASIMD   = 1 << 1
	hwcapAES     = 1 << 3
	hwcapPMULL   = 1 << 4
	hwcapSHA1    = 1 << 5
	hwcapSHA2    = 1 << 6
	hwcapCRC32   = 1 << 7
	hwcapAtomics = 1 << 8
	hwcapSHA3    = 1 << 17
	hwcapSHA512  = 1 << 21
	hwcapDIT     = 1 << 24
)

// switchedOff returns the bits of features that GODEBUG=cpu.NAME=off or cpu.all=off hides from Go's own code, and so from Rust's. On amd64
// Rust code asks the processor itself.
func switchedOff() (bits uintptr) {
	if !isARM64 {
		return 0
	}
	settings, _ := syscall.Getenv("GODEBUG")
	for setting := range strings.SplitSeq(settings, ",") {
		name, value, _ := strings.Cut(setting, "=")
		name, isCPU := strings.CutPrefix(name, "cpu.")
		if !isCPU || value != "off" {
			continue
		}
		for _, feature := range hwcapBits {
			if name == feature.name || name == "all" {
				bits |= feature.bit
			}
		}
	}
	return bits
}
