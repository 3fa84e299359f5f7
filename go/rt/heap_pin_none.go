//go:build (amd64 || arm64) && go1.28

package rt

// In later versions of Go these functions are not known to exist. Then findP finds nothing, and all goroutines use the shared shards of the heap,
// which in other versions only blocking calls use.

func procPin() int { return -1 }
func procUnpin()   {}
