package promises

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rustgo.dev/go/rt"
	iterators "scratch/callbacks_iterators"
)

func TestIteratorsCallGo(t *testing.T) {
	var called []uint64
	f := func(n uint64) uint64 {
		deepen(300)
		runtime.GC()
		called = append(called, n)
		if n > 20 {
			return 0
		}
		return n * n
	}
	var got []uint64
	for n := range iterators.Calls(f) {
		got = append(got, n)
	}
	if len(got) != 20 || got[19] != 400 || len(called) != 22 || called[20] != 21 || called[21] != 0 {
		t.Error(got, called)
	}
	// After break the destructor calls Go.
	called = nil
	for n := range iterators.Calls(f) {
		if n == 4 {
			break
		}
	}
	if len(called) < 3 || called[len(called)-1] != 0 {
		t.Error(called)
	}
	// The call that makes the iterator is a task too.
	called = nil
	if got := slices.Collect(iterators.CallsEarly(func(n uint64) uint64 { runtime.GC(); called = append(called, n); return n + 1 }, "aé")); fmt.Sprint(got, called) !=
		"[a10198 é101234] [100 97 233]" {
		t.Error(got, called)
	}
	// Loops run in several goroutines, and within other loops.
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range times(20) {
				sum := uint64(0)
				for n := range iterators.Calls(func(n uint64) uint64 {
					for m := range iterators.Calls(func(m uint64) uint64 { return m % 4 }) {
						n += m
					}
					return n % 20
				}) {
					sum += n
				}
				if sum != 7+8+9+10+11+12+13+14+15+16+17+18+19 {
					t.Error(sum)
				}
			}
		})
	}
	wg.Wait()
}

func TestIteratorsOfReaders(t *testing.T) {
	text := strings.Repeat("one\ntwo three\n\n", 20)
	var got []string
	for number, line := range iterators.Lines(iteratorReader(strings.NewReader(text).Read)) {
		if number != uint(len(got)) {
			t.Error(number)
		}
		got = append(got, line+"\n")
	}
	if strings.Join(got, "") != text {
		t.Error(got)
	}
}

type iteratorReader func([]byte) (int, error)

func (f iteratorReader) Read(p []byte) (int, error) { return f(p) }

type iteratorSource func(uint64) (string, error)

func (f iteratorSource) Item(number uint64) (string, error) { return f(number) }

// An object is in use while a step of its iterator calls Go.
func TestIteratorsOfObjectsCallGo(t *testing.T) {
	var feed *iterators.Feed
	var inside func()
	feed = iterators.NewFeed(iteratorSource(func(n uint64) (string, error) {
		inside()
		if n == 10 {
			return "", io.EOF
		}
		return strings.Repeat("x", int(n)), nil
	}))
	inside = func() {
		if feed.Fetched() != 0 || feed.Close() != rt.ErrInUse {
			t.Error("the object is not in use")
		}
	}
	total := 0
	for item := range feed.All() {
		total += len(item)
	}
	inside = func() {
		if p := panicked(t, "Fetched", func() { feed.Fetched() }); p.Message != "Feed.Fetched: the Feed is in use by another call" {
			t.Error(p)
		}
	}
	for item := range feed.Rest() {
		total += len(item)
	}
	if total != 90 || feed.Fetched() != 10 || feed.Close() != nil {
		t.Error(total, feed.Fetched())
	}
}

// A panic of the Go function, or runtime.Goexit in it, ends the loop. The iterator is dropped.
func TestIteratorsWhoseFunctionsPanic(t *testing.T) {
	mine := errors.New("mine")
	var said uint64
	panics := func(at uint64) func(uint64) uint64 {
		return func(n uint64) uint64 {
			if said = n; n == at {
				panic(mine)
			}
			return n
		}
	}
	runtime.GC()
	live, before := int64(rt.HeapLive()), iterators.Dropped()
	for range times(1000) {
		for _, at := range []uint64{1, 4, 7} {
			said = 99
			if got := goPanic(func() {
				for n := range iterators.Calls(panics(at)) {
					_ = n
				}
			}); got != mine || said != 0 {
				t.Error(got, said)
			}
		}
	}
	ended := make(chan bool)
	go func() {
		defer func() { ended <- recover() == nil }()
		for range iterators.Calls(func(n uint64) uint64 {
			if n == 3 {
				runtime.Goexit()
			}
			return n
		}) {
		}
		t.Error("the loop ended")
	}()
	<-ended
	// The Go function that the destructor calls after break panics.
	if got := goPanic(func() {
		for range iterators.Calls(func(n uint64) uint64 {
			if n == 0 {
				panic(mine)
			}
			return n
		}) {
			break
		}
	}); got != mine {
		t.Error(got)
	}
	if dropped := iterators.Dropped() - before; dropped != uint64(3*times(1000)+2) {
		t.Error(dropped)
	}
	// The first panic on each task's stack makes thread-local variables of some 2.5 KiB.
	if lost := int64(rt.HeapLive()) - live; lost > 32<<10 {
		t.Errorf("%d bytes are lost", lost)
	}
	feed := iterators.NewFeed(iteratorSource(func(uint64) (string, error) { panic(mine) }))
	if got := goPanic(func() {
		for range feed.Rest() {
		}
	}); got != mine {
		t.Error(got)
	}
	if p := panicked(t, "Fetched", func() { feed.Fetched() }); p.Message != "Feed.Fetched: the Feed cannot be used any more: a call of Feed.Rest panicked" {
		t.Error(p)
	}
	if err := feed.Close(); err != nil {
		t.Error(err)
	}
}

// The Go function ends its goroutine during a step. Rust catches the unwinding and finishes the step. Then the goroutine ends, and the iterator is
// dropped.
func TestIteratorsThatCatchGoexit(t *testing.T) {
	runtime.GC()
	live, before := int64(rt.HeapLive()), iterators.Dropped()
	for range times(100) {
		ended := make(chan bool)
		go func() {
			defer close(ended)
			for range iterators.CallsCaught(func(n uint64) uint64 {
				if n == 3 {
					runtime.Goexit()
				}
				return n
			}) {
			}
			t.Error("the loop ended")
		}()
		<-ended
	}
	if dropped := iterators.Dropped() - before; dropped != uint64(times(100)) {
		t.Error(dropped)
	}
	if lost := int64(rt.HeapLive()) - live; lost > 32<<10 {
		t.Errorf("%d bytes are lost", lost)
	}
}

// A step may make several items. If the step panics, it drops these items.
func TestStepsThatPanicDropTheirItems(t *testing.T) {
	mine := errors.New("mine")
	panics := func(n uint64) uint64 {
		if n == 11 {
			panic(mine)
		}
		return n
	}
	loop := func() {
		if got := goPanic(func() {
			for range iterators.Pairs(panics) {
			}
		}); got != mine {
			t.Error(got)
		}
		got := 0
		if p := goPanic(func() {
			for range iterators.Parts(panics) {
				got++
			}
		}); p != mine || got != 4 {
			t.Error(p, got)
		}
	}
	loop() // The first panic on each task's stack makes thread-local variables.
	runtime.GC()
	live, before := int64(rt.HeapLive()), iterators.Dropped()
	for range times(100) {
		loop()
	}
	// Four of the ten parts of each loop belong to Go. They are dropped when the collector finds them.
	for range 50 {
		if runtime.GC(); iterators.Dropped()-before >= uint64(10*times(100)) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if dropped := iterators.Dropped() - before; dropped < uint64(10*times(100)) || dropped > uint64(10*times(100)+4) {
		t.Error(dropped)
	}
	if lost := int64(rt.HeapLive()) - live; lost > 32<<10 {
		t.Errorf("%d bytes are lost", lost)
	}
}

// A call that makes an iterator works on copies of its slices, because the Go function may change the slices.
func TestIteratorsOfSlicesThatChange(t *testing.T) {
	parts, numbers := [][]byte{bytes.Repeat([]byte{7}, 1<<16)}, []uint64{1, 2}
	var junk [][]byte
	f := func() {
		parts[0], numbers[1] = nil, 99
		for range 10 {
			runtime.GC()
			junk = append(junk, make([]byte, 1<<16))
		}
	}
	sum := uint64(0)
	for n := range iterators.FirstPart(f, parts, numbers) {
		sum += n
	}
	if sum != 7<<16+3 {
		t.Error(sum)
	}
	runtime.KeepAlive(junk)
}

// The steps of an iterator run on a stack of the size that the export states.
func TestIteratorsRecurse(t *testing.T) {
	levels := uint64(10000)
	f := func(n uint64) uint64 {
		deepen(100)
		if n == 1 {
			return levels
		}
		levels = 0
		return 7
	}
	if got := slices.Collect(iterators.Deep(f)); fmt.Sprint(got) != "[7]" {
		t.Error(got)
	}
	levels = 1 << 20
	exhausted(t, "Deep", func() { slices.Collect(iterators.Deep(f)) })
}
