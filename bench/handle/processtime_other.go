//go:build !unix

package handle

import "time"

// processTime is not known here: nothing is reported.
func processTime() time.Duration { return 0 }
