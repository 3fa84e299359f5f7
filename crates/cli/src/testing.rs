//! Re-exports the parts of the tool that the integration tests use, by module.
//!
//! All other modules are private, so that the compiler reports unused code. The compiler cannot report an unused item that this module exports. So a
//! test compares the exports of this module with the imports of `tests/all`.

pub mod analyze {
    pub use crate::analyze::{EdgeKind, EntryKind, Facts, InstanceId, Limits, Machine, Node, Way, analyze};
}

pub mod api {
    pub use crate::api::Package;
}

pub mod args {
    pub use crate::args::{Output, parse};
}

pub mod backend {
    pub use crate::backend::{Backend, machine};
}

pub mod bind {
    pub use crate::bind::{Options, bind};
}

pub mod code {
    pub use crate::code::{Flow, Inst, Role};
}

pub mod compile {
    pub use crate::compile::flags::{GCC_FLAGS, c_flags, clang_flags};
    pub use crate::compile::{Archive, compile};
}

pub mod config {
    pub use crate::config::resolve;
}

pub mod decode {
    pub use crate::decode::{Program, decode};
}

pub mod diag {
    pub use crate::diag::render::{Style, refusal};
    pub use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
}

pub mod exits {
    pub use crate::exits::Exit;
}

pub mod goasm {
    pub use crate::goasm::{Contract, Data, File, Item, Op, RefKind, Text};
}

pub mod goobj {
    pub use crate::goobj::{FuncInfo, GoObject, Reloc, Symbol, read};

    pub mod abi {
        pub use crate::goobj::abi::{ABI0, STATIC};
    }

    pub mod func_flag {
        pub use crate::goobj::func_flag::{ASM, SP_WRITE};
    }

    pub mod kind {
        pub use crate::goobj::kind::{SNOPTRBSS, SRODATA, STEXT};
    }

    pub mod symbol_flag {
        pub use crate::goobj::symbol_flag::NOSPLIT;
    }

    pub mod reloc {
        pub use crate::goobj::reloc::{R_ADDR, R_CALL, R_CALLIND, R_PCREL, R_TLS_LE};
    }
}

pub mod gosrc {
    pub use crate::gosrc::{File, Import, generated_line};
}

pub mod ids {
    pub use crate::ids::{FuncId, SectionId};
}

pub mod levels {
    pub use crate::levels::join;
}

pub mod load {
    pub use crate::load::{
        Action, CallSite, CodeSection, DataBounds, Function, Kind, Merged, Object, Reloc, RelocKind, Target, Unwinding, load, load_bytes,
        load_with_unwinding,
    };
}

pub mod lower {
    pub use crate::lower::{Live, lower};
}

pub mod progress {
    pub use crate::progress::Progress;
}

pub mod request {
    pub use crate::request::Request;
}

pub mod runtime {
    pub use crate::runtime::{Library, Runtime};
}

pub mod target {
    pub use crate::target::{Arch, Level, Target};
}

pub mod toolchain {
    pub use crate::toolchain::choice::{Choice, Toolchain, Toolchains, VARIABLE};
    pub use crate::toolchain::{Cargo, Go};
}

pub mod usage {
    pub use crate::usage::peak;
}

pub mod verify {
    pub use crate::verify::{GO_FILE, Mode, Prover, Reference, compare, compare_files, verify};
}
