package rt

import "rustgo.dev/go/rt/internal/hwcap"

// cpuLevels are version 8 of the Arm architecture, version 8 with the atomic instructions of version 8.1 (LSE), and version 8 with LSE and the
// instructions for cryptography.
var cpuLevels = [...]string{"armv8-a", "armv8-a+lse", "armv8-a+lse+crypto"}

// findLevel returns the number of the highest level for which the processor has all features. A feature for which isHidden returns true counts as
// missing.
func findLevel(isHidden func(feature string) bool) uint8 {
	features, _ := hwcap.Read()
	has := func(bit uintptr, name string) bool { return features&bit != 0 && !isHidden(name) }
	switch {
	case !has(hwcap.Atomics, "atomics"):
		return 1
	case !has(hwcap.AES, "aes") || !has(hwcap.PMULL, "pmull") || !has(hwcap.SHA1, "sha1") || !has(hwcap.SHA2, "sha2"):
		return 2
	}
	return 3
}
