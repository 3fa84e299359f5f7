package handle

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A witness is a test value that contains a number n. n also determines which of the four types the witness has, so both words of its interface
// value reveal a mix-up of two witnesses. The check value reveals a mix-up in the witness's own memory.
type (
	witness0 struct{ n, check uint64 }
	witness1 struct{ check, n uint64 }
	witness2 struct{ n, check uint64 }
	witness3 uint64
)

const salt = 0x9E3779B97F4A7C15

func witness(n uint64) any {
	switch n % 4 {
	case 0:
		return &witness0{n, n ^ salt}
	case 1:
		return witness1{n + salt, n}
	case 2:
		return &witness2{n, n * salt}
	}
	return witness3(n)
}

// testifies reports whether v is the value of witness(n).
func testifies(v any, n uint64) bool {
	switch w := v.(type) {
	case *witness0:
		return n%4 == 0 && w.n == n && w.check == n^salt
	case witness1:
		return n%4 == 1 && w.n == n && w.check == n+salt
	case *witness2:
		return n%4 == 2 && w.n == n && w.check == n*salt
	case witness3:
		return n%4 == 3 && uint64(w) == n
	}
	return false
}

// consistent reports whether v is the value of witness(n) for any n.
func consistent(v any) bool {
	switch w := v.(type) {
	case *witness0:
		return testifies(v, w.n)
	case witness1:
		return testifies(v, w.n)
	case *witness2:
		return testifies(v, w.n)
	case witness3:
		return testifies(v, uint64(w))
	}
	return false
}

// following returns the number that the slot of h gets after h: the same slot with the next generation.
func following(h uint64) uint64 { return h&^(1<<32-1) | (h+1)&(1<<32-1) }

// TestHammer makes and deletes handles in few slots as fast as possible, while other goroutines look up handles that are live, were just deleted,
// or are being made. The test finds faults that occur only on a real processor, such as reordered memory accesses.
func TestHammer(t *testing.T) {
	n := int64(*operations) / 2
	t.Run("shards", func(t *testing.T) { hammer(t, small(32, 1<<32-1000, 2, 1), n) }) // 1023 slots; the slot freed last is taken first
	t.Run("lists of processors", func(t *testing.T) { hammer(t, withLists(small(32, 1<<32-1000, 2, 1), 2), n) })
}

func hammer(t *testing.T, tab *table, operations int64) {
	type known struct{ h, n uint64 }
	var (
		board   [64]atomic.Pointer[known] // the handles that readers look up
		removed [64]atomic.Uint64         // per board entry, the last number known to be removed
		calls   atomic.Int64              // number of calls of the writers
		hits    atomic.Int64              // number of values that the readers found
		lookups atomic.Int64
		stop    atomic.Bool
		wg      sync.WaitGroup
		serial  atomic.Uint64
	)
	limit, limited := t.Deadline() // before go test's time limit, the test stops and reports what was not tested
	// The collector runs all the time, and a goroutine that allocates waits for it. So most values are made in advance.
	var ready [1024]any
	for n := range uint64(1024) {
		ready[n] = witness(n)
	}
	writer := func() {
		defer wg.Done()
		var entries []known
		var held, heldAt uint64
		defer func() { tab.remove(held) }()
		for !stop.Load() {
			for range 100 {
				n := serial.Add(1)
				v := ready[n%1024]
				if n%64 < 4 {
					v = witness(n)
				} else {
					n %= 1024
				}
				h := tab.add(v)
				at := n % 64
				if len(entries) == 0 {
					entries = make([]known, 1000)
				}
				entries[0] = known{h, n}
				board[at].Store(&entries[0])
				entries = entries[1:]
				for range n % 8 {
					if v, ok := tab.lookup(h); !ok || !testifies(v, n) {
						t.Errorf("%#x is live, but gives %v, %v", h, v, ok)
						stop.Store(true)
						return
					}
				}
				if n%4 == 0 { // keeps h live until the next handle of this kind, so that readers find live handles
					h, held = held, h
					at, heldAt = heldAt, at
				}
				if h == 0 {
					continue
				}
				if !tab.remove(h) || tab.remove(h) {
					t.Errorf("%#x was not removed once", h)
					stop.Store(true)
					return
				}
				removed[at].Store(h)
			}
			if calls.Add(100*6) > operations && hits.Load() > 0 || limited && time.Until(limit) < 10*time.Second {
				stop.Store(true)
			}
		}
	}
	reader := func() {
		defer wg.Done()
		found := 0
		for i := rand.Uint64(); !stop.Load(); i++ {
			at := i / 2 // lookups alternate between the entries in turn and the newest entry
			if i%2 == 0 {
				at = serial.Load()
			}
			gone := removed[at%64].Load()
			if _, ok := tab.lookup(gone); ok && gone != 0 {
				t.Errorf("%#x is live after its removal", gone)
				stop.Store(true)
			}
			k := board[at%64].Load()
			if k == nil {
				runtime.Gosched()
				continue
			}
			for range 20 {
				v, ok := tab.lookup(k.h)
				if ok && !testifies(v, k.n) {
					t.Errorf("%#x gives the value of another handle: %v", k.h, v)
					stop.Store(true)
				}
				if ok {
					found++
				} else if _, ok := tab.lookup(k.h); ok {
					t.Errorf("%#x is live again", k.h)
					stop.Store(true)
				}
			}
			// next is the number that the slot of k.h gets next. Another goroutine may already have made this handle, because New takes the slot that
			// was freed last.
			next := k.h
			for range 500 {
				if v, ok := tab.lookup(next); ok {
					found++
					if !consistent(v) {
						t.Errorf("%#x gives %v, a value that was never made", next, v)
						stop.Store(true)
					}
				} else if _, ok := tab.lookup(following(next)); ok {
					next = following(next)
				}
			}
			hits.Add(int64(found))
			lookups.Add(1040)
			found = 0
		}
	}
	for range max(2, runtime.GOMAXPROCS(0)) {
		wg.Add(2)
		go writer()
		go reader()
	}
	garbage := make(chan bool)
	go func() { // meanwhile the collector scans the words in slots, registers and stacks
		defer close(garbage)
		for !stop.Load() {
			runtime.GC()
			time.Sleep(10 * time.Millisecond)
		}
	}()
	wg.Wait()
	<-garbage
	t.Logf("%d numbers, %d lookups by readers; %d found a live handle", serial.Load(), lookups.Load(), hits.Load())
	if hits.Load() == 0 {
		t.Error("no reader found a live handle: the test proves nothing")
	}
	if calls.Load() < operations {
		t.Errorf("%d calls of %d before the time limit of go test", calls.Load(), operations)
	}
	if n := tab.len(); n != 0 {
		t.Errorf("%d are live", n)
	}
}

// TestHammerPackage uses the exported functions in many goroutines with growing stacks. Each goroutine compares the results with a map of its own.
func TestHammerPackage(t *testing.T) {
	before := Len()
	goroutines := 50
	var wg sync.WaitGroup
	var deep func(n int, f func())
	deep = func(n int, f func()) {
		var frame [256]byte
		if n == 0 {
			f()
		} else {
			deep(n-1, f)
		}
		runtime.KeepAlive(&frame)
	}
	for g := range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rng := rand.New(rand.NewPCG(uint64(g), 9))
			mine := map[Handle]uint64{}
			n := uint64(g) << 40
			for range *operations / 8 / goroutines {
				deep(rng.IntN(40), func() {
					if len(mine) < 20 || rng.IntN(100) < 50 && len(mine) < 2000 {
						n++
						mine[New(witness(n))] = n
						return
					}
					for h, n := range mine { // chooses any entry
						if v := h.Value(); !testifies(v, n) {
							t.Errorf("%#x: got %v", h, v)
						}
						h.Delete()
						delete(mine, h)
						if _, ok := h.Lookup(); ok {
							t.Errorf("%#x is live after Delete", h)
						}
						return
					}
				})
			}
			for h, n := range mine {
				if v, ok := h.Lookup(); !ok || !testifies(v, n) {
					t.Errorf("%#x: got %v, %v", h, v, ok)
				}
				h.Delete()
			}
		}()
	}
	wg.Wait()
	if n := Len(); n != before {
		t.Errorf("Len is %d, want %d", n, before)
	}
}
