//! Writes the wrapper's types for errors of the crate, so that Go code can distinguish the errors with `errors.Is` and `errors.As`.
//!
//! An enum without fields becomes an enum with the same variants. Every other error type of the wrapper keeps the crate's error in a private field.
//! This field provides the text and the sources; Go does not get the field itself. The wrapper's error type also has the fields of the crate's error
//! that can cross (be passed to Go).

use super::api::Api;
use super::cross::{Cross, Lending, Output, Place};
use super::declare::{Declaration, conversions, docs_of, is_deprecated, variants};
use super::docs;
use super::names::{camel_case, raw};
use super::types::{Kind, Known, Report, Types};
use rustdoc_types::{Id, Item, ItemEnum, Type, VariantKind, Visibility};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// The field with the crate's error.
const ORIGINAL: &str = "original";

/// Names that no field may have: the methods of Go's errors, and [`ORIGINAL`]. A field with one of these names is renamed.
const TAKEN: [&str; 5] = ["error", "is", "as", "unwrap", ORIGINAL];

/// Methods that become no fields, because their results add nothing to the error's text and sources.
const SKIPPED: [&str; 5] = ["source", "description", "cause", "to_string", "clone"];

/// The reason for leaving out a field that is itself an error.
const SOURCE: &str = "an error in an error: if it is a source, its text crosses, but errors.Is and errors.As do not find its type";

/// Paths of items that are left out, with the reasons.
pub type LeftOut = Vec<(String, String)>;

/// A field of the wrapper's error.
#[derive(Clone, Debug)]
struct Field {
    name: String,
    output: Output,
    docs: String,
    /// The Rust expression for the value: a reference to a field, or the result of a method.
    from: String,
    /// The types of the crate in the field's type.
    used: BTreeSet<Id>,
    /// The method that returns the value. `None` if the value is a field of the crate's error.
    method: Option<String>,
}

/// A variant of an error enum, or an error struct.
#[derive(Clone, Debug)]
struct Case {
    name: String,
    docs: String,
    /// The pattern for the crate's variant.
    pattern: String,
    fields: Vec<Field>,
}

/// Changes the kind of some errors to [`Kind::Error`], so that Go gets only their text: structs without a field that can cross, and enums with a
/// variant whose Go name is also the name of a type.
pub fn settle(api: &Api, types: &mut Types) {
    let names: BTreeSet<String> = types.0.values().flatten().map(Known::go).collect();
    let mut texts = Vec::new();
    for (id, known) in &types.0 {
        let (Ok(known @ Known { kind: Kind::Failure(report), .. }), Some(item)) = (known, api.item(*id)) else { continue };
        let name = known.go();
        let clashes = variants(api, item).iter().any(|(variant, ..)| names.contains(&format!("{name}{}", camel_case(variant))));
        let is_text = match report {
            Report::Number | Report::Variants => clashes,
            Report::Fields => fields(&cross(api, types), item, known).0.is_empty(),
        };
        texts.extend(is_text.then_some(*id));
    }
    for id in texts {
        if let Some(Ok(known)) = types.0.get_mut(&id) {
            known.kind = Kind::Error;
        }
    }
}

fn cross<'a>(api: &'a Api, types: &'a Types) -> Cross<'a> {
    Cross {
        api,
        types,
        this: None,
        associated: BTreeMap::new(),
        generics: BTreeMap::new(),
        span: None,
        fails_as_io: false,
        used: RefCell::default(),
        made: RefCell::default(),
        depth: Cell::default(),
    }
}

/// Returns the methods of an error struct that become fields of the wrapper's error, and the public fields that are left out.
pub fn carried(api: &Api, types: &Types, item: &Item, known: &Known) -> (BTreeSet<String>, LeftOut) {
    let (fields, left_out) = fields(&cross(api, types), item, known);
    (fields.into_iter().filter_map(|field| field.method).collect(), left_out)
}

/// Returns the reason why Go gets the text of an error enum, but not its variants. `None` if the error is a struct. Called only for errors of
/// [`Kind::Error`].
pub fn only_text(api: &Api, item: &Item) -> Option<&'static str> {
    let ItemEnum::Enum(data) = &item.inner else { return None };
    Some(match item {
        _ if item.deprecation.is_some() => super::types::DEPRECATED,
        _ if api.implements(item, "Display", None).is_none() => "the error does not implement Display",
        _ if !data.generics.params.is_empty() => "a generic error",
        _ if data.has_stripped_variants => "some variants are hidden",
        _ if data.variants.is_empty() => "no variants",
        _ => "another item has the name of a variant in Go",
    })
}

/// Returns a field of Go's error type, or the reason why Go's error type does not get this field.
fn field(cross: &Cross<'_>, name: &str, ty: &Type, by_reference: bool, item: &Item, from: String) -> Result<Field, String> {
    if item.deprecation.is_some() {
        return Err(super::types::DEPRECATED.to_owned());
    }
    if is_error(cross, ty) {
        return Err(SOURCE.to_owned());
    }
    cross.made.borrow_mut().clear();
    cross.used.borrow_mut().clear();
    let lent = || Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new(ty.clone()) };
    let lending = Lending { owned: true, collected: true };
    let output = cross.output(&if by_reference { lent() } else { ty.clone() }, Place::Part, lending)?;
    // Refuse objects: Go code may copy an error, and all copies would share the object.
    let is_plain = cross.made.borrow().is_empty() && output.ty.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '<' | '>'));
    if output.ty.starts_with("Option") {
        return Err("an Option in an error".to_owned());
    }
    if !is_plain {
        return Err("an object or iterator in an error".to_owned());
    }
    let used = cross.used.borrow().clone();
    let name = if TAKEN.contains(&name) { format!("{name}_value") } else { raw(name) };
    Ok(Field { name, output, docs: item.docs.clone().unwrap_or_default(), from, used, method: None })
}

/// True for an error type, for a reference to an error type, and for a type such as `Box` whose argument is an error type.
fn is_error(cross: &Cross<'_>, ty: &Type) -> bool {
    match cross.resolve(ty) {
        Type::ResolvedPath(path) => match cross.types.get(path.id) {
            Some(known) => matches!(known, Ok(Known { kind: Kind::Error | Kind::Failure(_), .. })),
            None => super::api::arguments(&path).iter().any(|ty| is_error(cross, ty)) || super::api::last(&path.path).ends_with("Error"),
        },
        Type::BorrowedRef { type_, .. } => is_error(cross, &type_),
        Type::DynTrait(of) => of.traits.iter().any(|of| cross.api.std_name(&of.trait_) == "Error"),
        _ => false,
    }
}

/// True for a method whose source shows that it only reads a field: `self.line`, `&self.0.text` or `self.text.as_str()`. Only such a method becomes a
/// field: every conversion of an error calls the methods that have become fields, and another method could panic or take long.
fn reads_a_field(method: &Item) -> bool {
    let (Some(source), Some(name)) = (method.span.as_ref().and_then(super::paths::source), &method.name) else { return false };
    let body = source.split_once(&format!("fn {name}(")).and_then(|(_, rest)| rest.split_once('{')?.1.trim_end().strip_suffix('}'));
    body.is_some_and(|body| is_field(body.trim()))
}

/// True for an expression that is a field, or a view or copy of a field.
fn is_field(expression: &str) -> bool {
    const VIEWS: [&str; 7] = ["as_bytes()", "as_deref()", "as_ref()", "as_slice()", "as_str()", "clone()", "to_owned()"];
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '#'));
    let Some(path) = expression.trim_start_matches(['&', '*']).strip_prefix("self.") else { return false };
    let parts: Vec<&str> = path.split('.').map(str::trim).collect();
    match parts.as_slice() {
        [fields @ .., last] if !fields.is_empty() && VIEWS.contains(last) => fields.iter().all(|part| is_name(part)),
        fields => fields.iter().all(|part| is_name(part)),
    }
}

/// Returns the wrapper's fields for an error struct: the public fields, and the methods that only read a field. Also returns the public fields that
/// are left out.
fn fields(cross: &Cross<'_>, item: &Item, known: &Known) -> (Vec<Field>, LeftOut) {
    let api = cross.api;
    let (mut found, mut left_out) = (Vec::new(), LeftOut::new());
    let all = api.some_fields(item);
    for (name, ty, field_item) in &all {
        let shown = super::declare::name_of_field(name, all.len());
        match field(cross, &shown, ty, true, field_item, format!("(&{ORIGINAL}.{})", raw(name))) {
            Ok(field) => found.push(field),
            Err(reason) => left_out.push((format!("{}::{}", known.path, raw(name)), reason)),
        }
    }
    for data in api.implementations(item).into_iter().filter(|data| data.trait_.is_none()) {
        for method in data.items.iter().filter_map(|id| api.item(*id)) {
            let (ItemEnum::Function(function), Some(name)) = (&method.inner, method.name.as_deref()) else { continue };
            let takes_self =
                matches!(function.sig.inputs.as_slice(), [(name, Type::BorrowedRef { is_mutable: false, .. })] if name == "self");
            let is_public = method.visibility == Visibility::Public && !SKIPPED.contains(&name);
            let is_plain = function.generics.params.is_empty() && !function.header.is_unsafe && !function.header.is_async;
            let call = match super::function::PRELUDE.contains(&name) {
                true => format!("{}::{}(&{ORIGINAL})", known.path, raw(name)),
                false => format!("{ORIGINAL}.{}()", raw(name)),
            };
            if let (true, Some(ty)) = (takes_self && is_public && is_plain, &function.sig.output)
                && let Ok(field) = field(cross, name, ty, false, method, call)
                && reads_a_field(method)
            {
                found.push(Field { method: Some(name.to_owned()), ..field });
            }
        }
    }
    let mut names = BTreeSet::new();
    found.retain(|field| names.insert(camel_case(&field.name)));
    (found, left_out)
}

/// Returns the variants of an enum with their fields, and the fields that are left out.
fn cases(cross: &Cross<'_>, item: &Item, known: &Known) -> (Vec<Case>, LeftOut) {
    let api = cross.api;
    let (mut cases, mut left_out) = (Vec::new(), LeftOut::new());
    for (name, variant_item, _) in variants(api, item) {
        let ItemEnum::Variant(variant) = &variant_item.inner else { continue };
        let path = format!("{}::{name}", known.path);
        let is_open = super::types::is_open(variant_item);
        let mut field_of = |id: &Id, name: Option<&str>, shown: &str, from: String| {
            let item = api.item(*id)?;
            let ItemEnum::StructField(ty) = &item.inner else { return None };
            let found = field(cross, shown, ty, true, item, from);
            let found = found.map_err(|reason| left_out.push((format!("{path} (field {})", name.unwrap_or(shown)), reason)));
            found.ok()
        };
        let (pattern, fields) = match &variant.kind {
            VariantKind::Plain if is_open => (format!("{path} {{ .. }}"), Vec::new()),
            VariantKind::Plain => (path.clone(), Vec::new()),
            VariantKind::Tuple(parts) => {
                let one = |(at, id): (usize, &Option<Id>)| {
                    let shown = if parts.len() == 1 { "value".to_owned() } else { format!("value{at}") };
                    field_of(id.as_ref()?, Some(&at.to_string()), &shown, format!("x{at}"))
                };
                let fields: Vec<Option<Field>> = parts.iter().enumerate().map(one).collect();
                let bound = fields.iter().map(|field| field.as_ref().map_or("_", |field| &field.from)).collect::<Vec<_>>().join(", ");
                let bound = if fields.iter().all(Option::is_none) { "..".to_owned() } else { format!("{bound}, ..") };
                let by_name = |(at, field): (usize, &Option<Field>)| field.as_ref().map(|field| format!("{at}: {}, ", field.from));
                let pattern = match is_open {
                    true => format!("{path} {{ {}.. }}", fields.iter().enumerate().filter_map(by_name).collect::<String>()),
                    false => format!("{path}({bound})"),
                };
                (pattern, fields.into_iter().flatten().collect())
            }
            VariantKind::Struct { fields, .. } => {
                let one = |id: &Id| {
                    let name = api.item(*id)?.name.as_deref()?;
                    Some((raw(name), field_of(id, None, name, format!("x_{name}"))?))
                };
                let fields: Vec<(String, Field)> = fields.iter().filter_map(one).collect();
                let bound: String = fields.iter().map(|(name, field)| format!("{name}: {}, ", field.from)).collect();
                (format!("{path} {{ {bound}.. }}"), fields.into_iter().map(|(_, field)| field).collect())
            }
        };
        cases.push(Case { name: name.to_owned(), docs: variant_item.docs.clone().unwrap_or_default(), pattern, fields });
    }
    (cases, left_out)
}

/// Returns the declaration of an error, the types of the crate in its fields, and the fields that are left out.
pub fn declaration(api: &Api, types: &Types, item: &Item, known: &Known, report: Report) -> (Declaration, BTreeSet<Id>, LeftOut) {
    let Known { name, path, .. } = known;
    let docs = docs::named(name, item.docs.as_deref().unwrap_or_default());
    let docs = if docs.is_empty() { format!("{name} is an error.") } else { docs };
    let mut lines = docs::comment("///", &docs);
    if report == Report::Number {
        return (numbered(api, item, known, lines), BTreeSet::new(), LeftOut::new());
    }
    let cross = cross(api, types);
    let is_std = api.implements(item, "Error", None).is_some();
    let (cases, left_out) = match report {
        Report::Fields => {
            let (fields, left_out) = fields(&cross, item, known);
            (vec![Case { name: name.clone(), docs: String::new(), pattern: String::new(), fields }], left_out)
        }
        _ => cases(&cross, item, known),
    };
    let all = || cases.iter().flat_map(|case| &case.fields);
    lines.push(if is_std { "#[derive(Debug, rustgo::Error)]" } else { "#[derive(rustgo::Error)]" }.to_owned());
    lines.extend(all().any(|field| field.output.int).then(|| "#[rustgo(int = \"usize\")]".to_owned()));
    let declared = |case: &Case, start: &str, public: &str| {
        let mut lines = Vec::new();
        for field in &case.fields {
            lines.extend(docs::comment(&format!("{start}///"), &docs::named(&camel_case(&field.name), &field.docs)));
            lines.push(format!("{start}{public}{}: {},", field.name, field.output.ty));
        }
        lines.extend([format!("{start}#[rustgo(skip)]"), format!("{start}{ORIGINAL}: {path},")]);
        lines
    };
    let made = |case: &Case, of: &str| {
        let value = |field: &Field| match field.from.strip_prefix("(&").and_then(|from| from.strip_suffix(')')) {
            Some(copied) if field.output.expr == "*$" => copied.to_owned(),
            _ => field.output.apply(&field.from),
        };
        let values: String = case.fields.iter().map(|field| format!("let {} = {}; ", field.name, value(field))).collect();
        let names: String = case.fields.iter().map(|field| format!("{}, ", field.name)).collect();
        format!("{values}{of} {{ {names}{ORIGINAL} }}")
    };
    let (body, original) = if report == Report::Fields {
        lines.push(format!("pub struct {name} {{"));
        cases.iter().for_each(|case| lines.extend(declared(case, "    ", "pub ")));
        (cases.iter().map(|case| made(case, name)).collect(), format!("&self.{ORIGINAL}"))
    } else {
        lines.push(format!("pub enum {name} {{"));
        for case in &cases {
            lines.extend(docs::comment("    ///", &docs::named(&format!("{name}{}", camel_case(&case.name)), &case.docs)));
            lines.push(format!("    {} {{", case.name));
            lines.extend(declared(case, "        ", ""));
            lines.push("    },".to_owned());
        }
        let mut arms: Vec<String> =
            cases.iter().map(|case| format!("{} => {{ {} }}", case.pattern, made(case, &format!("{name}::{}", case.name)))).collect();
        if super::types::is_open(item) {
            arms.push("_ => unreachable!(\"this variant is newer than the wrapper: run rustgo update\")".to_owned());
        }
        let originals = cases.iter().map(|case| format!("{name}::{} {{ {ORIGINAL}, .. }}", case.name)).collect::<Vec<_>>().join(" | ");
        (format!("match &{ORIGINAL} {{ {} }}", arms.join(", ")), format!("match self {{ {originals} => {ORIGINAL} }}"))
    };
    lines.push("}".to_owned());
    let mut rest = implementation(&format!("From<{path}> for {name}"), &format!("fn from({ORIGINAL}: {path}) -> Self"), &body);
    if is_deprecated(api, item) {
        rest.insert(1, "#[allow(deprecated)]".to_owned());
    }
    rest.extend(implementation(name, &format!("fn {ORIGINAL}(&self) -> &{path}"), &original));
    let format = format!("std::fmt::Display::fmt(self.{ORIGINAL}(), f)");
    rest.extend(implementation(
        &format!("std::fmt::Display for {name}"),
        "fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result",
        &format,
    ));
    if is_std {
        let source = format!("std::error::Error::source(self.{ORIGINAL}())");
        let head = "fn source(&self) -> Option<&(dyn std::error::Error + 'static)>";
        rest.extend(implementation(&format!("std::error::Error for {name}"), head, &source));
    }
    let used = all().flat_map(|field| field.used.iter().copied()).collect();
    (Declaration { lines, rest }, used, left_out)
}

/// Writes the declaration of an error that is an enum without fields. `lines` has its documentation.
fn numbered(api: &Api, item: &Item, known: &Known, mut lines: Vec<String>) -> Declaration {
    let Known { name, path, .. } = known;
    lines.extend(["#[derive(Clone, Copy, Debug, rustgo::Error)]".to_owned(), format!("pub enum {name} {{")]);
    let variants = variants(api, item);
    for (variant, item, _) in &variants {
        lines.extend(docs::comment("    ///", &docs_of(&format!("{name}{}", camel_case(variant)), item)));
        lines.push(format!("    {variant},"));
    }
    lines.push("}".to_owned());
    let arms = |from: &str, to: &str| variants.iter().map(|(name, ..)| format!("{from}::{name} => {to}::{name}")).collect::<Vec<_>>();
    let mut to_go = arms(path, name);
    if super::types::is_open(item) {
        to_go.push("_ => unreachable!(\"this variant is newer than the wrapper: run rustgo update\")".to_owned());
    }
    let matched = |arms: Vec<String>| format!("match value {{ {} }}", arms.join(", "));
    let mut rest = conversions(known, &matched(to_go), &matched(arms(name, path)), is_deprecated(api, item), true);
    rest.extend(implementation(
        &format!("std::fmt::Display for {name}"),
        "fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result",
        &format!("std::fmt::Display::fmt(&{}(*self), f)", known.to_crate()),
    ));
    Declaration { lines, rest }
}

/// Writes an implementation with one function.
fn implementation(of: &str, head: &str, body: &str) -> Vec<String> {
    vec![String::new(), format!("impl {of} {{"), format!("    {head} {{"), format!("        {body}"), "    }".to_owned(), "}".to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fields_are_read() {
        for body in [
            "self.line",
            "&self.0",
            "*self.kind",
            "self.inner.line",
            "&self.0.text",
            "self.text.as_str()",
            "self.r#type",
            "self.a\n    .clone()",
        ] {
            assert!(is_field(body), "{body}");
        }
        for body in [
            "self",
            "self.line()",
            "self.line + 1",
            "self.at[0]",
            "self.text.parse().unwrap()",
            "self.as_str()",
            "self.a.clone().b",
            "other.line",
            "&self.text[1..]",
            "// the line\nself.line",
            "unreachable!()",
            "",
        ] {
            assert!(!is_field(body), "{body}");
        }
    }
}
