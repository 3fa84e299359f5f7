// Package fastcgo calls C functions without cgo's bookkeeping: in some 2 ns instead of some 20 to 40.
//
// cgo tells the scheduler of every call, so that a C function may wait, run long, and call Go. Most calls of small functions need none of this.
// fastcgo switches to the thread's system stack, calls the C function, and switches back. It needs no C compiler and does not use cgo (except on
// machines without assembly, see "Other platforms"). The caller provides the C function: from cgo, a shared library ([OpenLibrary]), or machine code
// made at run time.
//
//	var crc32 = fastcgo.Bind[func(crc uint, p *byte, n uint32) uint](address)
//	sum := crc32(0, &text[0], uint32(len(text)))
//
//	sum := fastcgo.UnsafeCall3Return1(address, 0, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
//
// With cgo the address of a C function f is the value C.f, for example unsafe.Pointer(C.crc32). The linker must know f. So C.f works for functions
// that a header declares or the preamble defines, but not for static functions. For a static function, let another function in the preamble return
// its address.
//
// [OpenLibrary] is dlopen, and [Library.Symbol] is dlsym. On windows and darwin they need no cgo. On linux only the C library can load a library: it
// maps the file, gives every thread the library's thread-local storage, and its own code relies on threads that it made. A program without cgo has no C
// library and makes its threads itself, so OpenLibrary returns an error there. (A program could contain a loader and replace the part of Go's runtime
// that makes threads. fastcgo does not do that, because such a loader would rely on much more of the runtime and of the C library than a call does.)
// In a program with cgo OpenLibrary finds dlopen in the dynamic loader's list of libraries, so neither the package nor its caller needs C code.
//
// # When it may be used
//
// A call is invisible to the scheduler. So the C function must
//
//   - be short: some microseconds. Until it returns, its processor (GOMAXPROCS) runs nothing else, and every garbage collection waits for it.
//     [Watch] finds calls that take too long. For functions that wait or run long use [Blocking], which costs more than a call of cgo, or cgo
//     itself.
//   - not call Go, neither directly nor through a callback, also not in a [Blocking] call. Calling Go ends the process; see below. A function that is
//     bound with [CallsGo] may call Go, in programs with cgo and on windows.
//   - fit into the system stack. Programs with cgo use the operating system's threads, mostly with 8 MiB on linux; without cgo most threads have 16
//     KiB. [NeedStack] states how much stack the function needs, and each call checks this first. [SystemStack] returns the space available.
//   - not keep Go pointers, and not store them anywhere: cgo's rules for passing pointers apply, and nothing checks them.
//   - tolerate signals. Go interrupts long-running goroutines with a signal (SIGURG), also in C: a waiting system call, such as sleep, returns
//     early with EINTR.
//   - return normally. It must not longjmp past the call, let a C++ exception or Rust panic escape, or end the thread.
//
// # Bind and the UnsafeCall functions
//
// [Bind] makes a typed Go function, once. A call of this function uses no reflection and, without strings, does not allocate. Parameters and the
// result may be integers of any size, bool, float32, float64, pointers, unsafe.Pointer, strings and named types with one of these underlying types:
// up to 12 parameters that are not floats and up to 8 floats. Small integers are extended as the platform's C calling convention requires. Structs by
// value, slices, and C functions with variable arguments are not supported. The compiler cannot see into a func value. So if the address of a
// variable is passed to a func value, the variable is on the heap.
//
// A string is a char * in C:
//
//   - An argument is copied, with a NUL byte at its end. The copy belongs to Go and is valid until the C function returns: C must not keep or free
//     it. C may write to the copy, which does not change the Go string. A string with a NUL byte makes the call panic before it reaches C. "" is an
//     empty string in C; for NULL use a *byte. A call allocates once, for all its strings.
//   - A result is copied from memory that stays C's, and NULL becomes "". fastcgo frees nothing. So a string is right for text that C keeps: a
//     constant, a part of an argument, or a buffer of the library. If the caller must free the text, let the result be an unsafe.Pointer. The copy is
//     made soon after C has returned, when other goroutines may have run on the thread. So if each thread has a buffer of its own for the text, lock
//     the goroutine to its thread (runtime.LockOSThread).
//
// A second result of type syscall.Errno is the errno of the call, on windows the result of GetLastError:
//
//	var open = fastcgo.Bind[func(path string, flags int32) (int32, syscall.Errno)](address)
//
// The errno is read on the thread of the call before other code can run there. The call sets errno to 0 first, so the result is 0 if C does not set
// errno. As always with errno, the value has a meaning only if C's own result reports a failure. If syscall.Errno is the only result, it is C's
// result. On linux the package finds errno in the list of the dynamic loader, if the program has cgo and is not linked statically; on darwin the
// linker finds it. In other programs, and for another C library, [ErrnoFunc] states the function that returns errno's address. Bind panics if errno
// is not known.
//
// The functions UnsafeCall0 to UnsafeCall6Return1 take integers. If the argument list converts the address of a variable, as in
// uintptr(unsafe.Pointer(&x)), the variable stays in place and alive until the call returns, even on the goroutine's stack. This is rule (4) of
// unsafe.Pointer, for functions in assembly.
//
// Nothing checks Go types against C types. A wrong signature is undefined behaviour.
//
// # What is guaranteed
//
//   - The C function runs on the system stack of the thread that runs the goroutine. The stack is aligned to 16, and the arguments are where System
//     V (amd64), Microsoft's x64 convention, AAPCS64 or Apple's variant of AAPCS64 requires them.
//   - Signals may arrive at any instruction: for preemption, the profiler, or other reasons. CPU profiles attribute the time in C to
//     fastcgo.CFunction, called by the Go function that made the call. Every sample includes this caller, except on windows, where samples in the
//     few instructions before and after C lack it.
//   - A fault in C ends the process with Go's report; its traceback names the Go caller. The fault cannot be recovered.
//   - A call of Go from C ends the process: "fatal error: exitsyscall: syscall frame is no longer valid", with fastcgo.CFunction and its Go caller
//     in the traceback; from a blocking call, "fatal error: fastcgo: the C function called Go". A thread made by C may call Go as usual. Go code that
//     C calls through cgo may make calls of fastcgo.
//   - The garbage collector moves nothing while C runs, and the goroutine's stack does not move before C has returned.
//   - The bits of values do not change, not even signalling NaNs. If a result is smaller than a register, the call ignores the other bits of the
//     register.
//
// The race detector does not see what C reads and writes, nor any order between calls.
//
// # Supported Go versions, and assumptions
//
// Supported systems are linux with Android, darwin and windows, on amd64 and arm64, with Go 1.24.6 to 1.27. The tests run on linux on both machines
// (arm64 in an emulator), as a program, position-independent, as a C library and as a plugin, with -race and -asan; and on windows/amd64 under Wine,
// which does not show the report of a fault in a library. The code for darwin, windows/arm64 and android/arm64 is only compiled, vetted and linked;
// the places of arguments in their conventions are tested on the other systems, against the places that LLVM assigns.
//
// The package reads and writes fields of the runtime's structures g and m: the system stack's saved SP, and the fields that the runtime's own calls
// of the vDSO set for the profiler. The offsets for each version of Go come from the compiler's debugging information, and a test reads them there
// again.
//
// At start-up the package checks the offsets against the structures of the running program: m points back to g, stack pointers are within the bounds
// of their stacks, a flag changes in a system call, a count rises when a thread is locked. The version's name only selects the offsets to check. So
// with an experiment, a vendor's Go or a development version, calls are direct if the check succeeds. Go 1.24.6 moved some fields, so earlier patch
// releases of 1.24 are not supported. The assembly names no symbol of the runtime. By go:linkname the package uses cgocall, entersyscall,
// exitsyscall, iscgo, cgoNoCallback and nanotime, which the linkers of these versions allow.
//
// With an unsupported Go version, or if the check fails, calls are made in cgo's way (runtime.cgocall). They are slower but correct, and the program
// prints one notice on standard error. Such calls may run long, stack needs are not checked, and a call of a bound function allocates. C may call Go,
// with two exceptions. From a [Blocking] call, calling Go ends the process. From an UnsafeCall function with a fixed number of arguments, the result
// may overwrite memory if the goroutine's stack grows. On linux and darwin a program without cgo cannot make calls in this way: its calls panic with
// a message that says how to build the program. [Direct] reports in which way calls are made. The environment variable FASTCGO=cgo selects cgo's way,
// for comparisons or to search for a fault.
//
// On linux/arm64 and android/arm64 without cgo, the runtime's signal handlers rely on a register that C uses. In such programs each call makes two
// system calls, to block and unblock signals. [Direct] then returns false, and a fault in C kills the process without a report.
// syscall.AllThreadsSyscall, and functions that use it such as syscall.Setgid, wait for all threads, so during a [Blocking] call they stop the
// program until the C function returns.
//
// # Other platforms
//
// On all other systems and machines that have cgo, every call is a plain call of cgo, and building the package needs a C compiler. The functions
// and the types of parameters and results are the same. Calls cost more than cgo's, because each call places its arguments. The C functions may run
// long and call Go. [NeedStack], [Blocking] and [Watch] do nothing, [SystemStack] is 0, and [Direct] returns the reason, without a notice.
// Variables whose address is converted in the argument list of an UnsafeCall function are on the heap. On 386 a signalling NaN in a float may
// become quiet. C functions on windows/386 must be __cdecl.
//
// These cgo calls are tested on linux: on riscv64 and s390x in each run of the tests, and on 386, arm (hard and soft floats), ppc64le, mips,
// mipsle, mips64 and mips64le by hand. The code for loong64 follows the specification and was never run. Packages for a machine with another
// calling convention, and programs built with CGO_ENABLED=0, compile, but every call panics with a message that says what is missing.
package fastcgo
