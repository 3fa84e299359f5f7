// Package fastcgo calls C functions without cgo's bookkeeping: in some 2 ns instead of some 20 to 40.
//
// cgo tells the scheduler of every call, so that a C function may wait, last, and call Go. Most calls of small functions need none of
// that. This package switches to the thread's system stack, calls, and switches back. For that it needs no C compiler and does not use
// cgo itself (on machines without assembly it does, see below); where the C function comes from (cgo, a shared library, machine code
// made at run time) is the caller's affair.
//
//	var crc32 = fastcgo.Bind[func(crc uint, p *byte, n uint32) uint](address)
//	sum := crc32(0, &text[0], uint32(len(text)))
//
//	sum := fastcgo.UnsafeCall3Return1(address, 0, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
//
// With cgo the address of a function is C.f as a value: unsafe.Pointer(C.crc32). The linker must know f, so it works for what a header
// declares and what the preamble defines, but not as static; of a static function let another one in the preamble return the address.
//
// # When it may be used
//
// A call is invisible to the scheduler. So the C function must
//
//   - be short: some microseconds. Until it returns, its processor (GOMAXPROCS) runs nothing else, and every garbage collection
//     waits for it. [Watch] finds calls that overstay. What waits or lasts takes [Blocking], which costs more than a call of cgo, or cgo.
//   - not call Go, neither directly nor through a callback, also not in a [Blocking] call. That ends the process; see below.
//   - be content with the system stack. Programs with cgo have the operating system's threads, mostly 8 MiB on linux; without cgo
//     most threads have 16 KiB. [NeedStack] states what is needed, and is checked before the call. [SystemStack] tells what there is.
//   - not keep Go pointers, and not store them anywhere: cgo's rules for passing pointers hold here too, and nothing checks them.
//   - bear signals. Go stops goroutines that run long with one (SIGURG), also those that are in C: a system call that waits, such as
//     sleep, comes back early with EINTR.
//   - return by returning: no longjmp over it, no C++ exception or Rust panic out of it, no end of the thread.
//
// # Bind and the UnsafeCall functions
//
// [Bind] makes a typed Go function, once; a direct call of it involves no reflection and does not allocate. Parameters and the result may
// be integers of any size, bool, float32, float64, pointers, unsafe.Pointer and named types of these: up to 12 that are not floats
// and 8 that are. Small integers are extended as the C calling convention of the platform wants it. Structs by value, strings,
// slices, and C functions with a varying number of arguments are not possible. Since the compiler cannot see what a func value
// does, variables whose address is passed to one live on the heap.
//
// The functions UnsafeCall0 to UnsafeCall6Return1 take words, as the field knows them. Variables whose address is converted in
// the argument list, uintptr(unsafe.Pointer(&x)), stay where they are and alive until the call returns, even on the goroutine's stack:
// unsafe.Pointer's rule (4) for functions in assembly.
//
// No Go type is checked against C. A wrong signature is undefined behaviour.
//
// # What is guaranteed
//
//   - The C function runs on the system stack of the thread that runs the goroutine, with the stack aligned to 16, and with the
//     arguments where System V (amd64), Microsoft's x64 convention, AAPCS64 or Apple's variant of it wants them.
//   - Signals may arrive at any instruction: for preemption, the profiler, or other reasons. In CPU profiles the time spent in C is
//     that of fastcgo.CFunction, called by the Go function that made the call. No sample lacks that caller, except on windows: there
//     it does if it falls into the few instructions before and behind C.
//   - A fault in C ends the process with Go's report, whose traceback names the Go caller. It cannot be recovered.
//   - A call of Go from C ends the process: "fatal error: exitsyscall: syscall frame is no longer valid", with fastcgo.CFunction and its
//     Go caller in the traceback; from a blocking call, "fatal error: fastcgo: the C function called Go". A thread that C made may call
//     Go as always. Calls may be made by Go that C called, through cgo.
//   - The garbage collector moves nothing while C runs, and the goroutine's stack does not move before C has returned.
//   - Bits stay as they are: those of floating-point numbers too, signalling NaNs included. Of a result that is smaller than a
//     register, only its own bits are looked at.
//
// The race detector sees nothing of what C reads and writes, and no order between calls.
//
// # Which Go, and what is assumed
//
// Linux with Android, darwin and windows, on amd64 and arm64, with Go 1.24.6 to 1.27. Tested by running: linux on both (arm64 in an emulator),
// as a program, position-independent, as a C library and as a plugin, with -race and -asan; windows/amd64 under Wine, where the
// report of a fault in a library cannot be seen. darwin, windows/arm64 and android/arm64 are compiled, vetted and linked; where their conventions
// put arguments is tested on the others, against the places that LLVM gives them.
//
// The package reads and writes fields of the runtime's structures g and m: the system stack's saved SP, and what
// the runtime's own calls of the vDSO set for the profiler. Their places are known for each version of Go from the compiler's
// debugging information, which a test reads again; at start-up they are checked against the structures of the running program
// (pointers that lead back, stack pointers within bounds, a flag that changes in a system call, a count that goes up as a thread is locked).
// A version's name says which places to check, and no more: with an experiment, a vendor's Go or a development version, calls are direct if
// the check succeeds.
// Go 1.24.6 moved some of them, so earlier patch releases of 1.24 are not known. No symbol of the runtime
// is named in assembly. From Go it pulls, by go:linkname, cgocall, entersyscall, exitsyscall, iscgo, cgoNoCallback and nanotime,
// which the linkers of these versions allow.
//
// With a Go that is not known, or if the check fails, calls go the way of cgo (runtime.cgocall): slower, right, and said once on
// standard error. They then may last and call back, and stack needs are not checked. A program that has no cgo has no such way on
// linux and darwin; calls panic there, and the text says what to build otherwise. [Direct] tells which it is, and the environment
// variable FASTCGO=cgo chooses cgo's way, to compare or to look for a fault.
//
// On linux/arm64 and android/arm64 without cgo the runtime's signal handlers trust a register that C uses. There signals are blocked during a
// call, by two system calls; [Direct] says so too, and a fault in C kills the process without a report.
//
// # Other platforms
//
// On all other systems and machines that have cgo, every call is a plain call of cgo, and the package needs a C compiler to be built.
// The functions are the same, and so are the types of parameters and results. Calls cost more than cgo's, since the arguments are
// placed in each call. They may last and call Go; [NeedStack], [Blocking] and [Watch] do nothing, [SystemStack] is 0 and [Direct] says
// why, without a notice. Variables whose address is converted in the argument list of an UnsafeCall function live on the heap. A float
// that is a signalling NaN may become a quiet one on 386. C functions on windows/386 must be __cdecl.
//
// It is tested by running on linux: with riscv64 and s390x in each run of the tests, and with 386, arm (hard and soft floats),
// ppc64le, mips, mipsle, mips64 and mips64le by hand. loong64 is written by its specification and was never run. A machine whose
// calling convention is not known here, and a program that was built with CGO_ENABLED=0, can be compiled; every call panics, and says
// what is missing.
package fastcgo
