//go:build !unix

package handle

import "time"

// processTime returns 0, because the time is not known on this system. Benchmarks do not report 0.
func processTime() time.Duration { return 0 }
