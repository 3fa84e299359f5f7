//go:build handlesteps

package handle

// processor is where pin says that the goroutine is. A test gives each of its goroutines another.
var processor = -1

func pin() int { return processor }
func unpin()   {}
