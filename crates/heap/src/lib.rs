//! A heap for all Rust code of a Go process.
//!
//! Rust code inside a Go program allocates its memory from this crate. The Go program is the host: it reserves address space, starts the heap
//! there, and implements [`System`]. The heap has a *shard* for each P (processor) of Go's scheduler. Go cannot preempt Rust code, so Rust code
//! stays on its P. So only one thread at a time uses a shard, and the shard needs neither locks nor atomic read-modify-write instructions. Code
//! that runs without a P uses one of a few shared shards, each with a lock.
//!
//! | file | |
//! |---|---|
//! | `heap.rs`, `stats.rs` | the interface |
//! | `region.rs` | layout of the address space: metadata, then slabs |
//! | `classes.rs` | size classes of small objects, up to 32 KiB |
//! | `small.rs` | small objects: slabs of 64 KiB, free lists, frees by other shards |
//! | `shard.rs` | the state of a shard |
//! | `arena.rs` | runs of slabs: large objects, memory returned to the system, the limit |
//! | `sync.rs` | synchronization: try-lock, list, counter |
//!
//! The design follows mimalloc (Leijen, Zorn, de Moura: Free list sharding in action, 2019), but keeps metadata outside the slabs, as Go's heap
//! does. So the heap can check a pointer before it dereferences the pointer.
//!
//! # Rules that this crate keeps
//!
//! - No function panics, recurses, or calls through a pointer, and no frame is large, because the machine code becomes part of a Go
//!   package. Release builds have no overflow checks, which could panic; the tests run with overflow checks.
//! - No call blocks on a lock, because the system may have stopped the holder of the lock. Threads only try to take a lock.
//! - A detected error of the program, such as a double free, is reported to [`System::corrupt`], which ends the process.
//!
//! An object that is never freed stays allocated, even after its P is gone.

// Loom checks only `sync.rs`, which tests/loom.rs includes as a module.
#![cfg(not(loom))]
#![no_std]

#[cfg(not(target_pointer_width = "64"))]
compile_error!("rustgo-heap: tags of free objects and the layout of the address space take 64 bits");

mod arena;
mod classes;
mod heap;
mod region;
mod shard;
mod small;
mod stats;
mod sync;

use heap::Block;
pub use heap::{Corruption, Heap, NONE, System};
pub use stats::Stats;
