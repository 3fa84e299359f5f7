//! Finds uses of `rayon::spawn` and similar functions, which queue work and return at once. In a crate that cannot start threads (`threads =
//! "none"`), only a thread that waits for other work, as in `rayon::join`, does queued work. Nothing waits for the work of `rayon::spawn`, so this
//! work may never be done. An author who knows that no call reaches these functions can allow them ([`SPAWN`]).
//!
//! `rayon::spawn`, `spawn_fifo`, `spawn_broadcast` and the methods of `ThreadPool` with these names may be inlined. But each of them stores a pointer
//! to a function that does the work. The work's type is a closure in one of two functions of rayon-core, and the name of the pointed-to function
//! contains this type. Sources: rayon-core 1.13.0, `src/spawn/mod.rs`, `src/broadcast/mod.rs` and `src/job.rs`. [`crate::compile`] selects names with
//! types (mangling version 0), and accepts only versions of rayon-core with these functions.

use super::symbols::path;
use crate::abi::SPAWN;
use crate::diag::wall::Wall;
use crate::diag::{Call, Diagnostic, ErrorCode};

/// The two functions of rayon-core whose closures do the work: module and name.
const CLOSURES: [(&str, &str); 2] = [("rayon_core::spawn::", "spawn_job"), ("rayon_core::broadcast::", "spawn_broadcast_in")];

/// True for the symbol of a function that does the work of `rayon::spawn`.
pub(super) fn does_spawned_work(symbol: &str) -> bool {
    let is_part = |&(module, name): &(&str, &str)| symbol.contains(name) && path(symbol).contains(&format!("{module}{name}<"));
    CLOSURES.iter().any(is_part)
}

/// Returns the refusal of a function that does the work of `rayon::spawn`. `chain` is the path by which an export reaches the function.
pub(super) fn refusal(chain: Vec<Call>) -> Diagnostic {
    Diagnostic::new(
        ErrorCode::Unsupported,
        "the crate uses rayon::spawn, spawn_fifo or spawn_broadcast, and with threads = \"none\" no thread does that work later",
    )
    .chain(chain)
    .wall(Wall::Threads)
    .hint(format!(
        "use rayon::scope, rayon::join or parallel iterators, which wait for their work; if no call reaches the function, put allow = [\"{SPAWN}\"] into [package.metadata.rustgo]: the package is built, and its header says so"
    ))
}
