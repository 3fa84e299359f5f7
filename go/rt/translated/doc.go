// Package translated runs Rust crates that were compiled to WebAssembly and then translated to Go. With the option fallback = "wasm", packages made
// by rustgo use such code on processors for which they have no assembly.
//
// Generated code calls this package. The translated crate has a memory of its own, a slice of bytes. [Begin] starts a call: the Put functions copy
// the arguments to that memory, [Call.Run] runs the code, and the Get functions copy the results to Go's memory. All numbers in the memory are
// little-endian, and addresses have 64 bits, on every processor.
package translated
