package rt

import "syscall"

// exceptedAddress returns the address of the vectored exception handler named excepted; see fault_windows_amd64.s.
func exceptedAddress() uintptr

// init puts the handler excepted before Go's handler, at the front of the list of handlers. Every version of Windows has
// AddVectoredExceptionHandler.
func init() {
	const first = 1
	syscall.NewLazyDLL("kernel32.dll").NewProc("AddVectoredExceptionHandler").Call(first, exceptedAddress())
}
