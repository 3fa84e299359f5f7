//go:build amd64 || arm64

package rt

import (
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// The Rust heap. Generated code calls malloc and the like, which are Rust (crates/heap), carried into rustgo_*.s; what they need of the
// operating system and of Go's scheduler is in heap_*.s, and the address space comes from here.

const (
	heapSmallest = 4 << 20 // bytes of address space without which there is no heap

	// The size and alignment of the variables of crates/rt, in bytes: SIZE and ALIGN of crates/rt/src/state.rs.
	stateSize  = 8192
	stateAlign = 128
)

// state holds the variables of crates/rt, at the first address that is a multiple of stateAlign. It begins as zeros. Static data of assembly
// would exist once in a program and once in each plugin; the linker makes one variable of this.
var state [stateSize + stateAlign]byte

// MemStats describes the Rust heap. All packages made by rustgo that use this package share one heap.
type MemStats struct {
	// Live is the number of bytes that Rust has allocated and not freed, each allocation rounded up to what it occupies.
	Live uint64

	// LiveObjects is the number of these allocations.
	LiveObjects uint64

	// TotalAlloc and Mallocs count the bytes and the allocations since the program started, Frees those that were freed.
	TotalAlloc, Mallocs, Frees uint64

	// Mapped is the number of bytes that the heap has taken from the operating system and not given back: live ones, and free ones
	// that it keeps for later allocations. It includes bytes that no one has touched yet.
	Mapped uint64

	// Peak is the largest value that Mapped has had.
	Peak uint64

	// Free is the part of Mapped in which nothing is allocated and which [FreeMemory] can give back.
	Free uint64

	// Reserved is the size of the heap's address space. Mapped cannot grow beyond it.
	Reserved uint64

	// Limit is what [SetMemoryLimit] was given, in whole slabs of 64 KiB.
	Limit uint64

	// RemoteFrees counts the frees of memory that was allocated on another processor (P).
	RemoteFrees uint64
}

var heapOnce sync.Once

// heapP is the offset of m.p in the runtime's m, or 0 where it is not known. processor reads it.
var heapP uintptr

// StartHeap reserves the address space of the heap and prepares what Rust code asks of the system, on the first call. Generated packages
// that need the heap or the system call it through package heap, before any of their functions can run.
func StartHeap() {
	heapOnce.Do(func() {
		startSystem()
		startHeap()
	})
}

func startHeap() {
	heapP = findP()
	most := heapMost()
	for size := most; size >= heapSmallest; size /= 2 {
		base, strict := reserve(size)
		if base == 0 {
			continue
		}
		if size < most {
			// There is a limit on the address space of the process, of which Go's own heap needs its part.
			unreserve(base+size/2, size/2)
			size /= 2
		}
		if heapStart(uint(base), uint(size), strict) {
			trimAfterCollections()
			objectMade = collectAfterGrowth
		}
		return
	}
	// Without address space each allocation fails.
}

// ReadMemStats fills in stats. The numbers are those of a moment each: what other goroutines do meanwhile may count in some and not in
// others.
func ReadMemStats(stats *MemStats) {
	var n [13]uint64
	heapStats(&n) // in the order of crates/heap/src/stats.rs
	*stats = MemStats{
		Live: n[0], LiveObjects: n[1], TotalAlloc: n[2], Mallocs: n[3], Frees: n[5],
		Mapped: n[6] + n[8], Peak: n[7], Free: n[8], Reserved: n[9], Limit: n[10], RemoteFrees: n[11],
	}
}

// SetMemoryLimit limits the memory of the Rust heap, in bytes. An allocation that would need more fails, which most Rust code turns into a
// panic. What is allocated already stays. The heap's own tables, less than a hundredth of it, do not count. math.MaxUint64 lifts the limit.
func SetMemoryLimit(bytes uint64) { heapLimit(uint(min(bytes, 1<<62))) }

// FreeMemory gives free memory of the Rust heap back to the operating system.
//
// The heap does so by itself after each second collection of Go's garbage collector for what was not used since, and at once where more
// than 64 MiB are free.
func FreeMemory() { heapTrim(0) }

// trimAfterCollections gives back memory that was free over two collections. An object without references tells when there was one.
func trimAfterCollections() {
	type sentinel struct{ _ [16]byte }
	var free uint64
	var again func(*sentinel)
	again = func(*sentinel) {
		var stats MemStats
		ReadMemStats(&stats)
		if unused := min(free, stats.Free); unused > heapSmallest {
			heapTrim(uint(stats.Free - unused))
			stats.Free -= unused
		}
		free = stats.Free
		runtime.SetFinalizer(new(sentinel), again)
	}
	runtime.SetFinalizer(new(sentinel), again)
}

// What collectAfterGrowth goes by.
var growth struct {
	objects   atomic.Uint32 // made so far
	look      atomic.Uint32 // with so many it looks at the heap again
	at        atomic.Uint64 // with more bytes live in the Rust heap, and growthLeast, it asks for a collection
	isRunning atomic.Bool   // a collection that it has asked for
}

const growthLeast = 32 << 20 // bytes that may be live in any case

// collectAfterGrowth asks for a collection if the Rust heap has doubled since the last one. What lies there is of objects that only Go's collector
// can find to be garbage, and it knows nothing of their size: an object takes some 100 bytes of Go's memory.
func collectAfterGrowth() {
	made := growth.objects.Add(1)
	if int32(made-growth.look.Load()) < 0 || growth.isRunning.Load() {
		return
	}
	var stats MemStats
	ReadMemStats(&stats)
	at := max(growthLeast, growth.at.Load())
	if stats.Live <= at {
		// To look takes as long as several objects do. The next time is when there may be too much, if an object is eight allocations of the mean size.
		object := 8 * max(stats.Live/max(stats.LiveObjects, 1), 1)
		growth.look.Store(made + uint32(min(max((at-stats.Live)/object, 16), 1024)))
		return
	}
	if !growth.isRunning.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer growth.isRunning.Store(false)
		runtime.GC()
		// Now the values are dropped, by goroutines of the runtime's: until there is no more of it.
		live := HeapLive()
		for range 100 {
			time.Sleep(time.Millisecond)
			now := HeapLive()
			if now >= live {
				break
			}
			live = now
		}
		growth.at.Store(2 * live)
	}()
}

// HeapLive returns [MemStats.Live]. A test that calls it before and after finds leaks. What the first call leaves may stay by intent: statics,
// and on each thread its thread-local variables.
//
//	call()
//	before := rt.HeapLive()
//	call()
//	if after := rt.HeapLive(); after > before {
//		t.Errorf("%d bytes of Rust's are left behind", after-before)
//	}
func HeapLive() uint64 {
	var stats MemStats
	ReadMemStats(&stats)
	return stats.Live
}

// rustState, thread, processor, commit, release, relax and corrupt are what the Rust code calls: see heap_amd64.s and heap_arm64.s.
func rustState()
func thread()
func processor()
func commit()
func release()
func relax()
func corrupt()

// getg returns the address of the runtime's g.
func getg() uintptr

const gM = 48 // g.m, since Go 1.17: behind stack, two guards, _panic and _defer

// findP returns the offset of m.p, the processor that runs the goroutine: a word soon behind m.curg, which points to g (runtime2.go: two words
// behind in Go 1.24 and 1.25, three in 1.26). It returns 0 if no such word is as it should be: p.id is the number that procPin returns, and p.m
// points back.
func findP() (offset uintptr) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			offset = 0
		}
	}()
	const words = 64
	g := getg()
	m := word(g, gM)
	for at := uintptr(8); at < 8*words; at += 8 {
		if word(m, at) != g {
			continue
		}
		for behind := uintptr(8); behind <= 32; behind += 8 {
			if id := procPin(); isP(word(m, at+behind), m, id) {
				procUnpin()
				return at + behind
			}
			procUnpin()
		}
	}
	return 0
}

// isP says whether the word is the address of a p with this id, which points back to m. It may be anything.
func isP(p, m uintptr, id int) bool {
	if p < 4096 || p%8 != 0 || *(*int32)(pointer(p)) != int32(id) {
		return false
	}
	for back := uintptr(8); back < 8*16; back += 8 {
		if word(p, back) == m {
			return true
		}
	}
	return false
}

func word(base, offset uintptr) uintptr { return *(*uintptr)(pointer(base + offset)) }

// pointer makes a pointer of an address that is none of Go's heap, or whose object somebody else keeps alive, so that go vet has nothing to
// say.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// raiseCorrupt is the end of corrupt. Memory that Rust or C code has overwritten may be anybody's: the process ends.
func raiseCorrupt(kind, address uintptr) {
	message := "rustgo: the Rust heap is corrupt"
	switch kind {
	case 1, 2:
		message = "rustgo: Rust or C code freed or resized a pointer that malloc has not returned"
	case 3:
		message = "rustgo: Rust or C code freed a pointer twice"
	case 4:
		message = "rustgo: Rust or C code wrote to memory after it was freed"
	case 5:
		message = "rustgo: there is no memory for the thread-local variables of Rust or C code"
	case 6:
		message = "rustgo: a call of Rust code has waited 10 s for another thread to wake it (std::thread::park, a channel, or a lock that is not std's, whose holder may have panicked). It cannot be cut off, since others may use its variables"
	}
	var pcs [maxFrames]uintptr
	for _, frame := range rustFrames(pcs[:runtime.Callers(3, pcs[:])]) {
		message += "\n\t" + frame.Function + " (" + frame.File + ":" + strconv.Itoa(frame.Line) + ")"
	}
	go panic(message) // nobody can recover it there
	select {}
}
