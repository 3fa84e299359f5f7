//go:build amd64 || arm64

// Package levels runs tests at each level of the processor.
package levels

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/internal/buildinfo"
)

// below lists the processor levels of each architecture for which the tested packages have code, in ascending order. It omits the highest level.
var below = map[string][]string{
	"amd64": {"x86-64", "x86-64-v3+crypto"},
	"arm64": {"armv8-a"},
}

// Each runs the package's tests again for each level below the processor's, in a new process that uses the code of this level. Only one test of a
// package may call Each.
//
// RUSTGO_TEST_EXEC is the command that runs the tests of another architecture, as for go test -exec.
func Each(t *testing.T) {
	t.Helper()
	if os.Getenv("RUSTGO_CPU") != "" {
		t.Skip("RUSTGO_CPU is set: the level is chosen")
	}
	buildinfo.SkipSameCode(t)
	for _, level := range below[runtime.GOARCH] {
		if level == rt.CPULevel() {
			break
		}
		t.Run(level, func(t *testing.T) {
			var timeout time.Duration // no limit
			if deadline, ok := t.Deadline(); ok {
				timeout = time.Until(deadline) / 10 * 9 // leaves time to print the output of the new process
			}
			self := append(strings.Fields(os.Getenv("RUSTGO_TEST_EXEC")), os.Args[0], "-test.count=1", "-test.timeout="+timeout.String())
			if testing.Short() {
				self = append(self, "-test.short")
			}
			child := exec.Command(self[0], self[1:]...)
			child.Env = append(slices.Clone(os.Environ()), "RUSTGO_CPU="+level)
			if out, err := child.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
