//! Adds functions of the package for a type that the wrapper leaves out: the type's functions without a receiver, its constants, and the methods of a
//! struct without fields. Such a type is often only a name for its functions.

use super::api::last;
use super::declare;
use super::function::{Callee, Receiver, Signature};
use super::names::{camel_case, of_type, raw};
use super::propose::{Search, for_self};
use super::types::{DEPRECATED, is_open};
use rustdoc_types::{Function, GenericParamDefKind, Id, Impl, Item, ItemEnum, StructKind, Type, Visibility};

/// True if `shown`, the debug text of a signature or type, names `Self` or the type. The text has every part, also bounds and associated types.
fn names_type(shown: &str, id: Id) -> bool {
    shown.contains("Generic(\"Self\")") || shown.contains(&format!("{id:?}"))
}

/// True for a function with a receiver.
fn is_method(function: &Function) -> bool {
    function.sig.inputs.first().is_some_and(|(name, _)| name == "self")
}

impl<'a> Search<'a> {
    /// Adds what remains of a type that is left out for `reason`.
    pub fn without_type(&mut self, id: Id, item: &'a Item, path: &'a str, reason: &str) {
        let (generics, is_unit) = match &item.inner {
            ItemEnum::Struct(data) => (&data.generics, matches!(data.kind, StructKind::Unit) && !is_open(item)),
            ItemEnum::Enum(data) => (&data.generics, false),
            _ => return,
        };
        let is_generic = generics.params.iter().any(|param| !matches!(param.kind, GenericParamDefKind::Lifetime { .. }));
        if is_generic || reason == DEPRECATED {
            return;
        }
        let name = self.types.1.get(&id).cloned().unwrap_or_default();
        let this = Type::ResolvedPath(rustdoc_types::Path { path: path.to_owned(), id, args: None });
        for data in self.api.implementations(item) {
            let is_its = data.trait_.is_none();
            // A trait of std, or one that the crate does not export, adds no function.
            let of_trait = data.trait_.as_ref().filter(|_| !data.is_synthetic && !data.is_negative);
            let of_trait = of_trait.and_then(|of| Some((self.api.path(of.id)?, self.api.item(of.id)?)));
            let methods = match of_trait {
                _ if is_its => self.methods(data),
                Some((_, of)) if is_unit && of.deprecation.is_none() => self.trait_methods(of),
                _ => continue,
            };
            for method in methods {
                let (ItemEnum::Function(function), Some(rust)) = (&method.inner, method.name.as_deref()) else { continue };
                let is_public = !is_its || method.visibility == Visibility::Public;
                // A function that takes or returns the type is left out with the type.
                let is_free = match is_method(function) {
                    true => is_unit && !names_type(&format!("{:?}{:?}", &function.sig.inputs[1..], function.sig.output), id),
                    false => is_its && !names_type(&format!("{:?}", function.sig), id),
                };
                if is_public && is_free {
                    self.function_of(&this, (path, &name), data, (method, function, rust), of_trait.map(|(path, _)| path));
                }
            }
            for item in data.items.iter().filter_map(|id| self.api.item(*id)).filter(|item| is_its && item.visibility == Visibility::Public)
            {
                if let (ItemEnum::AssocConst { type_, .. }, Some(rust)) = (&item.inner, item.name.as_deref())
                    && !names_type(&format!("{type_:?}"), id)
                {
                    self.constant_of(item, &name, &format!("{path}::{rust}"), type_);
                }
            }
        }
    }

    /// Adds a function for a function of the type, or for a method of a struct without fields.
    fn function_of(
        &mut self,
        this: &Type,
        (owner, name): (&str, &str),
        data: &Impl,
        (method, function, rust): (&'a Item, &Function, &str),
        of_trait: Option<&str>,
    ) {
        let path = format!("{owner}::{}", raw(rust));
        let go = of_type(name, rust);
        if method.deprecation.is_some() {
            return self.leave_out(&path, DEPRECATED);
        }
        if !self.is_free(&go) {
            return self.leave_out(&path, "another function has its name in Go");
        }
        let function = &self.in_implementation(&for_self(function, data), data);
        let rust = raw(&declare::snake_case(&go));
        let docs = method.docs.as_deref().unwrap_or_default();
        let derived = camel_case(&rust);
        let signature = Signature { path: path.clone(), derived, rust, go: go.clone(), docs, in_block: false, span: method.span.clone() };
        let callee = match of_trait {
            Some(of) => Callee { path: format!("{of}::{}", last(&path)), by_path: true },
            None => Callee { path: path.clone(), by_path: !is_method(function) },
        };
        let receiver = if is_method(function) { Receiver::Unit(owner) } else { Receiver::None };
        let mut cross = self.cross(Some(this.clone()));
        cross.associated = self.associated(data);
        match self.export(cross, &signature, function, &callee, &receiver, &[&data.generics]) {
            Ok(export) => {
                self.names.insert(go);
                self.proposal.functions.push(export);
            }
            Err(reason) => self.leave_out(&path, &reason),
        }
    }

    /// Adds a constant of the type.
    fn constant_of(&mut self, item: &Item, name: &str, path: &str, ty: &Type) {
        let lower = last(path).to_ascii_lowercase();
        let go = of_type(name, &lower);
        if item.deprecation.is_some() {
            return self.leave_out(path, DEPRECATED);
        }
        let rust = format!("{}_{lower}", declare::snake_case(name));
        match declare::constant_type(&self.api.resolve(ty), None) {
            Some(declared) => self.constant(item, path, (&rust.to_ascii_uppercase(), go), declared),
            None if !self.is_free(&go) => self.leave_out(path, "another function has its name in Go"),
            None => self.fixed_as(item, path, (rust, go), ty, "a constant of type"),
        }
    }
}
