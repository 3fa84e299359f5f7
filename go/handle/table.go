package handle

import (
	"iter"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A number consists of, from its highest bit: 22 bits for the chunk, 10 bits for the slot in the chunk, 32 bits for the generation. Chunk and slot
// together are the slot's index.
const (
	generationBits = 32
	slotBits       = 10
	chunkShift     = generationBits + slotBits

	slotsPerChunk = 1 << slotBits // a chunk has 32 KiB: Go's allocator adds no header to objects of this size, so no slot straddles cache lines
	maxChunks     = 1 << (64 - chunkShift)
	maxShards     = 256

	// reserved is the value of live in the slot with index 0. No number with index 0 equals reserved. So lookup needs no special case to find no
	// value for the zero handle or for a handle cut to 32 bits.
	reserved = ^uint64(0)
)

// table holds the slots. The package has one table, std; its tests make other tables.
//
// Slots never move and are never freed, so a lookup of any number is safe at any time. The directory only grows: the elements of the published
// slice never change, and a longer slice is published by storing the address of its header.
type table struct {
	directory atomic.Pointer[[]entry]
	config
	appending sync.Mutex // held while the directory is extended, until the new chunk's slots are on a list
	locals    []local    // one per processor; the slice does not change
	shards    [maxShards]shard
}

// config holds the limits of a table. Tests make the limits small.
type config struct {
	generations uint64 // a mask of the bits in which the generation counts; the other bits are 0
	start       uint64 // each slot's first generation, within the mask
	shards      uint32 // a power of two, at most maxShards
	chunks      int    // the largest number of chunks, at most maxChunks
	processors  int    // the number of processors with lists of free numbers; other processors use the shards
	batch       uint32 // how many numbers move at once from a processor's list to a shard; at most as many move back at once
}

type entry struct {
	slots *[slotsPerChunk]slot
	home  uint32 // the shard that the chunk's free slots go to
}

// slot holds one value. live is the number of the value's handle, or 0.
//
// A number is live for one unbroken period in the life of the program. The value is written only outside this period: before the period by the
// goroutine that took the number from a free list, and after the period by the goroutine that set live back to 0. So if a goroutine reads live, then
// the value, then the same live again, it has read both words of one value (see lookup).
type slot struct {
	live  atomic.Uint64
	next  atomic.Uint64 // if a number of this slot is on a free list: the number below it; next does not change until the number is taken
	value any           // see load and store
}

// shard has a stack of free numbers for New. The stack is a linked list through the field next of the numbers' slots.
//
// pop reads the top number and the number below it, and then replaces the top by compare-and-swap. If another goroutine could meanwhile pop the top
// number and push it again above a different number, pop would store a wrong number. This cannot happen, because a number is put on a shard's stack
// only once in the life of the program. A processor may also take a number from a shard and keep it on a list of its own; see local.
type shard struct {
	free    atomic.Uint64 // the number on top, or 0
	chunks  atomic.Uint32 // the number of chunks whose home is this shard
	lender  atomic.Uint32 // the shard that last lent a number to this shard
	growing sync.Mutex    // held while a chunk is added
	_       [104]byte     // pads to 128 bytes: processors fetch cache lines in pairs
}

var std table // not a pointer, because a pointer would cost one more load in each Value

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

// shardsFor returns a suitable number of shards for a number of processors.
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

// lookup returns the value of h. ok is false if h is not live. h may be any number.
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

// add stores v in a slot and returns the slot's new number.
func (t *table) add(v any) uint64 {
	h, s := t.obtain()
	s.store(v)
	step()
	s.publish(h)
	return h
}

// remove invalidates h, and reports whether h was live. h may be any number.
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
	if next&t.generations != t.start { // if all generations were used, the slot is never used again
		t.giveBack(next, s, e.home)
	}
	return true
}

// push puts a linked list of numbers on the stack. top is the first number of the list, and last is the slot of the last number.
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

// pop takes a number from the stack, or returns 0 if the stack is empty. The caller owns the number's slot.
func (t *table) pop(s *shard) (uint64, *slot) {
	for {
		step()
		h := s.free.Load()
		if h == 0 {
			return 0, nil
		}
		slot := t.slot(h)
		step()
		below := slot.next.Load() // wrong if another goroutine has meanwhile taken h. Then h is never on top again, so the swap fails
		step()
		if s.free.CompareAndSwap(h, below) {
			return h, slot
		}
	}
}

// take takes a free number from shard i, or from another shard if shard i has none. It returns the number and its slot.
func (t *table) take(i uint32) (uint64, *slot) {
	for {
		if h, s := t.pop(&t.shards[i]); h != 0 {
			return h, s
		}
		if t.shards[i].chunks.Load() != 0 {
			// Shard i has a chunk of its own already. It gets another chunk only if no other shard has free slots. Without this rule, if one
			// goroutine after another made and deleted many handles, each shard would grow to the size that one goroutine needs.
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

// borrow takes a number from the stack of another shard.
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

// grow gives shard i a chunk of free slots, unless the shard already has free slots. grow returns false if the table has its largest number of
// chunks. At that moment the slots of all chunks have been put on lists.
func (t *table) grow(i uint32) bool {
	home := &t.shards[i]
	home.growing.Lock()
	defer home.growing.Unlock()
	if home.free.Load() != 0 {
		return true // another goroutine was faster
	}
	var slots *[slotsPerChunk]slot
	if len(*t.directory.Load()) < t.chunks {
		slots = new([slotsPerChunk]slot) // allocates before taking the lock that all shards share
	}
	t.appending.Lock()
	defer t.appending.Unlock()
	d := *t.directory.Load()
	if len(d) == t.chunks {
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
	longer := append(d, entry{slots, i}) // writes after the published elements, or to a copy
	t.directory.Store(&longer)
	home.push(number(first), &slots[slotsPerChunk-1])
	home.chunks.Add(1)
	return true
}

// slot returns the slot of a number that this table made.
func (t *table) slot(h uint64) *slot {
	return &(*t.directory.Load())[h>>chunkShift].slots[h>>generationBits%slotsPerChunk]
}

// all iterates over the live numbers.
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

// hint returns a number that depends on the goroutine's stack. Most goroutines that run at the same time get different numbers, and the number of a
// goroutine rarely changes.
//
//go:nocheckptr
func hint() uint32 { // with checkptr, as under -asan, x would be on the heap
	var x byte
	return spread(uintptr(unsafe.Pointer(&x)))
}

// spread converts an address in a stack to a number whose low bits differ between most stacks. Stacks lie at multiples of at least 2 KiB, and often
// at the same distance from each other. The result must be good for every distance, so spread mixes all bits with the last steps of MurmurHash3
// (Austin Appleby, public domain).
func spread(address uintptr) uint32 {
	x := uint32(address >> 11)
	x = (x ^ x>>16) * 0x85EBCA6B
	x = (x ^ x>>13) * 0xC2B2AE35
	return x ^ x>>16
}
