//! Errors that the tests of `verify` put into the output of lowering. The verifier must find each, and name the symbol and a reason.

mod amd64;
mod arm64;

pub use amd64::AMD64;
pub use arm64::ARM64;

/// An error, made by a replacement: in the symbol whose text begins with `within`, the first occurrence of `from` becomes `to`.
pub struct Break {
    pub what: &'static str,
    pub within: &'static str,
    pub from: &'static str,
    pub to: &'static str,
    /// A text that the message must contain, in addition to the symbol's name.
    pub says: &'static str,
}

const FRAMED: &str = "TEXT case·framed<>";
const WALK: &str = "TEXT rust·walk<>";
const LIST: &str = "TEXT rust·list<>";
const LEAF: &str = "TEXT rust·leaf<>";
const FUSED: &str = "TEXT ·Fused";
const ENTRY: &str = "TEXT ·Framed(SB)";
const LIMITED: &str = "TEXT ·Recursive(SB)";
const TOLD: &str = "TEXT ·Told(SB)";
const OVER: &str = "TEXT ·rust_Over(SB)";
const CHECKED: &str = "TEXT sum·checked<>";
const ALIGNED: &str = "TEXT aligns·aligned<>";
const TAKES: &str = "TEXT takes·aligned<>";
const REALIGNED: &str = "TEXT tell·aligned16<>";
const LOOSE: &str = "TEXT ·Loose(SB)";
const PANIC: &str = "TEXT rustgo·panic<>";
const MISSING: &str = "TEXT rustgo·unavailable<>";
const RODATA: &str = "DATA rust·rodata·1";
