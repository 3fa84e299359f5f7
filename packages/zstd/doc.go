// Package zstd compresses and decompresses with the official C library of Zstandard, from the Rust crate zstd.
//
// [AppendCompress] and [AppendDecompress] work on whole messages and append to a slice. The methods of [Dict] do the same with a dictionary.
// Several goroutines may call these functions and methods at once.
//
// [Encoder] and [Decoder] work on streams, in memory that does not grow with the stream. An Encoder compresses the bytes that are written to
// it. A Decoder decompresses the bytes that it reads from another reader. Both can be used again after Reset, and then allocate nothing.
//
// Errors of the package have the type [Error]. Errors of readers and writers are returned unchanged.
//
// # Memory
//
// The library works in memory outside of Go's heap: some 0.1 MiB to decompress, 1 MiB at level 3, and up to 100 MiB for large input at level 19.
// This memory stays in a pool for the next calls, and is freed after two garbage collections without use. [rustgo.dev/go/rt.HeapLive] returns the
// size of the memory. An open Encoder or Decoder uses such memory, and buffers of 128 KiB or 256 KiB in Go's heap. Close returns both to pools.
//
// # Long calls
//
// A call takes some 3 ms for 1 MiB at level 3, and some 0.5 s at level 19. Go cannot preempt the call. On Linux a call whose input and output
// together exceed 16 KiB counts as a system call for Go's scheduler: other goroutines and the garbage collector run meanwhile. On other systems the
// garbage collector waits for the end of the call. There, divide large input into messages of less than 1 MiB (or less at high levels) and compress
// each by a call. The concatenated results decompress as one message. Encoders and Decoders make calls of 128 KiB.
package zstd

//go:generate rustgo build --crate rust
