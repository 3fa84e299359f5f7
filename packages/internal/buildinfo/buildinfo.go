// Package buildinfo reports how the running test program was compiled.
package buildinfo

import (
	"runtime/debug"
	"strings"
)

// Optimised reports whether the program was compiled with normal optimizations: functions are inlined, and variables that do not escape stay on the
// stack. It returns false under the race detector, under a memory sanitizer, and with -gcflags='-N -l'. Promises about allocations hold only for
// optimised programs.
func Optimised() bool { return !Instrumented() && !strings.Contains(setting("-gcflags"), "-l") }

// Instrumented reports whether the program was compiled with the race detector or a memory sanitizer.
func Instrumented() bool { return Race() || setting("-asan") == "true" || setting("-msan") == "true" }

// Race reports whether the program was compiled with the race detector.
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
