// Package handle makes numbers that stand for Go values, for code that can hold a number but must not hold a Go pointer:
// C, Rust, a file descriptor's user data, a message on a wire that comes back.
//
//	h := handle.New(conn)             // from here on conn stays alive
//	C.start(C.uint64_t(h))            // C keeps the number
//	…
//	conn := handle.Handle(n).Value()  // in a callback, with the number that C passes back
//	…
//	h.Delete()                        // from here on h stands for nothing
//
// # What is guaranteed
//
// A number stands for the one value that it was made for, from New to Delete. No number is given out twice in the life of
// a process. So a handle that was deleted, that was never made, or that is zero never gives another value: [Handle.Value]
// and [Handle.Delete] panic with an [InvalidError], [Handle.Lookup] reports false. This holds for any number, however it
// came about. [Handle.Take] and [Handle.TryDelete] report whether the handle was live.
//
// All functions may be called by any goroutines at the same time. Value, Lookup, New, Delete, TryDelete and Take take effect at one moment,
// and if one call happens before another, as Go's memory model says it, so does its moment. A Value that runs while the
// handle is deleted gives the value or panics. What was written to a value before New is visible to who gets it from
// Value. Foreign code that hands a number from one thread to another must synchronize the two, as for any other data.
//
// Value and Lookup take no lock, allocate nothing and write nothing, so they get no slower when other processors call them
// too. New and Delete take no lock either, except that New takes one each time it needs memory for 1024 more handles.
// Each processor (of GOMAXPROCS) has lists of free numbers of its own, so that most calls of New need no atomic operation
// and most calls of Delete one. Every 64th goes to lists that some processors share; only goroutines that use the same
// one at the same moment get in each other's way. No call has to wait for a goroutine that the scheduler has stopped.
//
// A live handle takes 32 bytes (24 on 32-bit machines), of which 16 are the interface value itself. After Delete the
// value can be garbage collected. The 32 bytes are used again for other handles, and never given back: a process keeps
// what the most handles took that were live at once, and a little more: up to 126 free places may wait on the lists of
// each processor, and up to 1023 in the memory of each shared list. New itself allocates nothing but that memory; but to
// put a value that is not a pointer into an interface allocates, in New's caller.
//
// # Numbers
//
// The upper 32 bits say where the value is kept, the lower 32 bits count how often that place was used, starting at a
// random number. When all 2³² numbers of a place are used up, the place is given up (32 bytes are lost, after half a
// minute at least in which this place was in use all the time). There can be 2³²-1 places, which take 128 GiB; New panics
// when it finds none that is free.
//
// Since the upper half is never 0 and the lower half starts at random, numbers that come about by mistake (small ones, a
// handle cut to 32 bits, addresses, handles of a process before) are invalid for certain if they are less than 2³², and
// otherwise most likely. The numbers are not secret: whoever has one can guess others. They protect from mistakes, not from malice.
//
// A handle has 64 bits on all machines. In C it is a uint64_t. Where pointers have 64 bits it may also travel as a
// uintptr_t or in the place of a void* that nobody follows; convert it through uintptr, never to unsafe.Pointer, which
// Go's garbage collector would follow. Where pointers have 32 bits it does not fit, and a handle cut to its lower half is
// always invalid. In Rust it is rustgo::Handle.
//
// # Leaks
//
// A handle that is not deleted keeps its value alive for ever. [Len] and [All] show what is live, and [AssertNone] makes a test fail
// that leaves handles behind. When the environment
// variable RUSTGODEBUG holds handles=1 as the program starts, the stack of each New is kept until Delete, and [WriteLive]
// tells where the live handles were made. New and Delete are slow then, and take a lock.
//
// # What this rests on
//
// The standard library only, no cgo, no assembly.
//
// On amd64, without the race detector, an interface is written and read by ordinary loads and stores where the memory
// model of Go asks for atomic ones; words_plain.go says why that is right there, and the tests would show it if it were
// not. Everywhere else all accesses that may meet are atomic. There it is relied on that an interface is two pointers, as
// sync/atomic.Value does.
//
// With Go 1.24 to 1.27, without the race detector, two functions of package runtime are linked by name: procPin and
// procUnpin, which it keeps for such use (go.dev/issue/67401). With a later Go, until it has been looked at, New and
// Delete use the shared lists alone: all guarantees hold, and both take longer.
//
// The tests compare with a model, go through all interleavings of a few goroutines up to some preemptions, and hammer the
// package on all processors. A billion calls take some minutes:
//
//	go test -run Hammer -timeout 20m rustgo.dev/go/handle -handle.operations=1000000000
package handle
