//go:build (amd64 || arm64) && (linux || freebsd)

package hwcap

import (
	"runtime"
	_ "unsafe" // for linkname
)

// Read returns the features of the processor from the auxiliary vector, which the kernel gives the process. On FreeBSD the entry AT_HWCAP has another
// number than on Linux. The bits have the same meaning as on Linux (sys/arm64/include/elf.h). A missing entry counts as 0.
func Read() (hwcap, hwcap2 uintptr) {
	kind, kind2 := uintptr(16), uintptr(26)
	if runtime.GOOS == "freebsd" {
		kind = 25
	}
	for vector := getAuxv(); len(vector) >= 2; vector = vector[2:] {
		switch vector[0] {
		case kind:
			hwcap = vector[1]
		case kind2:
			hwcap2 = vector[1]
		}
	}
	return hwcap, hwcap2
}

// getAuxv is a function of the runtime. The runtime exports it for golang.org/x/sys/cpu, so every version of Go must have it (go.dev/issue/57336).
//
//go:linkname getAuxv runtime.getAuxv
func getAuxv() []uintptr
