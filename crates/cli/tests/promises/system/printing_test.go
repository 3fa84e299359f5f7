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

// C's write writes all bytes, because C programs treat a smaller result as an error.
func TestWrittenWhole(t *testing.T) {
	for _, n := range []uint{0, 1, 512, 513, 2000} {
		var result int
		if got := redirected(t, 2, func() { result = printing.Written(n) }); uint(len(got)) != n || result != int(n) {
			t.Errorf("%d bytes: %d written, result %d", n, len(got), result)
		}
	}
}

// A panic runs no destructors, so the lock stays locked. Every later call that takes the lock panics too, in bounded time.
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

// HashMap orders keys at random, so ten maps do not all begin with the same key. (Each thread has random hash keys, and each new map changes them.)
func TestKeys(t *testing.T) {
	seen := map[uint64]bool{}
	for range 10 {
		seen[printing.First()] = true
	}
	if len(seen) < 2 {
		t.Errorf("always the same order: %v", seen)
	}
}

// std calls the sleep function that the crate's author has defined.
func TestDefinedByAuthor(t *testing.T) {
	if got := printing.Doze(0); got != 0 {
		t.Error(got)
	}
	if p := panicked(t, "Doze", func() { printing.Doze(1) }); p.Message != "only Go can sleep" {
		t.Error(p)
	}
}
