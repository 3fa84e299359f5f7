//! Makes plain types of generic types that have one meaning: an alias that states all arguments, such as `type Text = Buffer<u8, 16>`, and a type whose
//! parameters all have defaults.
//!
//! The alias gets copies of the fields, variants and implementations of the generic type, with the arguments in place of the parameters. All
//! signatures then name the alias, and the other modules treat the alias as a type without parameters. The copies are made of the JSON of the items,
//! where a parameter, an argument and the path of a type each have one form at every place.

use rustdoc_types::{Crate, GenericParamDef, GenericParamDefKind, Generics, Id, Item, ItemEnum, StructKind, VariantKind, Visibility};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The arguments for parameters, by the parameters' names. An argument is `{"type": …}` or `{"const": …}`.
type Given = BTreeMap<String, Value>;

/// A generic type with arguments for all its parameters.
struct Instance {
    /// The generic type.
    generic: Id,
    params: Vec<GenericParamDef>,
    /// The alias, or the generic type itself if its defaults are the arguments.
    named: Id,
    name: String,
    args: Vec<Value>,
}

/// Makes plain types of the aliases that state all arguments, and of the types whose parameters have defaults.
pub fn separate(krate: &mut Crate) {
    let instances = instances(krate);
    let mut next = krate.index.keys().chain(krate.paths.keys()).map(|id| id.0).max().unwrap_or(0) + 1;
    let mut made: Vec<Item> = Vec::new();
    for instance in &instances {
        let mut copies = Copies { krate, instance, next, made: Vec::new() };
        let named = copies.named();
        next = copies.next;
        made.extend(copies.made);
        made.extend(named);
    }
    krate.index.extend(made.into_iter().map(|item| (item.id, item)));
    if instances.is_empty() {
        return;
    }
    for item in krate.index.values_mut().filter(|item| item.crate_id == 0) {
        let Ok(mut inner) = serde_json::to_value(&item.inner) else { continue };
        rename(&mut inner, &instances);
        if let Ok(inner) = serde_json::from_value(inner) {
            item.inner = inner;
        }
    }
}

/// Finds the instances. Of several aliases for one instance, only the first counts.
fn instances(krate: &Crate) -> Vec<Instance> {
    let mut items: Vec<&Item> = krate.index.values().filter(|item| item.crate_id == 0 && item.visibility == Visibility::Public).collect();
    items.sort_by_key(|item| item.id.0);
    let mut found: Vec<Instance> = Vec::new();
    for item in items {
        let Some(name) = item.name.clone() else { continue };
        let instance = match &item.inner {
            ItemEnum::TypeAlias(alias) if alias.generics.params.is_empty() => {
                let Ok(ty) = serde_json::to_value(&alias.type_) else { continue };
                let Some(path) = ty.get("resolved_path") else { continue };
                let Some(generic) = id_of(path).and_then(|id| krate.index.get(&id)).filter(|generic| generic.crate_id == 0) else {
                    continue;
                };
                let Some(params) = parameters(generic) else { continue };
                arguments(path, &params).map(|args| Instance { generic: generic.id, params, named: item.id, name, args })
            }
            ItemEnum::Struct(_) | ItemEnum::Enum(_) => {
                let Some(params) = parameters(item) else { continue };
                arguments(&Value::Null, &params).map(|args| Instance { generic: item.id, params, named: item.id, name, args })
            }
            _ => None,
        };
        let is_new =
            |instance: &Instance| !found.iter().any(|other| other.generic == instance.generic && same(&other.args, &instance.args));
        found.extend(instance.filter(|instance| !instance.args.iter().any(names_parameter)).filter(is_new));
    }
    found
}

fn generics(item: &Item) -> Option<&Generics> {
    match &item.inner {
        ItemEnum::Struct(data) => Some(&data.generics),
        ItemEnum::Enum(data) => Some(&data.generics),
        _ => None,
    }
}

/// Returns the parameters of a generic struct or enum. `None` for a type without parameters, and for a type that borrows.
fn parameters(item: &Item) -> Option<Vec<GenericParamDef>> {
    let params = &generics(item)?.params;
    let borrows = params.iter().any(|param| matches!(param.kind, GenericParamDefKind::Lifetime { .. }));
    (!params.is_empty() && !borrows).then(|| params.clone())
}

/// Returns the arguments of a path, and the defaults for missing ones. `None` if an argument is missing or is a lifetime.
fn arguments(path: &Value, params: &[GenericParamDef]) -> Option<Vec<Value>> {
    let stated = path.pointer("/args/angle_bracketed/args").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut given = Given::new();
    let mut args = Vec::new();
    for (at, param) in params.iter().enumerate() {
        let default = || match &param.kind {
            GenericParamDefKind::Type { default, .. } => Some(json!({ "type": default.as_ref()? })),
            GenericParamDefKind::Const { default, .. } => {
                Some(json!({ "const": { "expr": default.as_ref()?, "value": null, "is_literal": false } }))
            }
            GenericParamDefKind::Lifetime { .. } => None,
        };
        let mut arg = stated.get(at).cloned().or_else(default)?;
        if arg.get("lifetime").is_some() {
            return None;
        }
        substitute(&mut arg, &given);
        given.insert(param.name.clone(), arg.clone());
        args.push(arg);
    }
    Some(args)
}

/// True if an argument has a type parameter, a lifetime or an inferred part.
fn names_parameter(arg: &Value) -> bool {
    match arg {
        Value::Object(fields) => {
            fields.contains_key("generic") || fields.contains_key("impl_trait") || fields.values().any(names_parameter)
        }
        Value::Array(list) => list.iter().any(names_parameter),
        Value::String(text) => text == "infer",
        _ => false,
    }
}

/// True if two lists of arguments are equal. For a constant, only the expression counts.
fn same(a: &[Value], b: &[Value]) -> bool {
    let is_same = |(a, b): (&Value, &Value)| match (a.pointer("/const/expr"), b.pointer("/const/expr")) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    };
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}

fn id_of(path: &Value) -> Option<Id> {
    path.get("id")?.as_u64().and_then(|id| u32::try_from(id).ok()).map(Id)
}

/// Replaces parameters by their arguments.
fn substitute(value: &mut Value, given: &Given) {
    if let Some(arg) = value.get("generic").and_then(Value::as_str).and_then(|name| given.get(name)) {
        if let Some(ty) = arg.get("type") {
            *value = ty.clone();
        }
        return;
    }
    let constant = |name: &Value| given.get(name.as_str()?)?.pointer("/const/expr").cloned();
    for place in ["/array/len", "/const/expr"] {
        if let Some(found) = value.pointer(place).and_then(constant)
            && let Some(place) = value.pointer_mut(place)
        {
            *place = found;
        }
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|value| substitute(value, given)),
        Value::Array(list) => list.iter_mut().for_each(|value| substitute(value, given)),
        _ => {}
    }
}

/// Replaces the path of a generic type with the arguments of an instance by the path of the instance's name.
fn rename(value: &mut Value, instances: &[Instance]) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(|value| rename(value, instances));
            let Some(path) = fields.get_mut("resolved_path") else { return };
            let is_it = |instance: &&Instance| {
                id_of(path) == Some(instance.generic) && arguments(path, &instance.params).is_some_and(|args| same(&args, &instance.args))
            };
            if let Some(instance) = instances.iter().find(is_it) {
                *path = json!({ "path": instance.name, "id": instance.named, "args": null });
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| rename(value, instances)),
        _ => {}
    }
}

/// Returns the first path of a type in a value.
fn path_of(value: &Value, id: Id) -> Option<&Value> {
    match value {
        Value::Object(fields) => match fields.get("resolved_path").filter(|path| id_of(path) == Some(id)) {
            Some(path) => Some(path),
            None => fields.values().find_map(|value| path_of(value, id)),
        },
        Value::Array(list) => list.iter().find_map(|value| path_of(value, id)),
        _ => None,
    }
}

/// The copies of items for an instance.
struct Copies<'a> {
    krate: &'a Crate,
    instance: &'a Instance,
    /// The id of the next copy.
    next: u32,
    made: Vec<Item>,
}

impl Copies<'_> {
    /// Returns the item of the instance's name: the generic type without its parameters.
    fn named(&mut self) -> Option<Item> {
        let generic = self.krate.index.get(&self.instance.generic)?;
        let names = self.instance.params.iter().map(|param| param.name.clone());
        let given: Given = names.zip(self.instance.args.iter().cloned()).collect();
        let mut item = self.krate.index.get(&self.instance.named)?.clone();
        let impls;
        match &generic.inner {
            ItemEnum::Struct(data) => {
                let mut data = data.clone();
                impls = std::mem::take(&mut data.impls);
                data.generics = Generics { params: Vec::new(), where_predicates: Vec::new() };
                match &mut data.kind {
                    StructKind::Unit => {}
                    StructKind::Tuple(fields) => *fields = fields.iter().map(|id| self.copy((*id)?, &given)).collect(),
                    StructKind::Plain { fields, .. } => *fields = fields.iter().filter_map(|id| self.copy(*id, &given)).collect(),
                }
                data.impls = impls.iter().filter_map(|id| self.implementation(*id)).collect();
                item.inner = ItemEnum::Struct(data);
            }
            ItemEnum::Enum(data) => {
                let mut data = data.clone();
                impls = std::mem::take(&mut data.impls);
                data.generics = Generics { params: Vec::new(), where_predicates: Vec::new() };
                data.variants = data.variants.iter().filter_map(|id| self.variant(*id, &given)).collect();
                data.impls = impls.iter().filter_map(|id| self.implementation(*id)).collect();
                item.inner = ItemEnum::Enum(data);
            }
            _ => return None,
        }
        item.docs = item.docs.or_else(|| generic.docs.clone());
        item.deprecation = item.deprecation.or_else(|| generic.deprecation.clone());
        if item.id != generic.id {
            item.attrs.extend(generic.attrs.iter().cloned());
        }
        Some(item)
    }

    /// Copies an item with the arguments in place of the parameters. Returns the id of the copy.
    fn copy(&mut self, id: Id, given: &Given) -> Option<Id> {
        let mut item = self.krate.index.get(&id)?.clone();
        let mut inner = serde_json::to_value(&item.inner).ok()?;
        substitute(&mut inner, given);
        item.inner = serde_json::from_value(inner).ok()?;
        Some(self.add(item))
    }

    fn add(&mut self, mut item: Item) -> Id {
        item.id = Id(self.next);
        self.next += 1;
        self.made.push(item);
        Id(self.next - 1)
    }

    fn variant(&mut self, id: Id, given: &Given) -> Option<Id> {
        let mut item = self.krate.index.get(&id)?.clone();
        let ItemEnum::Variant(variant) = &mut item.inner else { return None };
        match &mut variant.kind {
            VariantKind::Plain => {}
            VariantKind::Tuple(fields) => *fields = fields.iter().map(|id| self.copy((*id)?, given)).collect(),
            VariantKind::Struct { fields, .. } => *fields = fields.iter().filter_map(|id| self.copy(*id, given)).collect(),
        }
        Some(self.add(item))
    }

    /// Copies an implementation and its items. `None` if the implementation is for other arguments.
    fn implementation(&mut self, id: Id) -> Option<Id> {
        let mut item = self.krate.index.get(&id)?.clone();
        let ItemEnum::Impl(data) = &mut item.inner else { return None };
        if data.blanket_impl.is_some() {
            // The parameters of an implementation for all types are not those of the type.
            let path = json!({ "resolved_path": { "path": self.instance.name, "id": self.instance.named, "args": null } });
            data.for_ = serde_json::from_value(path).ok()?;
            return Some(self.add(item));
        }
        let types = [serde_json::to_value(&data.for_).ok()?, serde_json::to_value(&data.trait_).ok()?];
        let path = types.iter().find_map(|value| path_of(value, self.instance.generic))?;
        let given = self.unified(&arguments(path, &self.instance.params)?, &data.generics)?;
        let items = data.items.clone();
        let mut inner = serde_json::to_value(&item.inner).ok()?;
        substitute(&mut inner, &given);
        item.inner = serde_json::from_value(inner).ok()?;
        let ItemEnum::Impl(data) = &mut item.inner else { return None };
        data.generics.params.retain(|param| !given.contains_key(&param.name));
        data.items = items.into_iter().filter_map(|id| self.copy(id, &given)).collect();
        Some(self.add(item))
    }

    /// Returns the arguments of an implementation's parameters that make the arguments `stated` in the implementation equal the instance's arguments.
    fn unified(&self, stated: &[Value], generics: &Generics) -> Option<Given> {
        let mut given = Given::new();
        for (stated, arg) in stated.iter().zip(&self.instance.args) {
            let name = stated.pointer("/type/generic").or_else(|| stated.pointer("/const/expr")).and_then(Value::as_str);
            match name.filter(|name| generics.params.iter().any(|param| param.name == **name)) {
                Some(name) => match given.insert(name.to_owned(), arg.clone()) {
                    Some(other) if !same(std::slice::from_ref(&other), std::slice::from_ref(arg)) => return None,
                    _ => {}
                },
                None if same(std::slice::from_ref(stated), std::slice::from_ref(arg)) => {}
                None => return None,
            }
        }
        Some(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_take_the_places_of_parameters() {
        let constant = |expr: &str| json!({ "const": { "expr": expr, "value": null, "is_literal": true } });
        let given = Given::from([("T".to_owned(), json!({ "type": { "primitive": "u8" } })), ("N".to_owned(), constant("3"))]);
        let mut value =
            json!([{ "generic": "T" }, { "generic": "U" }, { "array": { "type": { "generic": "T" }, "len": "N" } }, constant("N")]);
        substitute(&mut value, &given);
        let array = json!({ "array": { "type": { "primitive": "u8" }, "len": "3" } });
        assert_eq!(value, json!([{ "primitive": "u8" }, { "generic": "U" }, array, constant("3")]));
    }

    #[test]
    fn arguments_without_parameters_are_instances() {
        assert!(!names_parameter(&json!({ "type": { "primitive": "u8" } })));
        assert!(names_parameter(&json!({ "type": { "tuple": [{ "generic": "T" }] } })));
        let constant = |expr: &str, value: Value| json!({ "const": { "expr": expr, "value": value, "is_literal": false } });
        assert!(same(&[constant("'*'", Value::Null)], &[constant("'*'", json!("'*'"))]));
        assert!(!same(&[constant("'*'", Value::Null)], &[constant("'?'", Value::Null)]));
    }
}
