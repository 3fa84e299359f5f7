package handle

import "rustgo.dev/go/handle"

// object is what handles stand for.
type object struct{ n uint64 }

// values looks up each handle once and adds up what it finds.

func (p rustgo) values(hs []uint64) (sum uint64) {
	for _, h := range hs {
		sum += p.Value(h).(*object).n
	}
	return sum
}

func (m *syncMap) values(hs []uint64) (sum uint64) {
	for _, h := range hs {
		sum += m.Value(h).(*object).n
	}
	return sum
}

func (m *lockedMap) values(hs []uint64) (sum uint64) {
	for _, h := range hs {
		sum += m.load(h).(*object).n
	}
	return sum
}

func (m *sharded) values(hs []uint64) (sum uint64) {
	for _, h := range hs {
		sum += m.shard(h).load(h).(*object).n
	}
	return sum
}

// cycles makes a handle, looks it up and deletes it, n times.

func (rustgo) cycles(o *object, n int) (sum uint64) {
	for range n {
		h := handle.New(o)
		sum += h.Value().(*object).n
		h.Delete()
	}
	return sum
}

func (m *syncMap) cycles(o *object, n int) (sum uint64) {
	for range n {
		h := m.New(o)
		sum += m.Value(h).(*object).n
		m.Delete(h)
	}
	return sum
}

func (m *lockedMap) cycles(o *object, n int) (sum uint64) {
	for range n {
		h := m.New(o)
		sum += m.load(h).(*object).n
		m.Delete(h)
	}
	return sum
}

func (m *sharded) cycles(o *object, n int) (sum uint64) {
	for range n {
		h := m.New(o)
		sum += m.Value(h).(*object).n
		m.Delete(h)
	}
	return sum
}
