//go:build amd64 || arm64

package zstd

import (
	"sync"
	"sync/atomic"
)

// chunk is the length of the buffers of encoders and decoders, and that of the longest block.
const chunk = 128 << 10

// Buffers that nobody uses.
var buffers = sync.Pool{New: func() any { return new([chunk]byte) }}

// owner says whether a call uses an encoder or decoder.
type owner struct{ busy atomic.Bool }

// enter panics if another call uses it. The caller defers leave.
func (o *owner) enter(what string) {
	if !o.busy.CompareAndSwap(false, true) {
		panic("zstd: " + what + ": in use by another call")
	}
}

func (o *owner) leave() { o.busy.Store(false) }
