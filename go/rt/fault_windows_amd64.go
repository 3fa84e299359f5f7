package rt

import "syscall"

// exceptedAddress is the address of excepted, a vectored exception handler; see fault_windows_amd64.s.
func exceptedAddress() uintptr

// A handler that is put first runs before Go's own. Every Windows has the function.
func init() {
	const first = 1
	syscall.NewLazyDLL("kernel32.dll").NewProc("AddVectoredExceptionHandler").Call(first, exceptedAddress())
}
