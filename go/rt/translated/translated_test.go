package translated

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"rustgo.dev/go/rt"
)

// fake is a module whose only shim is a Go function.
type fake struct {
	memory []byte
	stack  int64
	next   int64
	report int64
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
func (m *fake) Xrustgo_recovered()                      {}
func (m *fake) Xrustgo_start() int64 {
	m.report = m.Xrustgo_allocate(reportRaised+8, 8)
	return m.report
}
func (m *fake) X__stack_pointer() *int64    { return &m.stack }
func (m *fake) Xmemory() Memory             { return m }
func (m *fake) Slice() *[]byte              { return &m.memory }
func (m *fake) Grow(delta, max int64) int64 { return -1 }
func (m *fake) word(at int64) int64         { return int64(binary.LittleEndian.Uint64(m.memory[at:])) }
func (m *fake) store(at int64, v uint64)    { binary.LittleEndian.PutUint64(m.memory[at:], v) }
func withShim(shim func(m *fake, a, r int64)) (c *Crate) {
	return New(func() Module { return &fake{memory: make([]byte, 1<<22), stack: 1 << 17, next: 1 << 18, shim: shim} })
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

// Rust appends one byte to a slice without spare capacity. The slice is longer than the crate's memory, into which it is not copied.
func TestAppendToLargeSlice(t *testing.T) {
	c := withShim(func(m *fake, a, r int64) {
		dst := m.word(a)
		at := m.Xrustgo_allocate(1, 1)
		m.memory[at] = 'x'
		m.store(dst+24, uint64(at))
		m.store(dst+32, 1)
		m.store(dst+40, 1)
	})
	for _, size := range []int{0, 1, 1 << 23} {
		dst := make([]byte, size)
		call := c.Begin(0, 8, false)
		var spilled []byte
		PutAppend(call, call.At(0), &dst, 1, 1, Get8[byte], func(elems unsafe.Pointer, length uint) {
			spilled = unsafe.Slice((*byte)(elems), length)
		})
		call.Run(8)
		call.End()
		if len(dst) != size || string(spilled) != "x" {
			t.Errorf("%d bytes: %d bytes, and %q was appended", size, len(dst), spilled)
		}
	}
}

// An empty slice that Rust has borrowed is nil, wherever Rust says that it begins.
func TestEmptySlice(t *testing.T) {
	c := withShim(func(m *fake, a, r int64) {
		m.store(r, uint64(m.word(a)))
		m.store(r+8, 0)
		m.store(r+16, 0)
	})
	call := c.Begin(0, 48, false)
	PutSlice(call, call.At(0), []uint64{1, 2}, 8, 8, Put64[uint64], nil)
	call.Run(24)
	got := GetSlice[uint64](call, call.At(24), 8)
	call.End()
	if got != nil {
		t.Errorf("%v, want nil", got)
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

// Rust checks each parameter before it looks for overlaps, so the memory of overlapping parameters must be large enough for each of them.
func TestOverlappingMemoryIsLargeEnough(t *testing.T) {
	var first, second, length int64
	c := withShim(func(m *fake, a, r int64) {
		first, second, length = m.word(a), m.word(a+24), m.word(a+32)
		for i := range length {
			if m.memory[second+i] != 7 {
				t.Fatalf("byte %d is %d", i, m.memory[second+i])
			}
		}
	})
	memory := bytes.Repeat([]byte{7}, 1<<16)
	call := c.Begin(0, 48, false)
	defer call.End()
	PutSlice(call, call.At(0), memory[:4], 1, 1, Put8[byte], Get8[byte])
	PutSlice(call, call.At(24), memory[2:], 1, 1, Put8[byte], nil)
	call.Run(48)
	if first != second || length != 1<<16-2 {
		t.Errorf("the addresses are %d and %d, the length is %d", first, second, length)
	}
}

// After a failure, each value that Rust may have changed is copied back. If one of the values is too large for Go's int, the failure is still
// reported.
func TestCopiesBackAfterFailures(t *testing.T) {
	c := withShim(func(m *fake, a, r int64) {
		m.store(m.word(a), 9)
		m.store(m.word(a+8), 9)
		panic(unreachable)
	})
	var x, y uint64
	p := panicOf(func() {
		call := c.Begin(0, 16, false)
		defer call.End()
		PutPointer(call, call.At(0), &x, 8, 8, nil, func(*Call, uint64) uint64 { panic("too large") })
		PutPointer(call, call.At(8), &y, 8, 8, nil, Get64[uint64])
		call.Run(16)
	})
	if p == nil || p.Message != "the Rust code aborted" || y != 9 {
		t.Errorf("%#v, %d", p, y)
	}
}

// On 32-bit processors inner and outer have other layouts in Go than in the crate.
type inner struct {
	N   uint
	Tag [6]uint8
}

type outer struct {
	A     uint32
	B     uint64
	Inner [2]inner
	Last  int16
}

func TestPartsOfArguments(t *testing.T) {
	// The crate's layout of outer: A at 0, B at 8, Inner at 16 and 32 with Tag at 8, Last at 48; 56 bytes.
	if size, align := crateLayout(reflect.TypeFor[outer]()); size != 56 || align != 8 {
		t.Fatalf("the size is %d, the alignment is %d", size, align)
	}
	values := make([]outer, 3)
	for _, part := range []struct {
		offset, count uint64
		want          unsafe.Pointer
		elem          reflect.Type
	}{
		{56, 2, unsafe.Pointer(&values[1]), reflect.TypeFor[outer]()},
		{56 + 8, 1, unsafe.Pointer(&values[1].B), reflect.TypeFor[uint64]()},
		{56 + 32 + 8 + 2, 4, unsafe.Pointer(&values[1].Inner[1].Tag[2]), reflect.TypeFor[uint8]()},
		{56 + 32 + 8 + 2, 2, unsafe.Pointer(&values[1].Inner[1].Tag[2]), reflect.TypeFor[[2]uint8]()},
		{112 + 16, 2, unsafe.Pointer(&values[2].Inner), reflect.TypeFor[inner]()},
		{112 + 32, 1, unsafe.Pointer(&values[2].Inner[1].N), reflect.TypeFor[uint]()},
		{48, 1, unsafe.Pointer(&values[0].Last), reflect.TypeFor[int16]()},
	} {
		r := region{start: unsafe.Pointer(&values[0]), size: unsafe.Sizeof(values[0]) * 3, elem: reflect.TypeFor[outer](), length: 3 * 56}
		if got := r.inGo(part.offset, part.elem, part.count); got != part.want {
			t.Errorf("offset %d: %p, want %p of %p", part.offset, got, part.want, &values[0])
		}
	}
	if _, ok := goOffset(reflect.TypeFor[outer](), 3, 32+8+2, reflect.TypeFor[uint8](), 5); ok {
		t.Error("the bytes after Tag are found")
	}
	if _, ok := goOffset(reflect.TypeFor[outer](), 3, 4, reflect.TypeFor[uint32](), 1); ok {
		t.Error("padding is found")
	}
	bytes := make([]uint8, 8)
	r := region{start: unsafe.Pointer(&bytes[0]), size: 8, elem: byteType, length: 8}
	if got := r.inGo(1, reflect.TypeFor[[4]uint8](), 1); got != unsafe.Pointer(&bytes[1]) {
		t.Errorf("%p, want %p", got, &bytes[1])
	}
	words := make([]uint, 2)
	r = region{start: unsafe.Pointer(&words[0]), size: unsafe.Sizeof(words[0]) * 2, elem: reflect.TypeFor[uint](), length: 16}
	want := unsafe.Add(unsafe.Pointer(&words[0]), 3)
	if unsafe.Sizeof(words[0]) == 4 || !littleEndian {
		want = nil
	}
	if got := r.inGo(3, byteType, 8); got != want {
		t.Errorf("bytes of words: %p, want %p on %s", got, want, runtime.GOARCH)
	}
}

// The destructor of a collected object waits for a call of the crate, and other cleanups of the program do not wait for the destructor.
func TestCollectedDuringCall(t *testing.T) {
	var dropped, cleaned atomic.Int32
	c := withShim(func(m *fake, a, r int64) { dropped.Add(1) })
	drop := func(value unsafe.Pointer) {
		c.Drop(value, func() {
			call := c.Begin(0, 8, false)
			defer call.End()
			PutAddress(call, call.At(0), value)
			call.Run(8)
		})
	}
	call := c.Begin(0, 8, false)
	// Package rt keeps the newest 256 objects until after the next collection. The others are unreachable.
	for range 1000 {
		rt.NewObject(unsafe.Pointer(&Reference{in: c.current, address: 8}), drop)
		runtime.AddCleanup(new([64]byte), func(int) { cleaned.Add(1) }, 0)
	}
	wait := func(what string, done func() bool) {
		for try := 0; !done(); try++ {
			if try == 5000 {
				call.End()
				t.Fatal(what)
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}
	wait("cleanups wait for the call", func() bool { return cleaned.Load() > 90 })
	if dropped.Load() != 0 {
		t.Error("a destructor ran during a call")
	}
	call.End()
	for try := 0; dropped.Load() < 90; try++ {
		if try == 5000 {
			t.Fatalf("%d objects are dropped", dropped.Load())
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	isDropped := false
	c.Drop(unsafe.Pointer(&Reference{in: c.current}), func() { isDropped = true })
	if !isDropped {
		t.Error("Drop does not call drop at once for Close")
	}
}

func TestFailures(t *testing.T) {
	raises, failure := true, any(unreachable)
	c := withShim(func(m *fake, a, r int64) {
		m.stack -= 64
		if raises {
			copy(m.memory[100:], "no luck")
			m.store(m.report+reportMessage, 100)
			m.store(m.report+reportLength, 7)
			m.memory[m.report+reportLine], m.memory[m.report+reportRaised] = 12, 1
		}
		panic(failure)
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
	if *before.stack != before.top {
		t.Errorf("the stack pointer is %d, want %d", *before.stack, before.top)
	}
	reference := unsafe.Pointer(&Reference{in: before, address: 8})
	raises = false
	if p := panicOf(run(reference)); p == nil || p.Message != "the Rust code aborted" {
		t.Errorf("%#v", p)
	}
	if c.current != before || *before.stack != before.top {
		t.Error("after an abort the module is not used, or its stack is not restored")
	}
	failure = errors.New("out of range")
	if p := panicOf(run(reference)); p == nil || p.Message != "the translated Rust code failed: out of range" {
		t.Errorf("%#v", p)
	}
	if c.current != nil {
		t.Error("the module is still used")
	}
	if p := panicOf(run(reference)); p == nil || p.Message != "the value was lost when translated Rust code failed" {
		t.Errorf("%#v", p)
	}
}

// A panic in a step of an iterator, or in its end, frees the arguments to which the iterator refers. A step whose results are too large does so too.
func TestPanicsOfIterators(t *testing.T) {
	var failure any
	c := withShim(func(m *fake, a, r int64) {
		if failure != nil {
			panic(failure)
		}
		m.store(r, 1<<40)
	})
	for _, step := range []struct {
		name    string
		failure any
		after   func(*Call)
	}{
		{"a panic", unreachable, func(*Call) {}},
		{"too large", nil, func(call *Call) { call.back = append(call.back, func() { panic("too large") }) }},
	} {
		failure = nil
		begin := c.Begin(0, 16, true)
		PutString(begin, begin.At(0), "text")
		begin.Run(8)
		it := GetIterator(begin, begin.At(8))
		begin.End()
		m := c.current.module.(*fake)
		before := m.freed
		failure = step.failure
		run := func() {
			call := c.Begin(0, 16, false)
			defer call.End()
			PutAddress(call, call.At(0), it)
			step.after(call)
			call.Run(8)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", step.name)
				}
			}()
			run()
		}()
		// The blocks are the struct with the arguments and results, and the text.
		if n := m.freed - before; n != 2 {
			t.Errorf("%s: %d blocks were freed, want 2", step.name, n)
		}
		if c.current == nil {
			t.Errorf("%s: the module is lost", step.name)
		}
	}
}

// When a call has lost the module, the values in its memory are gone: they are not dropped, so the panic of the call reaches Go.
func TestDropOfLostValues(t *testing.T) {
	var failure any
	c := withShim(func(m *fake, a, r int64) {
		if failure != nil {
			panic(failure)
		}
	})
	c.Begin(0, 8, false).End()
	value := unsafe.Pointer(&Reference{in: c.current, address: 8})
	failure = errors.New("out of range")
	p := panicOf(func() {
		defer c.Drop(value, func() {
			call := c.Begin(0, 8, false)
			defer call.End()
			PutAddress(call, call.At(0), value)
			call.Run(8)
		})
		call := c.Begin(0, 8, false)
		defer call.End()
		call.Run(8)
	})
	if p == nil || p.Message != "the translated Rust code failed: out of range" {
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
