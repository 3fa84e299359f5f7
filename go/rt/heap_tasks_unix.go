//go:build (amd64 || arm64) && (linux || darwin || freebsd)

package rt

import (
	"syscall"
	"unsafe"
)

// taskReserve reserves address space that cannot be accessed. It returns 0 if the system has none.
func taskReserve(size uintptr) uintptr {
	memory, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_NONE, mapFlags)
	if err != nil {
		return 0
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
}
