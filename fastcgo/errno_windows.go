//go:build amd64 || arm64

package fastcgo

import "unsafe"

var _, _, _, _, _, _, errnoFuncAt = addresses()

// systemErrno returns the C function for block.errno. On windows errno is the number that GetLastError returns.
func systemErrno() (unsafe.Pointer, error) { return pointer(errnoFuncAt), nil }
