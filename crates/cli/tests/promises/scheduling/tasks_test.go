package promises

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"rustgo.dev/go/rt"
	"scratch/tasks"
)

func TestTasks(t *testing.T) {
	tasks.Nothing()
	if got := tasks.Depth(1000); got != 1000 {
		t.Error(got)
	}
	if got := tasks.Deeper(10_000); got != 10_000 {
		t.Error(got)
	}
	if got, err := tasks.Sum([]uint64{1, 2, 3}, "four", 10); got != 64 || err != nil {
		t.Error(got, err)
	}
	if _, err := tasks.Sum(make([]uint64, 7), "no", 1); err == nil || err.Error() != "no sum of 7 words" {
		t.Error(err)
	}
	if got := tasks.Longest("a long text with short words"); got != "short" && got != "words" {
		t.Error(got)
	}
	buf := make([]byte, 100)
	tasks.Fill(buf[:50], 7)
	if buf[49] != 7 || buf[50] != 0 {
		t.Error(buf)
	}
	if a, b, c := tasks.Three(1, 70_001); !a || b != 4465 || c != 35_000.5 {
		t.Error(a, b, c)
	}
	if got := tasks.Aligned(9); got != 0 {
		t.Error(got)
	}
}

// A result that borrows from a parameter stays valid when the goroutine's stack moves.
func TestTasksResultsThatBorrow(t *testing.T) {
	var at func(n int) string
	at = func(n int) string {
		var block [64]byte
		if n == 0 {
			text := string(append(block[:0], "ab abc"...))
			return tasks.Longest(text)
		}
		return at(n - 1)
	}
	done := make(chan string)
	for range times(50) {
		go func() {
			word := at(10)
			reserve(200)
			done <- word
		}()
	}
	for range times(50) {
		if word := <-done; word != "abc" {
			t.Fatalf("%q", word)
		}
	}
}

// reserve makes the stack grow by n KiB.
//
//go:noinline
func reserve(n int) (sum byte) {
	var block [1024]byte
	block[n%1024] = byte(n)
	if n > 0 {
		sum = reserve(n - 1)
	}
	return sum + block[n%1024/2]
}

// Recursion on a task does not make the goroutine's stack grow.
func TestTasksKeepGoroutinesSmall(t *testing.T) {
	const goroutines = 100
	measure := func(call func()) uint64 {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var ready, done sync.WaitGroup
		end := make(chan bool)
		for range goroutines {
			ready.Add(1)
			done.Add(1)
			go func() {
				call()
				ready.Done()
				<-end
				done.Done()
			}()
		}
		ready.Wait()
		runtime.ReadMemStats(&after)
		close(end)
		done.Wait()
		return (after.StackInuse - before.StackInuse) / goroutines
	}
	if each := measure(func() { tasks.Depth(2000) }); each > 32<<10 {
		t.Errorf("a goroutine has a stack of %d KiB", each>>10)
	}
}

func TestTasksPanic(t *testing.T) {
	for round := range uint64(times(20)) {
		var dropped uint64
		p := panicked(t, "Index", func() { tasks.Index(&dropped, 3) })
		if p.Message != "index out of bounds: the len is 3 but the index is 3" || !strings.HasSuffix(p.File, "src/lib.rs") || dropped != 1 {
			t.Errorf("%+v, %d", p, dropped)
		}
		is := func(f rt.Frame) bool { return strings.HasSuffix(f.Function, "tasks.index") }
		if len(p.Frames) == 0 || !slices.ContainsFunc(p.Frames, is) {
			t.Errorf("%+v", p.Frames)
		}
		for _, f := range p.Frames {
			if strings.Contains(f.Function, "taskBase") || strings.Contains(f.Function, "RunTask") {
				t.Error(f)
			}
		}
		if got := tasks.Index(&dropped, 1); got != 2 || dropped != 2 || tasks.IsPanicking() {
			t.Error(got, dropped, round)
		}
	}
	if p := panicked(t, "Ends", tasks.Ends); !strings.Contains(p.Message, "the first panic") || !strings.Contains(p.Message, "the second panic") {
		t.Error(p)
	}
	if p := panicked(t, "Depth", func() { tasks.Depth(1 << 40) }); !strings.HasPrefix(p.Message, "rust stack budget exhausted in promise_tasks.depth") {
		t.Error(p)
	}
	panicked(t, "Descend", func() { tasks.Descend() })
	if got := tasks.Reached(); got < 850<<10 || got > 896<<10 {
		t.Errorf("%d KiB of the stack are used, of 896", got>>10)
	}
	if p := panicked(t, "Deeper", func() { tasks.Deeper(1 << 40) }); !strings.HasPrefix(p.Message, "rust stack budget exhausted") {
		t.Error(p)
	}
	if tasks.IsPanicking() {
		t.Error("a task still panics")
	}
}

// On Linux a fault on a task is a Go panic as on a goroutine's stack.
func TestTasksFault(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has a handler before Go's")
	}
	fault := func(f func()) (err runtime.Error) {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() { err, _ = recover().(runtime.Error) }()
		f()
		return nil
	}
	var constant = "read only"
	for range times(20) {
		for name, f := range map[string]func(){
			"reads nil": func() { tasks.Reads(8) }, "writes nil": func() { tasks.Writes(8) }, "reads": func() { tasks.Reads(1 << 46) },
		} {
			if err := fault(f); err == nil {
				t.Errorf("%s: no fault", name)
			}
		}
		// rt repeats the access as a read, so that Go raises its own panic. The constant can be read, so the read does not fault, and rt panics.
		if p := panicked(t, "Writes", func() { tasks.Writes(uint64(uintptr(unsafe.Pointer(unsafe.StringData(constant))))) }); !strings.Contains(p.Message, "faulted") {
			t.Error(p)
		}
		if got := tasks.Depth(50); got != 50 {
			t.Error(got)
		}
	}
}

// A thread-local variable belongs to a task while the task runs, and to a thread outside of tasks.
func TestTasksThreadLocals(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_, outside := tasks.CountOutside()
	if n, inside := tasks.Count(); n == 0 || inside == outside {
		t.Error("a task has the variables of its thread")
	}
	p := panicked(t, "Formats", tasks.Formats)
	if before, after, _ := strings.Cut(p.Message, " "); before != after {
		t.Errorf("while the message is formatted, the variable is at %s, before at %s", after, before)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range times(500) {
				if n, inside := tasks.Count(); n == 0 || inside == outside {
					t.Error(n, inside)
					return
				}
			}
		})
	}
	wg.Wait()
	n, _ := tasks.CountOutside()
	if again, at := tasks.CountOutside(); again != n+1 || at != outside {
		t.Error(again, n)
	}
}

func TestTasksObjects(t *testing.T) {
	tree := tasks.NewTree()
	for i, word := range []string{"b", "a", "b"} {
		if got := tree.Add(word); got != uint64(1+i/2) {
			t.Error(word, got)
		}
	}
	panicked(t, "Tree.Add", func() { tree.Add("") })
	other := tasks.NewTree()
	other.Add("x")
	if got := other.Words(); !slices.Equal(got, []string{"x"}) {
		t.Error(got)
	}
}

// Many tasks run at once, while collections, a profile, a trace and signals look at their goroutines.
func TestTasksAtOnce(t *testing.T) {
	var profile bytes.Buffer
	if pprof.StartCPUProfile(&profile) == nil {
		defer pprof.StopCPUProfile()
	}
	if trace.Start(&bytes.Buffer{}) == nil {
		defer trace.Stop()
	}
	var wg sync.WaitGroup
	for g := range uint64(16) {
		wg.Go(func() {
			for i := range uint64(times(300)) {
				if n := g*7 + i%900; tasks.Depth(n) != n {
					t.Error("Depth", n)
				}
				var dropped uint64
				panicked(t, "Index", func() { tasks.Index(&dropped, 9) })
				if dropped != 1 {
					t.Error(dropped)
				}
				if i%64 == 0 {
					runtime.GC()
				}
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
}

// The memory of a stack that no call has used during two collections goes back to the system. Later calls get memory for stacks again.
func TestTasksGoBack(t *testing.T) {
	stats := func() uint64 {
		var stats rt.MemStats
		rt.ReadMemStats(&stats)
		return stats.Tasks
	}
	for range 3 {
		var wg sync.WaitGroup
		for range 32 {
			wg.Go(func() { tasks.Deeper(20_000) })
		}
		wg.Wait()
		tasks.Nothing()
		for round := 0; stats() > 0; round++ {
			if round == 1000 {
				t.Fatalf("%d stacks are left", stats())
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}
}

// Local variables of Rust code on a task are not on the goroutine's stack.
func TestTasksHaveStacksOfTheirOwn(t *testing.T) {
	var local byte
	here := uint64(uintptr(unsafe.Pointer(&local)))
	if there := tasks.Local(); there-here+(1<<20) < 2<<20 {
		t.Errorf("%#x and %#x", here, there)
	}
}

// The steps of an iterator are tasks that let other goroutines run, so the goroutine's stack may move during a step.
func TestTasksIteratorsWhoseStackMoves(t *testing.T) {
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC() // shrinks stacks
			}
		}
	}()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range times(20) {
				reserve(1 << 10)
				next := uint64(0)
				for n := range tasks.Yielding(1000) {
					if n != next {
						t.Errorf("%d instead of %d", n, next)
						return
					}
					next++
				}
				if next != 1000 {
					t.Errorf("%d steps", next)
					return
				}
			}
		})
	}
	wg.Wait()
	close(stop)
}
