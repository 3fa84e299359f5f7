//go:build (amd64 || arm64) && (linux || freebsd)

package rt

import (
	"runtime"
	_ "unsafe" // for linkname
)

// hardware returns the features of the processor from the auxiliary vector, which the kernel gives the process. On FreeBSD one of the two entries
// has another number than on Linux; the bits have Linux's meaning (sys/arm64/include/elf.h).
func hardware() (hwcap, hwcap2 uintptr) {
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

// getAuxv is a function of the runtime. The runtime exports it to golang.org/x/sys/cpu, which needs it in every version of Go (go.dev/issue/57336).
//
//go:linkname getAuxv runtime.getAuxv
func getAuxv() []uintptr
