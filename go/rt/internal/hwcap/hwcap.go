//go:build amd64 || arm64

package hwcap

import "runtime"

const isARM64 = runtime.GOARCH == "arm64"

// These constants are bits of AT_HWCAP on arm64 (arch/arm64/include/uapi/asm/hwcap.h).
const (
	FP      = 1 << 0 // floating point
	ASIMD   = 1 << 1 // vectors
	AES     = 1 << 3
	PMULL   = 1 << 4 // products of polynomials
	SHA1    = 1 << 5
	SHA2    = 1 << 6 // SHA-224 and SHA-256
	CRC32   = 1 << 7
	Atomics = 1 << 8 // the atomic instructions of Armv8.1 (LSE)
	CPUID   = 1 << 11
	SHA3    = 1 << 17
	SHA512  = 1 << 21
	DIT     = 1 << 24 // data-independent timing
)

// named lists the features of arm64 that GODEBUG names (internal/cpu).
var named = []struct {
	name string
	bit  uintptr
}{
	{"aes", AES}, {"pmull", PMULL}, {"sha1", SHA1}, {"sha2", SHA2}, {"crc32", CRC32},
	{"atomics", Atomics}, {"cpuid", CPUID}, {"sha3", SHA3}, {"sha512", SHA512}, {"dit", DIT},
}

// Hidden returns the bits of AT_HWCAP of the features that isOff reports to be off. The argument of isOff is a feature's name in GODEBUG. On amd64
// Hidden returns 0, because Rust code for amd64 executes CPUID itself.
func Hidden(isOff func(feature string) bool) (bits uintptr) {
	if !isARM64 {
		return 0
	}
	for _, feature := range named {
		if isOff(feature.name) {
			bits |= feature.bit
		}
	}
	return bits
}
