//go:build (amd64 || arm64) && go1.28

package rt

// procPin and procUnpin are not known to exist in later versions of Go. Without them findP finds nothing, and all goroutines use the shared shards
// of the heap. (In other versions only blocking calls use the shared shards.)

func procPin() int { return -1 }
func procUnpin()   {}
