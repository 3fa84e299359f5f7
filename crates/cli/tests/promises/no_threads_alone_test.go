package promises

import (
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
