//! The results of the stages before the files are written: the code of each target, the code of each architecture, and the whole package.

use crate::analyze::Facts;
use crate::api::Package;
use crate::backend::Backend;
use crate::goasm;
use crate::levels::LevelShare;
use crate::origin::Origin;
use crate::verify::{GO_FILE, Sizes};
use crate::write::Folder;
use std::collections::BTreeSet;

/// The exports whose results may differ between two calls with the same arguments.
#[derive(Clone, Debug, Default)]
pub struct Varying {
    /// Exports that may read a clock or get random numbers.
    pub unrepeatable: BTreeSet<String>,
    /// Exports that may use a HashMap of std, which hashes with random keys. The results of such an export differ between calls if the results depend
    /// on the order of the map's items.
    pub keyed: BTreeSet<String>,
}

/// The code of one target: one processor level of one architecture.
pub struct TargetCode {
    pub machine: &'static dyn Backend,
    pub crate_name: String,
    pub origin: Origin,
    pub package: Package,
    pub facts: Facts,
    pub asm: goasm::File,
    /// The number of instructions that were analysed.
    pub instructions: usize,
    /// The exports whose results may differ from call to call. Empty if the package gets no native test.
    pub varying: Varying,
    /// True if rustgo has added the crate libm.
    pub with_libm: bool,
}

/// The code of one architecture. The assembly file contains the code of all levels of the architecture.
pub struct ArchCode {
    pub machine: &'static dyn Backend,
    pub asm: goasm::File,
    pub summary: ArchSummary,
}

/// Numbers about one architecture's code.
pub struct ArchSummary {
    pub functions: usize,
    /// The largest stack need of an export, in bytes.
    pub deepest: u32,
    /// For each level, the amounts of code and data that no lower level has. Empty if there is only one level.
    pub levels: Vec<LevelShare>,
}

/// The whole package, verified but not yet written.
pub struct Product {
    pub crate_name: String,
    /// The package's own folder, and the folders of the run-time packages that are copied into the author's module.
    pub folders: Vec<Folder>,
    /// The exports that may read a clock or get random numbers, if the native test leaves them out.
    pub unrepeatable: BTreeSet<String>,
    /// The sizes of the code, by architecture.
    pub sizes: Vec<Sizes>,
    /// Numbers about the code, by architecture in the order of `sizes`.
    pub summaries: Vec<ArchSummary>,
}

impl Product {
    /// Returns the text of the Go file with the package's declarations.
    pub fn declarations(&self) -> String {
        let file = self.folders.first().and_then(|folder| folder.files.get(GO_FILE));
        file.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    }
}
