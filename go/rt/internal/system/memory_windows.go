//go:build amd64 || arm64

package system

import "syscall"

var virtualAlloc, virtualFree = func() (alloc, free *syscall.LazyProc) {
	kernel := syscall.NewLazyDLL("kernel32.dll")
	return kernel.NewProc("VirtualAlloc"), kernel.NewProc("VirtualFree")
}()

const (
	memCommit     = 0x1000
	memReserve    = 0x2000
	memDecommit   = 0x4000
	pageNoAccess  = 1
	pageReadWrite = 4
)

// VirtualFunctions returns the addresses of the system's functions VirtualAlloc and VirtualFree, which Rust code calls through assembly of package
// rt. It returns 0 for both if one is missing.
func VirtualFunctions() (alloc, free uintptr) {
	if virtualAlloc.Find() != nil || virtualFree.Find() != nil {
		return 0, 0
	}
	return virtualAlloc.Addr(), virtualFree.Addr()
}

// HeapSpace returns the number of bytes of address space that the heap tries to reserve first.
func HeapSpace() uintptr { return 256 << 30 }

// Reserve reserves address space for the heap. base is 0 if the system refuses. strict is true: Rust code must commit a part of the space before the
// first access to the part.
func Reserve(size uintptr) (base uintptr, strict bool) {
	if alloc, _ := VirtualFunctions(); alloc == 0 {
		return 0, false
	}
	return ReserveInaccessible(size), true
}

// ReserveInaccessible reserves address space that cannot be accessed until [Commit] makes parts of it usable. It returns 0 if the system refuses.
func ReserveInaccessible(size uintptr) uintptr {
	base, _, _ := virtualAlloc.Call(0, size, memReserve, pageNoAccess)
	return base
}

// Unreserve does nothing: Windows cannot release a part of a reservation.
func Unreserve(base, size uintptr) {}

// Commit makes reserved memory usable, and reports whether the system has the memory. The system provides each page at the first access, but charges
// the whole size to the process at once.
func Commit(base, size uintptr) bool {
	done, _, _ := virtualAlloc.Call(base, size, memCommit, pageReadWrite)
	return done != 0
}

// Release gives memory back to the system. Commit makes it usable again.
func Release(base, size uintptr) { virtualFree.Call(base, size, memDecommit) }
