package promises

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/trace"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rustgo.dev/go/rt"
)

// raced reports whether the race detector is on. emulated reports whether an emulator runs the program, which is slow.
var raced, emulated = os.Getenv("RACE") != "", runtime.GOARCH == "arm64"

// times returns n, or a smaller number if the program runs slowly.
func times(n int) int {
	switch {
	case emulated:
		return max(n/50, 3)
	case raced:
		return max(n/10, 3)
	}
	return n
}

// caught calls f and returns the value of f's panic, or nil if f returns.
func caught(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// panicked calls f, which must end in a Rust panic.
func panicked(t *testing.T, what string, f func()) *rt.Panic {
	t.Helper()
	value := caught(f)
	p, ok := value.(*rt.Panic)
	if !ok {
		t.Fatalf("%s: no panic of Rust's, but %v", what, value)
	}
	return p
}

// exhausted calls f, which must panic because its stack budget is exhausted.
func exhausted(t *testing.T, what string, f func()) {
	t.Helper()
	if p := panicked(t, what, f); !strings.Contains(p.Message, "budget") && !strings.Contains(p.Message, "stack") {
		t.Fatalf("%s: %q is no exhausted budget", what, p.Message)
	}
}

// inChild runs the test t again in a process of its own, where os.Getenv("CHILD") is name. It returns the output, and the exit code.
func inChild(t *testing.T, name string) (output string, code int) {
	t.Helper()
	args := []string{os.Args[0], "-test.run=^" + t.Name() + "$"}
	if emulator, err := exec.LookPath("qemu-aarch64-static"); emulated && err == nil {
		args = append([]string{emulator}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "CHILD="+name)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// nilDereference calls f and reports whether it ends in Go's panic for a nil pointer.
func nilDereference(f func()) (ok bool) {
	defer func() {
		err, _ := recover().(runtime.Error)
		ok = err != nil && strings.Contains(err.Error(), "nil pointer dereference")
	}()
	f()
	return false
}

// chainWalked makes Go follow the chain of frame pointers for the block profile, the mutex profile and the execution tracer.
func chainWalked() {
	time.Sleep(time.Microsecond)
	done := make(chan bool)
	var mu sync.Mutex
	mu.Lock()
	go func() {
		mu.Lock()
		mu.Unlock()
		close(done)
	}()
	runtime.Gosched()
	mu.Unlock()
	<-done
	trace.Log(context.Background(), "walked", "")
}

// faultRecovered calls f, which must fault, and recovers. It makes Go follow the chain of frame pointers three times: in a deferred function before
// and after the stack moves, and after the recovery.
func faultRecovered(t *testing.T, depth int, f func()) {
	if !nilDereference(func() {
		defer func() {
			chainWalked()
			deep(depth)
			chainWalked()
		}()
		f()
	}) {
		t.Error("no fault")
	}
	chainWalked()
}

// fresh calls f in a new goroutine, so that f runs on a small stack.
func fresh(t *testing.T, f func()) {
	t.Helper()
	done := make(chan any)
	go func() {
		var value any
		defer func() { done <- value }()
		value = caught(f)
	}()
	if value := <-done; value != nil {
		t.Error("a panic: ", value)
	}
}

// grown calls f in a goroutine whose stack has already grown to some MiB.
func grown(t *testing.T, f func()) {
	t.Helper()
	fresh(t, func() {
		deep(4 << 10)
		f()
	})
}

// deep recurses n levels deep, with one KiB of stack for each level.
//
//go:noinline
func deep(n int) (sum byte) {
	var block [1024]byte
	block[n%1024] = byte(n)
	if n > 0 {
		sum = deep(n - 1)
	}
	return sum + block[n%1024/2]
}

// overhead is the largest number of bytes of stack that Go's own frames use between the function rt.StackUsed and an export.
const overhead = 400

// afterwards is the largest number of bytes of stack that Go uses for a panic, below the frames of Rust.
const afterwards = 12 << 10

// deepest returns how many bytes of stack f uses. It takes the least of several measurements, because a signal may use stack during a call.
func deepest(f func()) int {
	least := 1 << 30
	for range 3 {
		least = min(least, rt.StackUsed(256<<10, f))
	}
	return least
}

var stated = regexp.MustCompile(`; (?:its body stands (here)|stack (\d+) bytes|stack budget (\d+) bytes)`)

// bound reads an export's stack bound from the generated assembly. If the export has a budget, the bound is the budget.
func bound(t *testing.T, pkg, function string) int {
	t.Helper()
	text, err := os.ReadFile(pkg + "/rustgo_" + runtime.GOARCH + ".s")
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(text), "// func "+function+"(")
	if at < 0 { // the export has a Go wrapper
		at = strings.Index(string(text), "// func rust_"+function+"(")
	}
	if at < 0 {
		t.Fatalf("%s has no %s", pkg, function)
	}
	match := stated.FindStringSubmatch(string(text)[at:])
	if match[1] != "" {
		return 512
	}
	n, err := strconv.Atoi(match[2] + match[3])
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOARCH == "arm64" && n >= 4096 {
		// The frame of this entry is a multiple of 4096 bytes, and the entry writes to the lowest word of the frame.
		n = (n + 4095) &^ 4095
	}
	return n
}

// These variables lie next to the stack on which package rt formats messages, because the linker sorts Go data without pointers by size. That stack
// has 70 KiB in total, including the part above its upper limit.
var below, beside, above = [70<<10 - 16]byte{}, [70<<10 - 8]byte{}, [70<<10 + 8]byte{}

func init() {
	for _, canary := range [][]byte{below[:], beside[:], above[:]} {
		for i := range canary {
			canary[i] = 0xa5
		}
	}
}

// untouched asserts that the data around rt's stack for messages has not been overwritten.
func untouched(t *testing.T, after string) {
	t.Helper()
	for _, canary := range [][]byte{below[:], beside[:], above[:]} {
		for i, b := range canary {
			if b != 0xa5 {
				t.Fatalf("%s has changed byte %d of static data of %d bytes", after, i, len(canary))
			}
		}
	}
}
