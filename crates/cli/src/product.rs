//! What the pipeline makes before anything is written: the code of each target, of each architecture, and the whole package.

use crate::analyze::Facts;
use crate::api::Package;
use crate::backend::Backend;
use crate::goasm;
use crate::levels::LevelShare;
use crate::origin::Origin;
use crate::verify::Sizes;
use crate::write::Folder;

/// The code of one target, that is, of one level of an architecture.
pub struct TargetCode {
    pub machine: &'static dyn Backend,
    pub crate_name: String,
    pub origin: Origin,
    pub package: Package,
    pub facts: Facts,
    pub asm: goasm::File,
}

/// The code of one architecture, with all its levels in one file.
pub struct ArchCode {
    pub machine: &'static dyn Backend,
    pub asm: goasm::File,
    pub summary: ArchSummary,
}

/// Figures of one architecture's code.
pub struct ArchSummary {
    pub functions: usize,
    /// The deepest stack of an export, in bytes.
    pub deepest: u32,
    /// The code and data that each level has of its own; empty if there is only one level.
    pub levels: Vec<LevelShare>,
}

/// The package, proved and not yet written.
pub struct Product {
    pub crate_name: String,
    /// The package's own folder, and those of the run-time packages that are copied for it.
    pub folders: Vec<Folder>,
    /// By architecture.
    pub sizes: Vec<Sizes>,
    /// By architecture, in the order of `sizes`.
    pub summaries: Vec<ArchSummary>,
}
