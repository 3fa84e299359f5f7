//go:build !unix

package handle

import "time"

// processTime is not known on this system; 0 is not reported.
func processTime() time.Duration { return 0 }
