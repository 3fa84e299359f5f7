// Package translated runs Rust crates that were compiled to WebAssembly and translated to Go: the code of a package made by rustgo on processors
// for which the package has no assembly (fallback = "wasm").
//
// Generated code calls this package. The translated crate has a memory of its own, a slice of bytes. [Begin] starts a call: the Put functions copy
// the arguments to that memory, [Call.Run] runs the code, and the Get functions copy the results to Go's memory. All numbers in the memory are
// little-endian, and addresses have 64 bits, on every processor.
package translated
