//go:build amd64 || arm64

package rt

import (
	"math/bits"
	"runtime"
	"syscall"
)

const (
	mapFlags  = syscall.MAP_PRIVATE | syscall.MAP_ANON | syscall.MAP_NORESERVE
	canCommit = true
)

// heapMost returns the number of bytes of address space that StartHeap tries to reserve first: a power of two above the size of the system's memory
// and swap, and at least 8 GiB. One allocation can take at most an eighth of the space. On amd64 address space costs nothing, so the result is eight
// times this power of two. The result is at most 256 GiB, unless the power of two itself is larger. Code for arm64 may run in an emulator that keeps
// tables of the address space, so on arm64 the result is the power of two.
func heapMost() uintptr {
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

func munmap(base, size uintptr) { _, _, _ = syscall.RawSyscall(syscall.SYS_MUNMAP, base, size, 0) }
