package handle

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"
)

// lists skips the test if the processors have no lists of free numbers in this build.
func lists(t *testing.T) {
	t.Helper()
	p := pin()
	unpin()
	if p < 0 {
		t.Skip("in this build processors have no lists of their own; run it without -race and build tags, with Go before 1.28")
	}
}

// onOneProcessor runs all goroutines on processor 0 until the test ends.
func onOneProcessor(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// chain returns the numbers of a linked list from top to bottom.
func (t *table) chain(top uint64) (hs []uint64) {
	for h := top; h != 0; h = t.slot(h).next.Load() {
		hs = append(hs, h)
	}
	return hs
}

// popBatch and pop are correct only if no number returns to a shard's stack. TestNumbersGetOnAShardOnce checks this condition and the fields of
// local.
func TestNumbersGetOnAShardOnce(t *testing.T) {
	lists(t)
	onOneProcessor(t)
	for _, batch := range []uint32{1, 2, 3, 8} {
		tab := withLists(small(32, 7, 1, 3), batch)
		l := &tab.locals[0]
		on, gone := map[uint64]bool{}, map[uint64]bool{} // on: numbers on the shard's stack; gone: numbers that have left the stack
		var live []uint64
		for step := range 7000 {
			if rising := step/700%2 == 0; len(live) == 0 || rising && rand.IntN(10) < 7 || !rising && rand.IntN(10) < 3 {
				live = append(live, tab.add(step))
			} else {
				i := rand.IntN(len(live))
				if !tab.remove(live[i]) {
					t.Fatalf("%#x is not live", live[i])
				}
				live[i] = live[len(live)-1]
				live = live[:len(live)-1]
			}
			freed, fresh := tab.chain(l.freed), tab.chain(l.fresh)
			if uint32(len(freed)) != l.count || l.count >= batch || uint32(len(fresh)) >= batch {
				t.Fatalf("batch %d: %d freed (count %d), %d fresh", batch, len(freed), l.count, len(fresh))
			}
			if len(freed) != 0 && freed[len(freed)-1] != l.last {
				t.Fatalf("the last of %x is recorded as %#x", freed, l.last)
			}
			if len(live) > 30 && step%100 != 0 { // the stack is long and changes batch by batch
				continue
			}
			now := map[uint64]bool{}
			for _, h := range tab.chain(tab.shards[0].free.Load()) {
				if gone[h] {
					t.Fatalf("batch %d: %#x is on the shard's stack again", batch, h)
				}
				now[h] = true
			}
			for h := range on {
				if !now[h] {
					gone[h] = true
				}
			}
			on = now
		}
		if len(gone) < 100 {
			t.Errorf("batch %d: only %d numbers left the stack", batch, len(gone))
		}
	}
}

// TestNothingIsLostOnLists makes and deletes handles on all processors, and then checks that each slot is on exactly one free list.
func TestNothingIsLostOnLists(t *testing.T) {
	lists(t)
	for _, batch := range []uint32{1, 2, 64} {
		tab := withLists(small(32, 3, 4, maxChunks), batch)
		c := make(chan uint64, 100)
		var makers, all sync.WaitGroup
		for range 4 {
			makers.Add(1)
			all.Add(2)
			go func() {
				defer all.Done()
				defer makers.Done()
				for i := range 50_000 {
					if h := tab.add(i); i%3 == 0 {
						c <- h
					} else if !tab.remove(h) {
						t.Errorf("%#x is not live", h)
					}
				}
			}()
			go func() {
				defer all.Done()
				for h := range c {
					if !tab.remove(h) {
						t.Errorf("%#x is not live", h)
					}
				}
			}()
		}
		makers.Wait()
		close(c)
		all.Wait()
		seen := map[uint64]bool{}
		count := func(top uint64) {
			for _, h := range tab.chain(top) {
				if seen[h>>generationBits] {
					t.Fatalf("batch %d: the slot of %#x is free twice", batch, h)
				}
				seen[h>>generationBits] = true
			}
		}
		for i := range tab.config.shards {
			count(tab.shards[i].free.Load())
		}
		for _, l := range tab.locals {
			count(l.freed)
			count(l.fresh)
		}
		if len(seen) != tab.slots()-1 {
			t.Errorf("batch %d: %d of %d slots are free", batch, len(seen), tab.slots()-1)
		}
		if most := slotsPerChunk * int(tab.config.shards+1); tab.slots() > most {
			t.Errorf("%d slots, want %d at most", tab.slots(), most)
		}
	}
}

// TestProcessorsComeAndGo changes GOMAXPROCS while goroutines make and delete handles. Only the first three processors have lists.
func TestProcessorsComeAndGo(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	tab := small(32, 1<<32-10, 4, maxChunks)
	withLists(tab, 8)
	tab.locals = tab.locals[:3]
	stop := make(chan bool)
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mine := map[uint64]uint64{}
			for n := uint64(g) << 32; ; n++ {
				select {
				case <-stop:
					for h, n := range mine {
						if v, ok := tab.lookup(h); !ok || !testifies(v, n) || !tab.remove(h) {
							t.Errorf("%#x: got %v, %v", h, v, ok)
						}
					}
					return
				default:
				}
				if n%5 < 3 && len(mine) < 3000 {
					mine[tab.add(witness(n))] = n
					continue
				}
				for h, n := range mine {
					if v, ok := tab.lookup(h); !ok || !testifies(v, n) || !tab.remove(h) || tab.remove(h) {
						t.Errorf("%#x: got %v, %v", h, v, ok)
					}
					delete(mine, h)
					break
				}
			}
		}()
	}
	for i := range 24 {
		runtime.GOMAXPROCS(1 + i%8)
		time.Sleep(time.Millisecond)
	}
	close(stop)
	wg.Wait()
	if n := tab.len(); n != 0 {
		t.Errorf("%d are live", n)
	}
}

// While a goroutine is pinned, no other goroutine runs on its processor.
func TestPinned(t *testing.T) {
	lists(t)
	onOneProcessor(t)
	var shared int // only the goroutine that runs on the processor writes it, without synchronization
	stop := false
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				if p := pin(); p != 0 {
					t.Errorf("on processor %d, but there is only processor 0", p)
				}
				before := shared
				for range 200_000 { // takes longer than the scheduler's time slice in total
					shared++
				}
				if shared != before+200_000 {
					t.Errorf("another goroutine ran while this one was pinned")
				}
				over := stop
				stop = stop || shared > 400_000_000
				unpin()
				if over {
					return
				}
				runtime.Gosched()
			}
		}()
	}
	wg.Wait()
}
