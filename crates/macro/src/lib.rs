//! The attributes `#[rustgo::export]`, `#[rustgo::object]` and `#[rustgo::go_type]`, and what derives `rustgo::Value` and `rustgo::Error`. Authors use them through the crate `rustgo-support`, whose library name is `rustgo`.
//!
//! ```text
//! #[rustgo::export(name = "Sum", stack = "64k")]      options.rs
//! /// Sum adds up xs.                                 doc.rs
//! pub fn sum(xs: &[u64]) -> u64 { … }                 signature.rs: what syntax alone can refuse; advice.rs: with what to write instead;
//!        │                                            lifetimes.rs: what results may borrow from
//!        ▼  item.rs, function/
//! the function, untouched
//! + assertions that its types can cross                function/assertion.rs: always; the traits are in the support crate
//! + shim, description, record                          function/shim.rs, record.rs: only when rustgo builds
//! ```
//!
//! Types that Go declares, too, are the matter of `value.rs`, `error.rs` and `object.rs`, and what they have in common is in `declare.rs`. `constant.rs` has constants and
//! statics. `go_type.rs` names Go types for handles; which names can be is the schema's matter, since the command line tool reads them.

mod advice;
mod constant;
mod declare;
mod doc;
mod error;
mod function;
mod go_type;
mod item;
mod lifetimes;
mod name;
mod object;
mod options;
mod signature;
mod value;

use proc_macro::TokenStream;

/// Makes a function a function of the Go package, the public functions of an `impl` block functions and methods, and a constant or static a constant or variable.
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
/// - `int = "usize"`: each `usize` by itself is Go's `int`; a negative argument and a result that is too large panic.
/// - `stack = "64k"`: a budget of stack for a function that recurses or calls what cannot be analysed, in bytes or with
///   the unit `k` (1024 bytes) or `m` (1024 k). A function that exceeds it panics.
/// - `blocking`: Go's scheduler is told of each call, as of a system call, so that the garbage collector and other goroutines do not wait for
///   its end. For calls that last longer than some 20 microseconds.
/// - `blocking_over = 65536`: the same for calls that pass slices and strings of more bytes than that together; others are ordinary calls.
///
/// A constant has `name` alone. Above an `impl` block stand options that hold for all of its functions; above one of its functions, `#[rustgo::export(…)]` has options of its own, and
/// `#[rustgo::export(skip)]` leaves it out. `new` becomes `NewRegex`, another function without a receiver `RegexFromPattern`.
///
/// The documentation becomes that in Go.
///
/// # What can be exported
/// A function that is safe and neither generic nor `async`, with named parameters whose types can cross the border (see the crate's documentation).
/// A function that is `unsafe` cannot be exported: Go code has no way to promise what such a function asks for. Nor can
/// one that demands CPU features by `#[target_feature]`. The type of an exported `impl` block has `#[rustgo::object]` or derives `rustgo::Value`.
///
/// Results can borrow from parameters. Iterators cannot borrow from what Go can change while they run: they hold strings and objects, or what they own; `+ use<>` says of an
/// iterator that it holds nothing of the parameters.
///
/// # What is added
/// In ordinary builds nothing but assertions about the types. When the `rustgo` tool builds the crate: a shim, that is an
/// `unsafe extern "C-unwind" fn(args: *const u8, results: *mut u8)` which reads Go's argument area, checks what must hold,
/// calls the function and writes the result area; and a description of the function in the section `rustgo_exports`.
#[proc_macro_attribute]
pub fn export(options: TokenStream, item: TokenStream) -> TokenStream {
    item::export(options.into(), item.into()).into()
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

/// Makes a struct a struct of the Go package, or an enum without fields a number with named values: plain data, laid out alike in both languages.
///
/// ```text
/// /// Point is a place.
/// #[derive(Clone, Copy, rustgo::Value)]
/// #[repr(C)]
/// pub struct Point { pub x: f64, pub y: f64 }        // type Point struct { X, Y float64 }
///
/// #[derive(Clone, Copy, rustgo::Value)]
/// #[repr(u8)]
/// pub enum Color { Red = 1, Green }                  // type Color uint8; const ( ColorRed Color = 1; ColorGreen Color = 2 )
/// ```
///
/// Values cross by value, by reference, in arrays and slices, and in each other. Names in Go are in camel case; `#[rustgo(name = "GoName")]` above the type, a field or
/// a variant states another. The type is `Copy`, all fields are `pub`, and a struct is `#[repr(C)]`. A number from Go that is no variant panics, with the name of the
/// parameter.
#[proc_macro_derive(Value, attributes(rustgo))]
pub fn value(item: TokenStream) -> TokenStream {
    value::derive(item.into()).into()
}

/// Makes an error a type of the Go package, for results `Result<T, E>`.
///
/// ```text
/// #[derive(Debug, rustgo::Error)]
/// pub enum ParseError { Empty, TooLong }              // type ParseError; const ( ParseErrorEmpty …; ParseErrorTooLong … )
///
/// #[derive(Debug, rustgo::Error)]
/// pub struct SyntaxError { pub line: usize }          // type SyntaxError struct { Line uint }
/// ```
///
/// The text is that of `Display`. An enum without fields becomes a number with constants; a struct becomes a struct with the same fields; of an enum with fields each
/// variant becomes a struct, and the enum an interface that all of them implement. Go's `errors.Is` and `errors.As` find them.
///
/// # Options
/// - `#[rustgo(name = "GoName")]` above the type, a variant or a field: the name in Go.
/// - `#[rustgo(skip)]` above a field, or before its type: Go does not get it, so it may have any type. A field with thiserror's `#[source]`, `#[from]` or `#[backtrace]` is left
///   out without it. If one is left out and the type is a `std::error::Error`, Go's `errors.Unwrap` gives the texts of its sources.
/// - `#[rustgo(int = "usize")]` above the type: each `usize` in a field is Go's `int`; one that is too large panics.
#[proc_macro_derive(Error, attributes(rustgo))]
pub fn error(item: TokenStream) -> TokenStream {
    error::derive(item.into()).into()
}

/// Makes a type a type with methods in Go.
///
/// ```text
/// #[rustgo::object]
/// pub struct Regex(regex::Regex);
///
/// #[rustgo::export]
/// impl Regex {
///     pub fn new(pattern: &str) -> Result<Self, regex::Error> { … }    // func NewRegex(pattern string) (*Regex, error)
///     pub fn is_match(&self, text: &str) -> bool { … }                 // func (r *Regex) IsMatch(text string) bool
/// }
/// ```
///
/// The value lives in the Rust heap and is dropped when Go's collector finds that nobody has it any more. Goroutines may call `&self` methods at the same time; a call
/// with `&mut self` has the object for itself, and a second one meanwhile panics. The type is `Send` and `Sync`. `Clone` and `Display` become methods `Clone` and `String`.
///
/// # Options
/// - `inline`: the value lives in Go's memory, as in a Go struct; it is `Copy`. `unsafe(inline)`: it is not, but owns nothing and changes through `&mut self` only, so that
///   a copy of its bytes is as good as a clone: the author vouches for it. (`&self` methods may see a copy.) If it has a `Default`, that is what Go's zero value stands for.
/// - `close`: Go gets a method `Close`.
/// - `exclusive`: the type need not be `Sync`; `&self` methods have the object for themselves too.
/// - `implements("io.Writer", "hash.Hash")`: Go's compiler checks that the type implements these interfaces.
/// - `name = "GoName"`: the name in Go.
#[proc_macro_attribute]
pub fn object(options: TokenStream, item: TokenStream) -> TokenStream {
    object::object(options.into(), item.into()).into()
}
