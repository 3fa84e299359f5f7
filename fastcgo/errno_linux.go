//go:build amd64 || arm64

package fastcgo

import (
	"fmt"
	"unsafe"
)

// systemErrno returns the C function for block.errno, from the program's C library.
func systemErrno() (unsafe.Pointer, error) {
	f, err := loaderSymbol("__errno_location")
	if err != nil {
		if f, err := loaderSymbol("__errno"); err == nil { // Android
			return f, nil
		}
		return nil, fmt.Errorf("errno is not known: %w", err)
	}
	return f, nil
}
