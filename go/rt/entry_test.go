//go:build amd64 || arm64

package rt_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"rustgo.dev/go/rt"
	"rustgo.dev/go/rt/internal/fakerust"
)

// caught calls fakerust.Panic and returns the recovered value.
func caught(message string, depth int, kind fakerust.Kind) (p *rt.Panic) {
	defer func() { p = recover().(*rt.Panic) }()
	fakerust.Panic(message, depth, kind)
	return nil
}

func TestPanicHasMessageLocationAndFrames(t *testing.T) {
	for depth := range 4 { // on amd64 each call of the recursion moves SP by 40 bytes, so SP is a multiple of 16 at every second depth
		p := caught("the len is 3", depth, fakerust.Plain)
		if p.Message != "the len is 3" || p.File != "src/lib.rs" || p.Line != 12 || p.Column != 5 {
			t.Errorf("depth %d: got %+v", depth, p)
		}
		want := []rt.Frame{{"fakecrate.panic_handler", "src/panic.rs", 0}}
		for range depth + 1 {
			want = append(want, rt.Frame{"fakecrate.recurse", "src/lib.rs", 0})
		}
		want = append(want, rt.Frame{"rustgo.dev/go/rt/internal/fakerust.Panic", "fakerust_" + runtime.GOARCH + ".s", 0})
		if len(p.Frames) != len(want) {
			t.Fatalf("depth %d: got frames %v, want %v", depth, p.Frames, want)
		}
		for i, f := range p.Frames {
			if f.Function != want[i].Function || !strings.HasSuffix(f.File, want[i].File) || f.Line == 0 {
				t.Errorf("depth %d: frame %d is %v, want %v", depth, i, f, want[i])
			}
		}
	}
}

func TestPanicOnAGoStatement(t *testing.T) {
	// After a go statement, the caller of the Rust function is runtime.goexit, which is written in assembly too.
	if os.Getenv("RT_TEST_CHILD") == "go" {
		go fakerust.Panic("on its own", 1, fakerust.Plain)
		select {}
	}
	out := crash(t, "TestPanicOnAGoStatement", "go")
	if !strings.Contains(out, "panic: on its own (src/lib.rs:12:5)") {
		t.Errorf("got:\n%s", out)
	}
}

func TestUnrecoveredPanicPrintsRustFrames(t *testing.T) {
	if os.Getenv("RT_TEST_CHILD") == "unrecovered" {
		fakerust.Panic("the len is 3", 2, fakerust.Plain)
	}
	out := crash(t, "TestUnrecoveredPanicPrintsRustFrames", "unrecovered")
	// testing.tRunner recovers the panic and panics again. Go prints both panics in this form.
	at := 0
	for _, want := range []string{
		"panic: the len is 3 (src/lib.rs:12:5)",
		"rustgo.dev/go/rt.enter",
		"fakecrate.panic_handler", "src/panic.rs:",
		"fakecrate.recurse", "src/lib.rs:",
		"fakecrate.recurse",
		"fakecrate.recurse",
		"rustgo.dev/go/rt/internal/fakerust.Panic", "fakerust_" + runtime.GOARCH + ".s:",
		"rt_test.TestUnrecoveredPanicPrintsRustFrames",
		"testing.tRunner",
	} {
		i := strings.Index(out[at:], want)
		if i < 0 {
			t.Fatalf("no %q after byte %d of:\n%s", want, at, out)
		}
		at += i + len(want)
	}
	if strings.Contains(out, "unexpected") {
		t.Errorf("the runtime complains:\n%s", out)
	}
}

func TestFormatterThatOverrunsItsStackIsFatal(t *testing.T) {
	if os.Getenv("RT_TEST_CHILD") == "overrun" {
		defer func() { _ = recover() }()
		fakerust.Panic("", 0, fakerust.Overruns)
	}
	out := crash(t, "TestFormatterThatOverrunsItsStackIsFatal", "overrun")
	if !strings.Contains(out, "more than 64 KiB of stack") {
		t.Errorf("got:\n%s", out)
	}
}

// crash runs one test in a new process, which must die, and returns the output. RUSTGO_TEST_EXEC is a command that runs tests of another
// architecture, as in go test -exec. The command is not needed if the system can run such programs.
func crash(t *testing.T, test, child string) string {
	t.Helper()
	out, err := inChild(test, child)
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 {
		t.Fatalf("the process should die with exit code 2, got %v:\n%s", err, out)
	}
	return out
}

// succeed runs one test in a new process, which must succeed, and returns the output.
func succeed(t *testing.T, test, child string) string {
	t.Helper()
	out, err := inChild(test, child)
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return out
}

func inChild(test, child string) (string, error) {
	command := append(strings.Fields(os.Getenv("RUSTGO_TEST_EXEC")), os.Args[0], "-test.run=^"+test+"$", "-test.timeout=5m")
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "RT_TEST_CHILD="+child, "GOTRACEBACK=all")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// While the formatter runs, the stack bounds in g must be the bounds of the formatter's static stack. The lowest address must hold the limit for
// functions with a stack check.
func TestBoundsOfTheFormattersStack(t *testing.T) {
	for range 3 {
		words := []byte(caught("", 0, fakerust.Bounds).Message)
		if len(words) != 32 {
			t.Fatalf("got %d bytes", len(words))
		}
		word := func(i int) uintptr { return uintptr(binary.NativeEndian.Uint64(words[8*i:])) }
		lo, hi, limit, sp := word(0), word(1), word(2), word(3)
		if lo+rt.GuardSize >= limit || limit >= sp || sp >= hi {
			t.Errorf("the bounds are %#x and %#x, the limit is %#x, SP is %#x", lo, hi, limit, sp)
		}
		if room := sp - limit; room < 64<<10-256 || room > 64<<10 || hi-sp > 256 {
			t.Errorf("SP is %d bytes above the limit and %d below the end", room, hi-sp)
		}
		var here byte
		if at := uintptr(unsafe.Pointer(&here)); at >= lo && at < hi {
			t.Errorf("the formatter ran on the goroutine's stack, %#x to %#x", lo, hi)
		}
	}
	// After the panic the goroutine's own bounds are restored, so the stack can grow.
	if got := grow(256); got != 257 {
		t.Errorf("grow(256) = %d", got)
	}
}

func TestFormatterThatDoesNotReturn(t *testing.T) {
	for kind, want := range map[fakerust.Kind]string{
		fakerust.Panics:     "panicked while formatting a panic message",
		fakerust.Incomplete: "panicked (the message is lost: formatting it needs a function that the package does not include)",
		fakerust.Deep:       "panicked (the message is lost: formatting it needs more than 64 KiB of stack)",
	} {
		for depth := range 2 {
			p := caught("never seen", depth, kind)
			if p.Message != want {
				t.Errorf("kind %d: got message %q, want %q", kind, p.Message, want)
			}
			if p.File != "src/lib.rs" || p.Line != 12 {
				t.Errorf("kind %d: got place %s:%d, want that of the first panic", kind, p.File, p.Line)
			}
			// The frames come from the goroutine's stack, not from the formatter's.
			if n := len(p.Frames); n != 2+depth+1 {
				t.Errorf("kind %d: got %d frames: %v", kind, n, p.Frames)
			}
			if p := caught("seen", depth, fakerust.Plain); p.Message != "seen" {
				t.Errorf("kind %d: the next panic says %q", kind, p.Message)
			}
		}
	}
	if n := rt.SlotsTaken(); n != 0 {
		t.Errorf("%d slots are still taken", n)
	}
}

func TestExhaustedStackAndMissingFunction(t *testing.T) {
	for kind, want := range map[fakerust.Kind]string{
		fakerust.Exhausts: "rust stack budget of 64 KiB exhausted in fakecrate.recurse",
		fakerust.Misses:   "rustgo: Rust called a function that the package does not include; this is a bug in rustgo, please report it",
	} {
		for depth := range 4 {
			p := caught("", depth, kind)
			if p.Error() != want || p.File != "" {
				t.Errorf("got %+v, want %q", p, want)
			}
			if n := len(p.Frames); n != depth+2 || p.Frames[0].Function != "fakecrate.recurse" {
				t.Errorf("%s: got %d frames, want %d: %v", want, n, depth+2, p.Frames)
			}
		}
	}
}

func TestPanicWithoutLocation(t *testing.T) {
	if p := caught("somewhere", 0, fakerust.Nowhere); p.Error() != "somewhere" || p.File != "" || p.Line != 0 {
		t.Errorf("got %+v", p)
	}
}

func TestPanicInFileWithoutName(t *testing.T) {
	// The address of an empty Rust string is arbitrary. If a Go pointer held such an address, Go would end the process when it moves the stack.
	done := make(chan string)
	go func() {
		p := caught("somewhere", 0, fakerust.Nameless)
		file := p.File
		grow(256)
		done <- file + p.Error()
	}()
	if got := <-done; got != "somewhere" {
		t.Errorf("got %q", got)
	}
}

func TestMessageOfAnyLength(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 300)
	for _, n := range []int{0, 1, 4095, 4096, 4097, len(long)} {
		if p := caught(long[:n], 0, fakerust.Plain); p.Message != long[:min(n, 4096)] {
			t.Errorf("message of %d bytes: got %d bytes", n, len(p.Message))
		}
	}
}

func TestAllSlotsTaken(t *testing.T) {
	restore := rt.TakeAllSlots()
	p := caught("lost", 0, fakerust.Plain)
	restore()
	if !strings.Contains(p.Message, "the message is lost") || p.Line != 12 || len(p.Frames) != 3 {
		t.Errorf("got %+v", p)
	}
	if p := caught("found", 0, fakerust.Plain); p.Message != "found" {
		t.Errorf("afterwards: got %+v", p)
	}
}

//go:noinline
func grow(n int) int {
	var frame [1024]byte
	frame[n%len(frame)] = 1
	if n == 0 {
		return int(frame[0])
	}
	return grow(n-1) + int(frame[n%len(frame)])
}

// room limits the number of goroutines that panic at the same time, so that no message is lost.
var room = make(chan bool, rt.Slots)

// pressure makes Rust panic in a number of rounds. In each round a deferred function grows the stack, sometimes until Go moves the stack. Meanwhile
// the frames of the dead Rust functions still lie on the stack, above the deferred function's frame.
func pressure(t *testing.T, rounds, id int) {
	for i := range rounds {
		want := fmt.Sprintf("goroutine %d round %d", id, i)
		func() {
			room <- true
			defer func() {
				<-room
				n := i % 8
				if i%64 == 63 {
					n = 256
				}
				if got := grow(n); got != n+1 {
					t.Errorf("grow(%d) = %d", n, got)
				}
				if p := recover().(*rt.Panic); p.Message != want || len(p.Frames) != 3+i%50 {
					t.Errorf("got %q with %d frames, want %q with %d", p.Message, len(p.Frames), want, 3+i%50)
				}
			}()
			fakerust.Panic(want, i%50, fakerust.Plain)
		}()
	}
}

func scale(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// collect runs garbage collections until stop is called.
func collect() (stop func()) {
	done := make(chan bool)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	}()
	return func() { close(done); wg.Wait() }
}

func TestStackGrowthAndGC(t *testing.T) {
	defer collect()()
	pressure(t, scale(5000), 0)
}

func TestManyGoroutines(t *testing.T) {
	defer collect()()
	before := fakerust.Formatted()
	rounds := max(scale(50), 5)
	var wg sync.WaitGroup
	for id := range 1000 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			pressure(t, rounds, id) // on a new goroutine's small stack
		}()
	}
	wg.Wait()
	if got, want := fakerust.Formatted()-before, uint64(1000*rounds); got != want {
		t.Errorf("%d messages formatted, want %d", got, want)
	}
	if n := rt.SlotsTaken(); n != 0 {
		t.Errorf("%d slots are still taken", n)
	}
}

func TestExecutionTracer(t *testing.T) {
	if err := trace.Start(io.Discard); err != nil {
		t.Skip(err)
	}
	defer trace.Stop()
	defer collect()()
	pressure(t, scale(2000), 0)
}

// TestFramePointers checks the chain of frame pointers while a panic is under way and after it. The test uses the block profile: when a goroutine
// blocks, Go walks the chain, as the execution tracer does.
func TestFramePointers(t *testing.T) {
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	func() {
		defer func() {
			blockInDeferred()
			_ = recover()
		}()
		fakerust.Panic("", 3, fakerust.Plain)
	}()
	blockAfterwards()

	records := make([]runtime.BlockProfileRecord, 1000)
	n, ok := runtime.BlockProfile(records)
	if !ok {
		t.Fatalf("%d records are too many", n)
	}
	for function, want := range map[string]string{
		"rt_test.blockInDeferred": "rustgo.dev/go/rt.enter", // the chain of frame pointers ends there
		"rt_test.blockAfterwards": "runtime.goexit",
	} {
		found := false
		for _, record := range records[:n] {
			var names []string
			for frames, more := runtime.CallersFrames(record.Stack()), true; more; {
				var f runtime.Frame
				f, more = frames.Next()
				names = append(names, f.Function)
			}
			stack := strings.Join(names, "\n")
			if !strings.Contains(stack, function) {
				continue
			}
			found = true
			if !strings.HasSuffix(stack, want) {
				t.Errorf("the stack of %s does not end in %s:\n%s", function, want, stack)
			}
		}
		if !found {
			t.Errorf("%s is not in the profile", function)
		}
	}
}

//go:noinline
func blockInDeferred() { block() }

//go:noinline
func blockAfterwards() { block() }

// block waits. On a busy machine, a channel may be ready before the goroutine waits for the channel, so block tries more than once.
func block() {
	for range 10 {
		done := make(chan bool)
		time.AfterFunc(5*time.Millisecond, func() { close(done) })
		<-done
	}
}

func TestCPUProfile(t *testing.T) {
	var profile bytes.Buffer
	runtime.SetCPUProfileRate(1000)
	err := pprof.StartCPUProfile(&profile) // prints to stderr that the rate is already set, and keeps it
	if err != nil {
		t.Skip(err)
	}
	for start := time.Now(); time.Since(start) < 300*time.Millisecond; {
		pressure(t, 100, 0)
	}
	pprof.StopCPUProfile()
	if profile.Len() == 0 {
		t.Error("the profile is empty")
	}
}

func TestPanicAgainAndGoexit(t *testing.T) {
	var inner, outer *rt.Panic
	func() {
		defer func() { outer = recover().(*rt.Panic) }()
		defer func() {
			inner = caught("inner", 3, fakerust.Plain)
			fakerust.Panic("second", 2, fakerust.Plain) // while "first" is under way
		}()
		fakerust.Panic("first", 1, fakerust.Plain)
	}()
	if inner.Message != "inner" || outer.Message != "second" {
		t.Errorf("got %q and %q", inner.Message, outer.Message)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { runtime.Goexit() }()
		fakerust.Panic("given up", 1, fakerust.Plain)
	}()
	<-done
}

func TestAMillionPanics(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 20_000
	}
	if raceEnabled {
		n /= 50
	}
	start := time.Now()
	for i := range n {
		if p := caught("again", i%3, fakerust.Plain); p.Message != "again" {
			t.Fatalf("round %d: got %q", i, p.Message)
		}
	}
	t.Logf("%v a panic", time.Since(start)/time.Duration(n))
}

func BenchmarkPanic(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		_ = caught("again", 1, fakerust.Plain)
	}
}

func BenchmarkGoPanic(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		func() {
			defer func() { _ = recover() }()
			panic("again")
		}()
	}
}
