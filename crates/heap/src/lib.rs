//! One heap for all Rust code of a Go process.
//!
//! Rust code inside a Go program allocates by this crate. The program is the host: it reserves address space, starts the heap with
//! it, and implements [`System`]. The heap has a *shard* for each P of Go's scheduler. Rust code cannot be preempted and stays on its
//! P, so that a shard is used by one thread at a time and needs neither locks nor atomic instructions. Code that runs without a P
//! uses one of a few shards with a lock.
//!
//! | file | |
//! |---|---|
//! | `heap.rs`, `stats.rs` | the interface |
//! | `region.rs` | where everything lies in the address space |
//! | `classes.rs` | size classes of small objects, up to 32 KiB |
//! | `small.rs` | small objects: slabs of 64 KiB, free lists, frees by other shards |
//! | `shard.rs` | the state of a shard |
//! | `arena.rs` | runs of slabs: large objects, what goes back to the system, the limit |
//! | `sync.rs` | what threads share |
//!
//! The design is that of mimalloc (Leijen, Zorn, de Moura: Free list sharding in action, 2019) with metadata outside of the slabs, as
//! in Go's heap, so that a pointer can be checked before anything is read through it.
//!
//! # Rules that this crate keeps
//!
//! - Nothing panics, recurses, or calls through a pointer, and no frame is large: the machine code becomes part of a Go package. Compile
//!   it without overflow checks, as release builds are; the tests run with them.
//! - No call waits for a thread that the system has stopped: all locks are only tried.
//! - Errors of the program that are seen, such as a double free, go to [`System::corrupt`], which ends the process.
//!
//! An object that is never freed stays allocated; its shard need not exist any more.

// The model checks are of `sync.rs` only, which they include.
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
