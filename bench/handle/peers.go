package handle

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/puzpuzpuz/xsync/v4"
	"rustgo.dev/go/handle"
)

// peer is one way to represent values by numbers. If the way can detect that a number is invalid, Value and Delete panic.
type peer interface {
	New(v any) uint64
	Value(h uint64) any
	Delete(h uint64)

	// The methods values, dependent and cycles contain the loops of the benchmarks. loops.go has these loops, written out for each peer. A loop that
	// called Value through this interface would spend as much time on the call as on the fastest lookup.
	values(hs []uint64) (sum uint64)
	dependent(hs []uint64, at, n int) (sum uint64)
	cycles(o *object, n int) (sum uint64)
}

type way struct {
	name string
	make func() peer // returns an empty table; for rustgo and runtime/cgo, the one table of the process
}

var peers = slices.Concat([]way{{"rustgo", func() peer { return rustgo{} }}}, withCgo, []way{
	{"sync.Map", func() peer { return new(syncMap) }},
	{"RWMutex-map", func() peer { return &lockedMap{items: map[uint64]any{}} }},
	{"64-shards", func() peer { return newSharded(64) }},
	{"128-shards", func() peer { return newSharded(128) }},
	{"xsync.Map", func() peer { return &xsyncMap{items: xsync.NewMap[uint64, any]()} }},
	{"atomic-slab", func() peer { return newAtomicSlab() }},
	{"RWMutex-slab", func() peer { return &lockedSlab{slots: make([]lockedSlot, 1)} }},
})

type rustgo struct{}

func (rustgo) New(v any) uint64   { return uint64(handle.New(v)) }
func (rustgo) Value(h uint64) any { return handle.Handle(h).Value() }
func (rustgo) Delete(h uint64)    { handle.Handle(h).Delete() }

// syncMap is a sync.Map, as in runtime/cgo.Handle, without the checks of cgo.Handle.
type syncMap struct {
	items sync.Map
	last  atomic.Uint64
}

func (m *syncMap) New(v any) uint64 {
	h := m.last.Add(1)
	m.items.Store(h, v)
	return h
}

func (m *syncMap) Value(h uint64) any {
	v, ok := m.items.Load(h)
	if !ok {
		panic("no such handle")
	}
	return v
}

func (m *syncMap) Delete(h uint64) { m.items.Delete(h) }

// lockedMap is a map that is guarded by one lock.
type lockedMap struct {
	sync.RWMutex
	items map[uint64]any
	last  uint64
}

func (m *lockedMap) New(v any) uint64 {
	m.Lock()
	m.last++
	h := m.last
	m.items[h] = v
	m.Unlock()
	return h
}

func (m *lockedMap) Value(h uint64) any { return m.load(h) }

func (m *lockedMap) Delete(h uint64) {
	m.Lock()
	delete(m.items, h)
	m.Unlock()
}

// load looks up a handle. The method Value of sharded calls load too.
func (m *lockedMap) load(h uint64) any {
	m.RLock()
	v, ok := m.items[h]
	m.RUnlock()
	if !ok {
		panic("no such handle")
	}
	return v
}

// sharded distributes the handles, whose numbers count up, over several maps with a lock each. It follows the published code, with two
// improvements: the number of shards is a power of two, so that no division is needed, and no two shards share a cache line.
type sharded struct {
	shards []shard
	last   atomic.Uint64
}

type shard struct {
	lockedMap
	_ [128 - 40]byte
}

func newSharded(n int) *sharded {
	m := &sharded{shards: make([]shard, n)}
	for i := range m.shards {
		m.shards[i].items = map[uint64]any{}
	}
	return m
}

func (m *sharded) shard(h uint64) *lockedMap {
	return &m.shards[h&uint64(len(m.shards)-1)].lockedMap
}

func (m *sharded) New(v any) uint64 {
	h := m.last.Add(1)
	s := m.shard(h)
	s.Lock()
	s.items[h] = v
	s.Unlock()
	return h
}

func (m *sharded) Value(h uint64) any { return m.shard(h).load(h) }
func (m *sharded) Delete(h uint64)    { m.shard(h).Delete(h) }
