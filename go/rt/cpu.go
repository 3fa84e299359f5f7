//go:build amd64 || arm64

package rt

import (
	"strings"
	"syscall"
)

// A package may have code for several levels of the processor (rustgo build --cpu). Its entries read cpuLevel and go on to the code for the
// highest level that the package has and this is not below.

// cpuLevel is the number of a level in cpuLevels, from 1. It is set before a package that imports this one can call anything, and stays: a
// process runs the code of one level.
var cpuLevel = usedLevel(processorLevel)

// processorLevel is the highest level that the processor has. CPULevel may be lower.
var processorLevel = findLevel(func(string) bool { return false })

// CPULevel returns the level of the processor whose code runs where a package has code for several: x86-64, x86-64-v2, x86-64-v3 or x86-64-v4,
// as the psABI of x86-64 names them, or the last two with +crypto; armv8-a, armv8-a+lse or armv8-a+lse+crypto. A package that does not have the code of this level runs that of the next one
// below.
//
// It is the highest that the processor has and the settings leave: GODEBUG=cpu.NAME=off takes a feature away, as it does from Go's own code,
// and with RUSTGO_CPU=LEVEL no higher level is taken. Both are for tests, and read when the program starts.
func CPULevel() string { return cpuLevels[cpuLevel-1] }

// NeedCPU is called when a package is initialised that has no code for the lowest level of its architecture: it panics where the processor
// has not the level that the package needs. Levels of another architecture do not count.
func NeedCPU(pkg string, levels ...string) bool {
	for _, level := range levels {
		if number := levelNumber(level); number > processorLevel {
			panic("rustgo: package " + pkg + " is compiled for processors of the level " + level + ", and this one is of the level " +
				cpuLevels[processorLevel-1] + "; rustgo build --cpu with several levels makes a package for both")
		}
	}
	return true
}

// usedLevel is the level in use on a processor that has no higher one than most. The processor is asked again only where GODEBUG may hide
// something: in virtual machines CPUID takes microseconds, which each start of a program would pay.
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

// levelNumber returns 0 for what is no level of this architecture.
func levelNumber(name string) uint8 {
	for i, level := range cpuLevels {
		if level == name {
			return uint8(i + 1)
		}
	}
	return 0
}

// switchedOff says whether GODEBUG hides a feature of the processor from Go's own code (cpu.NAME=off, or cpu.all=off), and so from Rust's.
func switchedOff(feature string) bool {
	settings, _ := syscall.Getenv("GODEBUG")
	for setting := range strings.SplitSeq(settings, ",") {
		if setting == "cpu."+feature+"=off" || setting == "cpu.all=off" {
			return true
		}
	}
	return false
}
