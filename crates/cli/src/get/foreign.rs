//! Adds functions for the traits of the crate that types of other crates implement.

use super::api::{last, substitute};
use super::declare;
use super::function::{Callee, Receiver, Signature, generics};
use super::names::{camel_case, raw};
use super::parameter::WIDEST;
use super::propose::Search;
use super::types::{DEPRECATED, is_number, show};
use rustdoc_types::{Impl, Item, ItemEnum, Type};
use std::collections::BTreeMap;

impl<'a> Search<'a> {
    /// Adds functions for a trait of the crate that types of other crates implement, such as `UnicodeWidthStr` for `str`.
    pub fn foreign_implementations(&mut self, of: &'a Item, path: &'a str) {
        let mut implementations: Vec<&Impl> = self.api.implementations(of);
        implementations.retain(|data| !data.is_synthetic && !data.is_negative && data.blanket_impl.is_none());
        let is_local = |ty: &Type| matches!(ty, Type::ResolvedPath(path) if self.api.item(path.id).is_some_and(|item| item.crate_id == 0));
        let mut foreign: Vec<&Impl> = implementations.iter().filter(|data| !is_local(&data.for_)).copied().collect();
        // If several number types implement the trait, only the first of them in the order of `WIDEST` gets the function.
        foreign.sort_by_key(|data| match &data.for_ {
            Type::Primitive(name) if is_number(name) => WIDEST.iter().position(|widest| widest == name).unwrap_or(WIDEST.len()),
            _ => 0,
        });
        if foreign.is_empty() {
            if implementations.is_empty() {
                self.leave_out(path, "a trait that callers implement");
            }
            return;
        }
        for method in self.trait_methods(of) {
            let ItemEnum::Function(function) = &method.inner else { continue };
            let name = &*raw(method.name.as_deref().unwrap_or_default());
            if of.deprecation.is_some() || method.deprecation.is_some() {
                self.leave_out(&format!("{path}::{name}"), DEPRECATED);
                continue;
            }
            let path_of = |data: &Impl| format!("{path}::{name} for {}", show(&data.for_));
            if function.sig.inputs.first().is_none_or(|(first, _)| first != "self") {
                self.leave_out(&format!("{path}::{name}"), "a trait's function without a receiver");
                continue;
            }
            let mut receivers: BTreeMap<&str, String> = BTreeMap::new();
            for data in &foreign {
                let item_path = path_of(data);
                let (parameter, word) = match receiver_name(&data.for_) {
                    Some(named) => named,
                    None => {
                        self.leave_out(&item_path, "a method of a type that cannot cross");
                        continue;
                    }
                };
                let derived = camel_case(name);
                let go = if self.names.contains(&derived) { format!("{word}{derived}") } else { derived };
                // An implementation for all types of a kind adds nothing to one for text.
                let of_all = || receivers.values().next().filter(|_| matches!(data.for_, Type::Generic(_)));
                if let Some(other) = receivers.get(word).or_else(of_all) {
                    self.leave_out(&item_path, &format!("the function {other} is for another type"));
                    continue;
                }
                if self.names.contains(&go) {
                    self.leave_out(&item_path, "another item has its name in Go");
                    continue;
                }
                let rust = raw(&declare::snake_case(&go));
                let signature = Signature {
                    path: item_path.clone(),
                    derived: camel_case(&rust),
                    rust,
                    go: go.clone(),
                    docs: method.docs.as_deref().unwrap_or_default(),
                    in_block: false,
                    span: method.span.clone(),
                };
                let callee = Callee { path: format!("{path}::{name}"), by_path: true };
                // Type parameters of the implementation and of the function may have the same name, so the implementation's names get a prefix.
                let own = |name: &str| (name != "Self").then(|| Type::Generic(format!("impl {name}")));
                let of = substitute(&data.for_, &own);
                let mut cross = self.cross(Some(of.clone()));
                cross.associated = self.associated(data);
                if let Ok((bounds, _)) = generics(&[&data.generics]) {
                    cross.generics = bounds.into_iter().map(|(name, bounds)| (format!("impl {name}"), bounds)).collect();
                }
                let receiver = Receiver::Parameter(parameter, &of);
                let function = &self.in_implementation(function, data);
                match self.export(cross, &signature, function, &callee, &receiver, &[]) {
                    Ok(export) => {
                        self.names.insert(go.clone());
                        receivers.insert(word, go);
                        self.proposal.functions.push(export);
                    }
                    Err(reason) => self.leave_out(&item_path, &reason),
                }
            }
        }
    }
}

/// Returns a name for the parameter that takes the place of a trait's receiver, and a word for the receiver's type in Go names.
fn receiver_name(ty: &Type) -> Option<(&'static str, &'static str)> {
    match ty {
        Type::Primitive(name) if name == "str" => Some(("text", "String")),
        Type::Primitive(name) if name == "char" => Some(("c", "Rune")),
        Type::Primitive(name) if name == "u8" => Some(("b", "Byte")),
        Type::Primitive(name) if is_number(name) => Some(("x", "Number")),
        Type::BorrowedRef { is_mutable: false, type_, .. } => receiver_name(type_),
        Type::Slice(_) | Type::Array { .. } => Some(("data", "Bytes")),
        Type::Generic(_) => Some(("value", "Value")),
        Type::ResolvedPath(path) if last(&path.path) == "String" => Some(("text", "String")),
        Type::ResolvedPath(path) if last(&path.path) == "Vec" => Some(("data", "Bytes")),
        _ => None,
    }
}
