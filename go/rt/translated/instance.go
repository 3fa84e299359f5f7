package translated

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
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
	// Xrustgo_recovered ends the panic or abort that has abandoned the last call: from then on, thread::panicking() is false.
	Xrustgo_recovered()
	X__stack_pointer() *int64
	Xmemory() Memory
}

// Crate is a translated crate with at most one module. All calls run one after the other, because the module's memory holds the crate's statics and
// objects, and translated code is not safe for parallel use.
type Crate struct {
	load func() Module

	mu      sync.Mutex
	current *instance // nil before the first call, and after a call that may have damaged the memory

	dropsMutex sync.Mutex
	drops      []func() // each function drops an object that the garbage collector has found unreachable
	isDropping bool
}

// New returns a crate whose module is made by load at the first call.
func New(load func() Module) *Crate { return &Crate{load: load} }

func init() { rt.TranslatedIsLinked() }

// Drop calls drop, which drops the value of an object, or an iterator. value is a pointer to a [Reference]. If the garbage collector has found the
// object unreachable, a goroutine calls drop instead, so that Drop does not wait until the crate's other calls have returned. If the module with the
// value is no longer in use, the value is gone and drop is not called: it would panic, and hide the panic of the call that has failed.
func (cr *Crate) Drop(value unsafe.Pointer, drop func()) {
	dropKept := func() {
		if cr.isLost(value) {
			return
		}
		defer func() {
			// Another call may lose the module before drop begins.
			if failure := recover(); failure != nil && failure != any(errLost) {
				panic(failure)
			}
		}()
		drop()
	}
	if !rt.TranslatedIsForgotten(value) {
		dropKept()
		return
	}
	cr.dropsMutex.Lock()
	defer cr.dropsMutex.Unlock()
	cr.drops = append(cr.drops, dropKept)
	if !cr.isDropping {
		cr.isDropping = true
		go cr.dropAll()
	}
}

func (cr *Crate) dropAll() {
	for {
		cr.dropsMutex.Lock()
		drops := cr.drops
		cr.drops = nil
		cr.isDropping = len(drops) > 0
		cr.dropsMutex.Unlock()
		if len(drops) == 0 {
			return
		}
		for _, drop := range drops {
			rt.TranslatedDrop(drop)
		}
	}
}

// isLost reports whether the module whose memory holds the value is no longer in use.
func (cr *Crate) isLost(value unsafe.Pointer) bool {
	cr.mu.Lock()
	defer cr.mu.Unlock()
	return (*Reference)(value).in != cr.current
}

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

	collectAt int // the size of the memory at which a garbage collection starts
}

// The largest distances by which the addresses of the stack and of allocations are moved, in bytes. The stack of WebAssembly has 1 MiB.
const (
	stackShift = 64 << 10
	heapShift  = 1 << 20
)

// scratchSize is the number of bytes for the arguments of a call that need no allocation.
const scratchSize = 16 << 10

func (cr *Crate) start() *instance {
	m := cr.load()
	in := &instance{module: m, memory: m.Xmemory().Slice(), stack: m.X__stack_pointer()}
	// On this target std makes the keys of HashMap from the address of a local variable and the address of a small allocation. This code moves both
	// addresses by a random distance, so that an attacker cannot know which keys of a HashMap collide.
	in.top = *in.stack - 16*rand.Int64N(stackShift/16)
	*in.stack = in.top
	in.module.Xrustgo_allocate(16*(1+rand.Int64N(heapShift/16)), 16)
	in.report = uint64(m.Xrustgo_start())
	in.scratch = uint64(m.Xrustgo_allocate(scratchSize, 16))
	in.collectAt = len(*in.memory) + growthLeast
	cr.current = in
	return in
}

// Call is a call of translated code.
type Call struct {
	crate *Crate
	in    *instance

	shim       int64
	arguments  uint64
	used       uint64 // the number of bytes of the scratch memory that are in use
	keeps      bool   // the arguments' memory must outlive the call
	blocks     []block
	regions    []region
	writable   []int // the indexes of the writable regions
	hasOverlap bool  // two regions have a common address
	sorted     []int // the indexes of the regions in the order of their addresses, once goMemory has sorted them
	objects    []object
	iterator   *Reference               // the iterator that the call advances or ends, if there is one
	settle     []func(hasReturned bool) // tells the objects how the call has used them
	back       []func()                 // copies what the code has written to Go's memory
}

// block is allocated memory.
type block struct{ address, size, align uint64 }

// region is a part of Go's memory and its copy in the crate's memory.
type region struct {
	start    unsafe.Pointer
	size     uintptr // in Go's memory
	elem     reflect.Type
	address  uint64
	length   uint64
	writable bool
	slot     uint64 // the address of the parameter, which holds the region's address less bias
	bias     uint64
}

// object is an object of the Rust heap that the call uses. state is the address of the object's state in the crate's memory. The state consists of
// the address of the value and the u32 entered. For each use of the object, Rust gets another struct: the address of the state and the u32 begun
// (docs/abi.md, wrappers).
type object struct {
	identity unsafe.Pointer
	state    uint64
}

// Begin starts a call of the shim with this index. The call's arguments and results need size bytes. keeps is true if the call makes an iterator that
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

// Run runs the shim. results is the offset at which the results begin. A Rust panic becomes a Go panic with a [rt.Panic]. Nothing uses an iterator
// after a panic, so Run then frees the memory to which the iterator refers.
func (c *Call) Run(results uint64) {
	returned, finished := false, false
	defer func() {
		if !finished && c.iterator != nil {
			c.Release(unsafe.Pointer(c.iterator))
		}
		if returned {
			return
		}
		failure := c.failed(recover())
		// A number that is too large for Go's int must not hide the failure.
		func() {
			defer func() { _ = recover() }()
			c.finish(false)
		}()
		panic(failure)
	}()
	c.in.module.Xrustgo_run_shim(c.shim, int64(c.arguments), int64(c.arguments+results))
	returned = true
	c.finish(true)
	finished = true
}

// finish tells the objects how the code has used them, and copies what the code has written to Go's memory. It panics if a number is too large for
// Go's int.
func (c *Call) finish(hasReturned bool) {
	settle := make([]func(), len(c.settle))
	for i, f := range c.settle {
		settle[i] = func() { f(hasReturned) }
	}
	runAll(settle)
	runAll(c.back)
}

// runAll calls all functions, even if one panics.
func runAll(functions []func()) {
	done := 0
	defer func() {
		if done < len(functions) {
			runAll(functions[done:])
		}
	}()
	for _, function := range functions {
		done++
		function()
	}
}

// These constants are the offsets of fields in the panic's report (crates/support/src/translated.rs).
const (
	reportMessage = 0
	reportLength  = 16
	reportFile    = 24
	reportFileLen = 32
	reportLine    = 40
	reportColumn  = 44
	reportRaised  = 48
)

// unreachable is the value of a panic. wasm2go translates WebAssembly's instruction unreachable to this panic, and std executes the instruction to
// abort.
const unreachable = "unreachable"

// noMemory is the message of the panic of a failed allocation. crates/support/src/translated.rs has the same text.
const noMemory = "memory allocation failed"

// failed returns the value of the Go panic for the failure of translated code.
func (c *Call) failed(failure any) *rt.Panic {
	in := c.in
	if failure != unreachable {
		// The code's stack is exhausted, or the code has read memory that does not exist. The memory may be in any state, so the next call loads a
		// new module.
		c.crate.current = nil
		return &rt.Panic{Message: fmt.Sprintf("the translated Rust code failed: %v", failure)}
	}
	*in.stack = in.top
	in.module.Xrustgo_recovered()
	if c.load32(in.report+reportRaised) == 0 {
		return &rt.Panic{Message: "the Rust code aborted"}
	}
	c.store32(in.report+reportRaised, 0)
	message := string(c.bytes(c.load64(in.report+reportMessage), c.load64(in.report+reportLength)))
	if message == noMemory {
		rt.TranslatedCollect() // the memory may be full of unreachable objects
	}
	return &rt.Panic{
		Message: message,
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
			rt.TranslatedCollect()
			panic(&rt.Panic{Message: noMemory})
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

// place allocates memory in the crate for a copy of Go's memory, and returns its address. At start Go's memory has size bytes with elements of type
// elem; the copy has length bytes. The caller stores the address, less bias, at slot, and makes the copy.
//
// If Go's memory overlaps the memory of another parameter and Rust may write to one of them, both parameters get the address of the new memory. Then
// Rust code finds the overlap and panics before it uses the parameters. The panic names a pair, so only the first pair gets a common address.
func (c *Call) place(slot, bias uint64, start unsafe.Pointer, size uintptr, length, align uint64, writable bool, elem reflect.Type) uint64 {
	conflicts := func(r *region) bool {
		return size > 0 && r.size > 0 && uintptr(start) < uintptr(r.start)+r.size && uintptr(r.start) < uintptr(start)+size
	}
	conflicting := -1
	if c.hasOverlap {
		// The call panics because of another pair.
	} else if writable {
		for i := range c.regions {
			if conflicts(&c.regions[i]) {
				conflicting = i
				break
			}
		}
	} else {
		for _, i := range c.writable {
			if conflicts(&c.regions[i]) {
				conflicting = i
				break
			}
		}
	}
	// Rust checks each parameter by itself before it looks for overlaps. So the memory must be large enough for both parameters.
	whole := length
	if conflicting >= 0 {
		whole, align = max(whole, c.regions[conflicting].length), max(align, 16)
	}
	address := c.allocate(whole, align)
	if conflicting >= 0 {
		c.hasOverlap = true
		r := &c.regions[conflicting]
		copy(c.bytes(address, r.length), c.bytes(r.address, r.length))
		c.store64(r.slot, address-r.bias)
	}
	if writable {
		c.writable = append(c.writable, len(c.regions))
	}
	c.regions = append(c.regions, region{start, size, elem, address, length, writable, slot, bias})
	return address
}

// goMemory translates an address in the crate's copy of an argument to an address in Go's memory. At the address there are count elements of type
// elem; length is the size of an element in the crate's memory. goMemory returns nil if the elements are not a part of an argument.
func (c *Call) goMemory(address, count, length uint64, elem reflect.Type) unsafe.Pointer {
	if len(c.sorted) != len(c.regions) {
		c.sorted = c.sorted[:0]
		for i := range c.regions {
			c.sorted = append(c.sorted, i)
		}
		slices.SortFunc(c.sorted, func(i, j int) int { return cmp.Compare(c.regions[i].address, c.regions[j].address) })
	}
	at, found := slices.BinarySearchFunc(c.sorted, address, func(i int, address uint64) int { return cmp.Compare(c.regions[i].address, address) })
	if !found {
		at--
	}
	if at < 0 || length == 0 {
		return nil
	}
	r := &c.regions[c.sorted[at]]
	if offset := address - r.address; offset > r.length || count > (r.length-offset)/length {
		return nil
	}
	start := r.inGo(address-r.address, elem, count)
	if start == nil {
		panic(&rt.Panic{Message: "a result is a part of an argument that has another layout on this processor"})
	}
	return start
}

// inStep is the state of an iterator whose step was abandoned. The support crate and the generated wrappers have the same number. Only iterators have
// this state.
const inStep = 3

// Reference is an address in a crate's memory that Go code holds: the address of an object's value, or of an iterator.
type Reference struct {
	state   [8]uint8 // state[0] is inStep. After a panic in a step the iterator's wrapper reads it: the panic has not unwound
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

// growthLeast is the least number of bytes by which the memory grows between two garbage collections that collectAfterGrowth starts.
const growthLeast = 32 << 20

// collectAfterGrowth starts a garbage collection if the crate's memory has grown by a quarter. Go's collector alone would start too late: it knows only
// the roughly 100 bytes of an object in Go's memory, and the memory cannot shrink.
func (in *instance) collectAfterGrowth() {
	if size := len(*in.memory); size >= in.collectAt {
		in.collectAt = size + max(size/4, growthLeast)
		rt.TranslatedCollect()
	}
}

// GetAddress loads the address that is stored at the address at, and returns it as a pointer to a Reference, or nil for 0.
func GetAddress(c *Call, at uint64) unsafe.Pointer {
	address := c.load64(at)
	if address == 0 {
		return nil
	}
	c.in.collectAfterGrowth()
	return unsafe.Pointer(&Reference{in: c.in, address: address})
}

// PutAddress stores an address that GetAddress or GetIterator has returned.
func PutAddress(c *Call, at uint64, p unsafe.Pointer) {
	c.store64(at, c.resolve(p))
	if r := (*Reference)(p); r != nil && r.state[0] == inStep {
		c.iterator = r
	}
}

// errLost is the value of the panic of a call whose module is no longer in use.
var errLost = &rt.Panic{Message: "the value was lost when translated Rust code failed"}

func (c *Call) resolve(p unsafe.Pointer) uint64 {
	if p == nil {
		return 0
	}
	r := (*Reference)(p)
	if r.in != c.in {
		panic(errLost)
	}
	return r.address
}

// PutObject makes the crate's counterpart of the struct that use points to, and stores the address of the counterpart. If isLoan is true, use points
// to an rt.Loan or rt.SharedUse. Otherwise use points to an rt.Object.
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
	c.settle = append(c.settle, func(hasReturned bool) {
		isTaken := held != nil && c.load64(state) == 0
		if hasReturned {
			// A result that does not fit into Go's int makes the wrapper panic, although the code has left the object in order.
			rt.TranslatedUse(use, isLoan, 0, 0, isTaken)
			return
		}
		rt.TranslatedUse(use, isLoan, c.load32(address+begun), c.load32(state+entered-value), isTaken)
	})
}
