//! Adds constants and statics to the proposal. Numbers and texts become constants of the package; other values become functions that return them.

use super::api::last;
use super::declare;
use super::docs;
use super::function::Export;
use super::names::{camel_case, of_type, raw};
use super::propose::{Search, TypePart, in_rust};
use super::types::{DEPRECATED, Known};
use rustdoc_types::{Impl, Item, ItemEnum, Type, Visibility};
use std::collections::BTreeSet;

impl Search<'_> {
    /// Adds the constants of a type: numbers and texts as constants of the package, others as functions.
    pub fn constants_of(&mut self, part: &mut TypePart, taken: &mut BTreeSet<String>, known: &Known, this: &Type, data: &Impl) {
        let api = self.api;
        for item in data.items.iter().filter_map(|id| api.item(*id)).filter(|item| item.visibility == Visibility::Public) {
            let (ItemEnum::AssocConst { type_, .. }, Some(name)) = (&item.inner, item.name.as_deref()) else { continue };
            let path = format!("{}::{name}", known.path);
            if item.deprecation.is_some() {
                self.leave_out(&path, DEPRECATED);
                continue;
            }
            let go = of_type(&known.name, &name.to_ascii_lowercase());
            // rustdoc does not compute the values of associated constants.
            if let Some(declared) = declare::constant_type(&self.cross(Some(this.clone())).resolve(type_), None) {
                let rust = format!("{}_{name}", declare::snake_case(&known.name).to_ascii_uppercase());
                self.constant(item, &path, (&rust, go), declared);
                continue;
            }
            if self.names.contains(&go) {
                self.leave_out(&path, "another function has its name in Go");
                continue;
            }
            let mut rust = name.to_ascii_lowercase();
            while taken.contains(&in_rust(&rust)) || super::names::is_reserved(&rust) {
                rust.push('_');
            }
            let cross = self.cross(Some(this.clone()));
            let written = match self.excluded.get(&path) {
                Some(reason) => Err(reason.clone()),
                None => declare::constant(&cross, (&rust, &go, &known.name), &path, type_, item.docs.as_deref().unwrap_or_default()),
            };
            match written {
                Ok(lines) => {
                    taken.insert(in_rust(&rust));
                    self.names.insert(go);
                    let (used, made) = (cross.used.borrow().clone(), cross.made.borrow().clone());
                    part.exports.push(Export { path, lines, used, needed: BTreeSet::new(), made });
                }
                Err(reason) => self.leave_out(&path, &reason),
            }
        }
    }

    /// Adds a function that returns a static, or a constant of a type that Go's constants cannot have. If the type cannot cross, leaves the item out
    /// with a reason that begins with `what`.
    pub fn fixed(&mut self, item: &Item, path: &str, ty: &Type, what: &str) {
        let lower = last(path).to_ascii_lowercase();
        let module = path.rsplit("::").nth(1).unwrap_or_default().trim_start_matches("r#").to_owned();
        let names = [lower.clone(), format!("{module}_{lower}")];
        let Some(name) = names.into_iter().find(|name| self.is_free(&camel_case(name))) else {
            return self.leave_out(path, "another item has its name in Go");
        };
        self.fixed_as(item, path, (raw(&name), camel_case(&name)), ty, what);
    }

    /// Adds a function with these names in Rust and Go that returns a constant or static.
    pub fn fixed_as(&mut self, item: &Item, path: &str, (rust, go): (String, String), ty: &Type, what: &str) {
        let cross = self.cross(None);
        let written = match self.excluded.get(path) {
            Some(reason) => Err(reason.clone()),
            None => declare::constant(&cross, (&rust, &go, ""), path, ty, item.docs.as_deref().unwrap_or_default()),
        };
        match written {
            Ok(mut lines) => {
                if !lines.iter().any(|line| line.starts_with("#[rustgo::export")) {
                    let at = lines.iter().take_while(|line| line.starts_with("//")).count();
                    lines.insert(at, "#[rustgo::export]".to_owned());
                }
                self.names.insert(go);
                let (used, made) = (cross.used.borrow().clone(), cross.made.borrow().clone());
                self.proposal.functions.push(Export { path: path.to_owned(), lines, used, needed: BTreeSet::new(), made });
            }
            Err(reason) => self.leave_out(path, &reason.replacen("returns", what, 1)),
        }
    }

    /// Adds a constant with these names in Rust and Go.
    pub fn constant(&mut self, item: &Item, path: &str, (rust, go): (&str, String), (declared, expr): (String, &str)) {
        let reason = match self.excluded.get(path) {
            Some(reason) => Some(reason.clone()),
            None => self.names.contains(&go).then(|| "another item has its name in Go".to_owned()),
        };
        match reason {
            None => {
                let mut lines = docs::comment("///", &docs::named(&go, item.docs.as_deref().unwrap_or_default()));
                let is_derived = camel_case(&rust.to_ascii_lowercase()) == go;
                lines.push(if is_derived { "#[rustgo::export]".to_owned() } else { format!("#[rustgo::export(name = {go:?})]") });
                lines.push(format!("pub const {rust}: {declared} = {};", expr.replace('$', path)));
                self.names.insert(go);
                let none = BTreeSet::new;
                self.proposal.constants.push(Export { path: path.to_owned(), lines, used: none(), needed: none(), made: none() });
            }
            Some(reason) => self.leave_out(path, &reason),
        }
    }
}
