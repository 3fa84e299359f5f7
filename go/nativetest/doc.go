// Package nativetest compares a package that rustgo has made with the same Rust code, compiled for this machine and run by a program of its own.
//
// rustgo build --with-tests writes the test that calls [Run]. It calls each export with edge cases first and then with random arguments, in the package and
// natively, and the two must give the same: results bit for bit, the memory that Rust may write to, the messages and places of panics, the texts,
// types and fields of errors, what iterators yield. Exports with objects are called in random sequences, of objects that other exports make or whose zero
// value is one; exports that take others are left out, and the test's log says so. What passes between the test and the native program is described in
// crates/native/src/protocol.rs.
//
// The program is made by rustgo native, which needs rustgo and cargo. Where they are missing the test is skipped, and says so.
//
// Flags of the test:
//
//	-rustgo.seed=N        the seed of all arguments; a failure prints it
//	-rustgo.n=N           calls of each export [default 300]
//	-rustgo.skip=A,B      exports that are left out: those that give other results each time
//	-rustgo.native=FILE   the native program, made before by rustgo native
//
// The environment variable RUSTGO names the rustgo program, where it is not found by its name.
//
// # What is not compared
//
// NaNs are one class, whatever their sign and payload: Rust does not say which NaN an operation gives, and compilers differ. The contents of memory after a
// panic are not compared, since it may be half-written. A call that does not come back natively, crashes there, or wants too much memory, is not
// made in Go: the arguments are left out, and later ones are smaller. The same holds for what Go has a limit for and the native program has not: stack and
// heap.
package nativetest
