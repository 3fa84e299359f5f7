// Package buildinfo tells tests how the program that they are in was compiled.
package buildinfo

import (
	"runtime/debug"
	"strings"
)

// Optimised reports whether the compiler inlined functions and kept what does not escape on the stack as it does in programs that are
// not for debugging: neither under the race detector or the sanitizers for memory, where converted pointers are checked, nor with
// -gcflags='-N -l'. Promises about allocations are about such programs.
func Optimised() bool { return !Instrumented() && !strings.Contains(setting("-gcflags"), "-l") }

// Instrumented reports whether the race detector or a sanitizer for memory is on.
func Instrumented() bool { return Race() || setting("-asan") == "true" || setting("-msan") == "true" }

// Race reports whether the race detector is on.
func Race() bool { return setting("-race") == "true" }

func setting(key string) string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
