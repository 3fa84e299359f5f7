//! What traits of std give a type in Go: `FromStr` a function `Parse…`, `Display` the method `String`, `Ord` the method `Compare`.

use super::cross::{Cross, Lending, Place};
use super::docs;
use super::function::Export;
use super::types::{Kind, Known, show};
use rustdoc_types::{Id, Type};
use std::collections::BTreeSet;

/// A function that the implementation of a trait of std gives.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The trait as people write it.
    pub of: String,
    /// The name in Go.
    pub go: String,
    /// The name in Rust.
    pub rust: String,
    kind: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Parse,
    /// A constructor without arguments.
    Default,
    /// Conversion from this type, which may fail.
    From(Type, bool),
    Display,
    /// Text in this format.
    Format(&'static str),
    Equal,
    Compare,
    /// An operator with this path of its function.
    Binary(&'static str),
    Unary(&'static str),
}

/// Operators on two values of a type, with the paths of their functions.
const BINARY: [(&str, &str); 8] = [
    ("Add", "std::ops::Add::add"),
    ("Sub", "std::ops::Sub::sub"),
    ("Mul", "std::ops::Mul::mul"),
    ("Div", "std::ops::Div::div"),
    ("Rem", "std::ops::Rem::rem"),
    ("BitAnd", "std::ops::BitAnd::bitand"),
    ("BitOr", "std::ops::BitOr::bitor"),
    ("BitXor", "std::ops::BitXor::bitxor"),
];

/// Words for basic types in Go names.
const WORDS: [(&str, &str); 13] = [
    ("u8", "Byte"),
    ("u16", "Uint16"),
    ("u32", "Uint32"),
    ("u64", "Uint64"),
    ("usize", "Int"),
    ("i8", "Int8"),
    ("i16", "Int16"),
    ("i32", "Int32"),
    ("i64", "Int64"),
    ("f32", "Float32"),
    ("f64", "Float64"),
    ("bool", "Bool"),
    ("char", "Rune"),
];

/// Lists what an implementation of the trait gives. `arguments` are the trait's arguments, `this` is the type.
pub fn wanted(of: &str, known: &Known, arguments: &[&Type], this: &Type) -> Vec<Wanted> {
    let one = |go: String, rust: &str, kind: Form| vec![Wanted { of: of.to_owned(), go, rust: rust.to_owned(), kind }];
    let is_object = matches!(known.kind, Kind::Object { .. });
    let is_enumeration = matches!(known.kind, Kind::Enumeration { .. });
    let is_copied = !matches!(known.kind, Kind::Object { clone: false, .. });
    let with_itself = arguments.first().is_none_or(|first| **first == Type::Generic("Self".to_owned()) || is_same(first, this));
    let name = &known.name;
    if let Some((_, path)) = BINARY.iter().find(|(operator, _)| *operator == of) {
        return if with_itself && is_copied { one(of.to_owned(), &of.to_lowercase(), Form::Binary(path)) } else { Vec::new() };
    }
    match of {
        "FromStr" => one(format!("Parse{name}"), "parse", Form::Parse),
        "Default" if !is_enumeration => one(format!("New{name}"), "new", Form::Default),
        "Display" if !is_enumeration => one("String".to_owned(), "string", Form::Display),
        "LowerHex" => one("Hex".to_owned(), "hex", Form::Format("{:x}")),
        "PartialEq" if is_object && with_itself => one("Equal".to_owned(), "equal", Form::Equal),
        "Ord" => one("Compare".to_owned(), "compare", Form::Compare),
        "Neg" if is_copied => one("Neg".to_owned(), "neg", Form::Unary("std::ops::Neg::neg")),
        "Not" if is_copied => one("Not".to_owned(), "not", Form::Unary("std::ops::Not::not")),
        "From" | "TryFrom" => match arguments.first().and_then(|first| Some((*first, word(first)?))) {
            Some((first, word)) => {
                let rust = format!("from_{}", word.to_lowercase());
                vec![Wanted {
                    of: format!("{of}<{}>", show(first)),
                    go: format!("{name}From{word}"),
                    rust,
                    kind: Form::From((*first).clone(), of == "TryFrom"),
                }]
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn is_same(a: &Type, b: &Type) -> bool {
    matches!((a, b), (Type::ResolvedPath(a), Type::ResolvedPath(b)) if a.id == b.id)
}

/// Returns a word for a type in Go names. `None` for types from which no conversion is made.
fn word(ty: &Type) -> Option<String> {
    match ty {
        Type::Primitive(name) => {
            let known = WORDS.iter().find(|(rust, _)| rust == name);
            known.map(|(_, word)| (*word).to_owned())
        }
        Type::Array { type_, len } if **type_ == Type::Primitive("u8".to_owned()) => Some(format!("Bytes{len}")),
        Type::BorrowedRef { is_mutable: false, type_, .. } => match &**type_ {
            Type::Primitive(name) if name == "str" => Some("String".to_owned()),
            Type::Slice(elem) if **elem == Type::Primitive("u8".to_owned()) => Some("Bytes".to_owned()),
            _ => None,
        },
        _ => None,
    }
}

/// Writes `Display` for an object. The macro makes the method `String` from it.
pub fn display(known: &Known) -> Vec<String> {
    [
        "",
        &format!("impl std::fmt::Display for {} {{", known.name),
        "    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {",
        "        std::fmt::Display::fmt(&self.0, f)",
        "    }",
        "}",
    ]
    .map(str::to_owned)
    .to_vec()
}

impl Wanted {
    /// True for a function of the package, false for a method.
    pub fn is_function(&self) -> bool {
        matches!(self.kind, Form::Parse | Form::Default | Form::From(..))
    }

    /// Writes the function. `None` if the macro makes the method from the type's `Display`.
    ///
    /// # Errors
    /// The reason why it cannot cross.
    pub fn write(&self, cross: &Cross<'_>, known: &Known, path: &str, id: Id) -> Result<Option<Export>, String> {
        let Wanted { go, rust, kind, .. } = self;
        let is_object = matches!(known.kind, Kind::Object { .. });
        let (name, of) = (&known.name, &known.path);
        let own = if is_object { "self.0".to_owned() } else { format!("{of}::from(*self)") };
        let copied = if is_object { "self.0.clone()".to_owned() } else { own.clone() };
        let lending = Lending { owned: true, collected: true };
        let this = cross.this.clone().unwrap_or(Type::Generic("Self".to_owned()));
        let result = |ty: &Type| cross.output(ty, Place::Top, lending);
        let mut attribute = self.is_function().then(|| format!("#[rustgo::export(name = {go:?})]"));
        let other = || if is_object { ("&Self", "other.0".to_owned()) } else { ("Self", format!("{of}::from(other)")) };
        let (docs, head, body) = match kind {
            Form::Display if is_object => return Ok(None),
            Form::Display => (format!("{go} returns the value as text."), "(&self) -> String".to_owned(), format!("{own}.to_string()")),
            Form::Format(format) => (
                format!("{go} returns the value in hexadecimal digits."),
                "(&self) -> String".to_owned(),
                format!("format!({format:?}, {own})"),
            ),
            Form::Parse => {
                let error = cross.associated.get("Err").ok_or("the type of its error is not known")?;
                let output = cross.fallible(&this, error, Place::Top, lending)?;
                (format!("{go} parses a text."), format!("(text: &str) -> {}", output.ty), output.apply(&format!("text.parse::<{of}>()")))
            }
            Form::Default => {
                let output = result(&this)?;
                attribute = (rust != "new" || *go != format!("New{name}")).then_some(attribute).flatten();
                (format!("{go} returns the default {name}."), format!("() -> {}", output.ty), output.apply(&format!("{of}::default()")))
            }
            Form::From(from, fails) => {
                let parameter = cross.parameter("value", from)?;
                let call = format!("{of}::{}({})", if *fails { "try_from" } else { "from" }, parameter.expr);
                let output = match fails {
                    true => cross.fallible(
                        &this,
                        cross.associated.get("Error").ok_or("the type of its error is not known")?,
                        Place::Top,
                        lending,
                    )?,
                    false => result(&this)?,
                };
                let int = if parameter.int { ", int = \"usize\"" } else { "" };
                attribute = Some(format!("#[rustgo::export(name = {go:?}{int})]"));
                (format!("{go} converts a value."), format!("(value: {}) -> {}", parameter.ty, output.ty), output.apply(&call))
            }
            Form::Equal => {
                let (ty, other) = other();
                (format!("{go} reports whether the two are equal."), format!("(&self, other: {ty}) -> bool"), format!("{own} == {other}"))
            }
            Form::Compare => {
                let (ty, other) = other();
                let docs = format!("{go} returns -1 if the value is less than other, 1 if it is greater, and 0 if both are equal.");
                (docs, format!("(&self, other: {ty}) -> isize"), format!("std::cmp::Ord::cmp(&{own}, &{other}) as isize"))
            }
            Form::Binary(path) => {
                let output = result(cross.associated.get("Output").unwrap_or(&this))?;
                let (ty, other) = other();
                let other = if is_object { format!("{other}.clone()") } else { other };
                let docs = format!("{go} returns the result of the operator.");
                (docs, format!("(&self, other: {ty}) -> {}", output.ty), output.apply(&format!("{path}({copied}, {other})")))
            }
            Form::Unary(path) => {
                let output = result(cross.associated.get("Output").unwrap_or(&this))?;
                let docs = format!("{go} returns the result of the operator.");
                (docs, format!("(&self) -> {}", output.ty), output.apply(&format!("{path}({copied})")))
            }
        };
        let mut lines = docs::comment("///", &docs);
        lines.extend(attribute);
        lines.push(format!("pub fn {rust}{head} {{"));
        lines.push(format!("    {body}"));
        lines.push("}".to_owned());
        let needed = if self.is_function() { BTreeSet::new() } else { BTreeSet::from([id]) };
        Ok(Some(Export { path: path.to_owned(), lines, used: cross.used.borrow().clone(), needed, made: cross.made.borrow().clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_named_after_gos_types() {
        for (rust, go) in
            [("u8", "Byte"), ("u32", "Uint32"), ("i64", "Int64"), ("f64", "Float64"), ("char", "Rune"), ("bool", "Bool"), ("usize", "Int")]
        {
            assert_eq!(word(&Type::Primitive(rust.to_owned())).as_deref(), Some(go));
        }
        assert_eq!(word(&Type::Primitive("u128".to_owned())), None);
    }
}
