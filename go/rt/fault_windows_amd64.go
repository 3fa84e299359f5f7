package rt

import "syscall"

// exceptedAddress returns the address of the vectored exception handler named excepted; see fault_windows_amd64.s.
func exceptedAddress() uintptr

// init puts the handler named excepted at the front of the list of vectored exception handlers, so that it runs before Go's handler. Call does not
// panic, because every version of Windows that Go supports has AddVectoredExceptionHandler.
func init() {
	const first = 1
	syscall.NewLazyDLL("kernel32.dll").NewProc("AddVectoredExceptionHandler").Call(first, exceptedAddress())
}
