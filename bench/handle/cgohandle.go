//go:build cgo

package handle

import "runtime/cgo" // programs that import it do not link without cgo

var withCgo = []way{{"cgo.Handle", func() peer { return cgoHandle{} }}}

type cgoHandle struct{}

func (cgoHandle) New(v any) uint64   { return uint64(cgo.NewHandle(v)) }
func (cgoHandle) Value(h uint64) any { return cgo.Handle(h).Value() }
func (cgoHandle) Delete(h uint64)    { cgo.Handle(h).Delete() }

func (cgoHandle) values(hs []uint64) (sum uint64) {
	for _, h := range hs {
		sum += cgo.Handle(h).Value().(*object).n
	}
	return sum
}

func (cgoHandle) cycles(o *object, n int) (sum uint64) {
	for range n {
		h := cgo.NewHandle(o)
		sum += h.Value().(*object).n
		h.Delete()
	}
	return sum
}

func (cgoHandle) dependent(hs []uint64, at, n int) (sum uint64) {
	for range n {
		v := cgo.Handle(hs[at]).Value().(*object).n
		sum += v
		if at += int(v); at == len(hs) {
			at = 0
		}
	}
	return sum
}
