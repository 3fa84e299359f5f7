// Package handle makes numbers that identify Go values. Use such a number where a Go pointer is not allowed: in C or Rust code, in the user data of a
// file descriptor, or in a network message whose answer repeats the number.
//
//	h := handle.New(conn)             // from here on conn stays alive
//	C.start(C.uint64_t(h))            // C keeps the number
//	…
//	conn := handle.Handle(n).Value()  // in a callback, with the number that C passes back
//	…
//	h.Delete()                        // from here on h is invalid
//
// # What is guaranteed
//
// From New to Delete, a number identifies the one value for which it was made. New never returns the same number twice in a process. So a handle that
// was deleted or never made, and the zero handle, never give a value: [Handle.Value] and [Handle.Delete] panic with an [InvalidError], and
// [Handle.Lookup] reports false. This holds for any number, wherever it came from. [Handle.Take] and [Handle.TryDelete] report whether the handle was
// live.
//
// Any goroutines may call all functions at the same time. Value, Lookup, New, Delete, TryDelete and Take are atomic: each takes effect at one moment.
// If a call happens before another call, as Go's memory model defines it, the first call takes effect first. A Value that runs while the handle is
// deleted returns the value or panics. A goroutine that gets the value from Value sees everything written to the value before New. Foreign code that
// passes a number from one thread to another must synchronize the two threads, as for any other data.
//
// Value and Lookup take no lock, allocate nothing and write nothing, so calls on other processors do not slow them down. New and Delete take no
// lock, with one exception: New takes a lock when it needs memory for 1024 more handles. Each processor (of GOMAXPROCS) has its own lists of free
// numbers, so most calls of New need no atomic operation and most calls of Delete need one. About every 64th call uses lists that some processors
// share. Only goroutines that use the same shared list at the same moment delay each other. No call waits for a goroutine that the scheduler has
// stopped.
//
// A live handle takes 32 bytes (24 on 32-bit machines); 16 of them are the interface value. After Delete the value can be garbage collected. The 32
// bytes are used again for other handles and are never freed: a process keeps the memory of the largest number of handles that were live at once, and
// a little more. Up to 126 free places of 32 bytes may wait on the lists of each processor, and up to 1023 in the memory of each shared list. New
// allocates no other memory. Putting a value that is not a pointer into an interface allocates too, in New's caller.
//
// # Numbers
//
// The upper 32 bits are the index of the place that keeps the value. The lower 32 bits count the uses of this place, starting at a random number.
// When all 2³² numbers of a place are used up, the place is abandoned, and its 32 bytes are lost. Even a place whose handle is made and deleted
// without a pause lasts at least half a minute. There can be 2³²-1 places, which take 128 GiB; New panics when it finds no free place.
//
// The upper half is never 0 and the lower half starts at random. So a number made by mistake (a small number, a handle cut to 32 bits, an address,
// a handle of an earlier process) is certainly invalid if it is less than 2³², and otherwise very likely invalid. The numbers are not secret: code
// that has a number can guess other numbers. The numbers protect against mistakes, not against malice.
//
// A handle has 64 bits on all machines. In C it is a uint64_t, and in Rust a rustgo::Handle. Where pointers have 64 bits, a handle may also be
// passed as a uintptr_t, or as a void* that is never dereferenced. Convert the handle through uintptr, never to unsafe.Pointer, because Go's
// garbage collector would follow that pointer. Where pointers have 32 bits, a handle does not fit, and a handle cut to its lower half is always
// invalid.
//
// # Leaks
//
// A handle that is not deleted keeps its value alive for ever. [Len] and [All] show the live handles. [AssertNone] fails a test that leaves handles
// live. If the environment variable RUSTGODEBUG holds handles=1 when the program starts, the stack of each New is kept until Delete, and
// [WriteLive] writes where the live handles were made. New and Delete are slow then, and take a lock.
//
// # What this rests on
//
// The package uses only the standard library, no cgo and no assembly.
//
// On amd64 without the race detector, interface values are written and read by ordinary loads and stores, although Go's memory model requires
// atomic operations. words_plain.go explains why this is correct there, and the tests fail if it is not. In all other builds all concurrent
// accesses are atomic. They rely on the layout of an interface as two pointers, as sync/atomic.Value does.
//
// With Go 1.24 to 1.27 without the race detector, the package uses two functions of package runtime by linkname: procPin and procUnpin. The runtime
// keeps them for such use (go.dev/issue/67401). With a later, unverified Go version, New and Delete use only the shared lists: all guarantees hold,
// but both functions take longer.
//
// The tests compare the package with a model, try all interleavings of a few goroutines with a limited number of preemptions, and run the package on
// all processors at once. This command makes a billion calls and takes some minutes:
//
//	go test -run Hammer -timeout 20m rustgo.dev/go/handle -handle.operations=1000000000
package handle
