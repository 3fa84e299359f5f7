// Package rt is the run-time support of packages made by rustgo. It turns Rust panics into Go panics, and holds the Rust heap.
//
// Generated code calls this package. Programs use a few declarations of it: [Panic], [Error], [MemStats] and the functions for the Rust
// heap, [CPULevel], and in tests [Watch].
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
// In a package whose panics do not unwind, a Rust function that panics ends in the middle, and no Rust destructor runs. Memory that it was writing to
// through a pointer or a slice may be half-written.
//
// A fault in Rust code, such as a read of address 0, is a Go panic, as in Go code. When the program starts, this package installs a handler before
// Go's: on Linux for the signals SIGSEGV, SIGBUS and SIGFPE, on Windows on amd64 for exceptions. The handler sets the frame pointer to 0, because
// Rust code may have left any value in this register. So the chain of frame pointers ends at runtime.sigpanic: if the execution tracer or a profile
// records a stack in a deferred function of such a panic, the stack ends there.
//
// Each Rust value that Go holds is an [Object]. When the Object is unreachable, the garbage collector drops the value. Rust errors have the type
// [Error], unless the package declares a type for them.
//
// On Linux, with Go 1.24 to 1.27, this package tells Go's scheduler about each call of an export with the option `blocking`, as package syscall does
// for system calls. When the program starts, this package searches for two fields of the runtime's structures. If it does not find the fields, calls
// of such exports are ordinary calls, and the first of these calls prints a notice to the standard error stream.
//
// All other calls keep their processor until they return, and a garbage collection waits for them. [Watch] reports long calls in tests of packages
// made by `rustgo build --watch`.
package rt
