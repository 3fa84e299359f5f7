//go:build amd64 || arm64

package rt

import (
	"syscall"
	"unsafe"
)

// hardware returns what the processor can do as Linux would say it. The numbers are those of IsProcessorFeaturePresent in winnt.h.
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

// seed gives the generator of random bytes a key from the system, by the function that crypto/rand calls. Without one the generator fails
// at each call.
func seed() {
	random := syscall.NewLazyDLL("bcryptprimitives.dll").NewProc("ProcessPrng")
	if random.Find() != nil {
		return
	}
	var key [4]uint64
	if filled, _, _ := random.Call(uintptr(unsafe.Pointer(&key)), unsafe.Sizeof(key)); filled != 0 {
		randomSeed(key[0], key[1], key[2], key[3])
	}
}
