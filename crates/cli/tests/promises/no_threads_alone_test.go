package promises

import (
	"runtime"
	"testing"

	lonely "scratch/no_threads_alone"
)

// The stack has the largest of the stated sizes, and its end is a panic after which calls go on.
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

// The text of an error is made on the thread of the calls, with its thread-local variables.
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
