//! Proposes the items that a wrapper exports, and states for every other item why it is left out.

use super::api::{Api, arguments, last, substitute};
use super::cross::Cross;
use super::declare;
use super::docs;
use super::function::{Callee, Export, Receiver, Signature, generics, write};
use super::names::{camel_case, of_type, raw};
use super::types::{DEPRECATED, Kind, Known, Types, in_module, show, types};
use rustdoc_types::{Function, Generics, Id, Impl, Item, ItemEnum, Type, Visibility};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// A type of the wrapper.
#[derive(Clone, Debug, Default)]
pub struct TypePart {
    pub path: String,
    pub go: String,
    /// The declaration with its comment.
    pub declaration: Vec<String>,
    /// The exported methods and functions.
    pub exports: Vec<Export>,
    /// The lines after the methods, such as conversions between the wrapper's type and the crate's.
    pub rest: Vec<String>,
    /// True for a mirror: a struct or enum with fields or variants of the crate's type. False for an object.
    pub is_mirror: bool,
    /// For an error, the types of the crate in its declaration. Otherwise empty.
    pub used: BTreeSet<Id>,
}

/// The proposal for a wrapper.
#[derive(Clone, Debug, Default)]
pub struct Proposal {
    /// The crate's documentation, converted for Go.
    pub docs: String,
    pub types: Vec<TypePart>,
    pub functions: Vec<Export>,
    pub constants: Vec<Export>,
    /// The items that are left out, by their paths, with the reasons.
    pub left_out: BTreeMap<String, String>,
    /// Traits of std without a use in Go, each with the number of its implementations.
    pub useless: BTreeMap<String, usize>,
    /// String literals from the crate's examples and source. `go test` passes them to functions, because a parser may refuse nearly all other texts.
    pub texts: BTreeSet<String>,
}

impl Proposal {
    /// Returns the number of exported functions and methods.
    pub fn functions(&self) -> usize {
        self.functions.len() + self.types.iter().map(|part| part.exports.len()).sum::<usize>()
    }
}

/// The maximum number of string literals in [`Proposal::texts`].
const MOST_TEXTS: usize = 100;
const UNREACHED: &str = "no exported function returns one";

/// Makes the proposal for a crate. `excluded` has the paths of items to leave out although their types can cross, each with the reason.
pub fn propose(api: &Api, excluded: &BTreeMap<String, String>) -> Proposal {
    let mut excluded = excluded.clone();
    loop {
        let types = types(api, &excluded);
        let mut search = Search {
            api,
            types: &types,
            excluded: &excluded,
            proposal: Proposal::default(),
            names: BTreeSet::new(),
            reserved: BTreeSet::new(),
        };
        search.all();
        let unreached = search.unreached();
        if unreached.is_empty() {
            let used = search.used();
            let mut proposal = search.proposal;
            proposal.types.retain(|part| !part.exports.is_empty() || used.contains(&part.path));
            proposal.docs = docs::carried(&api.docs);
            if proposal.types.iter().any(|part| !part.is_mirror) {
                let texts: BTreeSet<&str> = api.all_docs().flat_map(docs::quoted).collect();
                proposal.texts = texts.into_iter().take(MOST_TEXTS).map(str::to_owned).collect();
                for text in api.making_lines.lines().flat_map(docs::texts) {
                    if proposal.texts.len() < MOST_TEXTS {
                        proposal.texts.insert(text.to_owned());
                    }
                }
            }
            for path in api.foreign.iter().filter(|path| !api.is_implemented(path)) {
                proposal.left_out.insert(path.clone(), "of another crate".to_owned());
            }
            return proposal;
        }
        excluded.extend(unreached.into_iter().map(|path| (path, UNREACHED.to_owned())));
    }
}

/// The state of the search for items to export, with the unfinished proposal.
pub struct Search<'a> {
    pub api: &'a Api,
    pub types: &'a Types,
    pub excluded: &'a BTreeMap<String, String>,
    pub proposal: Proposal,
    /// The names at the top level of the Go package.
    pub names: BTreeSet<String>,
    /// The Go names that the crate's free functions will have.
    pub reserved: BTreeSet<String>,
}

impl<'a> Search<'a> {
    fn items(&self) -> Vec<(Id, &'a Item, &'a str)> {
        let api = self.api;
        api.order.iter().filter_map(|id| Some((*id, api.item(*id)?, api.path(*id)?))).collect()
    }

    fn all(&mut self) {
        let items = self.items();
        // Go has no types for the crate's iterators.
        let has_type = |known: &&Known| !matches!(known.kind, Kind::Iterator(_));
        self.names.extend(self.types.0.values().flatten().filter(has_type).map(Known::go));
        for (id, item, _) in &items {
            if let Some(Ok(known @ Known { kind: Kind::Enumeration { .. } | Kind::Failure(_), .. })) = self.types.get(*id) {
                let name = known.go();
                self.names.extend(declare::variants(self.api, item).iter().map(|(variant, ..)| format!("{name}{}", camel_case(variant))));
            }
        }
        let functions = items.iter().filter(|(_, item, _)| matches!(item.inner, ItemEnum::Function(_)));
        self.reserved = functions.map(|(_, _, path)| camel_case(last(path))).collect();
        for (id, item, path) in &items {
            match self.types.get(*id) {
                Some(Ok(known)) => self.type_part(*id, item, known),
                Some(Err(reason)) => {
                    self.leave_out(path, reason);
                    self.without_type(*id, item, path, reason);
                }
                None => {}
            }
        }
        for (_, item, path) in &items {
            match &item.inner {
                ItemEnum::Function(_) if item.deprecation.is_some() => self.leave_out(path, DEPRECATED),
                ItemEnum::Function(function) => self.free(item, path, function),
                ItemEnum::Constant { .. } if item.deprecation.is_some() => self.leave_out(path, DEPRECATED),
                ItemEnum::Constant { type_, const_ } => {
                    // If a function or another constant has the constant's Go name, the name of the module becomes a prefix.
                    let module = path.rsplit("::").nth(1).unwrap_or_default().trim_start_matches("r#").to_ascii_uppercase();
                    let names = [last(path).to_owned(), format!("{module}_{}", last(path))];
                    let is_free = |rust: &&String| self.is_free(&camel_case(&rust.to_ascii_lowercase()));
                    let rust = names.iter().find(is_free).unwrap_or(&names[0]).as_str();
                    match declare::constant_type(&self.api.resolve(type_), const_.value.as_deref()) {
                        Some(declared) => self.constant(item, path, (rust, camel_case(&rust.to_ascii_lowercase())), declared),
                        None => self.fixed(item, path, type_, "a constant of type"),
                    }
                }
                ItemEnum::Static(_) if item.deprecation.is_some() => self.leave_out(path, DEPRECATED),
                ItemEnum::Static(data) if data.is_mutable || data.is_unsafe => self.leave_out(path, "a static that programs may change"),
                ItemEnum::Static(data) => self.fixed(item, path, &data.type_, "a static of type"),
                ItemEnum::Macro(_) | ItemEnum::ProcMacro(_) => self.leave_out(path, "a macro"),
                ItemEnum::TypeAlias(alias) if !is_result(&alias.type_) => {
                    self.leave_out(path, &format!("another name of {}", show(&alias.type_)));
                }
                _ => {}
            }
        }
        for (_, item, path) in &items {
            if matches!(item.inner, ItemEnum::Trait(_)) {
                self.foreign_implementations(item, path);
            }
        }
    }

    pub fn leave_out(&mut self, path: &str, reason: &str) {
        self.proposal.left_out.insert(path.to_owned(), reason.to_owned());
    }

    pub fn cross(&self, this: Option<Type>) -> Cross<'a> {
        Cross {
            api: self.api,
            types: self.types,
            this,
            associated: BTreeMap::new(),
            generics: BTreeMap::new(),
            span: None,
            fails_as_io: false,
            used: RefCell::default(),
            made: RefCell::default(),
            depth: Cell::default(),
        }
    }

    /// Writes a function, unless it is excluded.
    pub fn export(
        &self,
        mut cross: Cross<'a>,
        signature: &Signature<'_>,
        function: &Function,
        callee: &Callee,
        receiver: &Receiver<'_>,
        outer: &[&Generics],
    ) -> Result<Export, String> {
        if let Some(reason) = self.excluded.get(&signature.path) {
            return Err(reason.clone());
        }
        let all: Vec<&Generics> = outer.iter().copied().chain([&function.generics]).collect();
        let (bounds, has_lifetimes) = generics(&all)?;
        cross.generics.extend(bounds);
        write(cross, signature, function, callee, receiver, has_lifetimes)
    }

    fn type_part(&mut self, id: Id, item: &'a Item, known: &'a Known) {
        let this = Type::ResolvedPath(rustdoc_types::Path { path: known.path.clone(), id, args: None });
        let declaration = match known.kind {
            Kind::Iterator(_) | Kind::Error | Kind::Failure(_) => return self.without_methods(id, item, known, &this),
            _ => declare::declaration(self.api, item, known),
        };
        let mut part = TypePart {
            path: known.path.clone(),
            go: known.name.clone(),
            declaration: declaration.lines,
            exports: Vec::new(),
            rest: declaration.rest,
            is_mirror: !matches!(known.kind, Kind::Object { .. }),
            used: BTreeSet::new(),
        };
        // The Go and Rust names of the type's methods and functions. For a value also the Go names of its fields.
        let mut taken: BTreeSet<String> = BTreeSet::new();
        if matches!(known.kind, Kind::Value { .. }) {
            let fields = self.api.fields(item).unwrap_or_default();
            taken.extend(fields.iter().map(|(field, ..)| camel_case(&declare::name_of_field(field, fields.len()))));
        }
        let implementations = self.api.implementations(item);
        for data in implementations.iter().filter(|data| data.trait_.is_none()) {
            for method in self.methods(data) {
                let name = method.name.as_deref().unwrap_or_default();
                if method.visibility == Visibility::Public {
                    self.method(&mut part, &mut taken, known, id, &this, (data, method, name), None);
                }
            }
        }
        for data in implementations.iter().filter(|data| data.trait_.is_none()) {
            self.constants_of(&mut part, &mut taken, known, &this, data);
        }
        if matches!(known.kind, Kind::Object { .. }) {
            self.enum_parts(&mut part, &mut taken, (id, known, &this), item);
            self.fields_of(&mut part, &mut taken, (id, known, &this), item);
        }
        for data in &implementations {
            let Some(of) = data.trait_.as_ref().filter(|_| !data.is_synthetic && !data.is_negative) else { continue };
            let public = self.api.path(of.id).and_then(|path| Some((path, self.trait_methods(self.api.item(of.id)?))));
            // rustdoc does not list the methods of another crate's trait. Only the methods in the implementation are known.
            let foreign = || Some((self.api.foreign_path(of.id)?, self.methods(data)));
            let Some((path, methods)) = public.or_else(|| foreign().filter(|_| self.api.std_name(of).is_empty())) else {
                // If a trait of std or of a dependency is implemented for all types, it adds no function to this type.
                if data.blanket_impl.is_none() {
                    self.of_trait(&mut part, &mut taken, (id, known, &this), (&implementations, data, of));
                }
                continue;
            };
            let is_deprecated = self.api.item(of.id).is_some_and(|of| of.deprecation.is_some());
            for method in methods {
                let name = method.name.as_deref().unwrap_or_default();
                if is_deprecated {
                    self.leave_out(&format!("{}::{}", known.path, raw(name)), DEPRECATED);
                    continue;
                }
                self.method(&mut part, &mut taken, known, id, &this, (data, method, name), Some(path));
            }
            for constant in data.items.iter().filter_map(|id| self.api.item(*id)) {
                if let (ItemEnum::AssocConst { .. }, Some(name)) = (&constant.inner, &constant.name) {
                    self.leave_out(&format!("{}::{name} (of {})", known.path, last(path)), "a constant of a trait");
                }
            }
        }
        for data in self.api.implementations_for_others(item) {
            self.of_others(&mut part, &mut taken, (id, known, &this), data);
        }
        if matches!(known.kind, Kind::Object { .. }) {
            self.constructor_of_fields(&mut part, &mut taken, (known, &this), item);
        }
        let reads = |line: &String| ["self.0", "other.0"].iter().any(|read| line.contains(read));
        if matches!(known.kind, Kind::Object { .. }) && !part.exports.iter().flat_map(|export| &export.lines).chain(&part.rest).any(reads) {
            // No function of the wrapper reads the object's field, and rustc would warn about this.
            part.declaration.insert(part.declaration.len() - 1, "#[allow(dead_code)]".to_owned());
        }
        // Constructors come before methods.
        part.exports.sort_by_key(|export| export.needed.contains(&id));
        self.proposal.types.push(part);
    }

    pub fn methods(&self, data: &Impl) -> Vec<&'a Item> {
        let api = self.api;
        data.items.iter().filter_map(|id| api.item(*id)).filter(|item| matches!(item.inner, ItemEnum::Function(_))).collect()
    }

    /// Replaces the trait's type parameters in a function of a trait by the types that the implementation states: `T` by `f64` for
    /// `impl Distribution<f64> for Normal`.
    pub fn in_implementation(&self, function: &Function, data: &Impl) -> Function {
        let mut function = function.clone();
        let of = data.trait_.as_ref().and_then(|path| Some((path, self.api.item(path.id)?)));
        if let Some((path, ItemEnum::Trait(of))) = of.map(|(path, item)| (path, &item.inner)) {
            let types = self.api.parameters(&of.generics, &arguments(path));
            let given = |name: &str| types.get(name).cloned();
            function.sig.inputs.iter_mut().for_each(|(_, ty)| *ty = substitute(ty, &given));
            function.sig.output = function.sig.output.map(|ty| substitute(&ty, &given));
        }
        function
    }

    fn has_method(&self, data: &Impl, name: &str) -> bool {
        self.methods(data).iter().any(|method| method.name.as_deref() == Some(name))
    }

    pub fn trait_methods(&self, of: &Item) -> Vec<&'a Item> {
        let ItemEnum::Trait(of) = &of.inner else { return Vec::new() };
        let api = self.api;
        of.items.iter().filter_map(|id| api.item(*id)).filter(|item| matches!(item.inner, ItemEnum::Function(_))).collect()
    }

    /// Adds a method or function of a type, or leaves it out. `of_trait` is the path of the trait, if a trait declares the function.
    #[allow(clippy::too_many_arguments, reason = "the caller's loops have these values")]
    fn method(
        &mut self,
        part: &mut TypePart,
        taken: &mut BTreeSet<String>,
        known: &Known,
        id: Id,
        this: &Type,
        (data, method, name): (&Impl, &'a Item, &str),
        of_trait: Option<&str>,
    ) {
        let ItemEnum::Function(function) = &method.inner else { return };
        let function = &self.in_implementation(&for_self(function, data), data);
        let written = raw(name);
        let path = format!("{}::{written}", known.path);
        if method.deprecation.is_some() {
            return self.leave_out(&path, DEPRECATED);
        }
        let is_method = function.sig.inputs.first().is_some_and(|(name, _)| name == "self");
        let derived = if is_method { camel_case(name) } else { of_type(&known.name, name) };
        let go = match name {
            "parse" | "from_str" if !is_method => format!("Parse{}", known.go()),
            "iter" if is_method => "All".to_owned(),
            name if name.starts_with("new_") && makes_self(function, id) => {
                format!("New{}{}", known.go(), camel_case(name.trim_start_matches("new_")))
            }
            name if name.starts_with("with_") && !is_method && makes_self(function, id) => format!("New{}{}", known.go(), camel_case(name)),
            name if is_read(function) && name.strip_prefix("get_").is_some_and(|short| !self.has_method(data, short)) => {
                camel_case(name.trim_start_matches("get_"))
            }
            _ => derived.clone(),
        };
        let is_named = taken.contains(&in_rust(name));
        let is_free =
            |go: &String| !is_named && !taken.contains(go) && (is_method || !(self.names.contains(go) || self.reserved.contains(go)));
        // The Go name of `Regex::builder` would be `RegexBuilder`. If the function returns a type of this name, `NewRegexBuilder` is tried too.
        let made = (!is_method && !makes_self(function, id)).then(|| self.constructor_of(function, &derived)).flatten();
        let Some(go) = [go, derived.clone()].into_iter().chain(made).find(is_free) else {
            let is_field = self.api.item(id).is_some_and(|item| {
                matches!(known.kind, Kind::Value { .. }) && self.api.fields(item).unwrap_or_default().iter().any(|field| field.0 == name)
            });
            let reason = if is_field { "a field has its name in Go" } else { "another function has its name in Go" };
            return self.leave_out(&format!("{path} (of {})", of_trait.map_or("another block", last)), reason);
        };
        // rustdoc has no documentation of a dependency's trait.
        let of_dependency = of_trait.filter(|_| method.crate_id != 0).map(|of| format!("Calls `{name}` of the trait {}.", last(of)));
        let docs = method.docs.as_deref().or(of_dependency.as_deref()).unwrap_or_default();
        let signature = Signature {
            path: path.clone(),
            rust: written.clone(),
            go: go.clone(),
            derived,
            docs,
            in_block: true,
            span: method.span.clone(),
        };
        let callee = match of_trait {
            Some(of) if is_method => Callee { path: format!("{of}::{written}"), by_path: true },
            Some(of) => Callee { path: format!("<{} as {of}{}>::{written}", known.path, inferred(data)), by_path: true },
            None => Callee { path: path.clone(), by_path: false },
        };
        let mut cross = self.cross(Some(this.clone()));
        cross.associated = self.associated(data);
        match self.export(cross, &signature, function, &callee, &Receiver::Method(known, id), &[&data.generics]) {
            Ok(export) => {
                taken.insert(go.clone());
                taken.insert(in_rust(&signature.rust));
                if !is_method {
                    self.names.insert(go);
                }
                part.exports.push(export);
            }
            Err(reason) => self.leave_out(&path, &reason),
        }
    }

    /// Returns the types that an implementation assigns to the trait's associated types.
    pub fn associated(&self, data: &Impl) -> BTreeMap<String, Type> {
        let items = data.items.iter().filter_map(|id| self.api.item(*id));
        items
            .filter_map(|item| match &item.inner {
                ItemEnum::AssocType { type_: Some(ty), .. } => Some((item.name.clone()?, ty.clone())),
                _ => None,
            })
            .collect()
    }

    /// True if a function returns the type with this Go name, alone or in a `Result` or `Option`.
    fn makes(&self, function: &Function, go: &str) -> bool {
        let known = self.types.0.iter().find(|(_, known)| known.as_ref().is_ok_and(|known| known.go() == go));
        known.is_some_and(|(id, _)| makes_self(function, *id))
    }

    /// The name `NewT` for a function that makes the type T, unless T has a function `new` of its own.
    fn constructor_of(&self, function: &Function, go: &str) -> Option<String> {
        let (id, _) = self.types.0.iter().find(|(_, known)| known.as_ref().is_ok_and(|known| known.go() == go))?;
        let own = self.api.implementations(self.api.item(*id)?);
        let is_new = |item: &Item| item.name.as_deref() == Some("new") && item.visibility == Visibility::Public;
        let has_new = own.into_iter().filter(|data| data.trait_.is_none()).flat_map(|data| self.methods(data)).any(is_new);
        (makes_self(function, *id) && !has_new).then(|| format!("New{go}"))
    }

    pub fn is_free(&self, go: &str) -> bool {
        !self.names.contains(go) && !self.reserved.contains(go)
    }

    fn free(&mut self, item: &'a Item, path: &'a str, function: &'a Function) {
        let name = item.name.as_deref().unwrap_or_default();
        let derived = camel_case(last(path));
        let go = match self.names.contains(&derived) {
            // The function has the name of the type that it returns, so it gets the name of a constructor.
            true if self.makes(function, &derived) && self.is_free(&format!("New{derived}")) => format!("New{derived}"),
            true => in_module(path),
            false => derived.clone(),
        };
        let rust = if go == derived { last(path).to_owned() } else { raw(&declare::snake_case(&go)) };
        if self.names.contains(&go) {
            return self.leave_out(path, "another function has its name in Go");
        }
        let derived = camel_case(&rust);
        let docs = item.docs.as_deref().unwrap_or_default();
        let signature = Signature { path: path.to_owned(), rust, go: go.clone(), derived, docs, in_block: false, span: item.span.clone() };
        let callee = Callee { path: path.to_owned(), by_path: true };
        match self.export(self.cross(None), &signature, function, &callee, &Receiver::None, &[]) {
            Ok(export) => {
                self.names.insert(go);
                self.proposal.functions.push(export);
            }
            Err(reason) => self.leave_out(if name.is_empty() { "?" } else { path }, &reason),
        }
    }

    fn exports(&self) -> impl Iterator<Item = &Export> {
        self.proposal.types.iter().flat_map(|part| &part.exports).chain(&self.proposal.functions)
    }

    /// Returns the paths of the types that exported functions use.
    fn used(&self) -> BTreeSet<String> {
        let ids: BTreeSet<Id> = self.exports().flat_map(|export| export.used.iter().copied()).collect();
        let mut paths: BTreeSet<String> = ids.into_iter().filter_map(|id| self.api.path(id).map(str::to_owned)).collect();
        // The fields of a used error may have further types of the crate.
        let of_errors = self.proposal.types.iter().filter(|part| paths.contains(&part.path)).flat_map(|part| &part.used);
        let more: Vec<String> = of_errors.filter_map(|id| self.api.path(*id).map(str::to_owned)).collect();
        paths.extend(more);
        paths
    }

    /// Returns the paths of the objects that no sequence of exported calls returns.
    fn unreached(&self) -> Vec<String> {
        let object = |id: &Id| matches!(self.types.get(*id), Some(Ok(Known { kind: Kind::Object { .. }, .. })));
        let mut made: BTreeSet<Id> = BTreeSet::new();
        loop {
            let can_call = |export: &&Export| export.needed.iter().filter(|id| object(id)).all(|id| made.contains(id));
            let more: Vec<Id> =
                self.exports().filter(can_call).flat_map(|export| export.made.iter().copied()).filter(|id| !made.contains(id)).collect();
            if more.is_empty() {
                break;
            }
            made.extend(more);
        }
        let objects = self.types.0.iter().filter(|(id, _)| object(id) && !made.contains(id));
        objects.filter_map(|(_, known)| Some(known.as_ref().ok()?.path.clone())).collect()
    }
}

/// True for a `Result`. An alias named `Result` counts too: it only states the crate's error type.
fn is_result(ty: &Type) -> bool {
    matches!(ty, Type::ResolvedPath(path) if last(&path.path) == "Result")
}

/// For a blanket implementation, such as `impl<D: Update> Digest for D`, replaces the type parameter `D` by `Self`.
pub fn for_self(function: &Function, data: &Impl) -> Function {
    let mut function = function.clone();
    if let Some(Type::Generic(all)) = &data.blanket_impl {
        let this = |name: &str| (name == all).then(|| Type::Generic("Self".to_owned()));
        function.sig.inputs.iter_mut().for_each(|(_, ty)| *ty = substitute(ty, &this));
        function.sig.output = function.sig.output.map(|ty| substitute(&ty, &this));
    }
    function
}

/// Returns a placeholder for each type argument of the implemented trait: `<_, _>`. The compiler infers the arguments.
fn inferred(data: &Impl) -> String {
    let count = data.trait_.as_ref().map_or(0, |path| arguments(path).len());
    if count == 0 { String::new() } else { format!("<{}>", vec!["_"; count].join(", ")) }
}

/// True for a method without parameters besides `&self` or `self`.
fn is_read(function: &Function) -> bool {
    match function.sig.inputs.as_slice() {
        [(name, Type::BorrowedRef { is_mutable, .. })] => name == "self" && !is_mutable,
        [(name, _)] => name == "self",
        _ => false,
    }
}

/// True for a function without `self` that returns its own type, alone or in a `Result` or `Option`.
fn makes_self(function: &Function, of: Id) -> bool {
    fn is_self(ty: &Type, of: Id) -> bool {
        match ty {
            Type::Generic(name) => name == "Self",
            Type::ResolvedPath(path) if path.id == of => true,
            Type::ResolvedPath(path) => {
                matches!(last(&path.path), "Result" | "Option") && arguments(path).first().is_some_and(|ty| is_self(ty, of))
            }
            _ => false,
        }
    }
    function.sig.inputs.first().is_none_or(|(name, _)| name != "self") && function.sig.output.as_ref().is_some_and(|ty| is_self(ty, of))
}

/// Returns the key of a Rust function's name in a set that also contains Go names.
pub fn in_rust(name: &str) -> String {
    format!("fn {}", name.trim_start_matches("r#"))
}
