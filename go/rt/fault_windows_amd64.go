package rt

import "syscall"

// exceptedAddress returns the address of excepted, a vectored exception handler; see fault_windows_amd64.s.
func exceptedAddress() uintptr

// init puts the handler excepted at the front of the list of handlers, before Go's. Every version of Windows has AddVectoredExceptionHandler.
func init() {
	const first = 1
	syscall.NewLazyDLL("kernel32.dll").NewProc("AddVectoredExceptionHandler").Call(first, exceptedAddress())
}
