//go:build !unix

package processor

import "time"

// Time returns 0, because on this system the processor time is not known. Benchmarks do not report the value 0.
func Time() time.Duration { return 0 }
