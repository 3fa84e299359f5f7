package translated

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"rustgo.dev/go/rt"
)

// fake is a module whose only shim is a Go function.
type fake struct {
	memory []byte
	stack  int64
	next   int64
	freed  int
	shim   func(m *fake, arguments, results int64)
}

func (m *fake) Xrustgo_run_shim(_, arguments, results int64) { m.shim(m, arguments, results) }

func (m *fake) Xrustgo_allocate(size, align int64) int64 {
	at := (m.next + align - 1) &^ (align - 1)
	m.next = at + size
	return at
}

func (m *fake) Xrustgo_free(address, size, align int64) { m.freed++ }
func (m *fake) Xrustgo_start() int64                    { return m.Xrustgo_allocate(reportRaised+8, 8) }
func (m *fake) X__stack_pointer() *int64                { return &m.stack }
func (m *fake) Xmemory() Memory                         { return m }
func (m *fake) Slice() *[]byte                          { return &m.memory }
func (m *fake) Grow(delta, max int64) int64             { return -1 }
func (m *fake) word(at int64) int64                     { return int64(binary.LittleEndian.Uint64(m.memory[at:])) }
func (m *fake) store(at int64, v uint64)                { binary.LittleEndian.PutUint64(m.memory[at:], v) }
func withShim(shim func(m *fake, a, r int64)) (c *Crate) {
	return New(func() Module { return &fake{memory: make([]byte, 1<<17), stack: 4096, next: 8192, shim: shim} })
}

func panicOf(call func()) (p *rt.Panic) {
	defer func() { p, _ = recover().(*rt.Panic) }()
	call()
	return nil
}

func TestCopies(t *testing.T) {
	// The shim adds 1 to each element and returns the slice without its first element.
	c := withShim(func(m *fake, a, r int64) {
		at, n := m.word(a), m.word(a+8)
		for i := range n {
			m.store(at+8*i, uint64(m.word(at+8*i)+1))
		}
		m.store(r, uint64(at+8))
		m.store(r+8, uint64(n-1))
		m.store(r+16, uint64(n-1))
	})
	for _, count := range []int{1, 5, 5000} { // 5000 elements do not fit in the scratch memory
		xs := make([]uint64, count)
		xs[0] = 1 << 40
		call := c.Begin(0, 48, false)
		PutSlice(call, call.At(0), xs, 8, 8, Put64[uint64], Get64[uint64])
		call.Run(24)
		got := GetSlice[uint64](call, call.At(24), 8)
		call.End()
		if xs[0] != 1<<40+1 || count > 1 && (xs[count-1] != 1 || &got[0] != &xs[1]) || len(got) != count-1 {
			t.Errorf("%d elements: %v, %v", count, xs[:1], len(got))
		}
	}
	m := c.current.module.(*fake)
	if m.freed != 1 {
		t.Errorf("%d blocks were freed, want 1", m.freed)
	}
}

func TestOverlappingMemoryHasOneAddress(t *testing.T) {
	var first, second int64
	c := withShim(func(m *fake, a, r int64) { first, second = m.word(a), m.word(a+8) })
	put := func(call *Call, at uint64, v [4]byte) { PutElements(call, at, v[:], 1, Put8[byte]) }
	get := func(call *Call, at uint64) (v [4]byte) { GetElements(call, at, v[:], 1, Get8[byte]); return v }
	memory := new([8]byte)
	for _, at := range []struct {
		a, b    int
		overlap bool
	}{{0, 2, true}, {2, 0, true}, {0, 0, true}, {0, 4, false}, {4, 0, false}} {
		call := c.Begin(0, 16, false)
		PutPointer(call, call.At(0), (*[4]byte)(memory[at.a:]), 4, 1, put, get)
		PutPointer(call, call.At(8), (*[4]byte)(memory[at.b:]), 4, 1, put, nil)
		call.Run(16)
		call.End()
		if (first == second) != at.overlap {
			t.Errorf("%v: the addresses are %d and %d", at, first, second)
		}
	}
}

func TestFailures(t *testing.T) {
	raises := true
	c := withShim(func(m *fake, a, r int64) {
		m.stack -= 64
		if raises {
			report := int64(8192)
			copy(m.memory[100:], "no luck")
			m.store(report+reportMessage, 100)
			m.store(report+reportLength, 7)
			m.memory[report+reportLine], m.memory[report+reportRaised] = 12, 1
		}
		panic("unreachable")
	})
	run := func(p unsafe.Pointer) func() {
		return func() {
			call := c.Begin(0, 8, false)
			defer call.End()
			PutAddress(call, call.At(0), p)
			call.Run(8)
		}
	}
	p := panicOf(run(nil))
	if p == nil || p.Message != "no luck" || p.Line != 12 {
		t.Fatalf("%#v", p)
	}
	before := c.current
	if *before.stack != 4096 {
		t.Errorf("the stack pointer is %d", *before.stack)
	}
	reference := unsafe.Pointer(&Reference{in: before, address: 8})
	raises = false
	if p := panicOf(run(reference)); p == nil || p.Message != "the translated Rust code failed: unreachable" {
		t.Errorf("%#v", p)
	}
	if c.current != nil {
		t.Error("the module is still used")
	}
	if p := panicOf(run(reference)); p == nil || p.Message != "the value was lost when translated Rust code failed" {
		t.Errorf("%#v", p)
	}
}

func TestResultsThatAreTooLarge(t *testing.T) {
	c := withShim(func(m *fake, a, r int64) {})
	call := c.Begin(0, 8, false)
	defer call.End()
	for _, v := range []int64{0, -1, 1<<31 - 1, -1 << 31, 1 << 31, -1 << 40} {
		Put64(call, call.At(0), v)
		p := panicOf(func() {
			if got := GetInt[int](call, call.At(0)); int64(got) != v {
				t.Errorf("%d became %d", v, got)
			}
		})
		if fits := int64(int(v)) == v; fits != (p == nil) || p != nil && !strings.HasPrefix(p.Message, "a result is too large for Go's int (") {
			t.Errorf("%d: %v", v, p)
		}
	}
	if n := slices.Index(call.bytes(call.At(0), 8), 0xff); n != 5 {
		t.Errorf("the first byte of ones is at %d", n)
	}
}
