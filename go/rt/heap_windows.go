//go:build amd64 || arm64

package rt

import "syscall"

// virtualAlloc and virtualFree are the addresses of VirtualAlloc and VirtualFree, which commit and release call; see heap_amd64.s and heap_arm64.s.
var virtualAlloc, virtualFree uintptr

// heapMost returns the number of bytes of address space that StartHeap tries to reserve first.
func heapMost() uintptr { return 256 << 30 }

// reserve reserves address space. The function commit makes parts of the address space usable.
func reserve(size uintptr) (base uintptr, strict bool) {
	const memReserve, pageNoAccess = 0x2000, 1
	kernel := syscall.NewLazyDLL("kernel32.dll")
	alloc, free := kernel.NewProc("VirtualAlloc"), kernel.NewProc("VirtualFree")
	if alloc.Find() != nil || free.Find() != nil {
		return 0, false
	}
	virtualAlloc, virtualFree = alloc.Addr(), free.Addr()
	base, _, _ = alloc.Call(0, size, memReserve, pageNoAccess)
	return base, true
}

// unreserve does nothing: Windows cannot release a part of a reservation.
func unreserve(base, size uintptr) {}
