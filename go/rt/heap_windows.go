//go:build amd64 || arm64

package rt

import "syscall"

// What commit and release call: see heap_amd64.s and heap_arm64.s.
var virtualAlloc, virtualFree uintptr

// heapMost is the address space to ask for.
func heapMost() uintptr { return 256 << 30 }

// reserve reserves address space, which commit makes usable part by part.
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

// unreserve does nothing: a part of what was reserved cannot be given back.
func unreserve(base, size uintptr) {}
