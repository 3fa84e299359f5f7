//go:build !amd64 || race || handlesteps

package handle

import (
	"sync/atomic"
	"unsafe"
)

// words are the two words of an interface. For every value both words are pointers. sync/atomic.Value relies on the same layout.
type words struct{ typ, data unsafe.Pointer }

// load may return the words of two different values. The caller reads live before and after load, and uses the value only if both reads give the
// same number.
func (s *slot) load() (v any) {
	from, to := (*words)(unsafe.Pointer(&s.value)), (*words)(unsafe.Pointer(&v))
	step()
	to.typ = atomic.LoadPointer(&from.typ)
	step()
	to.data = atomic.LoadPointer(&from.data)
	return v
}

func (s *slot) store(v any) {
	from, to := (*words)(unsafe.Pointer(&v)), (*words)(unsafe.Pointer(&s.value))
	step()
	atomic.StorePointer(&to.typ, from.typ)
	step()
	atomic.StorePointer(&to.data, from.data)
}

func (s *slot) publish(h uint64)  { s.live.Store(h) }
func (s *slot) link(below uint64) { s.next.Store(below) }
