//go:build amd64 || arm64

package rt_test

import (
	"io"
	"os"
	"runtime"
	"syscall"
	"testing"

	"rustgo.dev/go/rt"
)

// redirect makes the file with this descriptor the standard error stream.
func redirect(t *testing.T, file int) {
	if err := syscall.Dup3(file, 2, 0); err != nil {
		t.Fatal(err)
	}
}

// If findCall does not find the fields, blocking calls are ordinary calls, and the first blocking call prints a notice.
func TestOrdinaryCallsPrintANotice(t *testing.T) {
	if sp, _ := rt.CallFields(); sp != 0 {
		t.Skip("go test -tags rustgo_ordinary has no such fields")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := syscall.Dup(2)
	if err != nil {
		t.Fatal(err)
	}
	redirect(t, int(write.Fd()))
	rt.Noticed()
	for range 3 {
		rt.EnterCall()
		runtime.GC() // any Go code may run
		rt.LeaveCall()
	}
	redirect(t, stderr)
	_ = write.Close()
	said, err := io.ReadAll(read)
	if want := "rustgo: blocking calls of Rust hold up the garbage collector: rustgo does not know this version of Go, or the build tag rustgo_ordinary is set\n"; err != nil || string(said) != want {
		t.Errorf("it said %q, %v", said, err)
	}
	if !rt.Noticed() {
		t.Error("the notice is not remembered")
	}
}
