//go:build linux && !rustgo_ordinary

package zstd_test

import (
	"runtime"
	"testing"

	"rustgo.dev/packages/zstd"
)

// Garbage collections must not wait for the end of a long call.
func TestCollectionsGoOn(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	src := sample("text", 1<<20, 1)
	packed, err := zstd.AppendCompress(nil, src, 1)
	if err != nil {
		t.Fatal(err)
	}
	// The test repeats the call, because on a busy machine the call may end before this goroutine runs again.
	for range 10 {
		began, ended := make(chan struct{}), make(chan error)
		go func() {
			close(began)
			_, err := zstd.AppendCompress(nil, src, 19)
			ended <- err
		}()
		<-began
		collections := 0
		for done := false; !done; {
			runtime.GC()
			select {
			case err := <-ended:
				if err != nil {
					t.Fatal(err)
				}
				done = true
			default:
				collections++
			}
		}
		if got, err := zstd.AppendDecompress(nil, packed, len(src)); err != nil || len(got) != len(src) {
			t.Fatal(len(got), err)
		}
		// More than one collection is required, because the first may have ended before the call began.
		if collections > 10 {
			return
		}
	}
	t.Error("no collection ended while a call ran")
}
