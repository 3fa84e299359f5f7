//go:build amd64 || arm64

package rt

import "syscall"

// hardware returns the features of the processor in the form of Linux's AT_HWCAP and AT_HWCAP2. The argument of IsProcessorFeaturePresent is a
// number from winnt.h.
func hardware() (hwcap, hwcap2 uintptr) {
	if !isARM64 {
		return 0, 0
	}
	const crypto, crc32, atomics = 30, 31, 34
	hwcap = hwcapFP | hwcapASIMD
	has := syscall.NewLazyDLL("kernel32.dll").NewProc("IsProcessorFeaturePresent")
	for number, bits := range map[uintptr]uintptr{
		crypto:  hwcapAES | hwcapPMULL | hwcapSHA1 | hwcapSHA2,
		crc32:   hwcapCRC32,
		atomics: hwcapAtomics,
	} {
		if present, _, _ := has.Call(number); present != 0 {
			hwcap |= bits
		}
	}
	return hwcap, 0
}
