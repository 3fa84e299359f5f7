// Package rt is what packages made by rustgo need at run time: it turns Rust panics into Go panics.
//
// Nobody calls it directly, but tests for [Watch]. A program sees it when Rust code panics: the panic that then unwinds the goroutine is an
// ordinary Go panic whose value is a [*Panic]. Deferred functions run, recover works, and a process that recovers
// nothing prints the message of the Rust panic and a traceback with the Rust frames in it.
//
//	defer func() {
//		if p, ok := recover().(*rt.Panic); ok {
//			log.Printf("%s, at %s:%d", p.Message, p.File, p.Line)
//		}
//	}()
//	q, r := callcost.Divmod(1, 0)
//
// A Rust function that panicked was cut off in the middle, and no Rust destructor has run. What it was writing through
// a pointer or a slice may be half-written; everything else is as it was.
//
// Where Rust faults, as reading address 0 does, Go makes a panic of it, as of a fault in Go. This package puts a handler of SIGSEGV,
// SIGBUS and SIGFPE before Go's when the program starts (on Linux; on Windows, on amd64, one of exceptions), which sees to it that Go finds
// nothing of Rust's in the frame pointer then. A stack that the execution tracer or the profiles of blocking and of mutexes record
// while such a panic is under way, in a deferred function, ends at runtime.sigpanic.
//
// Rust values that Go holds are an [Object] each, of which generated packages define their types. The collector has their values
// dropped. Errors of Rust's are of type [Error] where the package declares no other. What else is exported serves generated code.
//
// For exports with the option `blocking` this package tells Go's scheduler of each call, as package syscall does of system calls (on Linux, with
// Go 1.24 to 1.27). When the program starts it looks for what it needs of the runtime's structures; if that is not there, such calls are
// ordinary ones, and the first of them says so on the standard error stream.
//
// All other calls keep their processor until they come back, and a garbage collection waits for them. In tests of packages made by
// `rustgo build --watch`, [Watch] reports those that last.
package rt
