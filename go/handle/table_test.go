package handle

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

// small returns a table with few generations, shards and chunks.
func small(generationBits uint, start uint64, shards uint32, chunks int) *table {
	t := new(table)
	t.init(config{generations: 1<<generationBits - 1, start: start, shards: shards, chunks: chunks})
	return t
}

// withLists returns t with lists for each processor (not under the race detector; see pin).
func withLists(t *table, batch uint32) *table {
	c := t.config
	c.processors, c.batch = max(4, runtime.GOMAXPROCS(0)), batch
	t.init(c)
	return t
}

// numbers returns the number of handles that a small table can make before all its slots retire.
func (t *table) numbers() int {
	return (t.chunks*slotsPerChunk - 1) * int(t.generations+1)
}

// exhausted calls add and returns the new number. is reports whether add panics because there are no free slots.
func exhausted(t *testing.T, tab *table) (h uint64, is bool) {
	defer func() {
		if p := recover(); p != nil {
			if s, ok := p.(string); !ok || !strings.HasPrefix(s, "handle: all ") {
				t.Fatalf("add panicked with %v", p)
			}
			is = true
		}
	}()
	return tab.add(0), false
}

func TestEachNumberIsGivenOutOnce(t *testing.T) {
	t.Run("shards", func(t *testing.T) { eachNumberOnce(t, func(tab *table) *table { return tab }) })
	t.Run("lists of processors", func(t *testing.T) {
		onOneProcessor(t) // otherwise a free number could be on another processor's list when the table is full
		eachNumberOnce(t, func(tab *table) *table { return withLists(tab, 1+rand.Uint32N(70)) })
	})
}

func eachNumberOnce(t *testing.T, make func(*table) *table) {
	for bits := uint(0); bits <= 3; bits++ {
		for start := range uint64(1) << bits {
			tab := make(small(bits, start, 2, 2))
			var stale []uint64
			given := map[uint64]bool{}
			for {
				h, full := exhausted(t, tab)
				if full {
					break
				}
				if given[h] {
					t.Fatalf("%d bits: %#x was given out twice", bits, h)
				}
				given[h] = true
				if len(given)%97 == 0 {
					for range 20 { // old numbers must stay invalid after the generation wraps around
						old := stale[rand.IntN(len(stale))]
						if v, ok := tab.lookup(old); ok {
							t.Fatalf("%d bits: stale %#x gives %v", bits, old, v)
						}
						if tab.remove(old) {
							t.Fatalf("%d bits: stale %#x was removed", bits, old)
						}
					}
				}
				if !tab.remove(h) {
					t.Fatalf("%d bits: %#x was not live", bits, h)
				}
				stale = append(stale, h)
			}
			if len(given) != tab.numbers() {
				t.Errorf("%d bits, start %d: %d numbers were given out, want %d", bits, start, len(given), tab.numbers())
			}
			for _, h := range stale {
				if _, ok := tab.lookup(h); ok || tab.remove(h) {
					t.Fatalf("%d bits: %#x is live after its slot has retired", bits, h)
				}
			}
			if n := tab.len(); n != 0 {
				t.Errorf("len is %d", n)
			}
		}
	}
}

func TestGenerationsOf32BitsWrap(t *testing.T) {
	tab := small(32, 1<<32-2, 1, 1)
	tab.add("to have a chunk")
	h := tab.add("first")
	index := h >> generationBits
	for _, generation := range []uint64{1<<32 - 2, 1<<32 - 1, 0, 1} {
		if want := index<<generationBits | generation; h != want {
			t.Fatalf("got %#x, want %#x", h, want)
		}
		if !tab.remove(h) {
			t.Fatalf("%#x was not live", h)
		}
		old := h
		h = tab.add("again") // takes the slot that was freed last
		if _, ok := tab.lookup(old); ok {
			t.Fatalf("%#x is live after %#x was made", old, h)
		}
	}
	// This sets the slot's generation to the last one, as before the slot's 2³²nd deletion.
	last := index<<generationBits | tab.start - 1
	tab.slot(h).live.Store(last)
	if !tab.remove(last) {
		t.Fatalf("%#x was not live", last)
	}
	for range slotsPerChunk - 3 {
		if h := tab.add(0); h>>generationBits == index {
			t.Fatalf("%#x was made in a slot that has retired", h)
		}
	}
	if h, full := exhausted(t, tab); !full {
		t.Fatalf("%#x was made, in a table that is full", h)
	}
}

func TestForgedNumbers(t *testing.T) {
	tab := small(32, uint64(rand.Uint32()), 4, maxChunks)
	live := map[uint64]int{}
	for i := range 3 * slotsPerChunk {
		h := tab.add(i)
		if i%3 == 0 {
			tab.remove(h)
		} else {
			live[h] = i
		}
	}
	check := func(h uint64) {
		v, ok := tab.lookup(h)
		if want, is := live[h]; ok != is || is && v != want {
			t.Fatalf("%#x: got %v, %v, want %v, %v", h, v, ok, want, is)
		}
		if _, is := live[h]; !is && tab.remove(h) {
			t.Fatalf("%#x was removed", h)
		}
	}
	// The loop tests every index with generations near the start, and then the limits of all fields of a number.
	for index := range uint64(5 * slotsPerChunk) {
		for d := range uint64(8) {
			check(index<<generationBits | uint64(uint32(tab.start+d-3)))
		}
		check(index)
		check(index << generationBits)
	}
	for range 1 << 20 {
		check(rand.Uint64())
		check(rand.Uint64() >> rand.IntN(64))
	}
	for bit := range 64 {
		check(1 << bit)
		check(1<<bit - 1)
		check(^uint64(0) << bit)
		for h := range live {
			check(h ^ 1<<bit)
		}
	}
	for h := range live {
		check(uint64(uint32(h))) // the handle cut to 32 bits
	}
	if n := tab.len(); n != len(live) {
		t.Errorf("len is %d, want %d", n, len(live))
	}
}

func TestEmptyTable(t *testing.T) {
	tab := small(32, 7, 1, 1)
	for _, h := range []uint64{0, 1, 7, 1 << generationBits, 1<<generationBits | 7, reserved} {
		if _, ok := tab.lookup(h); ok || tab.remove(h) {
			t.Errorf("%#x is live", h)
		}
	}
	if tab.len() != 0 {
		t.Errorf("len is %d", tab.len())
	}
}

// slots returns the number of slots of a table.
func (t *table) slots() int { return len(*t.directory.Load()) * slotsPerChunk }

func TestMemoryIsReused(t *testing.T) {
	// One goroutine after another makes many handles and deletes them. Together the goroutines use all shards. The table must not use more memory
	// than the handles of one goroutine and one chunk for each shard need.
	const many = 10 * slotsPerChunk
	tab := small(32, 0, 16, maxChunks)
	for i := range uint32(64) {
		var hs []uint64
		for range many {
			h, s := tab.take(i % tab.config.shards)
			s.store(i)
			s.publish(h)
			hs = append(hs, h)
		}
		for _, h := range hs {
			if !tab.remove(h) {
				t.Fatal("not live")
			}
		}
	}
	if most := many + int(tab.config.shards+1)*slotsPerChunk; tab.slots() > most {
		t.Errorf("%d slots for %d handles, want %d at most", tab.slots(), many, most)
	}
	for i := range tab.config.shards {
		if tab.shards[i].free.Load() == 0 {
			t.Error("a shard has no free slots although nothing is live")
		}
	}
}

func TestMemoryPerHandle(t *testing.T) {
	const n = 1_000_000
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	v := new(int)
	tab := small(32, 0, 64, maxChunks)
	before := heap()
	for i := range uint32(n) {
		h, s := tab.take(i * 64 / n) // this uses all shards, so that the last chunk of each shard is not full
		s.store(v)
		s.publish(h)
	}
	each := float64(heap()-before) / n
	t.Logf("%.2f bytes for each of a million handles, 16 of them the value's interface", each)
	if tab.len() != n {
		t.Errorf("len is %d", tab.len())
	}
	if each < 16 || each > 16+40 {
		t.Errorf("%.2f bytes a handle", each)
	}
}

func TestSlotsReturnFromOtherGoroutines(t *testing.T) {
	// One goroutine makes handles, and another goroutine deletes them. The free slots must become available to the first goroutine again.
	tab := small(32, 0, 8, maxChunks)
	c := make(chan uint64, 100)
	go func() {
		defer close(c)
		for i := range 200_000 {
			h, s := tab.take(3)
			s.store(i)
			s.publish(h)
			c <- h
		}
	}()
	for h := range c {
		if !tab.remove(h) {
			t.Fatal("not live")
		}
	}
	if tab.slots() > 2*slotsPerChunk {
		t.Errorf("%d slots for 102 handles", tab.slots())
	}
}

func TestGrowingTogether(t *testing.T) {
	// All goroutines use one shard and grow it at the same time. A goroutine that comes later finds that the shard has grown already.
	twice := small(32, 0, 1, maxChunks)
	first, second := twice.grow(0), twice.grow(0)
	if !first || !second || twice.slots() != slotsPerChunk {
		t.Errorf("%d slots after it had grown twice, want %d", twice.slots(), slotsPerChunk)
	}
	tab := small(32, 0, 1, maxChunks)
	var wg sync.WaitGroup
	const goroutines, each = 8, 5000
	all := make([][]uint64, goroutines)
	for g := range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range each {
				all[g] = append(all[g], tab.add(g*each+i))
			}
		}()
	}
	wg.Wait()
	seen := map[uint64]bool{}
	for g := range all {
		for i, h := range all[g] {
			if v, ok := tab.lookup(h); !ok || v != g*each+i || seen[h] {
				t.Fatalf("%#x: got %v, %v, seen: %v", h, v, ok, seen[h])
			}
			seen[h] = true
		}
	}
	if most := goroutines*each + slotsPerChunk; tab.slots() > most {
		t.Errorf("%d slots for %d handles", tab.slots(), goroutines*each)
	}
}

func TestLimitOfSlots(t *testing.T) {
	// A shard that cannot grow takes free slots of other shards.
	tab := small(32, 5, 4, 3)
	seen := map[uint64]bool{}
	for i := range 3*slotsPerChunk - 1 {
		h, s := tab.take(uint32(i) % 4)
		s.store(i)
		s.publish(h)
		if seen[h] {
			t.Fatalf("%#x twice", h)
		}
		seen[h] = true
	}
	if h, full := exhausted(t, tab); !full {
		t.Fatalf("made %#x", h)
	}
	for h := range seen {
		tab.remove(h)
		break
	}
	if _, full := exhausted(t, tab); full {
		t.Error("full, although a handle was deleted")
	}
}

func TestShardsShareTheOnlyChunk(t *testing.T) {
	// Goroutines of several shards need their first slots at the same time, and the table may have only one chunk.
	for range 2000 {
		tab := small(32, 5, 4, 1)
		var wg sync.WaitGroup
		start := make(chan bool)
		for g := range uint32(4) {
			wg.Add(1)
			go func() {
				defer wg.Done()
				<-start
				h, s := tab.take(g) // must not panic: the table is not full
				s.store(g)
				s.publish(h)
			}()
		}
		close(start)
		wg.Wait()
		if tab.len() != 4 {
			t.Fatalf("%d are live", tab.len())
		}
	}
}

func TestShardsFor(t *testing.T) {
	for processors, want := range map[int]uint32{1: 8, 2: 8, 4: 8, 5: 16, 16: 32, 96: 256, 128: 256, 1000: 256} {
		if got := shardsFor(processors); got != want {
			t.Errorf("%d processors: %d shards, want %d", processors, got, want)
		}
	}
	if runtime.NumCPU() < 100 && std.config.shards < 2*uint32(runtime.NumCPU()) {
		t.Errorf("std has %d shards", std.config.shards)
	}
}

func TestSpread(t *testing.T) {
	// 64 stacks should use many of 64 shards, whatever the distance between the stacks. Random hints would use about 41 shards, and fewer than 24
	// shards less than once in millions of tries.
	for _, first := range []uint64{0xc000000000, 0xc000123000, 0x7fff_8000_0000, 0x40_0000_0000} {
		for distance := uint64(2 << 10); distance <= 16<<20; distance += 2 << 10 {
			different := map[uint32]bool{}
			for i := range uint64(64) {
				different[spread(uintptr(first+i*distance+1000))&63] = true
			}
			if len(different) < 24 {
				t.Errorf("%d different shards of 64 for stacks from %#x on at a distance of %#x", len(different), first, distance)
			}
		}
	}
}

func TestHintDependsOnTheStack(t *testing.T) {
	// A hint is computed from an address in the goroutine's stack, so nine goroutines with different stacks must get nine hints. This would fail if
	// a stack moved and another goroutine got its old place. To prevent moves, the test grows all stacks before the first call of hint. It also turns
	// off the collector, because only the collector shrinks stacks.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // ends a collection that is running
	var grow func(n int) byte
	grow = func(n int) byte {
		var frame [1024]byte
		if n > 0 {
			frame[n] = grow(n - 1)
		}
		return frame[n]
	}
	var hints [9]uint32
	var grown, done sync.WaitGroup
	grown.Add(len(hints))
	for i := range hints {
		done.Add(1)
		go func() {
			defer done.Done()
			grow(16)
			grown.Done()
			grown.Wait()
			hints[i] = hint()
			if hint() != hints[i] {
				t.Error("two hints of one goroutine")
			}
		}()
	}
	done.Wait()
	different := map[uint32]bool{}
	for _, h := range hints {
		different[h] = true
	}
	if len(different) != len(hints) {
		t.Errorf("%d different hints of %d goroutines", len(different), len(hints))
	}
}
