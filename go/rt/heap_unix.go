//go:build (amd64 || arm64) && (linux || darwin || freebsd)

package rt

import (
	"syscall"
	"unsafe"
)

// reserve reserves address space. If strict is false, all of it can be used, and the system backs what is touched with memory; else commit
// makes a part of it usable. A system that keeps count of memory which it might have to deliver (vm.overcommit_memory=2, ulimit -d) refuses
// the former.
func reserve(size uintptr) (base uintptr, strict bool) {
	if memory, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, mapFlags); err == nil {
		return uintptr(unsafe.Pointer(unsafe.SliceData(memory))), false
	}
	if !canCommit {
		return 0, false
	}
	if memory, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_NONE, mapFlags); err == nil {
		return uintptr(unsafe.Pointer(unsafe.SliceData(memory))), true
	}
	return 0, false
}

// unreserve gives back a part of what reserve returned. It never fails for such a part.
func unreserve(base, size uintptr) { munmap(base, size) }
