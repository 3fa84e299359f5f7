//! Writes the wrapper's types for errors of the crate, so that `errors.Is` and `errors.As` tell errors apart.
//!
//! An enum without fields becomes such an enum. The wrapper's other errors have the crate's error in a field that Go does not get, for the text and
//! the sources, and beside it the fields that can cross.

use super::api::Api;
use super::cross::{Cross, Lending, Output, Place};
use super::declare::{Declaration, conversions, docs_of, is_deprecated, variants};
use super::docs;
use super::names::camel_case;
use super::types::{Kind, Known, Report, Types};
use rustdoc_types::{Id, Item, ItemEnum, Type, VariantKind, Visibility};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The field with the crate's error.
const ORIGINAL: &str = "original";

/// Methods of Go's errors, which a field of that name would hide, and methods that give no more than the text.
const SKIPPED: [&str; 9] = ["error", "is", "unwrap", "original", "source", "description", "cause", "to_string", "clone"];

/// A field of the wrapper's error.
#[derive(Clone, Debug)]
struct Field {
    name: String,
    output: Output,
    docs: String,
    /// The expression for a reference to the crate's value, or for the value.
    from: String,
    /// The type of the crate that the field has.
    used: BTreeSet<Id>,
}

/// A variant of an error, or the whole error if it is a struct.
#[derive(Clone, Debug)]
struct Case {
    name: String,
    docs: String,
    /// The pattern for the crate's variant.
    pattern: String,
    fields: Vec<Field>,
}

/// Finds out what each error of the crate has besides its text. Errors with nothing else, and errors whose variants have the names of other types, are
/// texts.
pub fn settle(api: &Api, types: &mut Types) {
    let names: BTreeSet<String> = types.0.values().flatten().map(Known::go).collect();
    let mut texts = Vec::new();
    for (id, known) in &types.0 {
        let (Ok(known @ Known { kind: Kind::Failure(report), .. }), Some(item)) = (known, api.item(*id)) else { continue };
        let name = known.go();
        let clashes = variants(api, item).iter().any(|(variant, ..)| names.contains(&format!("{name}{}", camel_case(variant))));
        let is_text = match report {
            Report::Number | Report::Variants => clashes,
            Report::Fields => fields(&cross(api, types), item).is_empty(),
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
        used: RefCell::default(),
        made: RefCell::default(),
    }
}

/// Returns the names of the methods and fields of an error struct that the wrapper's error has as fields.
pub fn carried(api: &Api, types: &Types, item: &Item) -> BTreeSet<String> {
    fields(&cross(api, types), item).into_iter().map(|field| field.name).collect()
}

/// Returns a field, unless its type cannot be a field of an error.
fn field(cross: &Cross<'_>, name: &str, ty: &Type, by_reference: bool, docs: &str, from: String) -> Option<Field> {
    cross.made.borrow_mut().clear();
    cross.used.borrow_mut().clear();
    let lent = || Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new(ty.clone()) };
    let lending = Lending { owned: true, collected: true };
    let output = cross.output(&if by_reference { lent() } else { ty.clone() }, Place::Part, lending).ok()?;
    // An object would have to be shared by all copies of the error.
    let is_plain = cross.made.borrow().is_empty() && output.ty.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '<' | '>'));
    let is_field = is_plain && !output.ty.starts_with("Option") && !SKIPPED.contains(&name);
    let used = cross.used.borrow().clone();
    is_field.then(|| Field { name: name.to_owned(), output, docs: docs.to_owned(), from, used })
}

/// The public fields of a struct, and what its methods without arguments return.
fn fields(cross: &Cross<'_>, item: &Item) -> Vec<Field> {
    let api = cross.api;
    let mut found: Vec<Field> = Vec::new();
    let mut add = |field: Option<Field>| found.extend(field);
    for (name, ty, field_item) in api.some_fields(item) {
        let (name, from) = (if name == "0" { "value" } else { name }, format!("&{ORIGINAL}.{name}"));
        add(field(cross, name, ty, true, field_item.docs.as_deref().unwrap_or_default(), from));
    }
    for data in api.implementations(item).into_iter().filter(|data| data.trait_.is_none()) {
        for method in data.items.iter().filter_map(|id| api.item(*id)) {
            let (ItemEnum::Function(function), Some(name)) = (&method.inner, method.name.as_deref()) else { continue };
            let takes_self =
                matches!(function.sig.inputs.as_slice(), [(name, Type::BorrowedRef { is_mutable: false, .. })] if name == "self");
            let is_public = method.visibility == Visibility::Public && method.deprecation.is_none();
            let is_plain = function.generics.params.is_empty() && !function.header.is_unsafe && !function.header.is_async;
            if let (true, Some(ty)) = (takes_self && is_public && is_plain, &function.sig.output) {
                let from = format!("{ORIGINAL}.{name}()");
                add(field(cross, name, ty, false, method.docs.as_deref().unwrap_or_default(), from));
            }
        }
    }
    let mut names = BTreeSet::new();
    found.retain(|field| names.insert(camel_case(&field.name)));
    found
}

/// The variants of an enum with their fields.
fn cases(cross: &Cross<'_>, item: &Item, known: &Known) -> Vec<Case> {
    let api = cross.api;
    let mut cases = Vec::new();
    for (name, variant_item, _) in variants(api, item) {
        let ItemEnum::Variant(variant) = &variant_item.inner else { continue };
        let path = format!("{}::{name}", known.path);
        let field_of = |id: &Id| {
            let item = api.item(*id)?;
            if let ItemEnum::StructField(ty) = &item.inner { Some((item, ty)) } else { None }
        };
        let (pattern, fields) = match &variant.kind {
            VariantKind::Plain => (path, Vec::new()),
            VariantKind::Tuple(parts) => {
                let one = |(at, id): (usize, &Option<Id>)| {
                    let (item, ty) = field_of(id.as_ref()?)?;
                    let name = if parts.len() == 1 { "value".to_owned() } else { format!("value{at}") };
                    field(cross, &name, ty, true, item.docs.as_deref().unwrap_or_default(), format!("x{at}"))
                };
                let fields: Vec<Option<Field>> = parts.iter().enumerate().map(one).collect();
                let bound = fields.iter().map(|field| field.as_ref().map_or("_", |field| &field.from)).collect::<Vec<_>>().join(", ");
                let bound = if fields.iter().all(Option::is_none) { "..".to_owned() } else { format!("{bound}, ..") };
                (format!("{path}({bound})"), fields.into_iter().flatten().collect())
            }
            VariantKind::Struct { fields, .. } => {
                let one = |id: &Id| {
                    let (item, ty) = field_of(id)?;
                    let name = item.name.as_deref()?;
                    field(cross, name, ty, true, item.docs.as_deref().unwrap_or_default(), format!("x_{name}"))
                };
                let fields: Vec<Field> = fields.iter().filter_map(one).collect();
                let bound: String = fields.iter().map(|field| format!("{}: {}, ", field.name, field.from)).collect();
                (format!("{path} {{ {bound}.. }}"), fields)
            }
        };
        cases.push(Case { name: name.to_owned(), docs: variant_item.docs.clone().unwrap_or_default(), pattern, fields });
    }
    cases
}

/// The declaration of an error, and the types of the crate that its fields have.
pub fn declaration(api: &Api, types: &Types, item: &Item, known: &Known, report: Report) -> (Declaration, BTreeSet<Id>) {
    let Known { name, path, .. } = known;
    let docs = docs::named(name, item.docs.as_deref().unwrap_or_default());
    let docs = if docs.is_empty() { format!("{name} is an error.") } else { docs };
    let mut lines = docs::comment("///", &docs);
    if report == Report::Number {
        return (numbered(api, item, known, lines), BTreeSet::new());
    }
    let cross = cross(api, types);
    let is_std = api.implements(item, "Error", None).is_some();
    let cases = match report {
        Report::Fields => vec![Case { name: name.clone(), docs: String::new(), pattern: String::new(), fields: fields(&cross, item) }],
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
        let values: String =
            case.fields.iter().map(|field| format!("let {} = {}; ", field.name, field.output.apply(&field.from))).collect();
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
    (Declaration { lines, rest }, used)
}

/// An enum without fields.
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
    let mut rest = conversions(known, &matched(to_go), &matched(arms(name, path)), is_deprecated(api, item));
    rest.extend(implementation(
        &format!("std::fmt::Display for {name}"),
        "fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result",
        &format!("std::fmt::Display::fmt(&{path}::from(*self), f)"),
    ));
    Declaration { lines, rest }
}

/// Writes an implementation with one function.
fn implementation(of: &str, head: &str, body: &str) -> Vec<String> {
    vec![String::new(), format!("impl {of} {{"), format!("    {head} {{"), format!("        {body}"), "    }".to_owned(), "}".to_owned()]
}
