//! The list of the supported processor architectures. Stages get a machine (the code for one architecture) from here, and know only its traits.

use crate::arch::aarch64::Aarch64;
use crate::arch::x86_64::X86_64;
use crate::lower::Lowering;
use crate::target::Arch;
use crate::verify::Prover;

/// Everything that the stages need from the code for one processor architecture.
pub trait Backend: Lowering + Prover {}

impl<T: Lowering + Prover> Backend for T {}

/// Returns the code for one processor architecture.
pub fn machine(arch: Arch) -> &'static dyn Backend {
    match arch {
        Arch::Amd64 => &X86_64,
        Arch::Arm64 => &Aarch64,
    }
}
