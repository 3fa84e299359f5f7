//go:build unix

package handle

import (
	"syscall"
	"time"
)

// processTime returns the processor time that this process has used. It includes the collector's work but no waiting.
func processTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
