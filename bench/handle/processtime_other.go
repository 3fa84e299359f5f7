//go:build !unix

package handle

import "time"

// processTime returns 0, because this system does not tell the time. Benchmarks do not report 0.
func processTime() time.Duration { return 0 }
