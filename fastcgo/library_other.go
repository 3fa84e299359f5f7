//go:build !windows && !((linux || darwin) && (amd64 || arm64))

package fastcgo

import (
	"errors"
	"runtime"
)

var errNoLibraries = errors.New("libraries cannot be opened on " + runtime.GOOS + "/" + runtime.GOARCH)

func openLibrary(name string) (handle uintptr, err error) { return 0, errNoLibraries }

func findSymbol(handle uintptr, name string) (address uintptr, err error) { return 0, errNoLibraries }
