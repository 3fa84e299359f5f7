//go:build amd64 || arm64

//lint:file-ignore U1000 assembly uses these declarations

package rt

import (
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"rustgo.dev/go/rt/internal/system"
)

// This file reserves the address space of the Rust heap. Generated code calls malloc and similar functions, which are written in Rust (crates/heap)
// and compiled into rustgo_*.s. These functions need the operating system and Go's scheduler, through functions in heap_*.s.

const (
	heapSmallest = 4 << 20 // smallest number of bytes of address space for which there is a heap

	// The size and alignment of the variables of crates/rt, in bytes: SIZE and ALIGN of crates/rt/src/state.rs.
	stateSize  = 8192
	stateAlign = 128
)

// state holds the variables of crates/rt, at the first address that is a multiple of stateAlign. At the start all bytes are zero. state is a Go
// variable, because a Go variable exists once for a program and its plugins. Static data of assembly would exist once in the program and once in each
// plugin.
var state [stateSize + stateAlign]byte

// MemStats describes the Rust heap. All packages made by rustgo that use this package share one heap.
type MemStats struct {
	// Live is the number of bytes that Rust has allocated and not freed. Each allocation counts with the size that it occupies.
	Live uint64

	// LiveObjects is the number of live allocations.
	LiveObjects uint64

	// TotalAlloc and Mallocs count the bytes and the allocations since the program started. Frees counts the allocations that were freed.
	TotalAlloc, Mallocs, Frees uint64

	// Mapped is the number of bytes that the heap has taken from the operating system and not given back: live bytes, and free bytes
	// for later allocations. It includes bytes that have never been accessed.
	Mapped uint64

	// Peak is the largest value that Mapped has had.
	Peak uint64

	// Free is the part of Mapped without allocations, which [FreeMemory] can give back.
	Free uint64

	// Reserved is the size of the heap's address space. Mapped cannot grow beyond it.
	Reserved uint64

	// Limit is the limit set by [SetMemoryLimit], rounded down to a multiple of 64 KiB.
	Limit uint64

	// Tasks is the number of stacks of tasks, in use and idle. Their memory belongs to neither Go nor the Rust heap. A stack that no call has used
	// during two garbage collections goes back to the operating system.
	Tasks uint64

	// RemoteFrees counts the frees of memory that was allocated on another processor (P).
	RemoteFrees uint64
}

var heapOnce sync.Once

// heapP is the offset of the field p in the runtime's struct m, or 0 if the offset is not known. The function processor reads heapP.
var heapP uintptr

// virtualAlloc and virtualFree are the addresses of VirtualAlloc and VirtualFree on Windows, and 0 elsewhere. The functions commit and release call
// them.
var virtualAlloc, virtualFree uintptr

// StartHeap reserves the address space of the heap and prepares the system's functions for Rust code. Only the first call has an effect. Generated
// packages that need the heap or the system call StartHeap through package heap, before any of their functions can run.
func StartHeap() {
	heapOnce.Do(func() {
		startSystem()
		startHeap()
	})
}

func startHeap() {
	heapP = findP()
	virtualAlloc, virtualFree = system.VirtualFunctions()
	most := system.HeapSpace()
	for size := most; size >= heapSmallest; size /= 2 {
		base, strict := system.Reserve(size)
		if base == 0 {
			continue
		}
		if size < most {
			// The process has a limit on its address space. Half of the reservation is returned, because Go's own heap needs a part of the address space.
			system.Unreserve(base+size/2, size/2)
			size /= 2
		}
		if heapStart(uint(base), uint(size), strict, uint(uintptr(unsafe.Pointer(&panicLock)))) {
			processors.Store(int64(runtime.GOMAXPROCS(0)))
			trimAfterCollections()
			objectMade = collectAfterGrowth
		}
		return
	}
	// If no address space could be reserved, the heap is not started, and each allocation fails.
}

// ReadMemStats sets the fields of stats. It reads the numbers one after another, so an allocation by another goroutine meanwhile may count in only
// some of them.
func ReadMemStats(stats *MemStats) {
	var n [13]uint64
	heapStats(&n) // the numbers are in the order of crates/heap/src/stats.rs
	*stats = MemStats{
		Live: n[0], LiveObjects: n[1], TotalAlloc: n[2], Mallocs: n[3], Frees: n[5],
		Mapped: n[6] + n[8], Peak: n[7], Free: n[8], Reserved: n[9], Limit: n[10], RemoteFrees: n[11],
		Tasks: uint64(tasks.live.Load()),
	}
}

// SetMemoryLimit limits the memory of the Rust heap, in bytes. An allocation beyond the limit fails, and most Rust code then panics. Earlier
// allocations stay valid. The heap's own tables, less than 1 % of the heap, do not count. While Rust code makes a panic, the heap may take 2 MiB
// more, so that the panic of a failed allocation can unwind. math.MaxUint64 removes the limit.
func SetMemoryLimit(bytes uint64) {
	StartHeap() // an init function that runs before the init function of package heap may call SetMemoryLimit
	heapLimit(uint(min(bytes, 1<<62)))
}

// FreeMemory gives free memory of the Rust heap back to the operating system. If one processor (P) allocated memory and another freed it, the memory
// becomes free only when the first processor allocates again, or after runtime.GOMAXPROCS has removed the first processor.
//
// The heap also gives memory back by itself. After a garbage collection it gives back memory that was already free at the preceding collection. If
// more than 64 MiB are free, the heap gives memory back at once.
func FreeMemory() { trim(0) }

// processors is the value of GOMAXPROCS that trim has seen last.
var processors atomic.Int64

// trim gives free memory of the Rust heap back to the operating system, except for about keep bytes. It also takes the memory of the processors (Ps)
// that runtime.GOMAXPROCS has removed.
func trim(keep uint) {
	// GOMAXPROCS cannot change while this goroutine is pinned to its P. So no P whose memory heapTrim takes can start meanwhile.
	ended := uint(math.MaxInt64)
	if procPin() >= 0 {
		processors.Store(int64(runtime.GOMAXPROCS(0)))
		ended = uint(processors.Load())
	}
	heapTrim(keep, ended)
	procUnpin()
}

// trimAfterCollections makes the heap return memory that was free over two collections.
func trimAfterCollections() {
	var free uint64
	afterCollections(func() {
		var stats MemStats
		ReadMemStats(&stats)
		if unused := min(free, stats.Free); unused > heapSmallest {
			trim(uint(stats.Free - unused))
			stats.Free -= unused
		} else if int64(runtime.GOMAXPROCS(0)) < processors.Load() {
			trim(uint(stats.Free))
		}
		free = stats.Free
	})
}

// growth is the state of the function collectAfterGrowth.
var growth struct {
	look      atomic.Uint32 // collectAfterGrowth reads the statistics again after the object with this number
	at        atomic.Uint64 // a collection starts when the number of live bytes in the Rust heap exceeds max(at, growthLeast)
	isRunning atomic.Bool   // true while the goroutine of collectAfterGrowth runs
	waiting   atomic.Int64  // the number of unreachable values that a Thread has not yet dropped
}

const growthLeast = 32 << 20 // number of bytes that may be live without a collection

// collectAfterGrowth starts a garbage collection if the Rust heap has doubled since the last collection. Go's collector alone would start too late:
// it knows only the roughly 100 bytes of an object in Go's memory, not the size of the Rust value that the object keeps alive. made is the number of
// objects made since the start.
func collectAfterGrowth(made uint32) {
	if int32(made-growth.look.Load()) < 0 || growth.isRunning.Load() {
		return
	}
	var stats MemStats
	ReadMemStats(&stats)
	at := max(growthLeast, growth.at.Load())
	if stats.Live <= at {
		// Reading the statistics takes as long as making several objects. So the next reading happens only when new objects may have filled the heap
		// up to at. The estimate assumes eight allocations of the mean size for each object.
		object := 8 * max(stats.Live/max(stats.LiveObjects, 1), 1)
		growth.look.Store(made + uint32(min(max((at-stats.Live)/object, 16), 1024)))
		return
	}
	if !growth.isRunning.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer growth.isRunning.Store(false)
		watchRecent() // the collection does not find objects of the table recent
		runtime.GC()
		// After the collection, other goroutines drop the unreachable values. This loop waits until the heap no longer shrinks.
		live := HeapLive()
		for range 100 {
			time.Sleep(time.Millisecond)
			now := HeapLive()
			if now >= live && growth.waiting.Load() == 0 {
				break
			}
			live = min(live, now)
		}
		// While a Thread has values to drop, most of the heap may be garbage. So the present size of the heap must not decide when the next
		// collection starts.
		if growth.waiting.Load() == 0 {
			growth.at.Store(2 * live)
		}
	}()
}

// HeapLive returns [MemStats.Live]. A test finds leaks by comparing the results of HeapLive before and after a call. The first call of a function
// may allocate memory that is never freed: for statics once, and for thread-local variables once on each thread.
//
//	call()
//	before := rt.HeapLive()
//	call()
//	if after := rt.HeapLive(); after > before {
//		t.Errorf("the call leaks %d bytes of the Rust heap", after-before)
//	}
func HeapLive() uint64 {
	var stats MemStats
	ReadMemStats(&stats)
	return stats.Live
}

// Rust code calls rustState, processor, commit, release and relax, which are in heap_amd64.s and heap_arm64.s.
func rustState()
func processor()
func commit()
func release()
func relax()

// getg returns the address of the runtime's struct g for this goroutine.
func getg() uintptr

const gM = 48 // offset of g.m since Go 1.17, after stack, two guards, _panic and _defer

// findP returns the offset of the field m.p, which points to the processor (P) that runs the goroutine, or 0 if the offset is not found. The scheduler
// may take the P from the goroutine at any time before procPin, and then one search finds nothing. So findP repeats the search.
func findP() uintptr {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range 100 {
		if offset := searchP(getg(), word(getg(), gM)); offset != 0 {
			return offset
		}
		runtime.Gosched()
	}
	return 0
}

// searchP searches the runtime's struct m for the field m.p. In Go 1.24 and 1.25 the field m.curg, which points to g, lies two words before m.p, and
// in Go 1.26 three words (runtime2.go). searchP accepts a word as m.p if it points to a struct whose id is the result of procPin and whose field m
// points back. It returns 0 if there is no such word.
func searchP(g, m uintptr) uintptr {
	const words = 64
	for at := uintptr(8); at < 8*words; at += 8 {
		if word(m, at) != g {
			continue
		}
		for after := uintptr(8); after <= 32; after += 8 {
			// isP examines the word before procPin, because Go cannot recover from a fault while the goroutine is pinned.
			guess := word(m, at+after)
			if !isP(guess, m) {
				continue
			}
			id := procPin()
			found := word(m, at+after) == guess && *(*int32)(pointer(guess)) == int32(id)
			procUnpin()
			if found {
				return at + after
			}
		}
	}
	return 0
}

// isP reports whether p is the address of memory in which a word points back to m, as the field m of the runtime's struct p does. p may be any
// number: a fault means no.
func isP(p, m uintptr) (found bool) {
	if p < 4096 || p%8 != 0 {
		return false
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			found = false
		}
	}()
	for back := uintptr(8); back < 8*16; back += 8 {
		if word(p, back) == m {
			return true
		}
	}
	return false
}

func word(base, offset uintptr) uintptr { return *(*uintptr)(pointer(base + offset)) }
