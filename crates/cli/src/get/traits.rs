//! Adds the functions and methods that a type gets for its implementations of std's traits.

use super::cross::Cross;
use super::function::{Callee, Export, Receiver, Signature};
use super::names::{camel_case, raw};
use super::propose::{Search, TypePart, in_rust};
use super::std_traits::{self, Given, Wanted};
use super::types::{self, DEPRECATED, Kind, Known, Report, is_number, show};
use super::{api, errors};
use rustdoc_types::{Id, Impl, Item, ItemEnum, Path, Type, Visibility};
use std::collections::BTreeSet;

/// The reason for leaving out the methods of iterators.
const OF_ITERATOR: &str = "a method of an iterator, over which Go loops";

/// A type of the crate: its id, its form in the wrapper, and the type itself.
type Owner<'k> = (Id, &'k Known, &'k Type);

impl<'a> Search<'a> {
    /// Adds the functions that a type gets for the implementation `data` of a trait. `all` has all implementations of the type.
    pub fn of_trait(
        &mut self,
        part: &mut TypePart,
        taken: &mut BTreeSet<String>,
        of: Owner<'_>,
        (all, data, path): (&[&Impl], &Impl, &Path),
    ) {
        let (_, known, this) = of;
        let name = self.api.std_name(path).to_owned();
        let given = match name.as_str() {
            // core::fmt::Write has the same name as std::io::Write.
            "Write" if !self.cross(Some(this.clone())).is_std(path, "io") => Given::LeftOut("a trait of std".to_owned()),
            "" => Given::LeftOut(format!("a trait of {}", self.crate_of(path.id))),
            name => {
                let has = |name: &str| all.iter().filter_map(|data| data.trait_.as_ref()).any(|path| self.api.std_name(path) == name);
                let operates = |of: &str, other: &Type| self.operates(all, this, of, other);
                std_traits::given(name, known, &api::arguments(path), this, &has, &operates, &|ty| self.word(ty))
            }
        };
        match given {
            Given::Exports(all) => all.iter().for_each(|wanted| self.of_std(part, taken, of, data, wanted)),
            Given::LeftOut(reason) => {
                let written = std_traits::written(api::last(&path.path), &api::arguments(path));
                self.leave_out(&format!("{} ({written})", known.path), &reason);
            }
            Given::Useless => *self.proposal.useless.entry(name).or_default() += 1,
            Given::Nothing => {}
        }
    }

    /// Adds functions for an implementation that names this type but is for another type: conversions to the other type, loops over a reference to
    /// this type, and operators on such a reference.
    pub fn of_others(&mut self, part: &mut TypePart, taken: &mut BTreeSet<String>, of: Owner<'_>, data: &Impl) {
        let (_, known, this) = of;
        let Some(path) = &data.trait_ else { return };
        let is_this = |ty: &Type| matches!((ty, this), (Type::ResolvedPath(a), Type::ResolvedPath(b)) if a.id == b.id);
        let is_reference_to_this = |ty: &Type| matches!(ty, Type::BorrowedRef { type_, .. } if is_this(type_));
        let is_own = |ty: &Type| matches!(ty, Type::ResolvedPath(path) if self.api.item(path.id).is_some_and(|item| item.crate_id == 0));
        let refers = |ty: &Type| matches!(ty, Type::BorrowedRef { is_mutable: false, type_, .. } if is_this(type_));
        let name = self.api.std_name(path);
        let arguments = api::arguments(path);
        match (name, arguments.as_slice()) {
            ("From" | "TryFrom", [from]) if is_this(from) || refers(from) => {
                // If both are types of the crate, the other type gets the conversion.
                if matches!(&data.for_, Type::ResolvedPath(path) if self.api.item(path.id).is_some_and(|item| item.crate_id == 0)) {
                    return;
                }
                match self.word(&data.for_) {
                    Some(word) => {
                        // fmt calls the generated method `String` of a named number, and would not call this one (see `std_traits::given`).
                        let is_text = matches!(known.kind, Kind::Enumeration { .. }) && word == "String";
                        let wanted = Wanted::into(name, if is_text { "Text" } else { &word }, &data.for_, refers(from));
                        self.of_std(part, taken, of, data, &wanted);
                    }
                    None => self.leave_out(
                        &format!("{} for {}", std_traits::written(name, &arguments), show(&data.for_)),
                        &format!("returns {}", show(&data.for_)),
                    ),
                }
            }
            ("IntoIterator", _) if refers(&data.for_) => {
                if let Some(item) = self.api.associated(data, "Item")
                    && !taken.contains("All")
                {
                    self.of_std(part, taken, of, data, &Wanted::all(item, known));
                }
            }
            // Nothing to add: if the other type is a type of the crate, its own part has the implementation, and `propose` handles traits of the
            // crate.
            _ if name.is_empty() || is_own(&data.for_) => {}
            _ => {
                let is_reference = is_reference_to_this(&data.for_);
                let all = self.api.item(of.0).map(|item| self.api.implementations(item)).unwrap_or_default();
                let operates = |of: &str, other: &Type| self.operates(&all, this, of, other);
                let operator = std_traits::on_reference(name, arguments.first().copied(), this, &operates, &|ty| self.word(ty));
                match operator.filter(|_| refers(&data.for_)) {
                    // The crate may have the operator both for a reference and for a value. Go needs only one of them.
                    Some(Given::Exports(all)) => {
                        for wanted in all.iter().filter(|wanted| !taken.contains(&wanted.go)).cloned().collect::<Vec<_>>() {
                            self.of_std(part, taken, of, data, &wanted);
                        }
                        return;
                    }
                    Some(Given::Nothing) => return,
                    _ => {}
                }
                let has_itself = self.implementations_of_std(of.0).contains(name);
                match std_traits::use_for_others(name, &show(&data.for_), is_reference, has_itself) {
                    Given::LeftOut(reason) => {
                        let path = format!("{} ({} for {})", known.path, std_traits::written(name, &arguments), show(&data.for_));
                        self.leave_out(&path, &reason);
                    }
                    Given::Useless => *self.proposal.useless.entry(name.to_owned()).or_default() += 1,
                    Given::Exports(_) | Given::Nothing => {}
                }
            }
        }
    }

    /// Leaves out the methods of an error or iterator, because in Go errors and iterators have no such methods. Adds functions that return the
    /// iterator.
    pub fn without_methods(&mut self, id: Id, item: &'a Item, known: &'a Known, this: &Type) {
        let is_iterator = matches!(known.kind, Kind::Iterator(_));
        let reason = match is_iterator {
            true => OF_ITERATOR,
            false => "a method of an error: Go gets its fields, and methods that only read a field",
        };
        let mut part = TypePart { path: known.path.clone(), go: known.name.clone(), ..TypePart::default() };
        let mut fields = BTreeSet::new();
        let mut left_out = errors::LeftOut::new();
        match known.kind {
            Kind::Failure(report) => {
                let declaration;
                (declaration, part.used, left_out) = errors::declaration(self.api, self.types, item, known, report);
                (part.declaration, part.rest, part.is_mirror) = (declaration.lines, declaration.rest, true);
                if report == Report::Fields {
                    fields = errors::carried(self.api, self.types, item, known).0;
                }
            }
            Kind::Error => {
                left_out = errors::carried(self.api, self.types, item, known).1;
                let excluded = self.excluded.get(&types::as_value(&known.path)).map(String::as_str);
                let only_text = errors::only_text(self.api, item).map(|reason| excluded.unwrap_or(reason));
                left_out.extend(only_text.map(|reason| (format!("{} (variants)", known.path), reason.to_owned())));
            }
            _ => {}
        }
        if !is_iterator && self.api.has_sources(item) {
            left_out.push((
                format!("{}::source", known.path),
                "sources cross as texts: errors.Is and errors.As do not find their types".to_owned(),
            ));
        }
        left_out.iter().for_each(|(path, reason)| self.leave_out(path, reason));
        let mut taken = BTreeSet::new();
        for data in self.api.implementations(item).into_iter().filter(|data| data.trait_.is_none()) {
            for method in self.methods(data).into_iter().filter(|method| method.visibility == Visibility::Public) {
                let (ItemEnum::Function(function), Some(name)) = (&method.inner, method.name.as_deref()) else { continue };
                let has_self = function.sig.inputs.first().is_some_and(|(name, _)| name == "self");
                let path = format!("{}::{}", known.path, raw(name));
                if method.deprecation.is_some() {
                    self.leave_out(&path, DEPRECATED);
                } else if is_iterator && !has_self {
                    let go = super::names::of_type(&known.name, name);
                    self.constructor(&mut taken, (id, known, this), (data, method), (&path, &go, &path));
                } else if !fields.contains(name) {
                    self.leave_out(&path, reason);
                }
            }
        }
        for data in self.api.implementations(item).into_iter().filter(|_| is_iterator) {
            if let Some(of) = data.trait_.as_ref().filter(|_| !data.is_synthetic && !data.is_negative && data.blanket_impl.is_none()) {
                self.made_by_trait(&mut taken, (id, known, this), data, of);
            }
        }
        if part.is_mirror {
            self.proposal.types.push(part);
        }
    }

    /// Adds a function for a trait's function that makes an iterator, such as `From::from`. Leaves out the methods of the crate's traits.
    fn made_by_trait(&mut self, taken: &mut BTreeSet<String>, of: Owner<'_>, data: &Impl, of_trait: &Path) {
        let known = of.1;
        let arguments = api::arguments(of_trait);
        let name = self.api.std_name(of_trait);
        let path = format!("{} ({})", known.path, std_traits::written(name, &arguments));
        let (go, callee) = match (name, arguments.as_slice()) {
            ("From" | "TryFrom", [from]) => match self.word(from) {
                Some(word) if name == "From" => (format!("{}From{word}", known.go()), known.function(&known.path, "From<_>", "from")),
                Some(word) => (format!("{}From{word}", known.go()), known.function(&known.path, "TryFrom<_>", "try_from")),
                None => return self.leave_out(&path, &format!("takes {}", show(from))),
            },
            ("FromStr", _) => (format!("Parse{}", known.go()), format!("<{} as std::str::FromStr>::from_str", known.path)),
            ("Default", _) => (format!("New{}", known.go()), known.function(&known.path, "Default", "default")),
            _ => {
                for method in self
                    .api
                    .item(of_trait.id)
                    .filter(|of| self.api.path(of.id).is_some())
                    .map(|of| self.trait_methods(of))
                    .unwrap_or_default()
                {
                    let name = method.name.as_deref().unwrap_or_default();
                    self.leave_out(&format!("{}::{} (of {})", known.path, raw(name), api::last(&of_trait.path)), OF_ITERATOR);
                }
                return;
            }
        };
        if let Some(method) = self.methods(data).first() {
            self.constructor(taken, of, (data, method), (&path, &go, &callee));
        }
    }

    /// Adds the function `wanted` for a trait of std, or leaves it out.
    fn of_std(&mut self, part: &mut TypePart, taken: &mut BTreeSet<String>, (id, known, this): Owner<'_>, data: &Impl, wanted: &Wanted) {
        let path = format!("{} ({})", known.path, wanted.of);
        if let Some(reason) = self.excluded.get(&path) {
            return self.leave_out(&path, reason);
        }
        let mut wanted = wanted.clone();
        while taken.contains(&in_rust(&wanted.rust)) {
            wanted.rust.push('_');
        }
        let top = wanted.is_function();
        if top && self.reserved.contains(&wanted.go) {
            if !wanted.is_parse() {
                return self.leave_out(&path, "another function has its name in Go");
            }
            wanted.go = format!("{}FromString", known.go());
        }
        // If the constructor `new` takes arguments, the constructor from `Default` gets a name of its own. Otherwise `new` replaces it.
        if wanted.is_default() && taken.contains(&wanted.go) {
            let is_same = |line: &String| line.starts_with("pub fn new()");
            if part.exports.iter().flat_map(|export| &export.lines).any(is_same) {
                return;
            }
            wanted = wanted.beside_new(known);
        }
        if taken.contains(&wanted.go) || (top && self.names.contains(&wanted.go)) {
            if !wanted.is_default() {
                self.leave_out(&path, &format!("{} is there already", wanted.go));
            }
            return;
        }
        let mut cross: Cross<'_> = self.cross(Some(this.clone()));
        cross.associated = self.associated(data);
        match wanted.write(&cross, known, &path, id) {
            Ok(Some(export)) => {
                taken.extend([wanted.go.clone(), in_rust(&wanted.rust)]);
                if top {
                    self.names.insert(wanted.go.clone());
                }
                part.exports.push(export);
            }
            Ok(None) => {
                taken.insert(wanted.go.clone());
                part.rest.extend(std_traits::display(known));
            }
            Err(reason) => self.leave_out(&path, &reason),
        }
    }

    /// The traits of std that a type implements.
    fn implementations_of_std(&self, id: Id) -> BTreeSet<&'a str> {
        let api = self.api;
        let all = api.item(id).map(|item| api.implementations(item)).unwrap_or_default();
        all.into_iter().filter_map(|data| data.trait_.as_ref()).map(|path| api.std_name(path)).collect()
    }

    /// Returns the name of the crate that defines an item.
    fn crate_of(&self, id: Id) -> String {
        let path = self.api.defined_at(id).unwrap_or_default();
        let name = path.split("::").next().unwrap_or_default();
        if name.is_empty() { "another crate".to_owned() } else { format!("the crate {name}") }
    }

    /// True if one of the implementations `all` is the operator `of` with a first operand of the type `this`, and a second operand of the type
    /// `other`.
    fn operates(&self, all: &[&Impl], this: &Type, of: &str, other: &Type) -> bool {
        let is = |ty: &Type, wanted: &Type| std_traits::is_same(ty, wanted) || ty == wanted;
        all.iter().filter(|data| is(&data.for_, this)).filter_map(|data| data.trait_.as_ref()).any(|path| {
            let second = api::arguments(path).first().copied().filter(|ty| **ty != Type::Generic("Self".to_owned()));
            self.api.std_name(path) == of && is(second.unwrap_or(this), other)
        })
    }

    /// Returns a word for a type in Go names. `None` for types from which no conversion is made.
    fn word(&self, ty: &Type) -> Option<String> {
        let of_path = |path: &Path| {
            if let Some(Ok(known)) = self.types.get(path.id) {
                return Some(known.go());
            }
            let first = api::arguments(path).first().map(|ty| (*ty).clone());
            Some(match (self.api.std_name(path), first) {
                ("String", None) => "String".to_owned(),
                ("Cow" | "Box", Some(Type::Primitive(text))) if text == "str" => "String".to_owned(),
                ("Vec" | "Box", Some(Type::Primitive(byte))) if byte == "u8" => "Bytes".to_owned(),
                ("Vec", Some(Type::Primitive(number))) if is_number(&number) => "Slice".to_owned(),
                ("Duration", None) => "Duration".to_owned(),
                ("SystemTime", None) => "Time".to_owned(),
                _ => return None,
            })
        };
        match ty {
            Type::ResolvedPath(path) => of_path(path),
            Type::BorrowedRef { is_mutable: false, type_, .. } => match &**type_ {
                Type::ResolvedPath(path) => of_path(path),
                _ => std_traits::word(ty),
            },
            ty => std_traits::word(ty),
        }
    }

    /// Adds a function that makes an iterator. It has the name `go` and calls `callee`.
    fn constructor(
        &mut self,
        taken: &mut BTreeSet<String>,
        (_, _, this): Owner<'_>,
        (data, method): (&Impl, &'a Item),
        (path, go, callee): (&str, &str, &str),
    ) {
        if self.names.contains(go) || taken.contains(go) {
            return self.leave_out(path, "another function has its name in Go");
        }
        match self.free_of_type(this, data, method, (path, go, callee)) {
            Ok(export) => {
                taken.insert(go.to_owned());
                self.names.insert(go.to_owned());
                self.proposal.functions.push(export);
            }
            Err(reason) => self.leave_out(path, &reason),
        }
    }

    fn free_of_type(&self, this: &Type, data: &Impl, method: &'a Item, (path, go, callee): (&str, &str, &str)) -> Result<Export, String> {
        let ItemEnum::Function(function) = &method.inner else { return Err("no function".to_owned()) };
        let rust = raw(&super::declare::snake_case(go));
        let signature = Signature {
            path: path.to_owned(),
            derived: camel_case(&rust),
            rust,
            go: go.to_owned(),
            docs: method.docs.as_deref().unwrap_or_default(),
            in_block: false,
            span: method.span.clone(),
        };
        let callee = Callee { path: callee.to_owned(), by_path: true };
        let mut cross = self.cross(Some(this.clone()));
        cross.associated = self.associated(data);
        self.export(cross, &signature, function, &callee, &Receiver::None, &[&data.generics])
    }
}
