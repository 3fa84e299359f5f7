//go:build amd64 || arm64

package rt

import (
	"math/bits"
	"syscall"
)

const (
	mapFlags  = syscall.MAP_PRIVATE | syscall.MAP_ANON | syscall.MAP_NORESERVE
	canCommit = true
)

// heapMost returns the number of bytes of address space that StartHeap tries to reserve first: a power of two above the size of the system's memory
// and swap, and at least 8 GiB. (More would cost nothing on Linux, but emulators keep tables of the address space.)
func heapMost() uintptr {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 64 << 30
	}
	return 1 << bits.Len64((uint64(info.Totalram)+uint64(info.Totalswap))*uint64(info.Unit)|1<<32)
}

func munmap(base, size uintptr) { _, _, _ = syscall.RawSyscall(syscall.SYS_MUNMAP, base, size, 0) }
