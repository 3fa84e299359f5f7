//go:build linux && (amd64 || arm64)

package secretscan

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// ignores reports whether a process status, in the format of proc_pid_status(5), lists the signal as ignored.
func ignores(status string, signal syscall.Signal) bool {
	_, rest, _ := strings.Cut(status, "SigIgn:\t")
	line, _, _ := strings.Cut(rest, "\n")
	mask, err := strconv.ParseUint(line, 16, 64)
	return err == nil && mask>>(signal-1)&1 != 0
}

func TestQuietly(t *testing.T) {
	quietly(func() {
		if status, err := os.ReadFile("/proc/self/status"); err != nil || !ignores(string(status), syscall.SIGURG) {
			t.Errorf("the signal is not ignored: %v\n%s", err, status)
		}
	})
	if status, err := os.ReadFile("/proc/self/status"); err != nil || ignores(string(status), syscall.SIGURG) {
		t.Errorf("the signal stays ignored: %v\n%s", err, status)
	}
}
