// Package buildinfo reports how the running test program was compiled.
package buildinfo

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
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

// SkipSameCode skips the test if RUSTGO_SAME_CODE is 1. A test calls it if its result depends on the machine code alone, and the machine code is the same
// in many ways of building: then only one of the ways runs the test (scripts/matrix).
func SkipSameCode(t testing.TB) {
	t.Helper()
	if os.Getenv("RUSTGO_SAME_CODE") == "1" {
		t.Skip("RUSTGO_SAME_CODE is 1: another run tests the same machine code")
	}
}
