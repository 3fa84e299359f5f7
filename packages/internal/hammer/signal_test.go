//go:build unix

package hammer_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"rustgo.dev/packages/edwards25519"
)

func init() {
	// A signal to the process goes to its main thread. In the child, that shall be the one that runs Rust.
	if os.Getenv("HAMMER_MULTIPLY") != "" {
		runtime.LockOSThread()
	}
}

func TestMain(m *testing.M) {
	if os.Getenv("HAMMER_MULTIPLY") != "" {
		multiplyForEver()
	}
	os.Exit(m.Run())
}

//go:noinline
func multiplyForEver() {
	var k, p [32]byte
	for i := 0; ; i++ {
		edwards25519.ScalarBaseMult(&p, &k)
		k = p
		if i == 0 {
			fmt.Println("ready")
		}
	}
}

// TestTracebackOfASignal sends SIGQUIT to a process that does nothing but call Rust. The traceback must name the Rust
// function it was in, or Go's own, and go on to the Go caller. One that finds the process in Go, or another thread, is no answer,
// so that there are more signals until one comes in Rust.
func TestTracebackOfASignal(t *testing.T) {
	signals, inRust := 0, 0
	for ; signals < 10 || inRust == 0; signals++ {
		if signals == 200 {
			t.Fatal("no traceback of 200 has a Rust function with its file and the Go caller behind it")
		}
		cmd := itself()
		cmd.Env = append(os.Environ(), "HAMMER_MULTIPLY=1", "GOTRACEBACK=all")
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		cmd.Stderr = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
			cmd.Process.Kill()
			t.Fatalf("the child says %q (%v)", line, err)
		}
		// Each signal shall find another instruction.
		time.Sleep(20*time.Millisecond + rand.N(5*time.Millisecond))
		cmd.Process.Signal(syscall.SIGQUIT)
		cmd.Wait()
		text := out.String()
		if strings.Contains(text, "goroutine running on other thread") {
			continue // the system gave the signal to another thread
		}
		if missing := inOrder(text, "SIGQUIT: quit", "hammer_test.multiplyForEver", "hammer_test.TestMain", "runtime.main"); missing != "" {
			t.Fatalf("no %q in its place in:\n%s", missing, text)
		}
		if strings.Contains(text, "unexpected") || strings.Contains(text, "unknown pc") {
			t.Fatalf("the runtime complains:\n%s", text)
		}
		if inOrder(text, "curve25519_dalek", ".rs:", "edwards25519.ScalarBaseMult", "hammer_test.multiplyForEver") == "" {
			inRust++
		}
	}
	t.Logf("%d of %d signals came in Rust code", inRust, signals)
}
