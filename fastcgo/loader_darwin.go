//go:build amd64 || arm64

package fastcgo

import "unsafe"

//go:cgo_import_dynamic fastcgo_error __error "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic fastcgo_dlopen dlopen "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic fastcgo_dlsym dlsym "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic fastcgo_dlerror dlerror "/usr/lib/libSystem.B.dylib"

var _, _, _, _, _, _, errnoFuncAt = addresses()

// systemErrno returns the C function for block.errno.
func systemErrno() (unsafe.Pointer, error) { return pointer(errnoFuncAt), nil }

const openMode = 2 | 4 // RTLD_NOW, RTLD_LOCAL

// loaderAddresses returns the addresses of functions that jump to dlopen, dlsym and dlerror.
func loaderAddresses() (open, symbol, message uintptr)

// loaderFunctions returns dlopen, dlsym and dlerror.
func loaderFunctions() (open, symbol, message unsafe.Pointer, err error) {
	o, s, m := loaderAddresses()
	return pointer(o), pointer(s), pointer(m), nil
}
