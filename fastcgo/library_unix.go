//go:build (linux || darwin) && (amd64 || arm64)

package fastcgo

import (
	"errors"
	"runtime"
	"sync"
)

// dynamicLoader holds the functions of <dlfcn.h>.
type dynamicLoader struct {
	open    func(name string, mode int32) (handle uintptr)
	symbol  func(handle uintptr, name string) (address uintptr)
	message func() string
}

// theLoader finds the functions when the first library is opened. A failure is final, because the program never gets another loader.
var theLoader = sync.OnceValues(func() (*dynamicLoader, error) {
	if how == wayNone {
		return nil, errors.New(impossible())
	}
	open, symbol, message, err := loaderFunctions()
	if err != nil {
		return nil, err
	}
	// An initialization may run long, so the calls are blocking. loaderStack is a guess at the stack that a loader and common initializations need.
	return &dynamicLoader{
		open:    Bind[func(string, int32) uintptr](open, Blocking(), NeedStack(loaderStack)),
		symbol:  Bind[func(uintptr, string) uintptr](symbol, Blocking(), NeedStack(loaderStack)),
		message: Bind[func() string](message, NeedStack(loaderStack)),
	}, nil
})

const loaderStack = 64 << 10

var errZero = errors.New("the address is 0")

func openLibrary(name string) (handle uintptr, err error) {
	l, err := theLoader()
	if err != nil {
		return 0, err
	}
	return l.result(func() uintptr { return l.open(name, openMode) })
}

func findSymbol(handle uintptr, name string) (address uintptr, err error) {
	l, err := theLoader()
	if err != nil {
		return 0, err
	}
	return l.result(func() uintptr { return l.symbol(handle, name) })
}

// result returns the result of f, or the loader's message if the result is 0. The message belongs to the thread. Without a message, the loader has
// found a symbol whose address is 0.
func (l *dynamicLoader) result(f func() uintptr) (uintptr, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l.message() // removes the message of an earlier failure
	r := f()
	if r != 0 {
		return r, nil
	}
	if message := l.message(); message != "" {
		return 0, errors.New(message)
	}
	return 0, errZero
}
