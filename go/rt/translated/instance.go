package translated

import (
	"encoding/binary"
	"fmt"
	"sync"
	"unsafe"

	"rustgo.dev/go/rt"
)

// Memory is the memory of a translated crate.
type Memory = interface {
	Slice() *[]byte
	Grow(delta, max int64) int64
}

// Module is a translated crate with its memory. wasm2go writes the type that implements Module.
type Module interface {
	// Xrustgo_run_shim calls a shim. Arguments and results are addresses.
	Xrustgo_run_shim(shim, arguments, results int64)
	Xrustgo_allocate(size, align int64) int64
	Xrustgo_free(address, size, align int64)
	// Xrustgo_start installs the panic hook and returns the address of the panic's report.
	Xrustgo_start() int64
	X__stack_pointer() *int64
	Xmemory() Memory
}

// Crate is a translated crate with at most one module. All calls run one after the other, because the module's memory holds the crate's statics and
// objects, and translated code is not safe for parallel use.
type Crate struct {
	load func() Module

	mu      sync.Mutex
	current *instance // nil before the first call, and after code has failed without a Rust panic
}

// New returns a crate whose module is made by load at the first call.
func New(load func() Module) *Crate { return &Crate{load: load} }

// Keep does nothing. A call of Keep keeps its argument in the program: the line by which rustgo audit finds the crate.
//
//go:noinline
func Keep(string) {}

// instance is a module that runs.
type instance struct {
	module Module
	memory *[]byte
	stack  *int64 // the stack pointer
	top    int64  // the stack pointer while no call runs
	report uint64 // the address of the panic's report

	scratch uint64 // the address of memory for arguments
}

// scratchSize is the number of bytes for the arguments of a call that need no allocation.
const scratchSize = 16 << 10

func (cr *Crate) start() *instance {
	m := cr.load()
	in := &instance{module: m, memory: m.Xmemory().Slice(), stack: m.X__stack_pointer()}
	in.top = *in.stack
	in.report = uint64(m.Xrustgo_start())
	in.scratch = uint64(m.Xrustgo_allocate(scratchSize, 16))
	cr.current = in
	return in
}

// Call is a call of translated code.
type Call struct {
	crate *Crate
	in    *instance

	shim      int64
	arguments uint64
	used      uint64 // the number of bytes of the scratch memory that are in use
	keeps     bool   // the arguments' memory must outlive the call
	blocks    []block
	regions   []region
	objects   []object
	back      []func() // copies what the code has written to Go's memory
}

// block is allocated memory.
type block struct{ address, size, align uint64 }

// region is memory of Go's that was copied to the memory of the crate.
type region struct {
	start    unsafe.Pointer
	size     uintptr // in Go's memory
	address  uint64
	length   uint64
	writable bool
}

// object is an object of the Rust heap that the call uses. state is the address of its state in the crate's memory: the address of the value, and a
// u32, entered. For each use of the object, Rust gets a struct of its own: the address of the state, and a u32, begun (docs/abi.md, wrappers).
type object struct {
	identity unsafe.Pointer
	state    uint64
}

// Begin starts a call of the shim with this index, whose arguments and results take size bytes. keeps tells that the call makes an iterator that
// refers to the arguments. The caller defers End.
func (cr *Crate) Begin(shim int64, size uint64, keeps bool) *Call {
	cr.mu.Lock()
	c := &Call{crate: cr, in: cr.current, shim: shim, keeps: keeps}
	defer func() {
		if c.arguments == 0 { // a panic, for example because there is no memory
			cr.mu.Unlock()
		}
	}()
	if c.in == nil {
		c.in = cr.start()
	}
	c.arguments = c.allocate(max(size, 1), 16)
	return c
}

// End ends the call.
func (c *Call) End() {
	defer c.crate.mu.Unlock()
	if c.crate.current != c.in {
		return // the memory is gone
	}
	for _, b := range c.blocks {
		c.in.module.Xrustgo_free(int64(b.address), int64(b.size), int64(b.align))
	}
}

// At returns the address of the argument or result at this offset.
func (c *Call) At(offset uint64) uint64 { return c.arguments + offset }

// Run runs the shim. The results begin at this offset. A Rust panic becomes a Go panic with a [rt.Panic].
func (c *Call) Run(results uint64) {
	returned := false
	defer func() {
		if returned {
			return
		}
		failure := recover()
		for _, back := range c.back {
			back()
		}
		panic(c.failed(failure))
	}()
	c.in.module.Xrustgo_run_shim(c.shim, int64(c.arguments), int64(c.arguments+results))
	returned = true
	for _, back := range c.back {
		back()
	}
}

// The layout of the panic's report: crates/support/src/translated.rs.
const (
	reportMessage = 0
	reportLength  = 16
	reportFile    = 24
	reportFileLen = 32
	reportLine    = 40
	reportColumn  = 44
	reportRaised  = 48
)

// failed returns the value of the Go panic for the failure of translated code.
func (c *Call) failed(failure any) *rt.Panic {
	in := c.in
	if c.load32(in.report+reportRaised) == 0 {
		// The code has failed without a Rust panic: its stack is exhausted, or it has read memory that does not exist. The memory may be in any
		// state, so the next call loads a new module.
		c.crate.current = nil
		return &rt.Panic{Message: fmt.Sprintf("the translated Rust code failed: %v", failure)}
	}
	c.store32(in.report+reportRaised, 0)
	*in.stack = in.top
	return &rt.Panic{
		Message: string(c.bytes(c.load64(in.report+reportMessage), c.load64(in.report+reportLength))),
		File:    string(c.bytes(c.load64(in.report+reportFile), c.load64(in.report+reportFileLen))),
		Line:    int(c.load32(in.report + reportLine)),
		Column:  int(c.load32(in.report + reportColumn)),
	}
}

// allocate returns the address of zeroed memory that lives until the end of the call.
func (c *Call) allocate(size, align uint64) uint64 {
	var address uint64
	if at := (c.used + align - 1) &^ (align - 1); !c.keeps && align <= 16 && size <= scratchSize && at+size <= scratchSize {
		c.used = at + size
		address = c.in.scratch + at
	} else {
		address = uint64(c.in.module.Xrustgo_allocate(int64(size), int64(align)))
		if address == 0 {
			panic(&rt.Panic{Message: "memory allocation failed"})
		}
		c.blocks = append(c.blocks, block{address, size, align})
	}
	clear(c.bytes(address, size))
	return address
}

// bytes returns the memory at this address. Growing the memory makes the slice invalid.
func (c *Call) bytes(address, size uint64) []byte {
	return (*c.in.memory)[address : address+size : address+size]
}

func (c *Call) load32(at uint64) uint32     { return binary.LittleEndian.Uint32(c.bytes(at, 4)) }
func (c *Call) load64(at uint64) uint64     { return binary.LittleEndian.Uint64(c.bytes(at, 8)) }
func (c *Call) store32(at uint64, v uint32) { binary.LittleEndian.PutUint32(c.bytes(at, 4), v) }
func (c *Call) store64(at uint64, v uint64) { binary.LittleEndian.PutUint64(c.bytes(at, 8), v) }

// place returns the address of memory for a copy of size bytes of Go's memory, and true if the caller must make the copy.
//
// If the memory overlaps memory of another parameter and one of both is writable, both get the same address, and nothing is copied. Then Rust code
// finds the overlap and panics before it uses the parameters.
func (c *Call) place(start unsafe.Pointer, size uintptr, length, align uint64, writable bool) (uint64, bool) {
	for _, r := range c.regions {
		if (writable || r.writable) && size > 0 && r.size > 0 && uintptr(start) < uintptr(r.start)+r.size && uintptr(r.start) < uintptr(start)+size {
			return r.address, false
		}
	}
	address := c.allocate(length, align)
	c.regions = append(c.regions, region{start, size, address, length, writable})
	return address, true
}

// goMemory returns the address in Go's memory from which count elements, now at this address of the crate's memory, were copied. elemSize and length
// are the sizes of an element in Go's memory and in the crate's memory.
func (c *Call) goMemory(address, count, length uint64, elemSize uintptr) unsafe.Pointer {
	for _, r := range c.regions {
		if r.address <= address && address-r.address <= r.length && count*length <= r.length-(address-r.address) && length > 0 {
			return unsafe.Add(r.start, uintptr((address-r.address)/length)*elemSize)
		}
	}
	return nil
}

// inStep is the state of an iterator whose step was abandoned. The support crate and the generated wrappers have the same number.
const inStep = 3

// Reference is an address in a crate's memory, for Go code to hold: the address of an object's value, or of an iterator.
type Reference struct {
	state   [8]uint8 // state[0] is inStep: after a panic in a step the iterator's wrapper reads it, and panics of translated code do not unwind
	in      *instance
	address uint64
	blocks  []block // the memory to which an iterator refers
}

// Release frees the memory to which an iterator refers, at the end of the call.
func (c *Call) Release(iterator unsafe.Pointer) {
	r := (*Reference)(iterator)
	if r.in == c.in {
		c.blocks = append(c.blocks, r.blocks...)
		r.blocks = nil
	}
}

// GetIterator returns the iterator at this address. The iterator keeps the memory of the call's arguments.
func GetIterator(c *Call, at uint64) unsafe.Pointer {
	r := &Reference{state: [8]uint8{inStep}, in: c.in, address: c.load64(at), blocks: c.blocks}
	c.blocks = nil
	return unsafe.Pointer(r)
}

// GetAddress loads the address that is stored at the address at, and returns it as a pointer to a Reference, or nil for 0.
func GetAddress(c *Call, at uint64) unsafe.Pointer {
	address := c.load64(at)
	if address == 0 {
		return nil
	}
	return unsafe.Pointer(&Reference{in: c.in, address: address})
}

// PutAddress stores an address that GetAddress or GetIterator has returned.
func PutAddress(c *Call, at uint64, p unsafe.Pointer) { c.store64(at, c.resolve(p)) }

func (c *Call) resolve(p unsafe.Pointer) uint64 {
	if p == nil {
		return 0
	}
	r := (*Reference)(p)
	if r.in != c.in {
		panic(&rt.Panic{Message: "the value was lost when translated Rust code failed"})
	}
	return r.address
}

// PutObject stores the address of an object in the Rust heap. use points to an rt.Object, or, if isLoan is true, to an rt.Loan or rt.SharedUse.
func PutObject(c *Call, at uint64, use unsafe.Pointer, isLoan bool) {
	if use == nil {
		return
	}
	const size, begun, value, entered = 32, 8, 16, 24
	identity, held := rt.TranslatedObject(use)
	address := c.allocate(size, 8)
	c.store64(at, address)
	if identity == nil {
		return
	}
	state := uint64(0)
	for _, o := range c.objects {
		if o.identity == identity {
			state = o.state
		}
	}
	if state == 0 {
		state = address + value
		c.store64(state, c.resolve(held))
		c.objects = append(c.objects, object{identity, state})
	}
	c.store64(address, state)
	c.back = append(c.back, func() {
		isTaken := held != nil && c.load64(state) == 0
		rt.TranslatedUse(use, isLoan, c.load32(address+begun), c.load32(state+entered-value), isTaken)
	})
}
