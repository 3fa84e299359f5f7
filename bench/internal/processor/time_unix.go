//go:build unix

// Package processor measures processor time for benchmarks.
package processor

import (
	"syscall"
	"time"
)

// Time returns the processor time that this process has used. It includes the collector's work but no waiting.
func Time() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
