//go:build (amd64 || arm64) && (linux || darwin || freebsd)

package rt

import (
	"syscall"
	"unsafe"
)

// reserve reserves address space. If strict is false, all of it is usable, and the system provides memory at the first access. If strict is true,
// commit must make a part usable before the first access to the part. Systems that count reserved memory against a limit (vm.overcommit_memory=2,
// ulimit -d) refuse a reservation that is not strict.
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

// unreserve gives a part of the address space that reserve returned back to the system. This never fails.
func unreserve(base, size uintptr) { munmap(base, size) }
