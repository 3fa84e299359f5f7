//go:build handlesteps

package handle

// processor is the result of pin. A test sets it to the number of the goroutine that runs.
var processor = -1

func pin() int { return processor }
func unpin()   {}
