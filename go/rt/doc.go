// Package rt is the run-time support of packages made by rustgo. It turns Rust panics into Go panics, and holds the Rust heap.
//
// Generated code calls this package. Programs use only a few declarations of package rt: [Panic], [Error], [MemStats] and the functions for the Rust
// heap, [CPULevel], and in tests [Watch] and [StackUsed].
//
// A Rust panic unwinds the goroutine as an ordinary Go panic whose value is a [*Panic]. Deferred functions run, recover works, and a process
// that does not recover prints the message of the Rust panic and a traceback with the Rust frames.
//
//	defer func() {
//		if p, ok := recover().(*rt.Panic); ok {
//			log.Printf("%s, at %s:%d", p.Message, p.File, p.Line)
//		}
//	}()
//	q, r := callcost.Divmod(1, 0)
//
// In a package whose panics do not unwind, a Rust function that panics ends in the middle, and no Rust destructor runs. If the function was writing
// to memory of the caller through a pointer or a slice, this memory may be half-written.
//
// A fault in Rust code, such as a read of address 0, is a Go panic, as in Go code. When the program starts, this package installs a handler before
// Go's: on Linux for the signals SIGSEGV, SIGBUS and SIGFPE, on Windows on amd64 for exceptions. Rust code may have left any value in the frame
// pointer register, so the handler sets this register to 0. The chain of frame pointers then ends at runtime.sigpanic. If the execution tracer or a
// profile records a stack in a deferred function of such a panic, the recorded stack ends at runtime.sigpanic.
//
// Each Rust value that Go holds is an [Object]. When the Object is unreachable, the garbage collector drops the value. Rust errors have the type
// [Error], unless the package declares a type for them.
//
// On Linux, with Go 1.24 to 1.27, this package tells Go's scheduler about each call of an export with the option `blocking`, as package syscall does
// for system calls. When the program starts, this package searches for two fields of the runtime's structures. If it does not find the fields, calls
// of such exports are ordinary calls, and the first of these calls prints a notice to the standard error stream.
//
// All other calls of Rust code keep their processor until they return, and a garbage collection waits for them. [Watch] reports long calls in tests
// of packages made by `rustgo build --watch`.
package rt
