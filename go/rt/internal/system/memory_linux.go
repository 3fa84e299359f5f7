//go:build amd64 || arm64

package system

import (
	"math/bits"
	"runtime"
	"syscall"
)

const (
	mapFlags  = syscall.MAP_PRIVATE | syscall.MAP_ANON | syscall.MAP_NORESERVE
	canCommit = true
)

// HeapSpace returns the number of bytes of address space that the heap tries to reserve first: a power of two above the size of the system's memory
// and swap, and at least 8 GiB. One allocation can take at most an eighth of the space. On amd64 address space costs nothing, so the result is eight
// times this power of two. The result is at most 256 GiB, unless the power of two itself is larger. Code for arm64 may run in an emulator that keeps
// tables of the address space, so on arm64 the result is the power of two.
func HeapSpace() uintptr {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 64 << 30
	}
	above := uintptr(1) << bits.Len64((uint64(info.Totalram)+uint64(info.Totalswap))*uint64(info.Unit)|1<<32)
	if runtime.GOARCH == "amd64" {
		return max(above, min(8*above, 256<<30))
	}
	return above
}

// Unreserve gives a part of reserved address space back to the system. This never fails.
func Unreserve(base, size uintptr) { _, _, _ = syscall.RawSyscall(syscall.SYS_MUNMAP, base, size, 0) }

// Commit makes reserved memory usable, and reports whether the system has the memory. The system provides each page at the first access.
func Commit(base, size uintptr) bool {
	_, _, failed := syscall.RawSyscall(syscall.SYS_MPROTECT, base, size, syscall.PROT_READ|syscall.PROT_WRITE)
	return failed == 0
}

// Release gives the pages of usable memory back to the system. Afterwards the memory reads as zeros.
func Release(base, size uintptr) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, base, size, syscall.MADV_DONTNEED)
}
