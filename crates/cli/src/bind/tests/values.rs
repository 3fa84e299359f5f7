//! Tests of declared types, of constants, and of wrappers that convert values.

use super::*;
use crate::gosrc::tests::gofmt;
use rustgo_schema::{Constant, Decl, Member, Variant, role};

pub fn basic(basic: Basic) -> Type {
    Type::Basic(basic)
}

pub fn decl(go_name: &str) -> Decl {
    let doc = format!("{go_name} is a type.");
    Decl { go_name: go_name.into(), rust_path: format!("demo::{go_name}"), file: "src/lib.rs".into(), line: 3, doc }
}

pub fn member(go_name: &str, offset: u64, ty: Type) -> Member {
    Member { go_name: go_name.into(), doc: String::new(), offset, ty }
}

pub fn variant(of: &str, name: &str, value: u64, fields: Vec<Member>) -> Variant {
    Variant { go_name: format!("{of}{name}"), name: name.into(), doc: String::new(), value, fields }
}

pub fn point() -> Type {
    let fields = vec![member("X", 0, basic(Basic::Uint32)), member("Y", 8, basic(Basic::Float64))];
    Type::Struct { decl: decl("Point"), size: 16, align: 8, fields }
}

pub fn color() -> Type {
    let variants = vec![variant("Color", "Red", 0, vec![]), variant("Color", "DarkBlue", 7, vec![])];
    Type::Enum { decl: decl("Color"), base: Box::new(basic(Basic::Uint8)), variants }
}

pub fn text() -> Type {
    Type::Text { freed: true }
}

pub fn list(elem: Type) -> Type {
    Type::List { freed: true, elem: Box::new(elem) }
}

pub fn token() -> Type {
    let fields = vec![member("Text", 0, text()), member("Words", 24, list(text())), member("At", 48, point())];
    Type::Struct { decl: decl("Token"), size: 64, align: 8, fields }
}

pub fn parse_error() -> Type {
    let cases = vec![variant("ParseError", "Empty", 0, vec![]), variant("ParseError", "TooLong", 1, vec![])];
    Type::Error { decl: decl("ParseError"), single: false, size: 4, cases }
}

/// Returns an error type whose second variant has fields.
pub fn read_error() -> Type {
    let unexpected =
        vec![member("Byte", 32, basic(Basic::Uint8)), member("At", 40, point()), member("Near", 56, list(basic(Basic::Uint8)))];
    let cases = vec![variant("ReadError", "Closed", 0, vec![]), variant("ReadError", "Unexpected", 1, unexpected)];
    Type::Error { decl: decl("ReadError"), single: false, size: 80, cases }
}

pub fn syntax_error() -> Type {
    let fields = vec![member("Line", 32, basic(Basic::Uint)), member("Column", 40, basic(Basic::Uint))];
    Type::Error { decl: decl("SyntaxError"), single: true, size: 48, cases: vec![variant("SyntaxError", "SyntaxError", 0, fields)] }
}

/// Returns an error type that has a source but no public field for the source.
pub fn sourced_error() -> Type {
    let source = || member("source", 32, Type::Failure {});
    let cases = vec![
        variant("SourcedError", "Bad", 0, vec![member("Line", 56, basic(Basic::Int)), source()]),
        variant("SourcedError", "Lost", 1, vec![source()]),
    ];
    Type::Error { decl: decl("SourcedError"), single: false, size: 64, cases }
}

pub fn queue(flags: u64) -> Type {
    Type::Object { decl: decl("Queue"), words: 0, flags, implements: String::new() }
}

pub fn hasher() -> Type {
    Type::Object { decl: decl("Hasher"), words: 3, flags: 0, implements: "io.Writer".into() }
}

pub fn pointer(mutable: bool, elem: Type) -> Type {
    Type::Pointer { mutable, elem: Box::new(elem) }
}

pub fn result(ty: Type) -> Vec<rustgo_schema::Field> {
    vec![field("", ty)]
}

/// Returns the function as a companion (such as the drop function) of the type `owner`. `role` is the companion's kind.
pub fn of(owner: &str, role: u32, mut function: Function) -> Function {
    if !owner.is_empty() {
        function.owner = format!("demo::{owner}");
    }
    function.rust_path = format!("{}::{}", if owner.is_empty() { "demo".into() } else { function.owner.clone() }, function.go_name);
    function.role = role;
    function
}

pub fn method(owner: &str, name: &str, params: Vec<rustgo_schema::Field>, results: Vec<rustgo_schema::Field>) -> Function {
    of(owner, role::METHOD, export(name, params, results))
}

pub fn release() -> Function {
    let params = vec![field("address", Type::Address {}), field("size", basic(Basic::Uint)), field("align", basic(Basic::Uint))];
    of("", role::RELEASE, export("release", params, vec![]))
}

pub fn dropping(owner: &str) -> Function {
    of(owner, role::DROP, export("drop", vec![field("value", Type::Address {})], vec![]))
}

pub fn text_of(owner: &str) -> Function {
    let bytes = Type::Slice { mutable: true, elem: Box::new(basic(Basic::Uint8)) };
    let params = vec![field("number", basic(Basic::Uint32)), field("text", bytes)];
    of(owner, role::TEXT, export("text", params, result(basic(Basic::Uint))))
}

pub fn constant(go_name: &str, ty: Type, value: &[u8]) -> Constant {
    Constant {
        go_name: go_name.into(),
        rust_path: format!("demo::{}", go_name.to_uppercase()),
        file: "src/lib.rs".into(),
        line: 5,
        doc: String::new(),
        ty,
        value: value.to_vec(),
        variable: false,
    }
}

pub fn next(owner: &str, name: &str, items: Vec<Type>) -> Function {
    let mut params = vec![field("it", Type::Address {}), field("want", basic(Basic::Uint))];
    params.extend(items.into_iter().map(|elem| field("items", pointer(true, Type::Array { len: 64, elem: Box::new(elem) }))));
    of(owner, role::NEXT, export(name, params, result(basic(Basic::Uint))))
}

pub fn end(owner: &str, name: &str) -> Function {
    of(owner, role::END, export(name, vec![field("it", Type::Address {})], vec![]))
}

/// Returns the part of `text` from the first line that begins with `from` to the end of the declaration that begins with `to`.
pub fn part<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.find(&format!("\n{from}")).unwrap_or_else(|| panic!("{from} is not in {text}")) + 1;
    let last = start + text[start..].find(to).unwrap_or_else(|| panic!("{to} is not in {text}"));
    let end = text[last..].find("\n\n").map_or(text.len(), |at| last + at + 1);
    &text[start..end]
}

/// Returns the text of the file after the package clause; gofmt must not change the file.
pub fn text_of_file(functions: &[Function], constants: &[Constant]) -> String {
    let file = bind(&Package::new(functions, constants), Options { package: "demo".into(), ..Options::default() });
    let text = file.unwrap_or_else(|failure| panic!("{failure:?}")).print();
    if let Some(formatted) = gofmt(&text) {
        assert_eq!(formatted, text);
    }
    text.split_once("package demo\n").unwrap().1.to_owned()
}

#[test]
fn types_are_declared() {
    let by_value = |name, ty: Type| export(name, vec![field("x", ty.clone())], result(ty));
    let file = text_of_file(&[by_value("Move", point()), by_value("Mix", color())], &[]);
    assert_eq!(
        file,
        r#"
import (
	"strconv"
	"unsafe"
)

// Color is a type.
type Color uint8 // src/lib.rs:3

const (
	ColorRed      Color = 0
	ColorDarkBlue Color = 7
)

// String returns the name of the value in Rust.
func (c Color) String() string {
	switch c {
	case ColorRed:
		return "Red"
	case ColorDarkBlue:
		return "DarkBlue"
	}
	return "Color(" + strconv.FormatUint(uint64(c), 10) + ")"
}

// Point is a type.
type Point struct { // src/lib.rs:3
	X uint32
	Y float64
}

//go:noescape
func Move(x Point) Point // src/lib.rs:7

//go:noescape
func Mix(x Color) Color // src/lib.rs:7

// Rust expects these sizes and offsets of fields. If those in Go differ, this does not compile.
func _() {
	var x [1]struct{}
	_ = x[unsafe.Sizeof(Point{})-16]
	_ = x[unsafe.Offsetof(Point{}.Y)-8]
}
"#
    );
    // A method String that the author exports replaces the generated method.
    let own = method("Color", "String", vec![field("self", color())], result(text()));
    assert!(!text_of_file(&[own, release()], &[]).contains("switch"));
}

#[test]
fn fields_without_a_size_are_left_out() {
    let Type::Struct { mut fields, .. } = point() else { unreachable!() };
    let nothing = Type::Array { len: 0, elem: Box::new(basic(Basic::Uint64)) };
    fields.insert(1, Member { doc: "Nothing.".into(), ..member("Z", 8, nothing) });
    fields[0].doc = "X is first.".into();
    let ty = Type::Struct { decl: decl("Point"), size: 16, align: 8, fields };
    let file = text_of_file(&[export("F", vec![field("p", pointer(true, ty))], vec![])], &[]);
    assert!(file.contains("type Point struct { // src/lib.rs:3\n\t// X is first.\n\tX uint32\n\tY float64\n}\n"), "{file}");
}

#[test]
fn constants_are_declared() {
    let file = text_of_file(&[export("F", vec![], vec![])], &super::rich::constants());
    let end = file.find("// Color is").unwrap();
    assert_eq!(
        &file[..end],
        r#"
import (
	"math"
	"strconv"
	"unsafe"
)

const (
	// Max is the most.
	Max    uint32  = 5                        // src/lib.rs:5
	Least  int16   = -2                       // src/lib.rs:5
	Ratio  float64 = 0.1                      // src/lib.rs:5
	Huge   float32 = 1e30                     // src/lib.rs:5
	Umlaut rune    = 'ü'                      // src/lib.rs:5
	Bell   rune    = 0x7                      // src/lib.rs:5
	Title  string  = "a \"b\"\n\\ü\U00000007" // src/lib.rs:5
	Best   Color   = ColorDarkBlue            // src/lib.rs:5
)

var Endless float64 = math.Inf(1) // src/lib.rs:5

var Minus float64 = math.Copysign(0, -1) // src/lib.rs:5

var Table = [70]byte{ // src/lib.rs:5
	100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119,
	120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139,
	140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
	160, 161, 162, 163, 164, 165, 166, 167, 168, 169,
}

var Origin = Point{X: 3, Y: 1.5} // src/lib.rs:5

var Level uint8 = 1 // src/lib.rs:5

var Corners = [2]Color{ColorRed, ColorDarkBlue} // src/lib.rs:5

"#
    );
}
