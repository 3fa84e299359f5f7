//go:build handlesteps

package handle

// processor is the result of pin. A test sets it to a different number for each of its goroutines.
var processor = -1

func pin() int { return processor }
func unpin()   {}
