package promises

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	lonely "scratch/no_threads_alone"
)

// All calls of a package without threads run on one stack. Its size is the largest that an export states (here 2 MiB, at Recurse). A call that
// exhausts the stack panics, and later calls work.
func TestStackOfOneThread(t *testing.T) {
	if got := lonely.Recurse(1500); got != 1500 {
		t.Error(got)
	}
	for range 3 {
		exhausted(t, "5 MiB", func() { lonely.Recurse(5000) })
	}
	if got := lonely.Start(); got != "Unsupported" {
		t.Errorf("starting a thread: %s", got)
	}
}

// The text of an error is formatted on the thread of the calls, with the thread-local variables of that thread.
func TestErrorsOfOneThread(t *testing.T) {
	for number := range uint64(4) {
		err := lonely.Refuse(number)
		text := make(chan string)
		go func() {
			runtime.LockOSThread() // a thread of its own
			text <- err.Error()
		}()
		if got, want := <-text, string('0'+byte(number))+" is refused"; got != want {
			t.Errorf("the text is %q, not %q", got, want)
		}
	}
}

// Results are freed on the thread of the calls, because the crate's allocator may use locks and thread-local variables.
func TestResultsOfOneThread(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			runtime.LockOSThread()
			for range 100 {
				if got := lonely.Start(); got != "Unsupported" {
					t.Error(got)
				}
			}
		})
	}
	all.Wait()
	if n := lonely.Elsewhere(); n != 0 {
		t.Errorf("the allocator ran %d times on another thread", n)
	}
}

// While goroutines make objects all the time, unreachable objects are dropped, so only a limited number of objects exists.
func TestObjectsOfOneThread(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 150 {
				lonely.NewBlock().Work()
			}
		})
	}
	most := uint64(0)
	done := make(chan bool)
	go func() { all.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-time.After(20 * time.Millisecond):
			runtime.GC()
			most = max(most, lonely.Live())
		}
	}
	if most > 700 {
		t.Errorf("%d of 1200 objects were alive at once", most)
	}
}

// A fault in the destructor of an unreachable object ends the process, as in packages with threads. No call of other code panics.
func TestFaultOfOneThread(t *testing.T) {
	if os.Getenv("CHILD") != "" {
		go func() {
			for {
				if value := caught(func() { lonely.Slow(100_000) }); value != nil {
					println("a call of other code panicked:", value.(error).Error())
					os.Exit(3)
				}
			}
		}()
		for range 20 {
			if got := lonely.NewFault(8).Address(); got != 8 {
				t.Fatal(got)
			}
			runtime.GC()
		}
		for range 200 {
			runtime.GC()
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatal("went on")
	}
	output, code := inChild(t, "fault")
	if code != 2 || !strings.Contains(output, "invalid memory address or nil pointer dereference") || strings.Contains(output, "FAIL") {
		t.Errorf("exit code %d\n%s", code, output)
	}
}

// A wait that nothing can end panics or ends the process before 10 seconds have passed. A wait with a time limit ends at the limit.
func TestWaitsOfOneThread(t *testing.T) {
	if os.Getenv("CHILD") != "" {
		t.Fatalf("went on: %v", caught(func() { lonely.Receive() }))
	}
	if !lonely.ReceiveFor(50) {
		t.Error("there was a message")
	}
	const says = "waits for another thread, and its package has none"
	began := time.Now()
	for range 3 {
		if p := panicked(t, "Relock", func() { lonely.Relock() }); !strings.Contains(p.Message, says) {
			t.Errorf("the message is %q", p.Message)
		}
	}
	output, code := inChild(t, "receive")
	if code != 2 || !strings.Contains(output, says) || strings.Contains(output, "went on") {
		t.Errorf("exit code %d\n%s", code, output)
	}
	if took := time.Since(began); took > 9*time.Second {
		t.Errorf("the waits took %v", took)
	}
}
