//go:build !unix

package handle

import "time"

// processTime returns 0, because on this system the processor time is not known. Benchmarks do not report the value 0.
func processTime() time.Duration { return 0 }
