package fastcgo

import (
	"fmt"
	"strings"
	"unsafe"
)

// Library is a shared library that OpenLibrary has loaded. It stays loaded until the process ends, so that the functions made of its symbols stay
// valid.
type Library struct {
	name   string
	handle uintptr
}

// OpenLibrary loads the shared library with a name or path. On linux and darwin it works as dlopen does with RTLD_NOW and RTLD_LOCAL, on windows as
// LoadLibrary does. The system searches for a name without a slash in its own way. On windows this search includes the current folder, so use a path
// for a library that is not a part of windows. The library's initialization may run long, but may not call Go.
//
// On linux the program needs cgo, because only the C library can load libraries, and only threads that it made can run them. (OpenLibrary itself uses
// no cgo: it finds dlopen in the dynamic loader's list.) OpenLibrary returns an error in a program without cgo, in a program that is linked
// statically, and on platforms without assembly except windows/386.
func OpenLibrary(name string) (*Library, error) {
	if name == "" || strings.IndexByte(name, 0) >= 0 {
		return nil, fmt.Errorf("fastcgo: %q is not the name of a library", name)
	}
	handle, err := openLibrary(name)
	if err != nil {
		return nil, fmt.Errorf("fastcgo: library %s: %w", name, err)
	}
	return &Library{name, handle}, nil
}

// Symbol returns the address of a function or variable of the library, for example for Bind.
func (l *Library) Symbol(name string) (unsafe.Pointer, error) {
	if name == "" || strings.IndexByte(name, 0) >= 0 {
		return nil, fmt.Errorf("fastcgo: %q is not the name of a symbol", name)
	}
	if l.handle == 0 {
		return nil, fmt.Errorf("fastcgo: symbol %s: the Library is not one that OpenLibrary has returned", name)
	}
	address, err := findSymbol(l.handle, name)
	if err != nil {
		return nil, fmt.Errorf("fastcgo: symbol %s of library %s: %w", name, l.name, err)
	}
	return pointer(address), nil
}
