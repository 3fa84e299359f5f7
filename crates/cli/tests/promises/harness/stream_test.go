package promises

import (
	"io"
	"os"
	"runtime/debug"
	"syscall"
	"testing"
)

// alone reports whether this run includes slow tests: it has no race detector, no emulator and no special settings of Go's runtime.
var alone = !raced && !emulated && os.Getenv("GOGC") == "" && os.Getenv("GOMAXPROCS") == ""

// redirected calls f while the stream is redirected to a pipe, and returns the output. The collector is off meanwhile, to avoid a deadlock: a
// collection would stop the reader and wait for the call in f, and the call would wait for the reader.
func redirected(t *testing.T, stream int, f func()) []byte {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := syscall.Dup(stream)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(kept)
	if err := syscall.Dup3(int(writer.Fd()), stream, 0); err != nil {
		t.Fatal(err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	arrived := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(reader)
		arrived <- all
	}()
	f()
	syscall.Dup3(kept, stream, 0)
	writer.Close()
	return <-arrived
}
