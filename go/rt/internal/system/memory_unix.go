//go:build (amd64 || arm64) && (linux || darwin || freebsd)

package system

import (
	"syscall"
	"unsafe"
)

// Reserve reserves address space for the heap. base is 0 if the system refuses. If strict is false, all of the space is usable, and the system
// provides memory at the first access. If strict is true, Rust code must commit a part before the first access to the part. Systems that count
// reserved memory against a limit (vm.overcommit_memory=2, ulimit -d) refuse a reservation that is not strict.
func Reserve(size uintptr) (base uintptr, strict bool) {
	base = reserve(size, syscall.PROT_READ|syscall.PROT_WRITE)
	if base != 0 || !canCommit {
		return base, false
	}
	base = reserve(size, syscall.PROT_NONE)
	return base, base != 0
}

// ReserveInaccessible reserves address space that cannot be accessed until [Commit] makes parts of it usable. It returns 0 if the system refuses.
func ReserveInaccessible(size uintptr) uintptr { return reserve(size, syscall.PROT_NONE) }

// reserve reserves address space with these access rights. It returns 0 if the system refuses.
func reserve(size uintptr, access int) uintptr {
	memory, err := syscall.Mmap(-1, 0, int(size), access, mapFlags)
	if err != nil {
		return 0
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
}

// VirtualFunctions returns 0. Rust code uses these functions only on Windows.
func VirtualFunctions() (alloc, free uintptr) { return 0, 0 }
