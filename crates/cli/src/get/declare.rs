//! Writes the declarations of the wrapper's types, and the methods for their fields.

use super::api::Api;
use super::cross::{Cross, Lending, Place};
use super::docs;
use super::names::{camel_case, raw};
use super::parameter::{from_int, into_int};
use super::types::{Kind, Known, is_number, is_plain, show};
use rustdoc_types::{Item, ItemEnum, Path, Type};

/// The lines of a declaration. `rest` has the lines after the type's methods.
#[derive(Clone, Debug, Default)]
pub struct Declaration {
    pub lines: Vec<String>,
    pub rest: Vec<String>,
}

/// Writes the wrapper's declaration of a type of the crate.
pub fn declaration(api: &Api, item: &Item, known: &Known) -> Declaration {
    let Known { name, path, kind, .. } = known;
    let docs = docs::named(name, item.docs.as_deref().unwrap_or_default());
    let docs = if docs.is_empty() { format!("{name} is {path} of the crate.") } else { docs };
    let mut lines = docs::comment("///", &docs);
    let mut rest = Vec::new();
    match kind {
        Kind::Object { clone, sync } => {
            lines.push(if *sync { "#[rustgo::object]" } else { "#[rustgo::object(exclusive)]" }.to_owned());
            lines.extend(clone.then(|| "#[derive(Clone)]".to_owned()));
            lines.push(format!("pub struct {name}({path});"));
        }
        Kind::Value { copy } => {
            lines.extend(["#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]".to_owned(), "#[repr(C)]".to_owned()]);
            lines.push(format!("pub struct {name} {{"));
            let fields = api.fields(item).unwrap_or_default();
            for (field, ty, item) in &fields {
                let field = name_of_field(field, fields.len());
                let docs = docs_of(&camel_case(&field), item);
                lines.extend(docs::comment("    ///", &docs));
                lines.push(format!("    pub {}: {},", raw(&field), if is_usize(ty) { "isize".to_owned() } else { show(ty) }));
            }
            lines.push("}".to_owned());
            let copied = |is_to_go: bool| {
                let field = |(field, ty, _): &(&str, &Type, &Item)| {
                    let (own, of_crate) = (raw(&name_of_field(field, fields.len())), raw(field));
                    let (to, from, converted): (_, _, fn(&str) -> String) =
                        if is_to_go { (own, of_crate, into_int) } else { (of_crate, own, from_int) };
                    let value = format!("value.{from}");
                    format!("{to}: {}", if is_usize(ty) { converted(&value) } else { value })
                };
                fields.iter().map(field).collect::<Vec<_>>().join(", ")
            };
            let (to_go, to_crate) = (format!("{name} {{ {} }}", copied(true)), format!("{path} {{ {} }}", copied(false)));
            rest = conversions(known, &to_go, &to_crate, fields.iter().any(|(_, _, item)| item.deprecation.is_some()), *copy);
        }
        Kind::Enumeration { open, copy } => {
            let variants = variants(api, item);
            let numbers: Vec<Option<i128>> = variants.iter().map(|(_, _, number)| *number).collect();
            let repr = repr(&numbers, variants.len());
            lines.extend([
                "#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]".to_owned(),
                format!("#[repr({repr})]"),
                format!("pub enum {name} {{"),
            ]);
            for (variant, item, number) in &variants {
                let docs = docs_of(&format!("{name}{variant}"), item);
                lines.extend(docs::comment("    ///", &docs));
                let number = number.map_or_else(String::new, |number| format!(" = {number}"));
                lines.push(format!("    {variant}{number},"));
            }
            lines.push("}".to_owned());
            let arms = |from: &str, to: &str| {
                variants.iter().map(|(variant, _, _)| format!("{from}::{variant} => {to}::{variant}")).collect::<Vec<_>>()
            };
            let (mut to_go, to_crate) = (arms(path, name), arms(name, path));
            if *open {
                to_go.push("_ => unreachable!(\"this variant is newer than the wrapper: run rustgo update\")".to_owned());
            }
            let matched = |arms: &[String]| format!("match value {{ {} }}", arms.join(", "));
            rest = conversions(known, &matched(&to_go), &matched(&to_crate), is_deprecated(api, item), *copy);
        }
        Kind::Iterator(_) | Kind::Error | Kind::Failure(_) => {}
    }
    Declaration { lines, rest }
}

fn is_usize(ty: &Type) -> bool {
    *ty == Type::Primitive("usize".to_owned())
}

/// True if a variant of an enum is deprecated. The wrapper still has the variant, because the crate may return it.
pub fn is_deprecated(api: &Api, item: &Item) -> bool {
    variants(api, item).iter().any(|(_, item, _)| item.deprecation.is_some())
}

/// Writes the conversions between a type of the wrapper and the crate's type. If the crate's type is not `Copy`, a reference to it is converted too.
pub fn conversions(known: &Known, to_go: &str, to_crate: &str, is_deprecated: bool, copy: bool) -> Vec<String> {
    let Known { name, path, .. } = known;
    let allowed = is_deprecated.then(|| "#[allow(deprecated)]".to_owned());
    let mut lines = Vec::new();
    let by_reference = format!("&{path}");
    let both = [(path, name, to_go), (name, path, to_crate)];
    for (from, to, expr) in both.into_iter().chain((!copy).then_some((&by_reference, name, to_go))) {
        lines.push(String::new());
        lines.extend(allowed.clone());
        lines.extend([format!("impl From<{from}> for {to} {{"), format!("    fn from(value: {from}) -> Self {{")]);
        lines.extend([format!("        {expr}"), "    }".to_owned(), "}".to_owned()]);
    }
    lines
}

/// Returns the documentation of a variant or field for Go. If the item is deprecated, the documentation ends with a paragraph `Deprecated: …`.
pub fn docs_of(go: &str, item: &Item) -> String {
    let docs = docs::named(go, item.docs.as_deref().unwrap_or_default());
    let Some(deprecation) = &item.deprecation else { return docs };
    let note = deprecation.note.as_deref().unwrap_or("it is deprecated in the crate").trim_end_matches('.');
    let gap = if docs.is_empty() { "" } else { "\n\n" };
    format!("{docs}{gap}Deprecated: {}.", note.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the variants of an enum, each with its discriminant if the source states one.
pub fn variants<'a>(api: &'a Api, item: &'a Item) -> Vec<(&'a str, &'a Item, Option<i128>)> {
    let ItemEnum::Enum(data) = &item.inner else { return Vec::new() };
    let variant = |item: &'a Item| match &item.inner {
        ItemEnum::Variant(variant) => {
            let number = variant.discriminant.as_ref().and_then(|number| number.value.parse().ok());
            Some((item.name.as_deref()?, item, number))
        }
        _ => None,
    };
    data.variants.iter().filter_map(|id| variant(api.item(*id)?)).collect()
}

/// Chooses the integer type for the discriminants of an enum with `count` variants.
fn repr(numbers: &[Option<i128>], count: usize) -> &'static str {
    let stated = numbers.iter().flatten();
    let (least, most) = (stated.clone().min().copied().unwrap_or(0), stated.max().copied().unwrap_or(0) + count as i128);
    match (least, most) {
        (0.., ..=255) => "u8",
        (0.., ..=4_294_967_295) => "u32",
        (-2_147_483_648.., ..=2_147_483_647) => "i32",
        _ => "i64",
    }
}

/// Writes a method that returns a public field of an object.
///
/// # Errors
/// The reason why the field's type cannot cross.
pub fn getter(cross: &Cross<'_>, (name, field): (&str, &str), ty: &Type, docs: &str) -> Result<Vec<String>, String> {
    let go = camel_case(name);
    let lending = Lending { owned: false, collected: false };
    let output = match cross.resolve(ty) {
        plain if is_plain(&plain) => cross.output(&plain, Place::Top, lending)?,
        // A content that is neither `Clone` nor `Copy` is converted from a reference.
        Type::ResolvedPath(path) if super::api::last(&path.path) == "Option" && !is_converted_by_reference(cross, &path) => {
            let output = cross.output(ty, Place::Top, Lending { owned: true, ..lending })?;
            super::cross::Output { expr: output.expr.replace('$', "$.clone()"), ..output }
        }
        other => cross.output(&Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new(other) }, Place::Top, lending)?,
    };
    let docs = docs::carried(docs);
    let docs = if docs.is_empty() { format!("{go} returns the field {field}.") } else { docs::named(&go, &docs) };
    let mut lines = docs::comment("///", &docs);
    lines.extend(output.int.then(|| "#[rustgo::export(int = \"usize\")]".to_owned()));
    let field = &raw(field);
    let by_reference = output.ty.starts_with('&') && output.expr == "$" || output.expr.ends_with("::from($)");
    let expr_of_field = if by_reference { format!("&self.0.{field}") } else { format!("self.0.{field}") };
    let expr = output.expr.replace("*$", "$");
    lines.push(format!("pub fn {}(&self) -> {} {{", raw(name), output.ty));
    lines.push(format!("    {}", expr.replace('$', &expr_of_field)));
    lines.push("}".to_owned());
    Ok(lines)
}

/// True for an `Option` of a struct or enum that is not `Copy` and that Go gets as a value.
fn is_converted_by_reference(cross: &Cross<'_>, option: &Path) -> bool {
    let Some(Type::ResolvedPath(content)) = super::api::arguments(option).first().map(|ty| cross.resolve(ty)) else { return false };
    let kind = cross.known(&content).and_then(Result::ok).map(|known| known.kind);
    matches!(kind, Some(Kind::Value { copy: false } | Kind::Enumeration { copy: false, .. }))
}

/// Returns the wrapper's name for a field of a struct with `count` public fields. rustdoc names the fields of a tuple 0, 1 and so on; they get the
/// names `value0`, `value1` and so on, or `value` if there is only one.
pub fn name_of_field(field: &str, count: usize) -> String {
    match field.starts_with(|c: char| c.is_ascii_digit()) {
        true if count == 1 => "value".to_owned(),
        true => format!("value{field}"),
        false => field.to_owned(),
    }
}

/// Returns the type of a constant in the wrapper, and the expression in which `$` stands for the crate's constant. `None` for a type that Go's
/// constants cannot have. `value` is the constant's value in Rust, if it is known.
pub fn constant_type(ty: &Type, value: Option<&str>) -> Option<(String, &'static str)> {
    let is_large =
        |value: &str| value.trim_end_matches("usize").replace('_', "").parse::<u64>().is_ok_and(|value| i64::try_from(value).is_err());
    match ty {
        Type::Primitive(number) if number == "usize" && value.is_some_and(is_large) => Some(("u64".to_owned(), "$ as u64")),
        Type::Primitive(number) if number == "usize" && value.is_some() => Some(("isize".to_owned(), "$ as isize")),
        Type::Primitive(number) if number == "usize" => {
            Some(("isize".to_owned(), "{ assert!($ <= isize::MAX as usize, \"the number is too large for Go\"); $ as isize }"))
        }
        Type::Primitive(number) if is_number(number) => Some((number.clone(), "$")),
        Type::BorrowedRef { type_, .. } if **type_ == Type::Primitive("str".to_owned()) => Some(("&str".to_owned(), "$")),
        _ => None,
    }
}

/// Writes a function that returns the constant or static at `path`.
///
/// # Errors
/// The reason why the constant's type cannot cross.
pub fn constant(
    cross: &Cross<'_>,
    (rust, go, owner): (&str, &str, &str),
    path: &str,
    ty: &Type,
    docs: &str,
) -> Result<Vec<String>, String> {
    let output = cross.output(ty, Place::Top, Lending { owned: true, collected: true })?;
    let docs = docs::carried(docs);
    let docs = if docs.is_empty() { format!("{go} returns a constant.") } else { docs::named(go, &docs) };
    let mut lines = docs::comment("///", &docs);
    let name = (super::names::of_type(owner, rust) != go).then(|| format!("name = {go:?}"));
    let options: Vec<String> = name.into_iter().chain(output.int.then(|| "int = \"usize\"".to_owned())).collect();
    lines.extend((!options.is_empty()).then(|| format!("#[rustgo::export({})]", options.join(", "))));
    lines.push(format!("pub fn {rust}() -> {} {{", output.ty));
    lines.push(format!("    {}", output.apply(path)));
    lines.push("}".to_owned());
    Ok(lines)
}

/// Returns the Rust name from which the macro derives the Go name `go`.
pub fn snake_case(go: &str) -> String {
    let mut name = String::new();
    let chars: Vec<char> = go.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let after = chars.get(at + 1);
        let starts = c.is_ascii_uppercase()
            && before.is_some_and(|before| !before.is_ascii_uppercase() || after.is_some_and(|after| after.is_ascii_lowercase()));
        if starts {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_names_lead_back_to_the_go_names() {
        for (go, rust) in [("Width", "width"), ("RuneWidth", "rune_width"), ("ParseURL", "parse_url"), ("URLOf", "url_of")] {
            assert_eq!(snake_case(go), rust);
            assert_eq!(camel_case(rust), go);
        }
    }

    #[test]
    fn enums_have_small_numbers() {
        assert_eq!(repr(&[None, None], 2), "u8");
        assert_eq!(repr(&[Some(1000), None], 2), "u32");
        assert_eq!(repr(&[Some(-1)], 1), "i32");
        assert_eq!(repr(&[Some(1 << 40)], 1), "i64");
    }
}
