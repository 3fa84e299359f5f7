//go:build amd64 || arm64

package rt

import "syscall"

// hardware returns the features of the processor in the form of Linux's AT_HWCAP and AT_HWCAP2. The first assignment lists the features that all
// Apple processors with macOS have. sysctl reports the other features.
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
