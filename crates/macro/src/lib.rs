//! The attributes `#[rustgo::export]`, `#[rustgo::object]`, `#[rustgo::interface]` and `#[rustgo::go_type]`, and the derives `rustgo::Value` and
//! `rustgo::Error`. Authors use them through the crate `rustgo-support`, whose library name is `rustgo`.
//!
//! ```text
//! #[rustgo::export(name = "Sum", stack = "64k")]      options.rs
//! /// Sum adds up xs.                                 doc.rs
//! pub fn sum(xs: &[u64]) -> u64 { … }                 signature.rs: refuses by syntax alone; advice.rs: what to write instead;
//!        │                                            lifetimes.rs: what results may borrow from
//!        ▼  item.rs, function/
//! the function, untouched
//! + assertions that its types can cross to Go          function/assertion.rs: always; the traits are in the support crate
//! + shim, description, record                          function/shim.rs, record.rs: only when rustgo builds
//! ```
//!
//! `value.rs`, `error.rs`, `object.rs` and `interface.rs` expand types that the Go package declares; they share `declare.rs`. `constant.rs` expands
//! constants and statics. `go_type.rs` expands Rust names of Go types, for handles; the schema crate parses the names of Go types, because the
//! command line tool reads these names too.

mod advice;
mod constant;
mod declare;
mod doc;
mod error;
mod function;
mod go_type;
mod interface;
mod item;
mod lifetimes;
mod name;
mod object;
mod options;
mod signature;
mod value;

use proc_macro::TokenStream;

/// Exports a function, the public functions of an `impl` block, a constant or a static to the Go package.
///
/// ```text
/// /// ScalarBaseMult multiplies the scalar k by the base point.
/// #[rustgo::export]
/// pub fn scalar_base_mult(dst: &mut [u8; 32], k: &[u8; 32]) { … }
/// ```
///
/// # Options
/// - `name = "GoName"`: the name in Go. Go does not export a name that begins with a lower-case letter; other Go files of the package can use it.
///   The default is the function's name in camel case: `scalar_base_mult` becomes `ScalarBaseMult`, `x25519` becomes `X25519`. Initialisms such as
///   URL, ID and JSON are capitalised, as in Go: `parse_url` becomes `ParseURL`.
/// - `results(start, end)`: the names of the results in Go, one for each part of a tuple, one more for the `bool` of an `Option`, and one for the
///   error of a `Result`. Results are unnamed by default.
/// - `int = "usize"`: every parameter and result of type `usize` is Go's `int`. A negative argument or a result that is too large causes a panic.
/// - `stack = "64k"`: a stack budget for a function that recurses, or calls functions that cannot be analysed, in bytes or with the unit `k` (1024
///   bytes) or `m` (1024 k). A call that exceeds the budget panics.
/// - `blocking`: notifies Go's scheduler of each call, as of a system call, so that the garbage collector and other goroutines do not wait until
///   the call ends. For functions whose calls take longer than about 20 microseconds.
/// - `blocking_over = 65536`: like `blocking`, but only for calls whose slices and strings together hold more bytes than this number.
/// - `task`: runs each call on a separate stack, outside of Go's memory. `stack` states the size of this stack, by default 896k. For functions that
///   recurse deeply: goroutines do not keep large stacks after such a call. A call costs some tens of nanoseconds more.
/// - `panic = "abandon"`: panics run no destructors in functions that only exports with this option call, directly or indirectly. The package
///   becomes smaller. In an `impl` block with this option, `panic = "unwind"` at a function excludes the function.
///
/// A constant has only the option `name`. Options above an `impl` block apply to all of its functions. A function of the block can have options of
/// its own in `#[rustgo::export(…)]`; `#[rustgo::export(skip)]` excludes it. In an `impl Regex`, the function `new` becomes `NewRegex`, and another
/// function without a receiver, such as `from_pattern`, becomes `RegexFromPattern`.
///
/// The documentation comments become the Go documentation.
///
/// # What can be exported
/// A safe function that is neither generic nor `async`, with named parameters whose types can cross the boundary (see the crate's documentation).
/// An `unsafe` function cannot be exported, because Go code has no way to promise its preconditions. A function with `#[target_feature]` cannot be
/// exported either. The type of an exported `impl` block must have `#[rustgo::object]` or derive `rustgo::Value`.
///
/// Results can borrow from parameters. An iterator must not borrow memory that Go can change while the iterator lives, so it may hold only strings,
/// objects and owned values; `+ use<>` in its type declares that it borrows nothing from the parameters.
///
/// # What is added
/// Ordinary builds get only assertions about the types. When the `rustgo` tool builds the crate, the attribute also adds a description of the item
/// in the section `rustgo_exports` and, for a function, a shim. The shim, an `unsafe extern "C-unwind" fn(args: *const u8, results: *mut u8)`,
/// reads Go's argument area, checks the arguments, calls the function and writes the result area.
#[proc_macro_attribute]
pub fn export(options: TokenStream, item: TokenStream) -> TokenStream {
    item::export(options.into(), item.into()).into()
}

/// Names a Go type in Rust, for handles: the `Conn` of a `rustgo::Handle<Conn>`.
///
/// ```text
/// /// A network connection of Go.
/// #[rustgo::go_type("net.Conn")]
/// pub enum Conn {}
///
/// #[rustgo::export]
/// pub fn register(conn: Handle<Conn>) { … }          // func Register(conn handle.Of[net.Conn])
/// ```
///
/// The attribute is placed on an enum without variants, because Rust never has a value of the type. The argument is the type's name in Go:
///
/// | written | is |
/// |---|---|
/// | nothing, or `"Task"` | a type of the generated Go package, declared by another of its files; by default it has the enum's name |
/// | `"net.Conn"`, `"net/http.Request"` | a type of Go's standard library, with its import path |
/// | `"error"`, `"any"`, `"string"`, … | a type that Go predeclares |
/// | `"*Task"`, `"*bytes.Buffer"` | a pointer to such a type |
///
/// Every other type (`[]byte`, `List[int]`, a type of another module) needs a name in the Go package: write `type Bytes = []byte` in a Go file beside
/// the generated files, and use the name `Bytes`. Go's compiler checks that each value passed for the handle has this type.
#[proc_macro_attribute]
pub fn go_type(name: TokenStream, item: TokenStream) -> TokenStream {
    go_type::go_type(name.into(), item.into()).into()
}

/// Makes a struct a Go struct, or an enum without fields a number type with named values: plain data with the same layout in both languages.
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
/// Values cross to Go by value, by reference, in arrays and slices, and in other values. Names in Go are in camel case; `#[rustgo(name = "GoName")]`
/// above the type, a field or a variant states another name. The type must be `Copy`, all fields `pub`, and a struct `#[repr(C)]`. If Go passes
/// a number that is not a variant, the call panics with the parameter's name.
#[proc_macro_derive(Value, attributes(rustgo))]
pub fn value(item: TokenStream) -> TokenStream {
    value::derive(item.into()).into()
}

/// Makes a Go type of an error type `E`, for results of type `Result<T, E>`.
///
/// ```text
/// #[derive(Debug, rustgo::Error)]
/// pub enum ParseError { Empty, TooLong }              // type ParseError; const ( ParseErrorEmpty …; ParseErrorTooLong … )
///
/// #[derive(Debug, rustgo::Error)]
/// pub struct SyntaxError { pub line: usize }          // type SyntaxError struct { Line uint }
/// ```
///
/// The error's text comes from its `Display`. An enum without fields becomes a number type with constants. A struct becomes a struct with the same
/// fields. Each variant of an enum with fields becomes a struct, and the enum becomes an interface that these structs implement. Go's `errors.Is` and
/// `errors.As` work with them.
///
/// # Options
/// - `#[rustgo(name = "GoName")]` above the type, a variant or a field: the name in Go.
/// - `#[rustgo(skip)]` above a field, or before its type: Go does not get the field, so it may have any type. A field with thiserror's
///   `#[source]`, `#[from]` or `#[backtrace]` is left out automatically. If a field is left out and the type is a `std::error::Error`, Go's
///   `errors.Unwrap` gives the texts of its sources.
/// - `#[rustgo(int = "usize")]` above the type: every `usize` in a field is Go's `int`; a value that is too large causes a panic.
#[proc_macro_derive(Error, attributes(rustgo))]
pub fn error(item: TokenStream) -> TokenStream {
    error::derive(item.into()).into()
}

/// Makes a type a Go type with methods.
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
/// The value lives in the Rust heap. It is dropped after Go's garbage collector has found the object unreachable. Several goroutines may call `&self`
/// methods at the same time. A call of a `&mut self` method locks the object; any other call during that time panics. The type must be `Send` and
/// `Sync`. `Clone` and `Display` become the methods `Clone` and `String`.
///
/// # Options
/// - `inline`: the value lives in Go's memory, as a Go struct does; the type must be `Copy`. `unsafe(inline)` allows types that are not `Copy`:
///   the author promises that the value owns nothing and changes only through `&mut self`, so that a copy of its bytes is as good as a clone
///   (`&self` methods may see a copy). If the type has a `Default`, Go's zero value means the default.
/// - `close`: Go gets a method `Close`.
/// - `exclusive`: the type need not be `Sync`, because `&self` methods lock the object too.
/// - `unwind_safe`: the object can still be used after a panic in a `&mut self` method has unwound (`panic = "unwind"` in the package's settings).
///   The author promises: if a panic interrupts a change, the value stays in a state that its methods can handle.
/// - `stack = "64k"`: the stack budget of the functions that the attribute adds: the destructor, `Clone` and `String`.
/// - `implements("io.Writer", "hash.Hash")`: Go's compiler checks that the type implements these interfaces.
/// - `name = "GoName"`: the name in Go.
#[proc_macro_attribute]
pub fn object(options: TokenStream, item: TokenStream) -> TokenStream {
    object::object(options.into(), item.into()).into()
}

/// Makes a Go interface of a trait. Go types implement the interface, and Rust calls its methods.
///
/// ```text
/// /// A Loader loads templates.
/// #[rustgo::interface]
/// pub trait Loader {
///     /// Load returns the text of a template.
///     fn load(&self, name: &str) -> Result<Vec<u8>, GoError>;
///     fn exists(&self, name: &str) -> bool;
/// }                                                   // type Loader interface { Load(name string) ([]byte, error); Exists(name string) bool }
///
/// #[rustgo::export]
/// pub fn render(name: &str, loader: rustgo::Go<'_, dyn Loader>) -> … { … }    // func Render(name string, loader Loader) …
/// ```
///
/// The trait stays unchanged. `Go<'_, dyn Loader>`, which lives as long as the call, and `OwnedGo<dyn Loader>`, which Rust may keep, implement the
/// trait: each method calls the method of the Go value. Any Go value whose type has the methods can be passed.
///
/// Each method takes `&self` and at most four parameters. Parameters and results have the types that a `Func` allows. A method with
/// a body is not part of the Go interface. The trait may have the supertraits `Send`, `Sync`, `'static` and `Debug`. With one of the first three,
/// only `OwnedGo` implements the trait.
///
/// # Options
/// - `name = "GoName"`: the name in Go. `#[rustgo(name = "GoName")]` above a method states the method's name.
#[proc_macro_attribute]
pub fn interface(options: TokenStream, item: TokenStream) -> TokenStream {
    interface::interface(options.into(), item.into()).into()
}
