// Package nativetest compares a package made by rustgo with the same Rust code, compiled for this machine and run by a separate program.
//
// rustgo build --with-tests writes the test that calls [Run]. The test calls each export with edge cases first and then with random arguments, both
// in the Go package and in the native program. These must agree: results bit for bit, the memory that Rust may write to, the messages and places of
// panics, the texts, types and fields of errors, and the items of iterators. Exports with objects are called in random sequences. Their objects come
// from other exports, or are zero values that are usable objects. An export is left out if neither is possible for one of its objects, and the test's
// log names the export. crates/native/src/protocol.rs describes the protocol between the test and the native program.
//
// The command rustgo native makes the native program; it needs cargo. If rustgo or cargo is missing, the test is skipped with a message.
//
// Flags of the test:
//
//	-rustgo.seed=N        the seed of all arguments; a failure prints it
//	-rustgo.n=N           calls of each export [default 300]
//	-rustgo.skip=A,B      exports to leave out, because their results differ from call to call
//	-rustgo.native=FILE   the native program, made before by rustgo native
//
// The environment variable RUSTGO names the rustgo program if it is not on the PATH.
//
// # What is not compared
//
// The order of a HashMap of Rust's std depends on random keys. If a result differs after a call of an export that may use random keys, the test
// repeats the calls in 20 new native programs, each with other keys. The difference is a failure only if all programs agree. The log counts the
// results that are not compared.
//
// All NaNs count as equal, whatever their sign and payload: Rust does not specify which NaN an operation gives, and compilers differ. The contents
// of memory after a panic are not compared, because the memory may be half-written. If a call does not return in the native program, crashes there,
// or needs too much memory, the test does not make the call in Go, and makes later arguments smaller. The test also leaves out calls that exceed a
// limit that only Go programs have (stack or heap).
package nativetest
