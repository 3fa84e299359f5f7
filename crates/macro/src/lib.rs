//! The attribute `#[rustgo::export]`. Authors use it through the crate `rustgo-support`, whose library name is `rustgo`.
//!
//! ```text
//! #[rustgo::export(name = "Sum", stack = "64k")]      options.rs
//! /// Sum adds up xs.                                 doc.rs
//! pub fn sum(xs: &[u64]) -> u64 { … }                 signature.rs: what syntax alone can refuse, each with its own advice
//!        │
//!        ▼  expand.rs
//! the function, untouched
//! + assertions that its types can cross                always; the traits are in the support crate
//! + shim, description, record                          only when rustgo builds
//! ```

mod doc;
mod expand;
mod name;
mod options;
mod signature;

use proc_macro::TokenStream;

/// Makes a function a function of the Go package.
///
/// ```text
/// /// ScalarBaseMult multiplies the scalar k by the base point.
/// #[rustgo::export]
/// pub fn scalar_base_mult(dst: &mut [u8; 32], k: &[u8; 32]) { … }
/// ```
///
/// # Options
/// - `name = "GoName"`: the name in Go, an exported identifier. Without it the function's name in camel case, every part
///   capitalised and otherwise as it is: `scalar_base_mult` becomes `ScalarBaseMult`, `x25519` becomes `X25519`.
/// - `stack = "64k"`: a budget of stack for a function that recurses or calls what cannot be analysed, in bytes or with
///   the unit `k` (1024 bytes) or `m` (1024 k). A function that exceeds it panics.
///
/// The documentation of the function becomes its documentation in Go.
///
/// # What can be exported
/// A free function that is safe and neither generic nor `async`, with named parameters whose types can cross the border (see the crate's documentation).
/// A function that is `unsafe` cannot be exported: Go code has no way to promise what such a function asks for. Nor can
/// one that demands CPU features by `#[target_feature]`.
///
/// # What is added
/// In ordinary builds nothing but assertions about the types. When the `rustgo` tool builds the crate: a shim, that is an
/// `unsafe extern "C-unwind" fn(args: *const u8, results: *mut u8)` which reads Go's argument area, checks what must hold,
/// calls the function and writes the result area; and a description of the function in the section `rustgo_exports`.
#[proc_macro_attribute]
pub fn export(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::export(options.into(), item.into()).into()
}
