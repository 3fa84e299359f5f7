//go:build (amd64 || arm64) && go1.28

package rt

// It is not known whether Go 1.28 and later versions have procPin and procUnpin. Without procPin findP returns 0, and all goroutines use the heap's
// shared shards, which belong to no P. (With procPin, only blocking calls use the shared shards.)

func procPin() int { return -1 }
func procUnpin()   {}
