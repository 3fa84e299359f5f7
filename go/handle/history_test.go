package handle

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// An event is one call and its result. start and end are readings of a clock that all goroutines share, before and after the call.
type event struct {
	kind       kind
	h          uint64
	value      any // the value of an add, or of a lookup that found a value
	ok         bool
	start, end uint64
}

type kind uint8

const (
	added kind = iota
	removed
	looked
)

// checkHistory returns an error if the history is impossible for a table in which each call takes effect at one moment between start and end. New
// returns a number only once. So the calls on one number are independent of other numbers: the number is made at one moment, and removed at one later
// moment or never. The history is possible if for each number there is a moment of removal that agrees with all calls.
func checkHistory(events []event) error {
	type life struct {
		value                 any
		made                  event
		lastFound             uint64 // the latest start of a call that found the number live; the number was removed later
		firstGone             uint64 // the earliest end of a call that found the number gone; the number was removed before
		removals              int
		removeStart, untilEnd uint64
	}
	const never = ^uint64(0)
	lives := map[uint64]*life{}
	for _, e := range events {
		if e.kind == added {
			if lives[e.h] != nil {
				return fmt.Errorf("%#x was given out twice", e.h)
			}
			lives[e.h] = &life{value: e.value, made: e, firstGone: never, untilEnd: never}
		}
	}
	for _, e := range events {
		l := lives[e.h]
		if l == nil {
			if e.ok {
				return fmt.Errorf("%#x, which was never made, was live", e.h)
			}
			continue
		}
		if e.kind == added {
			continue
		}
		if e.ok && e.end < l.made.start {
			return fmt.Errorf("%#x was live before it was made", e.h)
		}
		if !e.ok && e.start < l.made.end {
			continue // the call may have taken effect before the number was made
		}
		switch {
		case e.kind == looked && e.ok:
			if e.value != l.value {
				return fmt.Errorf("%#x gave %v, want %v", e.h, e.value, l.value)
			}
			l.lastFound = max(l.lastFound, e.start)
		case e.kind == removed && e.ok:
			l.removals++
			l.removeStart, l.untilEnd = e.start, e.end
		default:
			l.firstGone = min(l.firstGone, e.end)
		}
	}
	for h, l := range lives {
		switch {
		case l.removals > 1:
			return fmt.Errorf("%#x was removed %d times", h, l.removals)
		case l.removals == 0 && l.firstGone != never:
			return fmt.Errorf("%#x was gone, but was never removed", h)
		case max(l.lastFound, l.removeStart) >= min(l.firstGone, l.untilEnd):
			return fmt.Errorf("%#x: found by a call that began at %d, removed between %d and %d, gone for a call that ended at %d",
				h, l.lastFound, l.removeStart, l.untilEnd, l.firstGone)
		}
	}
	return nil
}

// checkHistory must reject impossible histories; otherwise the tests below prove nothing.
func TestCheckHistory(t *testing.T) {
	add := event{added, 5, "v", true, 1, 2}
	for name, c := range map[string]struct {
		possible bool
		events   []event
	}{
		"found":                                {true, []event{add, {looked, 5, "v", true, 3, 4}}},
		"another's value":                      {false, []event{add, {looked, 5, "w", true, 3, 4}}},
		"never made":                           {false, []event{{looked, 6, "v", true, 3, 4}}},
		"not live before":                      {true, []event{add, {looked, 5, nil, false, 0, 3}}},
		"live before it was made":              {false, []event{{added, 5, "v", true, 3, 4}, {looked, 5, "v", true, 1, 2}}},
		"gone without removal":                 {false, []event{add, {looked, 5, nil, false, 3, 4}}},
		"made twice":                           {false, []event{add, add}},
		"removed twice":                        {false, []event{add, {removed, 5, nil, true, 3, 4}, {removed, 5, nil, true, 5, 6}}},
		"second removal fails":                 {true, []event{add, {removed, 5, nil, true, 3, 4}, {removed, 5, nil, false, 5, 6}}},
		"failed removal before the first":      {false, []event{add, {removed, 5, nil, true, 5, 6}, {removed, 5, nil, false, 3, 4}}},
		"found while it is removed":            {true, []event{add, {removed, 5, nil, true, 3, 6}, {looked, 5, "v", true, 4, 5}}},
		"gone while it is removed":             {true, []event{add, {removed, 5, nil, true, 3, 6}, {looked, 5, nil, false, 4, 5}}},
		"found, then gone, during the removal": {true, []event{add, {removed, 5, nil, true, 3, 8}, {looked, 5, "v", true, 4, 5}, {looked, 5, nil, false, 6, 7}}},
		"gone, then found, during the removal": {false, []event{add, {removed, 5, nil, true, 3, 8}, {looked, 5, nil, false, 4, 5}, {looked, 5, "v", true, 6, 7}}},
		"found after it was removed":           {false, []event{add, {removed, 5, nil, true, 3, 4}, {looked, 5, "v", true, 5, 6}}},
		"gone before it was removed":           {false, []event{add, {removed, 5, nil, true, 5, 6}, {looked, 5, nil, false, 3, 4}}},
		"removal of a number never made":       {true, []event{{removed, 9, nil, false, 3, 4}}},
	} {
		if err := checkHistory(c.events); (err == nil) != c.possible {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// concurrently runs each program in a goroutine of its own, all on one table, and returns the history. Each step of a program is one byte. A
// goroutine also uses handles that other goroutines made.
func concurrently(tab *table, programs [][]byte) []event {
	var clock atomic.Uint64
	var known [16]atomic.Uint64 // numbers, most of them live or lately removed
	histories := make([][]event, len(programs))
	var ready, done sync.WaitGroup
	ready.Add(len(programs))
	for g, program := range programs {
		done.Add(1)
		go func() {
			defer done.Done()
			var events []event
			ready.Done()
			ready.Wait()
			for i, b := range program {
				k := &known[b>>4]
				e := event{h: k.Load(), start: clock.Add(1)}
				switch b & 7 {
				case 0, 1:
					e.kind, e.ok = added, true
					e.value = valueOf(g, i)
					e.h = tab.add(e.value)
					k.Store(e.h)
				case 2, 3:
					e.kind = removed
					e.ok = tab.remove(e.h)
				default:
					e.kind = looked
					e.value, e.ok = tab.lookup(e.h)
				}
				e.end = clock.Add(1)
				events = append(events, e)
				if b&8 != 0 && e.kind == added { // removes the handle at once, so that the slot gets another number
					e := event{kind: removed, h: e.h, start: clock.Add(1)}
					e.ok = tab.remove(e.h)
					e.end = clock.Add(1)
					events = append(events, e)
				}
			}
			histories[g] = events
		}()
	}
	done.Wait()
	var all []event
	for _, events := range histories {
		all = append(all, events...)
	}
	return all
}

// valueOf returns a value that no other step makes. Its type differs between steps, so a mixture of two values' words is noticed.
func valueOf(goroutine, step int) any {
	n := goroutine<<20 | step
	switch step % 4 {
	case 0:
		return n
	case 1:
		return uint64(n)
	case 2:
		return fmt.Sprint(n)
	}
	return [3]int{n, n, n}
}

var operations = flag.Int("handle.operations", 5_000_000, "about how many `calls` each test with many goroutines makes")

func TestHistories(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for done := 0; done < *operations/4; {
		tab := small(32, uint64(rng.Uint32()), 1<<rng.IntN(3), maxChunks)
		if rng.IntN(2) == 0 {
			withLists(tab, 1+rng.Uint32N(8))
		}
		programs := make([][]byte, 2+rng.IntN(6))
		few := byte(1<<rng.IntN(5) - 1)
		for g := range programs {
			programs[g] = make([]byte, 1+rng.IntN(4000))
			for i := range programs[g] {
				programs[g][i] = byte(rng.Uint32())&0xf | byte(rng.Uint32())&few<<4
			}
			done += len(programs[g])
		}
		if err := checkHistory(concurrently(tab, programs)); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzHistories(f *testing.F) {
	f.Add(byte(2), byte(1), []byte{0, 8, 4, 2, 0, 0x10, 0x14, 2, 8, 8, 8, 4, 4, 2, 4, 4})
	f.Add(byte(4), byte(1<<3|4|1), []byte{0, 0, 0, 0, 2, 2, 0x12, 0x10, 0, 0, 8, 8, 0x14, 4, 2, 2, 0, 0x12, 4, 4}) // with lists of processors, in batches of 2
	f.Fuzz(func(t *testing.T, goroutines, shards byte, program []byte) {
		n := 1 + int(goroutines%8)
		programs := make([][]byte, n)
		for i, b := range program {
			programs[i%n] = append(programs[i%n], b)
		}
		tab := small(32, 0xffff_fff0, 1<<(shards%4), maxChunks)
		if shards&4 != 0 {
			withLists(tab, 1+uint32(shards>>3))
		}
		if err := checkHistory(concurrently(tab, programs)); err != nil {
			t.Fatal(err)
		}
	})
}
