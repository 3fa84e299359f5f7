package rt

// Version 8 of the Arm architecture, and the same with the atomic instructions of version 8.1.
var cpuLevels = [...]string{"armv8-a", "armv8-a+lse"}

// findLevel returns the highest level of which the processor has every feature that is not hidden.
func findLevel(isHidden func(feature string) bool) uint8 {
	if hwcap, _ := hardware(); hwcap&hwcapAtomics != 0 && !isHidden("atomics") {
		return 2
	}
	return 1
}
