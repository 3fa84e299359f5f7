//! Go functions for implementations of std's traits: a function `Parse…` for `FromStr`, the method `String` for `Display`, and the method `Compare`
//! for `Ord`.

use super::cross::{Cross, Lending, Place};
use super::docs;
use super::function::Export;
use super::parameter::Parameter;
use super::types::{Kind, Known, show};
use rustdoc_types::{Id, Type};
use std::collections::BTreeSet;

/// A function of the wrapper for an implementation of a trait of std.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The trait with its arguments, for messages.
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
    /// Conversion from this type. The flag is true if the conversion may fail.
    From(Type, bool),
    /// Conversion to this type. The first flag is true if the conversion may fail, the second if it takes a reference.
    Into(Type, bool, bool),
    Display,
    /// Text in this format.
    Format(&'static str),
    Equal,
    Compare,
    /// A partial order: some pairs of values are not comparable.
    PartialCompare,
    /// A binary operator: the path of its function, and the type of the second operand if this type differs from the first operand's. The flag is
    /// true if the first operand is a reference.
    Binary(&'static str, Option<Type>, bool),
    Unary(&'static str),
    /// A borrowed view of the content: the path of the trait, and the type of the view.
    View(&'static str, Type),
    /// A loop over items of this type.
    All(Type),
    /// A constructor from items of this type.
    Collect(Type),
    /// Adds items of this type.
    Extend(Type),
    /// `io.Writer` for a hasher (true) or for a writer of std (false).
    Write(bool),
    /// Writes the data that a writer of std has buffered.
    Flush,
    /// The sum of a hasher.
    Sum,
}

/// The decision about an implementation of a trait of std.
pub enum Given {
    Exports(Vec<Wanted>),
    LeftOut(String),
    /// Nothing that a program in Go could use.
    Useless,
    /// Nothing new: the type has the function by other means, or Go needs no function.
    Nothing,
}

/// The traits of binary operators, each with the path of its function.
const BINARY: [(&str, &str); 10] = [
    ("Add", "std::ops::Add::add"),
    ("Sub", "std::ops::Sub::sub"),
    ("Mul", "std::ops::Mul::mul"),
    ("Div", "std::ops::Div::div"),
    ("Rem", "std::ops::Rem::rem"),
    ("BitAnd", "std::ops::BitAnd::bitand"),
    ("BitOr", "std::ops::BitOr::bitor"),
    ("BitXor", "std::ops::BitXor::bitxor"),
    ("Shl", "std::ops::Shl::shl"),
    ("Shr", "std::ops::Shr::shr"),
];

/// Traits that add nothing: Go has no use for the trait, or most types that implement it also implement another trait with the same use.
const USELESS: [&str; 27] = [
    "PartialEq",
    "PartialOrd",
    "AsRef",
    "AsMut",
    "Borrow",
    "Deref",
    "DerefMut",
    "Hash",
    "Debug",
    "Sum",
    "Product",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
    "BitAndAssign",
    "BitOrAssign",
    "BitXorAssign",
    "ShlAssign",
    "ShrAssign",
    "UpperHex",
    "Octal",
    "Binary",
    "LowerExp",
    "UpperExp",
    "IntoIterator",
];

/// Words for basic types in Go names.
const WORDS: [(&str, &str); 14] = [
    ("u8", "Byte"),
    ("u16", "Uint16"),
    ("u32", "Uint32"),
    ("u64", "Uint64"),
    ("usize", "Int"),
    ("isize", "Int"),
    ("i8", "Int8"),
    ("i16", "Int16"),
    ("i32", "Int32"),
    ("i64", "Int64"),
    ("f32", "Float32"),
    ("f64", "Float64"),
    ("bool", "Bool"),
    ("char", "Rune"),
];

/// Decides which Go functions the type `this` gets for its implementation of the trait `of`. `arguments` has the trait's type arguments. `has`
/// reports whether the type implements another trait. `operates` reports whether the type implements an operator for a type of the second operand.
/// `word` returns a word for a type in Go names.
pub fn given(
    of: &str,
    known: &Known,
    arguments: &[&Type],
    this: &Type,
    has: &dyn Fn(&str) -> bool,
    operates: &dyn Fn(&str, &Type) -> bool,
    word: &dyn Fn(&Type) -> Option<String>,
) -> Given {
    let one =
        |go: String, rust: &str, kind: Form| Given::Exports(vec![Wanted { of: written(of, arguments), go, rust: rust.to_owned(), kind }]);
    let is_object = matches!(known.kind, Kind::Object { .. });
    let is_enumeration = matches!(known.kind, Kind::Enumeration { .. });
    let is_copied = !matches!(known.kind, Kind::Object { clone: false, .. });
    let first = arguments.first().copied();
    let with_itself = first.is_none_or(|first| *first == Type::Generic("Self".to_owned()) || is_same(first, this));
    let name = &known.go();
    if let Some((_, path)) = BINARY.iter().find(|(operator, _)| *operator == of) {
        return match first {
            _ if !is_copied => Given::LeftOut("an operator that takes an object away, which cannot be cloned".to_owned()),
            _ if with_itself => one(of.to_owned(), &of.to_lowercase(), Form::Binary(path, None, false)),
            // If the type also has the operator for a value as the second operand, the operator for a reference adds nothing.
            Some(Type::BorrowedRef { type_, .. }) if operates(of, type_) => Given::Nothing,
            Some(other) => match name_of_operator(of, other, this, word) {
                Some((go, rust)) => one(go, &rust, Form::Binary(path, Some(other.clone()), false)),
                None => Given::LeftOut(format!("takes {}", show(other))),
            },
            None => Given::Nothing,
        };
    }
    let is_text = |ty: &Type| *ty == Type::Primitive("str".to_owned());
    let is_bytes = |ty: &Type| matches!(ty, Type::Slice(elem) if **elem == Type::Primitive("u8".to_owned()));
    match of {
        "FromStr" => one(format!("Parse{name}"), "parse", Form::Parse),
        "Default" if is_enumeration => one(format!("Default{name}"), "default_", Form::Default),
        "Default" => one(format!("New{name}"), "new", Form::Default),
        // For an enumeration, the method `String` returns the variant's name. A method made from `Display` cannot take its place, because it has a
        // pointer receiver, and fmt does not call such a method for a value.
        "Display" if is_enumeration => one("Text".to_owned(), "text", Form::Display),
        "Display" => one("String".to_owned(), "string", Form::Display),
        "LowerHex" => one("Hex".to_owned(), "hex", Form::Format("{:x}")),
        // If Go gets the type as a value and its `PartialEq` is derived, no method is needed: Go's `==` compares the fields too.
        "PartialEq" if with_itself && (is_object || !has("StructuralPartialEq")) => one("Equal".to_owned(), "equal", Form::Equal),
        "PartialEq" if with_itself => Given::Nothing,
        "Ord" => one("Compare".to_owned(), "compare", Form::Compare),
        "PartialOrd" if has("Ord") && with_itself => Given::Nothing,
        "PartialOrd" if with_itself => one("Compare".to_owned(), "compare", Form::PartialCompare),
        "Neg" if is_copied => one("Neg".to_owned(), "neg", Form::Unary("std::ops::Neg::neg")),
        "Not" if is_copied => one("Not".to_owned(), "not", Form::Unary("std::ops::Not::not")),
        "From" | "TryFrom" => match first.and_then(|first| Some((first, word(first)?))) {
            Some((first, word)) => {
                let rust = format!("from_{}", word.to_lowercase());
                one(format!("{name}From{word}"), &rust, Form::From(first.clone(), of == "TryFrom"))
            }
            None => Given::LeftOut(first.map_or_else(|| "generic".to_owned(), |first| format!("takes {}", show(first)))),
        },
        "AsRef" | "Borrow" if is_object && first.is_some_and(is_text) && !has("Display") => one(
            "String".to_owned(),
            "string",
            Form::View(if of == "AsRef" { "std::convert::AsRef" } else { "std::borrow::Borrow" }, first.cloned().unwrap_or(this.clone())),
        ),
        "AsRef" | "Borrow" if is_object && first.is_some_and(is_bytes) => one(
            "Bytes".to_owned(),
            "bytes",
            Form::View(if of == "AsRef" { "std::convert::AsRef" } else { "std::borrow::Borrow" }, first.cloned().unwrap_or(this.clone())),
        ),
        "FromIterator" | "Extend" => match first {
            Some(first) if of == "Extend" => one("Extend".to_owned(), "extend", Form::Extend(first.clone())),
            Some(first) => one(format!("{name}FromSlice"), "from_slice", Form::Collect(first.clone())),
            None => Given::Nothing,
        },
        "Hasher" if is_object => Given::Exports(vec![
            Wanted { of: of.to_owned(), go: "Write".to_owned(), rust: "write".to_owned(), kind: Form::Write(true) },
            Wanted { of: "Hasher::finish".to_owned(), go: "Sum64".to_owned(), rust: "sum64".to_owned(), kind: Form::Sum },
        ]),
        "Write" if is_object && !has("Hasher") => Given::Exports(vec![
            Wanted { of: of.to_owned(), go: "Write".to_owned(), rust: "write".to_owned(), kind: Form::Write(false) },
            Wanted { of: "Write::flush".to_owned(), go: "Flush".to_owned(), rust: "flush".to_owned(), kind: Form::Flush },
        ]),
        "Copy" | "Clone" | "Eq" | "Error" | "StructuralPartialEq" | "UseCloned" | "Drop" => Given::Nothing,
        of if USELESS.contains(&of) => Given::Useless,
        _ => Given::LeftOut("a trait of std".to_owned()),
    }
}

/// Returns the names in Go and Rust of an operator whose second operand is of the type `other`.
fn name_of_operator(of: &str, other: &Type, this: &Type, word: &dyn Fn(&Type) -> Option<String>) -> Option<(String, String)> {
    match is_same(without_reference(other), this) {
        true => Some((of.to_owned(), of.to_lowercase())),
        false => word(other).map(|word| (format!("{of}{word}"), format!("{of}_{word}").to_lowercase())),
    }
}

fn without_reference(ty: &Type) -> &Type {
    if let Type::BorrowedRef { type_, .. } = ty { type_ } else { ty }
}

/// Decides which Go function the type gets for an operator whose first operand is a reference to the type, such as `BitOr<&Set> for &Set`. `None` if
/// the trait is no operator.
pub fn on_reference(
    of: &str,
    other: Option<&Type>,
    this: &Type,
    operates: &dyn Fn(&str, &Type) -> bool,
    word: &dyn Fn(&Type) -> Option<String>,
) -> Option<Given> {
    let (_, path) = BINARY.iter().find(|(operator, _)| *operator == of)?;
    // Without an argument the second operand is of the same type as the first: a reference.
    let by_reference = Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new(this.clone()) };
    let other = other.filter(|other| **other != Type::Generic("Self".to_owned())).unwrap_or(&by_reference);
    if operates(of, other) || operates(of, without_reference(other)) {
        return Some(Given::Nothing);
    }
    Some(match name_of_operator(of, other, this, word) {
        Some((go, rust)) => {
            let kind = Form::Binary(path, Some(other.clone()), true);
            Given::Exports(vec![Wanted { of: format!("{} for a reference", written(of, &[other])), go, rust, kind }])
        }
        None => Given::LeftOut(format!("takes {}", show(other))),
    })
}

/// Another type may implement a trait whose arguments name the wrapped type: `Mul<Vector> for f64` names `Vector`. Decides which Go function the
/// wrapped type gets for such an implementation. `is_reference` is true if the other type is a reference to the wrapped type. `has_itself` is true if
/// the wrapped type implements the trait too.
pub fn use_for_others(of: &str, other: &str, is_reference: bool, has_itself: bool) -> Given {
    match of {
        _ if is_reference && has_itself => Given::Nothing,
        _ if BINARY.iter().any(|(operator, _)| *operator == of) || matches!(of, "Shl" | "Shr" | "Neg" | "Not") => {
            Given::LeftOut(format!("an operator of {other}"))
        }
        _ if USELESS.contains(&of) => Given::Useless,
        "Copy" | "Clone" | "Eq" | "Drop" | "Ord" => Given::Nothing,
        _ => Given::LeftOut(format!("a trait of std for {other}")),
    }
}

/// Returns a trait with its type arguments, as in Rust source.
pub fn written(of: &str, arguments: &[&Type]) -> String {
    let arguments: Vec<String> = arguments.iter().map(|ty| show(ty)).collect();
    if arguments.is_empty() { of.to_owned() } else { format!("{of}<{}>", arguments.join(", ")) }
}

pub fn is_same(a: &Type, b: &Type) -> bool {
    matches!((a, b), (Type::ResolvedPath(a), Type::ResolvedPath(b)) if a.id == b.id)
}

/// Returns a word for a basic type in Go names. `None` for types from which no conversion is made.
pub fn word(ty: &Type) -> Option<String> {
    match ty {
        Type::Primitive(name) => {
            let known = WORDS.iter().find(|(rust, _)| rust == name);
            known.map(|(_, word)| (*word).to_owned())
        }
        Type::Array { type_, len } if matches!(**type_, Type::Primitive(_)) && len.bytes().all(|c| c.is_ascii_digit()) => {
            // An array of `usize` is an array of Go's uint.
            let is_usize = **type_ == Type::Primitive("usize".to_owned());
            Some(format!("{}s{len}", if is_usize { "Uint".to_owned() } else { word(type_)? }))
        }
        Type::Tuple(parts) if parts.len() > 1 && parts.iter().all(|part| matches!(part, Type::Primitive(_)) && *part == parts[0]) => {
            Some(format!("{}s{}", word(&parts[0])?, parts.len()))
        }
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
    /// Returns the conversion of a value to another type, from a reference if `is_lent`.
    pub fn into(of: &str, word: &str, to: &Type, is_lent: bool) -> Wanted {
        let kind = Form::Into(to.clone(), of == "TryFrom", is_lent);
        Wanted { of: format!("Into<{}>", show(to)), go: word.to_owned(), rust: format!("to_{}", word.to_lowercase()), kind }
    }

    /// Returns the method `All`, with which Go loops over the items.
    pub fn all(item: &Type, known: &Known) -> Wanted {
        Wanted {
            of: format!("IntoIterator for &{}", known.name),
            go: "All".to_owned(),
            rust: "all".to_owned(),
            kind: Form::All(item.clone()),
        }
    }

    /// True for the form `Default`. A constructor of the same name replaces it.
    pub fn is_default(&self) -> bool {
        matches!(self.kind, Form::Default)
    }

    /// Returns the constructor from `Default` with the name `DefaultT`, for a type T whose function `new` takes arguments.
    pub fn beside_new(self, known: &Known) -> Wanted {
        Wanted { go: format!("Default{}", known.go()), rust: "default_".to_owned(), ..self }
    }

    /// True for a function that reads a value from text.
    pub fn is_parse(&self) -> bool {
        matches!(self.kind, Form::Parse)
    }

    /// True for a function of the package, false for a method.
    pub fn is_function(&self) -> bool {
        matches!(self.kind, Form::Parse | Form::Default | Form::From(..) | Form::Collect(_))
    }

    /// Writes the function. `None` if the macro makes the method from the type's `Display`.
    ///
    /// # Errors
    /// The reason why the function's types cannot cross.
    pub fn write(&self, cross: &Cross<'_>, known: &Known, path: &str, id: Id) -> Result<Option<Export>, String> {
        let is_object = matches!(known.kind, Kind::Object { .. });
        if matches!(self.kind, Form::Display) && is_object {
            return Ok(None);
        }
        let Wanted { go, rust, .. } = self;
        let Text { docs, mut options, head, body } = self.text(cross, known)?;
        let derived = if self.is_function() { super::names::of_type(&known.name, rust) } else { super::names::camel_case(rust) };
        if derived != *go {
            options.insert(0, format!("name = {go:?}"));
        }
        let mut lines = docs::comment("///", &format!("{go} {docs}."));
        lines.extend((!options.is_empty()).then(|| format!("#[rustgo::export({})]", options.join(", "))));
        lines.push(format!("pub fn {rust}{head} {{"));
        lines.extend(body.lines().map(|line| format!("    {line}")));
        lines.push("}".to_owned());
        let needed = if self.is_function() { BTreeSet::new() } else { BTreeSet::from([id]) };
        Ok(Some(Export { path: path.to_owned(), lines, used: cross.used.borrow().clone(), needed, made: cross.made.borrow().clone() }))
    }

    /// Writes the parts of the function that depend on the trait.
    fn text(&self, cross: &Cross<'_>, known: &Known) -> Result<Text, String> {
        let is_object = matches!(known.kind, Kind::Object { .. });
        let is_cloned = matches!(known.kind, Kind::Object { clone: true, .. });
        let (name, of) = (&known.go(), &known.path);
        let own = if is_object { "self.0".to_owned() } else { format!("{}(*self)", known.to_crate()) };
        let copied = if is_object { "self.0.clone()".to_owned() } else { own.clone() };
        let lending = Lending { owned: true, collected: true };
        let this = cross.this.clone().unwrap_or(Type::Generic("Self".to_owned()));
        let result = |ty: &Type| cross.output(ty, Place::Top, lending);
        let other = || if is_object { ("&Self", "other.0".to_owned()) } else { ("Self", format!("{}(other)", known.to_crate())) };
        let int = |is_int: bool| is_int.then(|| "int = \"usize\"".to_owned());
        let error = |name: &str| cross.associated.get(name).ok_or("the type of its error is not known");
        let text = |docs: &str, head: String, body: String| Ok(Text { docs: docs.to_owned(), options: Vec::new(), head, body });
        let with =
            |options: Option<String>, text: Result<Text, String>| text.map(|text| Text { options: options.into_iter().collect(), ..text });
        match &self.kind {
            Form::Display => text("returns the value as text", "(&self) -> String".to_owned(), format!("{own}.to_string()")),
            Form::Format(format) => {
                text("returns the value in hexadecimal digits", "(&self) -> String".to_owned(), format!("format!({format:?}, {own})"))
            }
            Form::Parse => {
                let output = cross.fallible(&this, error("Err")?, Place::Top, lending)?;
                text("parses a text", format!("(text: &str) -> {}", output.ty), output.apply(&format!("text.parse::<{of}>()")))
            }
            Form::Default => {
                let output = result(&this)?;
                text(
                    &format!("returns the default {name}"),
                    format!("() -> {}", output.ty),
                    output.apply(&format!("{}()", known.function(of, "Default", "default"))),
                )
            }
            Form::From(from, fails) => {
                let parameter = unchanged(cross.parameter("value", from)?)?;
                let declared = parameter.declarations("value");
                let own = cross.known_of(from).filter(|_| matches!(parameter.expr.as_str(), "value" | "value.into()"));
                let is_converted = own.is_none() && parameter.expr == "value.into()";
                let argument = own.map_or(parameter.expr, |own| format!("{}(value)", own.to_crate()));
                let output = match fails {
                    true => cross.fallible(&this, error("Error")?, Place::Top, lending)?,
                    false => result(&this)?,
                };
                // The type has several implementations of the trait, so the conversion of the argument needs the trait's argument.
                let (of_trait, function) = of_conversion(*fails);
                let of = if is_converted {
                    format!("<{of} as {of_trait}<{}>>::{function}", rust_type(from))
                } else {
                    known.qualified(of, &format!("{of_trait}<_>"), function)
                };
                let call = output.apply(&format!("{of}({argument})"));
                let before = parameter.before.map_or_else(String::new, |before| format!("{before}\n"));
                let head = format!("({declared}) -> {}", output.ty);
                with(int(parameter.int), text("converts a value", head, format!("{before}{call}")))
            }
            Form::Into(to, fails, is_lent) => {
                if is_object && !is_lent && !is_cloned {
                    return Err("a conversion that takes an object away, which cannot be cloned".to_owned());
                }
                let output = match fails {
                    true => cross.fallible(to, error("Error")?, Place::Top, lending)?,
                    false => result(to)?,
                };
                let from = if *is_lent { format!("&{own}") } else { copied };
                let (of_trait, function) = of_conversion(*fails);
                let target = rust_type(to);
                let path = match cross.known_of(to) {
                    Some(known) => known.qualified(&target, &format!("{of_trait}<_>"), function),
                    None => format!("<{target}>::{function}"),
                };
                let call = format!("{path}({from})");
                with(int(output.int), text("converts the value", format!("(&self) -> {}", output.ty), output.apply(&call)))
            }
            Form::Equal => {
                let (ty, other) = other();
                text("reports whether the two are equal", format!("(&self, other: {ty}) -> bool"), format!("{own} == {other}"))
            }
            Form::Compare => {
                let (ty, other) = other();
                let docs = "returns -1 if the value is less than other, 1 if it is greater, and 0 if both are equal";
                text(docs, format!("(&self, other: {ty}) -> isize"), format!("std::cmp::Ord::cmp(&{own}, &{other}) as isize"))
            }
            Form::PartialCompare => {
                let (ty, other) = other();
                let docs = "returns -1 if the value is less than other, 1 if it is greater, and 0 if both are equal; or false if they have no order";
                let body = format!("std::cmp::PartialOrd::partial_cmp(&{own}, &{other}).map(|order| order as isize)");
                text(docs, format!("(&self, other: {ty}) -> Option<isize>"), body)
            }
            Form::Binary(path, operand, by_reference) => {
                let output = result(cross.associated.get("Output").unwrap_or(&this))?;
                let (declared, expr, is_int, before) = match operand {
                    Some(operand) => {
                        let parameter = unchanged(cross.parameter("other", operand)?)?;
                        let declared = parameter.declarations("other");
                        let before = parameter.before.map_or_else(String::new, |before| format!("{before}\n"));
                        (declared, parameter.expr, parameter.int, before)
                    }
                    None => {
                        let (ty, other) = other();
                        (format!("other: {ty}"), if is_object { format!("{other}.clone()") } else { other }, false, String::new())
                    }
                };
                let own = if *by_reference { format!("&{own}") } else { copied };
                let body = format!("{before}{}", output.apply(&format!("{path}({own}, {expr})")));
                let head = format!("(&self, {declared}) -> {}", output.ty);
                with(int(is_int || output.int), text("returns the result of the operator", head, body))
            }
            Form::Unary(path) => {
                let output = result(cross.associated.get("Output").unwrap_or(&this))?;
                text("returns the result of the operator", format!("(&self) -> {}", output.ty), output.apply(&format!("{path}({copied})")))
            }
            Form::View(by, to) => {
                let ty = if matches!(to, Type::Slice(_)) { "&[u8]" } else { "&str" };
                let function = if by.ends_with("AsRef") { "as_ref" } else { "borrow" };
                let body = format!("{by}::<{}>::{function}(&self.0)", rust_type(to));
                text("returns the content", format!("(&self) -> {ty}"), body)
            }
            Form::All(item) => {
                // The items of a value borrow from a temporary copy of the value, so they are collected and copied.
                let begin = format!("(&{own}).into_iter()");
                let output = cross.iterator(item, &begin, Lending { owned: !is_object, collected: !is_object })?;
                with(int(output.int), text("yields the items", format!("(&self) -> {}", output.ty), output.expr))
            }
            Form::Collect(item) => {
                let (output, parameter) = (result(&this)?, cross.items_of("items", item)?);
                let body = output.apply(&format!("{}.collect::<{of}>()", parameter.expr));
                let docs = format!("returns a {name} with the items");
                with(int(parameter.int), text(&docs, format!("(items: {}) -> {}", parameter.ty, output.ty), body))
            }
            Form::Extend(item) if is_object => {
                let parameter = cross.items_of("items", item)?;
                let body = format!("self.0.extend({});", parameter.expr);
                with(int(parameter.int), text("adds the items", format!("(&mut self, items: {})", parameter.ty), body))
            }
            Form::Extend(_) => Err(format!("changes a {name}, which Go passes by value")),
            Form::Write(true) => {
                let head = "(&mut self, data: &[u8]) -> Result<usize, std::convert::Infallible>".to_owned();
                let body = "std::hash::Hasher::write(&mut self.0, data);\nOk(data.len())".to_owned();
                with(int(true), text("adds data to the hash. It returns len(data) and nil", head, body))
            }
            Form::Write(false) => {
                let head = "(&mut self, data: &[u8]) -> Result<usize, std::io::Error>".to_owned();
                let body = "std::io::Write::write_all(&mut self.0, data)?;\nOk(data.len())".to_owned();
                with(int(true), text("writes data. It returns len(data) unless it fails", head, body))
            }
            Form::Flush => {
                let body = "std::io::Write::flush(&mut self.0)".to_owned();
                text("passes on the data that Write has kept", "(&mut self) -> Result<(), std::io::Error>".to_owned(), body)
            }
            Form::Sum => text("returns the hash", "(&self) -> u64".to_owned(), "std::hash::Hasher::finish(&self.0)".to_owned()),
        }
    }
}

/// The parts of a function: its documentation after the name, options of the attribute, the signature after the name, and the body.
struct Text {
    docs: String,
    options: Vec<String>,
    head: String,
    body: String,
}

/// Returns the names of the conversion's trait and of its function.
fn of_conversion(fails: bool) -> (&'static str, &'static str) {
    if fails { ("TryFrom", "try_from") } else { ("From", "from") }
}

/// Refuses a parameter that the function changes.
fn unchanged(parameter: Parameter) -> Result<Parameter, String> {
    match parameter.buffer.is_some() || parameter.after_call.is_some() {
        true => Err("changes its operand".to_owned()),
        false => Ok(parameter),
    }
}

/// Returns a type as Rust source, with the full paths of std's types.
fn rust_type(ty: &Type) -> String {
    match ty {
        Type::ResolvedPath(path) => match (super::api::last(&path.path), super::api::arguments(path).first()) {
            ("Duration", _) => "std::time::Duration".to_owned(),
            ("SystemTime", _) => "std::time::SystemTime".to_owned(),
            ("Cow", Some(of)) => format!("std::borrow::Cow<'_, {}>", show(of)),
            _ => show(ty),
        },
        Type::BorrowedRef { type_, .. } => format!("&{}", rust_type(type_)),
        _ => show(ty),
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
        for (rust, len, go) in [("u8", "4", Some("Bytes4")), ("f32", "3", Some("Float32s3")), ("u128", "2", None), ("u8", "LEN", None)] {
            let array = Type::Array { type_: Box::new(Type::Primitive(rust.to_owned())), len: len.to_owned() };
            assert_eq!(word(&array).as_deref(), go);
        }
    }
}
