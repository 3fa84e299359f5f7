//go:build amd64 || arm64

package hwcap

import "syscall"

// Read returns the features of the processor, on amd64 none. The first assignment lists the features that all Apple processors with macOS have.
// sysctl reports the other features. A feature that sysctl does not know counts as missing.
func Read() (hwcap, hwcap2 uintptr) {
	if !isARM64 {
		return 0, 0
	}
	hwcap = FP | ASIMD | AES | PMULL | SHA1 | SHA2
	for name, bit := range map[string]uintptr{
		"hw.optional.armv8_crc32":     CRC32,
		"hw.optional.armv8_1_atomics": Atomics,
		"hw.optional.armv8_2_sha3":    SHA3,
		"hw.optional.armv8_2_sha512":  SHA512,
		"hw.optional.arm.FEAT_DIT":    DIT,
	} {
		if value, err := syscall.SysctlUint32(name); err == nil && value != 0 {
			hwcap |= bit
		}
	}
	return hwcap, 0
}
