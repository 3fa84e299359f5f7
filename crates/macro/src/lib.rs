//! The attributes `#[rustgo::export]` and `#[rustgo::go_type]`. Authors use them through the crate `rustgo-support`, whose library name is `rustgo`.
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
//!
//! `go_type.rs` names Go types for handles; which names can be is the schema's matter, since the command line tool reads them.

mod doc;
mod expand;
mod go_type;
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
/// - `name = "GoName"`: the name in Go. One that begins with a lower-case letter is for other Go files of the package. Without it the function's name in camel case, every part
///   capitalised and otherwise as it is: `scalar_base_mult` becomes `ScalarBaseMult`, `x25519` becomes `X25519`. Words such as URL, ID and JSON have capitals, as in
///   Go: `parse_url` becomes `ParseURL`.
/// - `results(start, end)`: the names of the results in Go, one for each part of a tuple, and one more for the `bool` of an `Option`. Without it they have none.
/// - `stack = "64k"`: a budget of stack for a function that recurses or calls what cannot be analysed, in bytes or with
///   the unit `k` (1024 bytes) or `m` (1024 k). A function that exceeds it panics.
/// - `blocking`: Go's scheduler is told of each call, as of a system call, so that the garbage collector and other goroutines do not wait for
///   its end. For calls that last longer than some 20 microseconds.
/// - `blocking_over = 65536`: the same for calls that pass slices and strings of more bytes than that together; others are ordinary calls.
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

/// Names a Go type in Rust, for handles: what a `rustgo::Handle<Conn>` stands for.
///
/// ```text
/// /// A connection of Go's.
/// #[rustgo::go_type("net.Conn")]
/// pub enum Conn {}
///
/// #[rustgo::export]
/// pub fn register(conn: Handle<Conn>) { … }          // func Register(conn handle.Of[net.Conn])
/// ```
///
/// It stands before an enum without variants, since Rust never has a value of the type. In quotes is the type as Go knows it:
///
/// | written | is |
/// |---|---|
/// | nothing, or `"Task"` | the type of the enum's name, or of that name, in the Go package itself; another file of the package declares it |
/// | `"net.Conn"`, `"net/http.Request"` | a type of Go's standard library, with its import path |
/// | `"error"`, `"any"`, `"string"`, … | a type that Go predeclares |
/// | `"*Task"`, `"*bytes.Buffer"` | a pointer to one of these |
///
/// Every other type (`[]byte`, `List[int]`, a type of another module) needs a name in the Go package: write `type Bytes = []byte`
/// in a file beside the generated ones, and name `Bytes`. Go's compiler then checks what is passed.
#[proc_macro_attribute]
pub fn go_type(name: TokenStream, item: TokenStream) -> TokenStream {
    go_type::go_type(name.into(), item.into()).into()
}
