//! Adds methods and constructors for enums with fields. The methods return the variant of a value, and the fields of a variant.

use super::cross::{Cross, Lending, Place};
use super::declare::variants;
use super::docs;
use super::fields::{Brackets, Field, Literal};
use super::function::Export;
use super::names::{camel_case, raw};
use super::propose::{Search, TypePart, in_rust};
use super::types::{DEPRECATED, Known, is_open};
use rustdoc_types::{Id, Item, ItemEnum, Type, VariantKind};
use std::collections::BTreeSet;

/// Returns the fields of a variant. `None` if some are not public.
fn fields<'a>(cross: &Cross<'a>, variant: &'a Item) -> Option<Vec<Field<'a>>> {
    let api = cross.api;
    let ItemEnum::Variant(variant) = &variant.inner else { return None };
    let field = |id: &Id, is_named: bool| {
        let item = api.item(*id)?;
        let ItemEnum::StructField(ty) = &item.inner else { return None };
        let name = if is_named { Some(raw(item.name.as_deref()?)) } else { None };
        Some(Field { name, ty, is_deprecated: item.deprecation.is_some() })
    };
    match &variant.kind {
        VariantKind::Plain => Some(Vec::new()),
        VariantKind::Tuple(parts) => parts.iter().map(|id| field(id.as_ref()?, false)).collect(),
        VariantKind::Struct { has_stripped_fields: true, .. } => None,
        VariantKind::Struct { fields, .. } => fields.iter().map(|id| field(id, true)).collect(),
    }
}

/// Writes the pattern for a variant that binds `x` to the field at an index.
fn pattern(path: &str, variant: &Item, bound: Option<usize>) -> String {
    let ItemEnum::Variant(data) = &variant.inner else { return path.to_owned() };
    match (&data.kind, bound) {
        // Outside its crate, a `#[non_exhaustive]` variant can be matched only with `..`.
        (_, None) if is_open(variant) => format!("{path} {{ .. }}"),
        (VariantKind::Tuple(_), Some(at)) if is_open(variant) => format!("{path} {{ {at}: x, .. }}"),
        (VariantKind::Plain, _) => path.to_owned(),
        (VariantKind::Tuple(_), None) => format!("{path}(..)"),
        (VariantKind::Tuple(_), Some(at)) => format!("{path}({}x, ..)", "_, ".repeat(at)),
        (VariantKind::Struct { .. }, _) => format!("{path} {{ .. }}"),
    }
}

impl<'a> Search<'a> {
    /// Adds the methods and constructors of an enum with fields, which is an object in the wrapper.
    pub fn enum_parts(
        &mut self,
        part: &mut TypePart,
        taken: &mut BTreeSet<String>,
        (id, known, this): (Id, &Known, &Type),
        item: &'a Item,
    ) {
        let ItemEnum::Enum(data) = &item.inner else { return };
        if data.variants.is_empty() || data.has_stripped_variants {
            let reason = if data.variants.is_empty() { "no variants" } else { "some variants are hidden" };
            return self.leave_out(&format!("{} (Kind)", known.path), reason);
        }
        let all = variants(self.api, item);
        self.kind(part, taken, (id, known), item);
        for (variant, variant_item, _) in all {
            let path = format!("{}::{variant}", known.path);
            let Some(fields) = fields(&self.cross(Some(this.clone())), variant_item) else {
                self.leave_out(&path, "a variant with fields that are not public");
                continue;
            };
            for (at, field) in fields.iter().enumerate() {
                let snake = super::declare::snake_case(variant);
                let name = match &field.name {
                    Some(name) => format!("as_{snake}_{}", name.trim_start_matches("r#")),
                    None if fields.len() == 1 => format!("as_{snake}"),
                    None => format!("as_{snake}_{at}"),
                };
                if field.is_deprecated {
                    self.leave_out(&format!("{path} ({name})"), DEPRECATED);
                    continue;
                }
                self.accessor(part, taken, (id, known, this), (&path, &name), (variant_item, field, at));
            }
            if variant_item.deprecation.is_some() || fields.iter().any(|field| field.is_deprecated) {
                self.leave_out(&path, DEPRECATED);
            } else if is_open(variant_item) {
                self.leave_out(&path, "a variant that only the crate can make");
            } else {
                self.constructor_of_variant(part, taken, (known, this), (&path, variant), &fields, variant_item);
            }
        }
    }

    /// Adds the method `Kind`, and the type of its result.
    fn kind(&mut self, part: &mut TypePart, taken: &mut BTreeSet<String>, (id, known): (Id, &Known), item: &Item) {
        let name = format!("{}Kind", known.name);
        let path = format!("{} (Kind)", known.path);
        let all = variants(self.api, item);
        let constants: Vec<String> = all.iter().map(|(variant, ..)| format!("{name}{}", camel_case(variant))).collect();
        let clashing = [&name].into_iter().chain(&constants).find(|name| self.names.contains(*name));
        let reason = match self.excluded.get(&path) {
            Some(reason) => Some(reason.clone()),
            None if taken.contains("Kind") || taken.contains(&in_rust("kind")) => Some("the type has another method Kind".to_owned()),
            None if all.len() > 255 => Some("more than 255 variants".to_owned()),
            None => clashing.map(|name| format!("another item has the name {name} in Go")),
        };
        if let Some(reason) = reason {
            return self.leave_out(&path, &reason);
        }
        let mut arms: Vec<String> = all
            .iter()
            .map(|(variant, item, _)| format!("{} => {name}::{variant}", pattern(&format!("{}::{variant}", known.path), item, None)))
            .collect();
        if is_open(item) {
            arms.push("_ => unreachable!(\"this variant is newer than the wrapper: run rustgo update\")".to_owned());
        }
        let allowed = all.iter().any(|(_, item, _)| item.deprecation.is_some()).then(|| "#[allow(deprecated)]".to_owned());
        let mut lines = vec![format!("/// Kind returns the variant of this {}.", known.name)];
        lines.extend(allowed);
        lines.extend([format!("pub fn kind(&self) -> {name} {{"), format!("    match &self.0 {{ {} }}", arms.join(", ")), "}".to_owned()]);
        part.exports.push(Export { path, lines, used: BTreeSet::new(), needed: BTreeSet::from([id]), made: BTreeSet::new() });
        taken.extend(["Kind".to_owned(), in_rust("kind")]);
        part.rest.extend([
            String::new(),
            format!("/// {name} says which {} a value is.", known.name),
            "#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]".to_owned(),
            "#[repr(u8)]".to_owned(),
            format!("pub enum {name} {{"),
        ]);
        for ((variant, item, _), constant) in all.iter().zip(&constants) {
            part.rest.extend(docs::comment("    ///", &super::declare::docs_of(constant, item)));
            part.rest.push(format!("    {variant},"));
        }
        part.rest.push("}".to_owned());
        self.names.insert(name);
        self.names.extend(constants);
    }

    /// Adds a method that returns a field of a variant.
    fn accessor(
        &mut self,
        part: &mut TypePart,
        taken: &mut BTreeSet<String>,
        (id, known, this): (Id, &Known, &Type),
        (path, name): (&str, &str),
        (variant, field, at): (&Item, &Field<'_>, usize),
    ) {
        let path = format!("{path} ({name})");
        let go = camel_case(name);
        let is_taken = taken.contains(&go) || taken.contains(&in_rust(name));
        let cross = self.cross(Some(this.clone()));
        let lent = Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new(field.ty.clone()) };
        let output = match self.excluded.get(&path) {
            Some(reason) => Err(reason.clone()),
            None if is_taken => Err("another function has its name in Go".to_owned()),
            None => cross.output(&lent, Place::Part, Lending { owned: true, collected: true }),
        };
        let output = match output {
            Ok(output) if !output.ty.starts_with("Option") => output,
            Ok(_) => return self.leave_out(&path, "an Option inside a variant"),
            Err(reason) => return self.leave_out(&path, &reason),
        };
        let variant_name = variant.name.as_deref().unwrap_or_default();
        let bound = match &field.name {
            Some(field) => format!("{}::{variant_name} {{ {field}: x, .. }}", known.path),
            None => pattern(&format!("{}::{variant_name}", known.path), variant, Some(at)),
        };
        let mut lines = vec![format!("/// {go} returns a part of the value, or false if the value is not {variant_name}.")];
        lines.extend(output.int.then(|| "#[rustgo::export(int = \"usize\")]".to_owned()));
        lines.extend(variant.deprecation.as_ref().map(|_| "#[allow(deprecated)]".to_owned()));
        lines.push(format!("pub fn {name}(&self) -> Option<{}> {{", output.ty));
        // In an enum with one variant the last arm is unreachable.
        lines
            .push(format!("    #[allow(unreachable_patterns)]\n    match &self.0 {{ {bound} => Some({}), _ => None }}", output.apply("x")));
        lines.push("}".to_owned());
        let lines = lines.iter().flat_map(|line| line.lines().map(str::to_owned)).collect();
        taken.extend([go, in_rust(name)]);
        let (used, made) = (cross.used.borrow().clone(), cross.made.borrow().clone());
        part.exports.push(Export { path, lines, used, needed: BTreeSet::from([id]), made });
    }

    /// Adds a function that makes a variant.
    fn constructor_of_variant(
        &mut self,
        part: &mut TypePart,
        taken: &mut BTreeSet<String>,
        (known, this): (&Known, &Type),
        (path, variant): (&str, &str),
        fields: &[Field<'_>],
        item: &Item,
    ) {
        let go = format!("{}{}", known.go(), camel_case(variant));
        let mut rust = super::declare::snake_case(variant);
        while taken.contains(&in_rust(&rust)) || super::names::is_reserved(&rust) {
            rust.push('_');
        }
        if let Some(reason) = self.excluded.get(path) {
            return self.leave_out(path, &reason.clone());
        }
        if self.names.contains(&go) || self.reserved.contains(&go) {
            return self.leave_out(path, "another item has its name in Go");
        }
        let ItemEnum::Variant(data) = &item.inner else { return };
        let brackets = match data.kind {
            VariantKind::Plain => Brackets::None,
            VariantKind::Tuple(_) => Brackets::Tuple,
            VariantKind::Struct { .. } => Brackets::Struct,
        };
        let docs = docs::named(&go, item.docs.as_deref().unwrap_or_default());
        let docs = if docs.is_empty() { format!("{go} returns the {} {variant}.", known.name) } else { docs };
        self.literal(part, taken, (known, this), Literal { key: path, path, brackets, fields, go, rust, docs });
    }
}
