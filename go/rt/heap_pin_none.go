//go:build (amd64 || arm64) && go1.28

package rt

// Versions of Go of which it is not known: findP finds nothing then, and all goroutines share what others share only during blocking calls.

func procPin() int { return -1 }
func procUnpin()   {}
