//go:build amd64 || arm64

package fastcgo

import "unsafe"

//go:cgo_import_dynamic fastcgo_error __error "/usr/lib/libSystem.B.dylib"

var _, _, _, _, _, _, errnoFuncAt = addresses()

// systemErrno returns the C function for block.errno.
func systemErrno() (unsafe.Pointer, error) { return pointer(errnoFuncAt), nil }
