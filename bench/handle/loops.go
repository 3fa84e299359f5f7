package handle

import "rustgo.dev/go/handle"

// object is the type of the value of each handle.
type object struct{ n uint64 }

// values looks up each handle once and returns the sum of the objects' numbers.

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

func (m *xsyncMap) values(hs []uint64) (sum uint64) {
	for _, h := range hs {
		sum += m.Value(h).(*object).n
	}
	return sum
}

func (s *atomicSlab) values(hs []uint64) (sum uint64) {
	for _, h := range hs {
		sum += s.Value(h).(*object).n
	}
	return sum
}

func (s *lockedSlab) values(hs []uint64) (sum uint64) {
	for _, h := range hs {
		sum += s.Value(h).(*object).n
	}
	return sum
}

// dependent looks up n handles, starting at a place in the list. The value of each handle determines the next handle. So each lookup begins when
// the previous lookup has ended.

func (rustgo) dependent(hs []uint64, at, n int) (sum uint64) {
	for range n {
		v := handle.Handle(hs[at]).Value().(*object).n
		sum += v
		if at += int(v); at == len(hs) {
			at = 0
		}
	}
	return sum
}

func (m *syncMap) dependent(hs []uint64, at, n int) (sum uint64) {
	for range n {
		v := m.Value(hs[at]).(*object).n
		sum += v
		if at += int(v); at == len(hs) {
			at = 0
		}
	}
	return sum
}

func (m *lockedMap) dependent(hs []uint64, at, n int) (sum uint64) {
	for range n {
		v := m.load(hs[at]).(*object).n
		sum += v
		if at += int(v); at == len(hs) {
			at = 0
		}
	}
	return sum
}

func (m *sharded) dependent(hs []uint64, at, n int) (sum uint64) {
	for range n {
		v := m.shard(hs[at]).load(hs[at]).(*object).n
		sum += v
		if at += int(v); at == len(hs) {
			at = 0
		}
	}
	return sum
}

func (m *xsyncMap) dependent(hs []uint64, at, n int) (sum uint64) {
	for range n {
		v := m.Value(hs[at]).(*object).n
		sum += v
		if at += int(v); at == len(hs) {
			at = 0
		}
	}
	return sum
}

func (s *atomicSlab) dependent(hs []uint64, at, n int) (sum uint64) {
	for range n {
		v := s.Value(hs[at]).(*object).n
		sum += v
		if at += int(v); at == len(hs) {
			at = 0
		}
	}
	return sum
}

func (s *lockedSlab) dependent(hs []uint64, at, n int) (sum uint64) {
	for range n {
		v := s.Value(hs[at]).(*object).n
		sum += v
		if at += int(v); at == len(hs) {
			at = 0
		}
	}
	return sum
}

// cycles makes, looks up and deletes a handle, n times.

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

func (m *xsyncMap) cycles(o *object, n int) (sum uint64) {
	for range n {
		h := m.New(o)
		sum += m.Value(h).(*object).n
		m.Delete(h)
	}
	return sum
}

func (s *atomicSlab) cycles(o *object, n int) (sum uint64) {
	for range n {
		h := s.New(o)
		sum += s.Value(h).(*object).n
		s.Delete(h)
	}
	return sum
}

func (s *lockedSlab) cycles(o *object, n int) (sum uint64) {
	for range n {
		h := s.New(o)
		sum += s.Value(h).(*object).n
		s.Delete(h)
	}
	return sum
}
