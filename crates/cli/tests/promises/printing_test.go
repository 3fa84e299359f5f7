package promises

import (
	"strings"
	"testing"
	"time"

	"scratch/printing"
)

func TestPrinted(t *testing.T) {
	for stream, print := range []func(uint64){1: printing.Output, 2: printing.Errors} {
		if print == nil {
			continue
		}
		got := redirected(t, stream, func() { print(17) })
		if string(got) != "x is 17\nSome(17)\n" {
			t.Errorf("stream %d: %q", stream, got)
		}
	}
}

// A panic runs no destructors, so the lock stays locked. The next locker panics too, in bounded time, and so does every later one.
func TestLockedByPanic(t *testing.T) {
	if !alone {
		t.Skip("takes 10 s")
	}
	before := printing.Count(false)
	if p := panicked(t, "Count", func() { printing.Count(true) }); p.Message != "told to" {
		t.Error(p)
	}
	began := time.Now()
	p := panicked(t, "Count", func() { printing.Count(false) })
	if took := time.Since(began); took < 9*time.Second {
		t.Errorf("waited %v", took)
	}
	if before != 1 || !strings.HasPrefix(p.Message, "waited 10 s for a lock") {
		t.Error(before, p)
	}
}

// The keys of a HashMap are random: of ten maps not all have the same order. (Keys belong to the thread, and each map changes them.)
func TestKeys(t *testing.T) {
	seen := map[uint64]bool{}
	for range 10 {
		seen[printing.First()] = true
	}
	if len(seen) < 2 {
		t.Errorf("always the same order: %v", seen)
	}
}

// The author has defined std's function for sleeping.
func TestDefinedByAuthor(t *testing.T) {
	if got := printing.Doze(0); got != 0 {
		t.Error(got)
	}
	if p := panicked(t, "Doze", func() { printing.Doze(1) }); p.Message != "only Go can sleep" {
		t.Error(p)
	}
}
