//go:build amd64 || arm64

package rt

import "runtime"

const isARM64 = runtime.GOARCH == "arm64"

// hwcapBits lists the features of arm64 that GODEBUG names (internal/cpu), with their bits in Linux's AT_HWCAP
// (arch/arm64/include/uapi/asm/hwcap.h).
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

// hiddenHwcap returns the bits of features that GODEBUG turns off. On amd64 it returns 0, because Rust code for amd64 executes CPUID itself.
func hiddenHwcap() (bits uintptr) {
	if !isARM64 {
		return 0
	}
	for _, feature := range hwcapBits {
		if switchedOff(feature.name) {
			bits |= feature.bit
		}
	}
	return bits
}
