package rt

// The levels are: version 8 of the Arm architecture; also with the atomic instructions of version 8.1; also with the instructions for cryptography.
var cpuLevels = [...]string{"armv8-a", "armv8-a+lse", "armv8-a+lse+crypto"}

// findLevel returns the highest level whose features the processor all has and isHidden does not hide.
func findLevel(isHidden func(feature string) bool) uint8 {
	hwcap, _ := hardware()
	has := func(bit uintptr, name string) bool { return hwcap&bit != 0 && !isHidden(name) }
	switch {
	case !has(hwcapAtomics, "atomics"):
		return 1
	case !has(hwcapAES, "aes") || !has(hwcapPMULL, "pmull") || !has(hwcapSHA1, "sha1") || !has(hwcapSHA2, "sha2"):
		return 2
	}
	return 3
}
