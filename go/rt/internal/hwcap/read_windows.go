//go:build amd64 || arm64

package hwcap

import "syscall"

// Read returns the features of the processor, on amd64 none. The argument of IsProcessorFeaturePresent is a number from winnt.h.
func Read() (hwcap, hwcap2 uintptr) {
	if !isARM64 {
		return 0, 0
	}
	const crypto, crc32, atomics = 30, 31, 34
	hwcap = FP | ASIMD
	has := syscall.NewLazyDLL("kernel32.dll").NewProc("IsProcessorFeaturePresent")
	for number, bits := range map[uintptr]uintptr{
		crypto:  AES | PMULL | SHA1 | SHA2,
		crc32:   CRC32,
		atomics: Atomics,
	} {
		if present, _, _ := has.Call(number); present != 0 {
			hwcap |= bits
		}
	}
	return hwcap, 0
}
