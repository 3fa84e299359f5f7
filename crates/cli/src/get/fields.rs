//! Adds methods that read and set the public fields of structs, and functions that make structs and variants of enums from their fields.

use super::api::Api;
use super::cross::Cross;
use super::declare;
use super::docs;
use super::function::Export;
use super::names::{camel_case, raw};
use super::parameter::Parameter;
use super::propose::{Search, TypePart, in_rust};
use super::types::{DEPRECATED, Known, is_open};
use rustdoc_types::{Id, Item, Type};
use std::collections::BTreeSet;

/// A field of a struct or variant.
pub struct Field<'a> {
    /// The name in the patterns and expressions of Rust. `None` for a field of a tuple.
    pub name: Option<String>,
    pub ty: &'a Type,
    pub is_deprecated: bool,
}

/// The brackets of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brackets {
    None,
    Tuple,
    Struct,
}

/// A function that makes a value from the fields of a struct or variant.
pub struct Literal<'a> {
    /// The path of the function in the list of left-out items.
    pub key: &'a str,
    /// The path of the struct or variant.
    pub path: &'a str,
    pub brackets: Brackets,
    pub fields: &'a [Field<'a>],
    pub go: String,
    pub rust: String,
    pub docs: String,
}

/// Returns the parameter for a field, or the reason why the field's type cannot cross.
fn parameter(cross: &Cross<'_>, name: &str, ty: &Type) -> Result<Parameter, String> {
    match cross.parameter(name, ty)? {
        parameter if !parameter.lends || parameter.ty == "&str" => Ok(parameter),
        _ => Err("a field that borrows".to_owned()),
    }
}

/// Returns the fields of a struct of which other crates can write a literal: all fields are public, and the struct is not `#[non_exhaustive]`.
/// `None` for other structs, and for a struct without fields or with a deprecated field.
fn all_fields<'a>(api: &'a Api, item: &'a Item) -> Option<Vec<Field<'a>>> {
    let field = |(name, ty, item): (&str, &'a Type, &Item)| Field {
        name: (!name.starts_with(|c: char| c.is_ascii_digit())).then(|| raw(name)),
        ty,
        is_deprecated: item.deprecation.is_some(),
    };
    let fields: Vec<Field<'a>> = api.fields(item)?.into_iter().map(field).collect();
    (!fields.is_empty() && !is_open(item) && !fields.iter().any(|field| field.is_deprecated)).then_some(fields)
}

impl<'a> Search<'a> {
    /// Adds methods that read and set the public fields of an object.
    pub fn fields_of(&mut self, part: &mut TypePart, taken: &mut BTreeSet<String>, of: (Id, &Known, &Type), item: &'a Item) {
        let fields = self.api.some_fields(item);
        for &(name, ty, field) in &fields {
            let shown = declare::name_of_field(name, fields.len());
            self.getter(part, taken, of, (&shown, name, ty, field));
        }
        for &(name, ty, field) in fields.iter().filter(|(_, _, field)| field.deprecation.is_none()) {
            let shown = declare::name_of_field(name, fields.len());
            self.setter(part, taken, of, (&shown, name, ty, field));
        }
    }

    /// Adds a method that returns a public field of an object.
    fn getter(
        &mut self,
        part: &mut TypePart,
        taken: &mut BTreeSet<String>,
        (id, known, this): (Id, &Known, &Type),
        (name, field, ty, item): (&str, &str, &'a Type, &Item),
    ) {
        let path = format!("{}::{}", known.path, raw(field));
        let go = camel_case(name);
        if item.deprecation.is_some() {
            return self.leave_out(&path, DEPRECATED);
        }
        if taken.contains(&go) || taken.contains(&in_rust(name)) {
            return self.leave_out(&format!("{path} (field)"), "a method has its name in Go");
        }
        let made = self.cross(Some(this.clone()));
        let written = match self.excluded.get(&path) {
            Some(reason) => Err(reason.clone()),
            None => declare::getter(&made, (name, field), ty, item.docs.as_deref().unwrap_or_default()),
        };
        match written {
            Ok(lines) => {
                taken.extend([go, in_rust(name)]);
                part.exports.push(Export {
                    path,
                    lines,
                    used: made.used.borrow().clone(),
                    needed: BTreeSet::from([id]),
                    made: made.made.borrow().clone(),
                });
            }
            Err(reason) => self.leave_out(&path, &reason),
        }
    }

    /// Adds a method that sets a public field of an object, unless the type has such a method.
    fn setter(
        &mut self,
        part: &mut TypePart,
        taken: &mut BTreeSet<String>,
        (id, known, this): (Id, &Known, &Type),
        (name, field, ty, item): (&str, &str, &'a Type, &Item),
    ) {
        let path = format!("{}::{} (set)", known.path, raw(field));
        let (go, rust) = (format!("Set{}", camel_case(name)), format!("set_{name}"));
        // If the field cannot cross, the getter has already added it to the list of left-out items.
        let is_left_out = self.proposal.left_out.contains_key(&format!("{}::{}", known.path, raw(field)));
        if taken.contains(&go) || taken.contains(&in_rust(&rust)) || is_left_out {
            return;
        }
        let name = super::names::parameter(field, 0);
        let name = if name == "arg1" { "value" } else { &name };
        let cross = self.cross(Some(this.clone()));
        let parameter = match self.excluded.get(&path) {
            Some(reason) => Err(reason.clone()),
            None => parameter(&cross, name, ty),
        };
        let parameter = match parameter {
            Ok(parameter) => parameter,
            Err(reason) => return self.leave_out(&path, &reason),
        };
        let docs = docs::carried(item.docs.as_deref().unwrap_or_default());
        let gap = if docs.is_empty() { "" } else { "\n\n" };
        let mut lines = docs::comment("///", &format!("{go} sets the field {field}.{gap}{docs}"));
        lines.extend(parameter.int.then(|| "#[rustgo::export(int = \"usize\")]".to_owned()));
        lines.push(format!("pub fn {rust}(&mut self, {}) {{", parameter.declarations(name)));
        lines.extend(parameter.before.iter().flat_map(|before| before.lines()).map(|before| format!("    {before}")));
        lines.push(format!("    self.0.{} = {};", raw(field), parameter.expr));
        lines.push("}".to_owned());
        taken.extend([go, in_rust(&rust)]);
        let used = cross.used.borrow().clone();
        let needed = used.iter().copied().chain([id]).collect();
        part.exports.push(Export { path, lines, used, needed, made: BTreeSet::new() });
    }

    /// Adds a function `NewT` that makes a struct from its fields, if all are public and no other function has this name.
    pub fn constructor_of_fields(
        &mut self,
        part: &mut TypePart,
        taken: &mut BTreeSet<String>,
        (known, this): (&Known, &Type),
        item: &'a Item,
    ) {
        let Some(fields) = all_fields(self.api, item) else { return };
        let go = format!("New{}", known.go());
        // If the crate has a function with the type's name, that function gets the name `NewT`.
        if self.reserved.contains(&known.go()) || taken.contains(&in_rust("new")) || taken.contains(&go) || !self.is_free(&go) {
            return;
        }
        let brackets = if fields.iter().all(|field| field.name.is_some()) { Brackets::Struct } else { Brackets::Tuple };
        let key = format!("{} (literal)", known.path);
        let docs = format!("{go} returns a {} with these fields.", known.name);
        let (path, rust) = (known.path.as_str(), "new".to_owned());
        self.literal(part, taken, (known, this), Literal { key: &key, path, brackets, fields: &fields, go, rust, docs });
    }

    /// Adds a function that makes a struct or variant from its fields.
    pub fn literal(&mut self, part: &mut TypePart, taken: &mut BTreeSet<String>, (known, this): (&Known, &Type), of: Literal<'_>) {
        let Literal { key, path, fields, go, rust, .. } = &of;
        let cross = self.cross(Some(this.clone()));
        let mut parameters: Vec<(String, Parameter)> = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            let name = field.name.as_deref().map_or_else(
                || if fields.len() == 1 { "value".to_owned() } else { format!("value{at}") },
                |name| super::names::parameter(name, at),
            );
            match parameter(&cross, &name, field.ty) {
                Ok(parameter) => parameters.push((name, parameter)),
                Err(reason) => return self.leave_out(key, &reason),
            }
        }
        let names: Vec<String> = parameters.iter().flat_map(|(name, parameter)| parameter.declared(name)).map(|(name, _)| name).collect();
        if names.iter().collect::<BTreeSet<_>>().len() < names.len() {
            return self.leave_out(key, "two parameters have one name in Go");
        }
        let declared: Vec<String> = parameters.iter().map(|(name, parameter)| parameter.declarations(name)).collect();
        let value = |(field, (_, parameter)): (&Field<'_>, &(String, Parameter))| match &field.name {
            Some(field) if *field == parameter.expr => field.clone(),
            Some(field) => format!("{field}: {}", parameter.expr),
            None => parameter.expr.clone(),
        };
        let values = fields.iter().zip(&parameters).map(value).collect::<Vec<_>>().join(", ");
        let made = match of.brackets {
            Brackets::None => (*path).to_owned(),
            Brackets::Tuple => format!("{path}({values})"),
            Brackets::Struct => format!("{path} {{ {values} }}"),
        };
        let name = (super::names::of_type(&known.name, rust) != *go).then(|| format!("name = {go:?}"));
        let int = parameters.iter().any(|(_, parameter)| parameter.int).then(|| "int = \"usize\"".to_owned());
        let options: Vec<String> = name.into_iter().chain(int).collect();
        let mut lines = docs::comment("///", &of.docs);
        lines.extend((!options.is_empty()).then(|| format!("#[rustgo::export({})]", options.join(", "))));
        lines.push(format!("pub fn {rust}({}) -> Self {{", declared.join(", ")));
        let before = parameters.iter().filter_map(|(_, parameter)| parameter.before.as_deref()).flat_map(str::lines);
        lines.extend(before.map(|before| format!("    {before}")));
        lines.extend([format!("    {}({made})", known.name), "}".to_owned()]);
        let used = cross.used.borrow().clone();
        let made = BTreeSet::from_iter(match this {
            Type::ResolvedPath(path) => Some(path.id),
            _ => None,
        });
        taken.insert(in_rust(rust));
        self.names.insert(go.clone());
        part.exports.push(Export { path: (*key).to_owned(), lines, needed: used.clone(), used, made });
    }
}
