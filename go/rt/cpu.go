//go:build amd64 || arm64

package rt

import (
	"strings"
	"syscall"
)

// A package may have code for several levels of the processor (rustgo build --cpu). A level is a set of processor features. The package's entries
// read cpuLevel and jump to the code for the package's highest level that is not above cpuLevel.

// cpuLevel is the number of a level in cpuLevels, counted from 1. It is set before any package that imports this package can call a function. It
// never changes, so a process runs the code of one level.
var cpuLevel = usedLevel(processorLevel)

// processorLevel is the highest level that the processor supports. The level in use may be lower.
var processorLevel = findLevel(func(string) bool { return false })

// CPULevel returns the level of the processor that packages with code for several levels use. On amd64 the level is x86-64, x86-64-v2, x86-64-v3 or
// x86-64-v4, as in the psABI of x86-64, or x86-64-v3+crypto or x86-64-v4+crypto. On arm64 it is armv8-a, armv8-a+lse or armv8-a+lse+crypto. A
// package without code for this level runs its code for the next lower level.
//
// The level is the highest that the processor and the settings allow. GODEBUG=cpu.NAME=off turns a feature off, as in Go's own code.
// RUSTGO_CPU=LEVEL excludes all levels above LEVEL. Both settings are for tests, and are read when the program starts.
func CPULevel() string { return cpuLevels[cpuLevel-1] }

// NeedCPU is called at the initialisation of a package that has no code for the lowest level of its architecture. NeedCPU panics if the processor
// does not have the level that the package needs. It ignores levels of other architectures.
func NeedCPU(pkg string, levels ...string) bool {
	for _, level := range levels {
		if number := levelNumber(level); number > processorLevel {
			panic("rustgo: package " + pkg + " is compiled for processors of the level " + level + ", and this one is of the level " +
				cpuLevels[processorLevel-1] + "; rustgo build --cpu with several levels makes a package for both")
		}
	}
	return true
}

// usedLevel returns the level in use. most is the highest level of the processor. Examining the processor again would delay each start of a program,
// because CPUID takes microseconds in virtual machines. So usedLevel examines it only if GODEBUG may turn a feature off.
func usedLevel(most uint8) uint8 {
	level := most
	if settings, _ := syscall.Getenv("GODEBUG"); strings.Contains(settings, "cpu.") {
		level = findLevel(switchedOff)
	}
	name, isSet := syscall.Getenv("RUSTGO_CPU")
	if !isSet || name == "" {
		return level
	}
	number := levelNumber(name)
	if number == 0 {
		print("rustgo: RUSTGO_CPU=", name, " is no level of this architecture: ", strings.Join(cpuLevels[:], ", "), "\n")
		return level
	}
	return min(level, number)
}

// levelNumber returns the number of a level of this architecture, or 0 for any other name.
func levelNumber(name string) uint8 {
	for i, level := range cpuLevels {
		if level == name {
			return uint8(i + 1)
		}
	}
	return 0
}

// switchedOff reports whether GODEBUG turns a feature of the processor off (cpu.NAME=off, or cpu.all=off). The setting applies to Go code and to
// Rust code.
func switchedOff(feature string) bool {
	settings, _ := syscall.Getenv("GODEBUG")
	for setting := range strings.SplitSeq(settings, ",") {
		if setting == "cpu."+feature+"=off" || setting == "cpu.all=off" {
			return true
		}
	}
	return false
}
