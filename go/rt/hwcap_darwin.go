//go:build amd64 || arm64

package rt

import "syscall"

// hardware returns what the processor can do as Linux would say it. Every processor of Apple's for which Go runs on macOS has the first four
// groups; for others the system is asked.
func hardware() (hwcap, hwcap2 uintptr) {
	if !isARM64 {
		return 0, 0
	}
	hwcap = hwcapFP | hwcapASIMD | hwcapAES | hwcapPMULL | hwcapSHA1 | hwcapSHA2
	for name, bit := range map[string]uintptr{
		"hw.optional.armv8_crc32":     hwcapCRC32,
		"hw.optional.armv8_1_atomics": hwcapAtomics,
		"hw.optional.armv8_2_sha3":    hwcapSHA3,
		"hw.optional.armv8_2_sha512":  hwcapSHA512,
		"hw.optional.arm.FEAT_DIT":    hwcapDIT,
	} {
		if value, err := syscall.SysctlUint32(name); err == nil && value != 0 {
			hwcap |= bit
		}
	}
	return hwcap, 0
}
