//go:build amd64 || arm64

package zstd

import (
	"sync"
	"sync/atomic"
)

// chunk is the length of the buffers of encoders and decoders. It is the length of the longest block.
const chunk = 128 << 10

// buffers has the buffers that are not in use.
var buffers = sync.Pool{New: func() any { return new([chunk]byte) }}

// owner detects calls of an encoder or decoder during another call.
type owner struct{ busy atomic.Bool }

// enter panics if it is called during another call of the same encoder or decoder. The caller defers leave.
func (o *owner) enter(what string) {
	if !o.tryEnter() {
		o.refuse(what)
	}
}

// tryEnter is like enter, but returns false instead of panicking.
func (o *owner) tryEnter() bool { return o.busy.CompareAndSwap(false, true) }

func (o *owner) refuse(what string) { panic("zstd: " + what + ": in use by another call") }

func (o *owner) leave() { o.busy.Store(false) }
