package promises

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"rustgo.dev/go/rt"
	closing "scratch/closing_abandon"
)

func TestClosingAbandon(t *testing.T) {
	w := new(closingWriter)
	log := closing.NewLog(w)
	log.Add("one")
	if err := log.Close(); err != nil || w.String() != "one\n" || log.Close() != rt.ErrClosed {
		t.Error(err, w.String())
	}
	mine := errors.New("mine")
	log = closing.NewLog(&closingWriter{does: func() error { panic(mine) }})
	log.Add("two")
	if got := goPanic(func() { log.Close() }); got != mine || log.Close() != rt.ErrClosed {
		t.Error(got)
	}
	// The write in the destructor of a forgotten object returns an error, so the destructor ends, and the writer is dropped.
	const n = 100
	var collected, calls atomic.Int64
	for range n {
		w := &closingWriter{does: func() error { calls.Add(1); return nil }}
		runtime.AddCleanup(w, func(int) { collected.Add(1) }, 0)
		closing.NewLog(w).Add("lost")
	}
	for range 200 {
		if collectedWithin(&collected, n) {
			break
		}
	}
	if collected.Load() != n || calls.Load() != 0 {
		t.Errorf("%d of %d writers are collected, after %d calls", collected.Load(), n, calls.Load())
	}
}
