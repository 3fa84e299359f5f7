//go:build !amd64 || race || handlesteps

package handle

import (
	"sync/atomic"
	"unsafe"
)

// words are the two words of an interface: both are pointers, whatever the value is. sync/atomic.Value has the same.
type words struct{ typ, data unsafe.Pointer }

// load returns the words that it finds, which may be of two different values. The caller looks at live again, before and
// after, and uses them if they are not.
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
