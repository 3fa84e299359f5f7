package handle

import (
	"iter"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A number is, from its highest bit: 22 bits that say which chunk, 10 that say which of its slots, 32 bits of generation.
// The first two together are the slot's index.
const (
	generationBits = 32
	slotBits       = 10
	chunkShift     = generationBits + slotBits

	slotsPerChunk = 1 << slotBits // 32 KiB: from there on Go's allocator adds no header, and no slot straddles cache lines
	maxChunks     = 1 << (64 - chunkShift)
	maxShards     = 256

	// reserved is live in the slot with index 0, so that 0, and what is left of a handle cut to 32 bits, are found invalid
	// without being asked for. As a number it belongs to another slot.
	reserved = ^uint64(0)
)

// table holds the slots. The package has one, std; its tests make others.
//
// Slots never move and are never freed, so that any number may be looked up at any time. The directory only grows: what
// the published slice holds never changes, and a longer one is published by the address of its header.
type table struct {
	directory atomic.Pointer[[]entry]
	config
	appending sync.Mutex // held to make a longer directory, and until the new chunk's slots are on a list
	locals    []local    // for each processor; does not change
	shards    [maxShards]shard
}

// config is what tests make small, to get to the limits.
type config struct {
	generations uint64 // a mask: the bits of the generation that count. The others are 0.
	start       uint64 // the generation that each slot begins with, within the mask
	shards      uint32 // a power of two, at most maxShards
	chunks      int    // how many there may be, at most maxChunks
	processors  int    // how many have a list of their own; others use the shards
	batch       uint32 // how many numbers go from a processor's list to a shard at once, and at most how many back
}

type entry struct {
	slots *[slotsPerChunk]slot
	home  uint32 // the shard that the chunk's free slots go to
}

// slot holds one value. live is the number that stands for it, or 0.
//
// A number is live once in the life of the program, for one unbroken stretch of time. The value is written outside of
// this stretch only: before it by who took the number from a free list, after it by who changed live back. Therefore who
// reads live, the value, and the same live again has read the words of one value (see lookup).
type slot struct {
	live  atomic.Uint64
	next  atomic.Uint64 // while a number of this slot is on a free list: the number below. It does not change meanwhile.
	value any           // see load and store
}

// shard has a stack of the numbers to be given out next, linked by their slots' next.
//
// To take from such a stack by compare-and-swap goes wrong where the element on top can be taken and come back with
// another one below it. That cannot happen here: a number gets on a shard's stack once in the life of the program (see
// local for those that are taken and not given out at once).
type shard struct {
	free    atomic.Uint64 // the number on top, or 0
	chunks  atomic.Uint32 // how many have this home
	lender  atomic.Uint32 // where free slots of another shard were found last
	growing sync.Mutex    // held to add a chunk
	_       [104]byte     // 128 in all: processors fetch cache lines in pairs
}

var std table // not a pointer: that would be one more load in each Value

func init() {
	std.init(config{
		generations: 1<<generationBits - 1,
		start:       uint64(rand.Uint32()),
		shards:      shardsFor(runtime.NumCPU()),
		chunks:      maxChunks,
		processors:  max(64, 2*runtime.NumCPU(), 2*runtime.GOMAXPROCS(0)),
		batch:       64,
	})
}

// shardsFor returns how many shards suit a number of processors.
func shardsFor(processors int) uint32 {
	n := uint32(8)
	for n < maxShards && n < 2*uint32(processors) {
		n *= 2
	}
	return n
}

func (t *table) init(c config) {
	t.config = c
	t.locals = make([]local, c.processors)
	t.directory.Store(new([]entry))
}

// lookup returns the value that h stands for, if any. It is right for any h.
func (t *table) lookup(h uint64) (v any, ok bool) {
	d := *t.directory.Load()
	if h>>chunkShift < uint64(len(d)) {
		s := &d[h>>chunkShift].slots[h>>generationBits%slotsPerChunk]
		step()
		if s.live.Load() == h {
			v := s.load()
			step()
			if s.live.Load() == h {
				return v, true
			}
		}
	}
	return nil, false
}

// add keeps v and returns the number that stands for it.
func (t *table) add(v any) uint64 {
	h, s := t.obtain()
	s.store(v)
	step()
	s.publish(h)
	return h
}

// remove makes h stand for nothing, and reports whether it stood for something. It is right for any h.
func (t *table) remove(h uint64) bool {
	d := *t.directory.Load()
	if h>>chunkShift >= uint64(len(d)) {
		return false
	}
	e := &d[h>>chunkShift]
	s := &e.slots[h>>generationBits%slotsPerChunk]
	step()
	if !s.live.CompareAndSwap(h, 0) {
		return false
	}
	s.store(nil)
	next := h&^t.generations | (h+1)&t.generations
	if next&t.generations != t.start { // else all generations were used: the slot retires
		t.giveBack(next, s, e.home)
	}
	return true
}

// push puts the numbers from top down to the one of slot last, which are linked by next, on the stack.
func (s *shard) push(top uint64, last *slot) {
	for {
		step()
		below := s.free.Load()
		step()
		last.link(below)
		step()
		if s.free.CompareAndSwap(below, top) {
			return
		}
	}
}

// pop takes a number from the stack; 0 if there is none. The caller owns the number's slot.
func (t *table) pop(s *shard) (uint64, *slot) {
	for {
		step()
		h := s.free.Load()
		if h == 0 {
			return 0, nil
		}
		slot := t.slot(h)
		step()
		below := slot.next.Load() // of no worth if another goroutine has taken h since; then h is never on top again
		step()
		if s.free.CompareAndSwap(h, below) {
			return h, slot
		}
	}
}

// take returns a number that nobody else has, and its slot: from shard i if possible.
func (t *table) take(i uint32) (uint64, *slot) {
	for {
		if h, s := t.pop(&t.shards[i]); h != 0 {
			return h, s
		}
		if t.shards[i].chunks.Load() != 0 {
			// Each shard has a chunk for itself. More only if there are no free slots elsewhere: else the goroutines
			// that have many handles by turns would make each shard as large as all need together.
			if h, s := t.borrow(&t.shards[i]); h != 0 {
				return h, s
			}
		}
		if !t.grow(i) {
			if h, s := t.borrow(&t.shards[i]); h != 0 {
				return h, s
			}
			panic("handle: all 2³² places for handles are taken")
		}
	}
}

// borrow takes a number of another shard.
func (t *table) borrow(s *shard) (uint64, *slot) {
	lender := s.lender.Load()
	for i := range t.config.shards {
		other := (lender + i) & (t.config.shards - 1)
		if h, slot := t.pop(&t.shards[other]); h != 0 {
			if i != 0 {
				s.lender.Store(other)
			}
			return h, slot
		}
	}
	return 0, nil
}

// grow gives shard i free slots, and reports whether it could. When it could not, the slots of all chunks that there are
// have been on a list.
func (t *table) grow(i uint32) bool {
	home := &t.shards[i]
	home.growing.Lock()
	defer home.growing.Unlock()
	if home.free.Load() != 0 {
		return true // another goroutine was faster
	}
	var slots *[slotsPerChunk]slot
	if len(*t.directory.Load()) < t.config.chunks {
		slots = new([slotsPerChunk]slot) // before the lock that all shards share
	}
	t.appending.Lock()
	defer t.appending.Unlock()
	d := *t.directory.Load()
	if len(d) == t.config.chunks {
		return false
	}
	index := uint64(len(d)) << slotBits
	number := func(j int) uint64 { return (index+uint64(j))<<generationBits | t.start }
	first := 0
	if index == 0 {
		first = 1
		slots[0].live.Store(reserved)
	}
	for j := first; j < slotsPerChunk-1; j++ {
		slots[j].link(number(j + 1))
	}
	longer := append(d, entry{slots, i}) // writes behind what is published, or to a copy
	t.directory.Store(&longer)
	home.push(number(first), &slots[slotsPerChunk-1])
	home.chunks.Add(1)
	return true
}

// slot returns the slot of a number that this table made.
func (t *table) slot(h uint64) *slot {
	return &(*t.directory.Load())[h>>chunkShift].slots[h>>generationBits%slotsPerChunk]
}

// all iterates over the numbers that are live.
func (t *table) all() iter.Seq2[uint64, any] {
	return func(yield func(uint64, any) bool) {
		for c := 0; c < len(*t.directory.Load()); c++ {
			slots := (*t.directory.Load())[c].slots
			for i := range slots {
				h := slots[i].live.Load()
				if h == 0 || h == reserved && c == 0 && i == 0 {
					continue
				}
				if v, ok := t.lookup(h); ok && !yield(h, v) {
					return
				}
			}
		}
	}
}

func (t *table) len() (n int) {
	for range t.all() {
		n++
	}
	return n
}

// hint returns a number that differs between most goroutines that run at the same time, and is mostly the same for one:
// which stack it has.
//
//go:nocheckptr
func hint() uint32 { // checked, as under -asan, x would live on the heap
	var x byte
	return spread(uintptr(unsafe.Pointer(&x)))
}

// spread returns a number whose low bits differ between most stacks, given an address of each. Stacks lie at multiples of
// 2 KiB at least, and often at the same distance from each other; no such distance may be a bad one, so that all bits are
// mixed, with the last steps of MurmurHash3 (Austin Appleby, public domain).
func spread(address uintptr) uint32 {
	x := uint32(address >> 11)
	x = (x ^ x>>16) * 0x85EBCA6B
	x = (x ^ x>>13) * 0xC2B2AE35
	return x ^ x>>16
}
