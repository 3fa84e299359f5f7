// Package zstd compresses and decompresses with the official C library of Zstandard, from the Rust crate zstd.
//
// [AppendCompress] and [AppendDecompress] work on whole messages and append to a slice; [Dict] does the same with a dictionary. All
// functions, and the methods of Dict, may be called by many goroutines at once.
//
// [Encoder] and [Decoder] work on streams: an Encoder compresses what is written to it, a Decoder what it reads from another reader, in
// memory that does not grow with the stream. They can be used again ([Encoder.Reset]), and then allocate nothing.
//
// Errors are of type [Error], but for those of readers and writers.
//
// # Memory
//
// The library works in memory outside of Go's heap: some 0.1 MiB to decompress, 1 MiB at level 3, and up to 100 MiB for large input at
// level 19. This memory is kept in a pool for the next calls, and is freed when Go's collector drops it from there, after two collections
// without use. [rustgo.dev/go/rt.HeapLive] says how much there is. An open Encoder or Decoder has such memory, and 128 KiB or 256 KiB of Go's
// for buffers; Close puts both back into pools.
//
// # Long calls
//
// A call takes some 3 ms for 1 MiB at level 3, and some 0.5 s at level 19. Go cannot preempt it. On Linux Go's scheduler is told of calls
// whose input and output hold more than 16 KiB together, as it is of system calls: other goroutines and the collector go on meanwhile.
// Elsewhere the collector waits for the end of the call, so cut large input there into messages of less than 1 MiB, or less at high levels:
// the results of several calls, one behind the other, decompress as one. Encoders
// and Decoders make calls of 128 KiB.
package zstd

//go:generate rustgo build --crate rust
