//go:build amd64 || arm64

package system

import "syscall"

const (
	mapFlags  = syscall.MAP_PRIVATE | syscall.MAP_ANON
	canCommit = true

	madvFree = 5
)

// HeapSpace returns the number of bytes of address space that the heap tries to reserve first.
func HeapSpace() uintptr { return 256 << 30 }

// Unreserve gives a part of reserved address space back to the system. This never fails.
func Unreserve(base, size uintptr) { syscall.RawSyscall(syscall.SYS_MUNMAP, base, size, 0) }

// Commit makes reserved memory usable, and reports whether the system has the memory. The system provides each page at the first access.
func Commit(base, size uintptr) bool {
	_, _, failed := syscall.RawSyscall(syscall.SYS_MPROTECT, base, size, syscall.PROT_READ|syscall.PROT_WRITE)
	return failed == 0
}

// Release gives the pages of usable memory back to the system.
func Release(base, size uintptr) { syscall.RawSyscall(syscall.SYS_MADVISE, base, size, madvFree) }
