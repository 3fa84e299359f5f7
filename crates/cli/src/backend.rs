//! Which machine an architecture is.

use crate::arch::aarch64::Aarch64;
use crate::arch::x86_64::X86_64;
use crate::lower::Lowering;
use crate::target::Arch;
use crate::verify::Prover;

/// All that the stages need of one machine.
pub trait Backend: Lowering + Prover {}

impl<T: Lowering + Prover> Backend for T {}

/// The machine of an architecture.
pub fn machine(arch: Arch) -> &'static dyn Backend {
    match arch {
        Arch::Amd64 => &X86_64,
        Arch::Arm64 => &Aarch64,
    }
}
