package handle

import (
	"sync"
	"sync/atomic"

	"github.com/puzpuzpuz/xsync/v4"
)

// xsyncMap is a counter and a map of github.com/puzpuzpuz/xsync. A lookup in this map locks nothing.
type xsyncMap struct {
	items *xsync.Map[uint64, any]
	last  atomic.Uint64
}

func (m *xsyncMap) New(v any) uint64 {
	h := m.last.Add(1)
	m.items.Store(h, v)
	return h
}

func (m *xsyncMap) Value(h uint64) any {
	v, ok := m.items.Load(h)
	if !ok {
		panic("no such handle")
	}
	return v
}

func (m *xsyncMap) Delete(h uint64) { m.items.Delete(h) }

// In atomicSlab and lockedSlab, a handle has the slot's index in its upper half and a generation in its lower half. The generation counts the uses of
// the slot and starts at 1, so that no handle is 0.
const generationBits = 32

// atomicSlab is the design that a Go programmer would choose for fast lookups: each slot has an atomic pointer to an immutable entry. New allocates
// the entry, and a lock guards the list of free slots. The slab grows by publishing a longer list of chunks.
type atomicSlab struct {
	chunks atomic.Pointer[[]*slabChunk]
	mu     sync.Mutex
	free   []uint64 // the numbers that New returns next
}

const slabChunkSize = 1024

type slabChunk [slabChunkSize]atomic.Pointer[slabEntry]

type slabEntry struct {
	h     uint64
	value any
}

func newAtomicSlab() *atomicSlab {
	s := new(atomicSlab)
	s.chunks.Store(new([]*slabChunk))
	return s
}

func (s *atomicSlab) New(v any) uint64 {
	s.mu.Lock()
	if len(s.free) == 0 {
		chunks := *s.chunks.Load()
		for i := range uint64(slabChunkSize) {
			s.free = append(s.free, (uint64(len(chunks)+1)*slabChunkSize-1-i)<<generationBits|1)
		}
		chunks = append(chunks, new(slabChunk))
		s.chunks.Store(&chunks)
	}
	h := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	s.mu.Unlock()
	s.slot(h).Store(&slabEntry{h, v})
	return h
}

func (s *atomicSlab) slot(h uint64) *atomic.Pointer[slabEntry] {
	i := h >> generationBits
	return &(*s.chunks.Load())[i/slabChunkSize][i%slabChunkSize]
}

func (s *atomicSlab) Value(h uint64) any {
	e := s.slot(h).Load()
	if e == nil || e.h != h {
		panic("no such handle")
	}
	return e.value
}

func (s *atomicSlab) Delete(h uint64) {
	slot := s.slot(h)
	if e := slot.Load(); e == nil || e.h != h || !slot.CompareAndSwap(e, nil) {
		panic("no such handle")
	}
	s.mu.Lock()
	s.free = append(s.free, h+1)
	s.mu.Unlock()
}

// lockedSlab is a slice guarded by a lock.
type lockedSlab struct {
	sync.RWMutex
	slots []lockedSlot // the slot at index 0 is not used
	free  []uint64     // the numbers that New returns next
}

type lockedSlot struct {
	h     uint64 // 0 if free
	value any
}

func (s *lockedSlab) New(v any) uint64 {
	s.Lock()
	h := uint64(len(s.slots))<<generationBits | 1
	if n := len(s.free); n > 0 {
		h = s.free[n-1]
		s.free = s.free[:n-1]
		s.slots[h>>generationBits] = lockedSlot{h, v}
	} else {
		s.slots = append(s.slots, lockedSlot{h, v})
	}
	s.Unlock()
	return h
}

func (s *lockedSlab) Value(h uint64) any {
	s.RLock()
	slot := s.slots[h>>generationBits]
	s.RUnlock()
	if slot.h != h || h == 0 {
		panic("no such handle")
	}
	return slot.value
}

func (s *lockedSlab) Delete(h uint64) {
	s.Lock()
	defer s.Unlock()
	slot := &s.slots[h>>generationBits]
	if slot.h != h || h == 0 {
		panic("no such handle")
	}
	*slot = lockedSlot{}
	s.free = append(s.free, h+1)
}
