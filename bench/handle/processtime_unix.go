//go:build unix

package handle

import (
	"syscall"
	"time"
)

// processTime returns how long processors have worked for this process; the collector's work counts, waiting does not.
func processTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
