//! Reads the public API of a crate from rustdoc's JSON.
//!
//! rustdoc states facts that the source text does not: the types behind aliases and re-exports, the traits that a type implements, and the public
//! paths of an item.

use super::names::raw;
use crate::diag::{Diagnostic, ErrorCode, Result};
use rustdoc_types::{
    Crate, FORMAT_VERSION, GenericArg, GenericArgs, GenericParamDefKind, Generics, Id, Impl, Item, ItemEnum, Path, StructKind, Type,
    Visibility,
};
use std::collections::{BTreeMap, BTreeSet};

/// The public API of a crate.
#[derive(Debug)]
pub struct Api {
    krate: Crate,
    /// The crate's documentation.
    pub docs: String,
    /// Lines of the crate's source with string literals from which a parser or constructor makes a value.
    pub making_lines: String,
    /// The public items in the order of the source, without modules.
    pub order: Vec<Id>,
    /// The public path of each item, which begins with the library's name: `semver::Version`.
    paths: BTreeMap<Id, String>,
    /// The paths of items that the crate only re-exports from other crates.
    pub foreign: BTreeSet<String>,
    /// The public paths of the re-exported items of other crates, by id.
    foreign_paths: BTreeMap<Id, String>,
}

/// Reads the JSON that rustdoc has written.
///
/// # Errors
/// [`ErrorCode::Toolchain`] if the JSON cannot be parsed or has another format version than this program reads.
pub fn read(json: &[u8], rustc: &str) -> Result<Api> {
    #[derive(serde::Deserialize)]
    struct Versioned {
        format_version: u32,
    }
    let unknown = |note: String| {
        Diagnostic::new(ErrorCode::Toolchain, format!("rustdoc of {rustc} describes crates in a form that this rustgo does not understand"))
            .note(note)
            .hint("use Rust 1.95: rustgo +1.95.0 get …, or a rustgo made for this version")
    };
    let Versioned { format_version } = serde_json::from_slice(json).map_err(|error| unknown(error.to_string()))?;
    if format_version != FORMAT_VERSION {
        return Err(unknown(format!("its format has the version {format_version}, expected was {FORMAT_VERSION}")).into());
    }
    let mut krate: Crate = serde_json::from_slice(json).map_err(|error| unknown(error.to_string()))?;
    super::instances::separate(&mut krate);
    Ok(Api::new(krate))
}

impl Api {
    fn new(krate: Crate) -> Api {
        let mut api = Api {
            krate,
            docs: String::new(),
            making_lines: String::new(),
            order: Vec::new(),
            paths: BTreeMap::new(),
            foreign: BTreeSet::new(),
            foreign_paths: BTreeMap::new(),
        };
        let mut walk = Walk::default();
        if let Some(root) = api.krate.index.get(&api.krate.root) {
            walk.module(&api.krate, root, root.name.as_deref().unwrap_or_default());
            api.docs = root.docs.clone().unwrap_or_default();
        }
        (api.order, api.paths, api.foreign, api.foreign_paths) = (walk.order, walk.paths, walk.foreign, walk.foreign_paths);
        api
    }

    /// Returns an item that rustdoc describes: every item of the crate, and some items of other crates.
    pub fn item(&self, id: Id) -> Option<&Item> {
        self.krate.index.get(&id)
    }

    /// Returns the documentation of all items of the crate.
    pub fn all_docs(&self) -> impl Iterator<Item = &str> {
        self.krate.index.values().filter(|item| item.crate_id == 0).filter_map(|item| item.docs.as_deref())
    }

    /// Returns the public path of an item of the crate.
    pub fn path(&self, id: Id) -> Option<&str> {
        self.paths.get(&id).map(String::as_str)
    }

    /// Returns the public path at which the crate re-exports an item of another crate.
    pub fn foreign_path(&self, id: Id) -> Option<&str> {
        self.foreign_paths.get(&id).map(String::as_str)
    }

    /// True if a public type implements a trait of another crate that the crate re-exports at `path`. Then the wrapper's type has the trait's
    /// methods.
    pub fn is_implemented(&self, path: &str) -> bool {
        let is_it = |data: &&Impl| data.trait_.as_ref().is_some_and(|of| self.foreign_path(of.id) == Some(path));
        let is_type = |item: &&Item| matches!(item.inner, ItemEnum::Struct(_) | ItemEnum::Enum(_));
        self.order.iter().filter_map(|id| self.item(*id)).filter(is_type).any(|item| self.implementations(item).iter().any(is_it))
    }

    /// Returns the path at which an item of another crate is defined: `core::num::error::ParseIntError`.
    pub fn defined_at(&self, id: Id) -> Option<String> {
        self.krate.paths.get(&id).map(|summary| summary.path.join("::"))
    }

    /// Returns the name of a type or trait of std, even if the crate imports it under another name. Empty for a type or trait of another crate. If
    /// rustdoc does not list the path's id, returns the last part of the path.
    pub fn std_name<'a>(&'a self, path: &'a Path) -> &'a str {
        match self.krate.paths.get(&path.id).map(|summary| summary.path.as_slice()) {
            Some([first, .., name]) if matches!(first.as_str(), "core" | "std" | "alloc") => name,
            Some(_) => "",
            None => last(&path.path),
        }
    }

    /// Returns the implementations of a type or trait, in a stable order.
    pub fn implementations(&self, item: &Item) -> Vec<&Impl> {
        let is_trait = matches!(item.inner, ItemEnum::Trait(_));
        let is_its = |data: &&Impl| is_trait || matches!(&data.for_, Type::ResolvedPath(path) if path.id == item.id);
        self.listed(item).into_iter().filter(is_its).collect()
    }

    /// Returns the implementations of traits for other types that mention this type. For a type `Unit`: `impl From<Unit> for u64`, `impl IntoIterator
    /// for &Unit`.
    pub fn implementations_for_others(&self, item: &Item) -> Vec<&Impl> {
        let is_its = |data: &&Impl| matches!(&data.for_, Type::ResolvedPath(path) if path.id == item.id);
        self.listed(item).into_iter().filter(|data| data.trait_.is_some() && data.blanket_impl.is_none() && !is_its(data)).collect()
    }

    /// Returns all implementations that rustdoc lists for an item, in a stable order.
    fn listed(&self, item: &Item) -> Vec<&Impl> {
        let ids = match &item.inner {
            ItemEnum::Struct(data) => &data.impls,
            ItemEnum::Enum(data) => &data.impls,
            ItemEnum::Union(data) => &data.impls,
            ItemEnum::Trait(data) => &data.implementations,
            _ => return Vec::new(),
        };
        let mut ids = ids.clone();
        ids.sort_by_key(|id| self.item(*id).and_then(|item| item.span.as_ref()).map(|span| (span.filename.clone(), span.begin)));
        ids.iter().filter_map(|id| if let ItemEnum::Impl(data) = &self.item(*id)?.inner { Some(data) } else { None }).collect()
    }

    /// Finds the implementation of a trait of std by the trait's name, such as `Display`. If `of` is given, the trait's first type argument must
    /// equal it or be absent.
    pub fn implements<'a>(&'a self, item: &'a Item, name: &str, of: Option<&Type>) -> Option<&'a Impl> {
        self.implementations(item).into_iter().find(|data| {
            let Some(path) = &data.trait_ else { return false };
            let is_it = self.std_name(path) == name && !data.is_negative && data.blanket_impl.is_none();
            is_it && of.is_none_or(|of| type_arguments(path).first().is_none_or(|first| *first == of))
        })
    }

    /// True if a type implements the auto trait `name`: `Send` or `Sync`.
    pub fn is_auto(&self, item: &Item, name: &str) -> bool {
        let is_it = |data: &&Impl| data.trait_.as_ref().is_some_and(|path| self.std_name(path) == name);
        self.implementations(item).into_iter().find(is_it).is_some_and(|data| !data.is_negative)
    }

    /// Returns the type that an implementation assigns to the associated type `name`.
    pub fn associated<'a>(&'a self, data: &Impl, name: &str) -> Option<&'a Type> {
        data.items.iter().filter_map(|id| self.item(*id)).find_map(|item| match &item.inner {
            ItemEnum::AssocType { type_, .. } if item.name.as_deref() == Some(name) => type_.as_ref(),
            _ => None,
        })
    }

    /// Returns the name, type and item of each field of a struct. `None` if a field is not public, and for a unit struct.
    pub fn fields<'a>(&'a self, item: &'a Item) -> Option<Vec<(&'a str, &'a Type, &'a Item)>> {
        let ItemEnum::Struct(data) = &item.inner else { return None };
        match &data.kind {
            StructKind::Plain { fields, has_stripped_fields: false } => self.public_fields(fields),
            // Private fields of a tuple have no id.
            StructKind::Tuple(fields) => self.public_fields(&fields.iter().copied().collect::<Option<Vec<Id>>>()?),
            _ => None,
        }
    }

    /// Returns the public fields of a struct, which may also have private fields.
    pub fn some_fields<'a>(&'a self, item: &'a Item) -> Vec<(&'a str, &'a Type, &'a Item)> {
        let ItemEnum::Struct(data) = &item.inner else { return Vec::new() };
        match &data.kind {
            StructKind::Plain { fields, .. } => fields.iter().filter_map(|id| self.public_fields(&[*id])).flatten().collect(),
            // The fields of a tuple have the names 0, 1 and so on.
            StructKind::Tuple(fields) => fields.iter().flatten().filter_map(|id| self.public_fields(&[*id])).flatten().collect(),
            StructKind::Unit => Vec::new(),
        }
    }

    /// True if a type defines `Error::source`.
    pub fn has_sources(&self, item: &Item) -> bool {
        let is_source = |item: &Item| item.name.as_deref() == Some("source");
        self.implements(item, "Error", None).is_some_and(|data| data.items.iter().filter_map(|id| self.item(*id)).any(is_source))
    }

    fn public_fields<'a>(&'a self, ids: &[Id]) -> Option<Vec<(&'a str, &'a Type, &'a Item)>> {
        let field = |id: &Id| {
            let item = self.item(*id)?;
            let ItemEnum::StructField(ty) = &item.inner else { return None };
            (item.visibility == Visibility::Public).then_some((item.name.as_deref()?, ty, item))
        };
        ids.iter().map(field).collect()
    }

    /// Returns the type for each type parameter: the given argument or, without an argument, the parameter's default.
    pub fn parameters<'a>(&self, of: &'a Generics, given: &[&Type]) -> BTreeMap<&'a str, Type> {
        let mut given = given.iter();
        let mut types: BTreeMap<&str, Type> = BTreeMap::new();
        for param in &of.params {
            let GenericParamDefKind::Type { default, .. } = &param.kind else { continue };
            // A default may name earlier parameters.
            let default = || default.as_ref().map(|ty| substitute(ty, &|name| types.get(name).cloned()));
            if let Some(ty) = given.next().map(|ty| (*ty).clone()).or_else(default) {
                types.insert(&param.name, ty);
            }
        }
        types
    }

    /// Returns the type without aliases of the crate. In place of `<Named as Trait>::Name`, returns the type that the implementation states for
    /// `Name`.
    pub fn resolve(&self, ty: &Type) -> Type {
        if let Type::QualifiedPath { name, self_type, trait_: Some(of), .. } = ty
            && let Type::ResolvedPath(path) = self.resolve(self_type)
            && let Some(item) = self.item(path.id)
            && let Some(data) =
                self.implementations(item).into_iter().find(|data| data.trait_.as_ref().is_some_and(|path| path.id == of.id))
            && let Some(found) = self.associated(data, name)
        {
            return self.resolve(found);
        }
        let Type::ResolvedPath(path) = ty else { return ty.clone() };
        if let Some(ItemEnum::TypeAlias(alias)) = self.item(path.id).map(|item| &item.inner) {
            let types = self.parameters(&alias.generics, &arguments(path));
            return self.resolve(&substitute(&alias.type_, &|name| types.get(name).cloned()));
        }
        ty.clone()
    }
}

/// Collects the public items, beginning with the module at the crate's root.
#[derive(Default)]
struct Walk {
    order: Vec<Id>,
    paths: BTreeMap<Id, String>,
    foreign: BTreeSet<String>,
    foreign_paths: BTreeMap<Id, String>,
    seen: BTreeSet<Id>,
}

impl Walk {
    fn module(&mut self, krate: &Crate, module: &Item, path: &str) {
        let ItemEnum::Module(data) = &module.inner else { return };
        let item = |id: &Id| krate.index.get(id);
        let is_use = |id: &&Id| item(id).is_some_and(|item| matches!(item.inner, ItemEnum::Use(_)));
        // Visit a module's own items before its re-exports and submodules, so that an item that is public at several paths gets the shortest.
        let is_module = |id: &&Id| item(id).is_some_and(|item| matches!(item.inner, ItemEnum::Module(_)));
        let (later, mut own): (Vec<&Id>, Vec<&Id>) = data.items.iter().partition(|id| is_use(id) || is_module(id));
        own.sort_by_key(|id| item(id).and_then(|item| item.span.as_ref()).map(|span| (span.filename.clone(), span.begin)));
        let (uses, modules): (Vec<&Id>, Vec<&Id>) = later.into_iter().partition(is_use);
        for id in own.into_iter().chain(uses).chain(modules) {
            self.named(krate, *id, path);
        }
    }

    fn named(&mut self, krate: &Crate, id: Id, path: &str) {
        let Some(item) = krate.index.get(&id) else { return };
        if item.visibility != Visibility::Public {
            return;
        }
        let ItemEnum::Use(import) = &item.inner else {
            let name = item.name.clone().unwrap_or_default();
            return self.add(krate, id, item, &format!("{path}::{}", raw(&name)));
        };
        let target = import.id.and_then(|id| Some((id, krate.index.get(&id)?)));
        // Go code has no use for re-exports of std's items, nor for traits that are imported as `_`.
        let is_std = ["std::", "core::", "alloc::"].iter().any(|start| import.source.trim_start_matches("::").starts_with(start));
        let is_foreign = target.is_none_or(|(_, item)| item.crate_id != 0);
        if import.name == "_" && !import.is_glob {
            return;
        }
        if let (true, Some(id), false) = (is_foreign, import.id, import.is_glob) {
            self.foreign_paths.entry(id).or_insert_with(|| format!("{path}::{}", raw(&import.name)));
        }
        match target {
            _ if is_foreign && is_std => {}
            None if import.is_glob => drop(self.foreign.insert(format!("{}::*", import.source))),
            None => drop(self.foreign.insert(format!("{path}::{}", raw(&import.name)))),
            // Modules may import each other by globs, so `seen` ends the recursion.
            Some((id, item)) if import.is_glob => {
                // The variants of an enum belong to the enum's type, so a glob import of them adds nothing.
                if matches!(item.inner, ItemEnum::Module(_)) && self.seen.insert(id) {
                    self.module(krate, item, path);
                }
            }
            Some((id, item)) => self.add(krate, id, item, &format!("{path}::{}", raw(&import.name))),
        }
    }

    fn add(&mut self, krate: &Crate, id: Id, item: &Item, path: &str) {
        if item.crate_id != 0 {
            self.foreign.insert(path.to_owned());
            return;
        }
        if !self.seen.insert(id) {
            return;
        }
        match item.inner {
            ItemEnum::Module(_) => self.module(krate, item, path),
            _ => {
                self.order.push(id);
                self.paths.insert(id, path.to_owned());
            }
        }
    }
}

/// Returns the last part of a path.
pub fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// Returns the types among the arguments of a path.
pub fn arguments(path: &Path) -> Vec<&Type> {
    let Some(GenericArgs::AngleBracketed { args, .. }) = path.args.as_deref() else { return Vec::new() };
    args.iter().filter_map(|arg| if let GenericArg::Type(ty) = arg { Some(ty) } else { None }).collect()
}

/// Returns the types among a trait's arguments.
fn type_arguments(path: &Path) -> Vec<&Type> {
    arguments(path)
}

/// Replaces type parameters. `of` returns the type for a name, or `None` to leave it.
pub fn substitute(ty: &Type, of: &dyn Fn(&str) -> Option<Type>) -> Type {
    let inner = |ty: &Type| substitute(ty, of);
    let boxed = |ty: &Type| Box::new(substitute(ty, of));
    match ty {
        Type::Generic(name) => of(name).unwrap_or_else(|| ty.clone()),
        Type::ResolvedPath(path) => Type::ResolvedPath(substitute_path(path, of)),
        Type::Tuple(list) => Type::Tuple(list.iter().map(inner).collect()),
        Type::Slice(elem) => Type::Slice(boxed(elem)),
        Type::Array { type_, len } => Type::Array { type_: boxed(type_), len: len.clone() },
        Type::BorrowedRef { lifetime, is_mutable, type_ } => {
            Type::BorrowedRef { lifetime: lifetime.clone(), is_mutable: *is_mutable, type_: boxed(type_) }
        }
        Type::QualifiedPath { name, self_type, .. } => match (&**self_type, of(&format!("Self::{name}"))) {
            (Type::Generic(who), Some(found)) if who == "Self" => found,
            _ => ty.clone(),
        },
        other => other.clone(),
    }
}

fn substitute_path(path: &Path, of: &dyn Fn(&str) -> Option<Type>) -> Path {
    let args = path.args.as_ref().map(|args| match &**args {
        GenericArgs::AngleBracketed { args, constraints } => {
            let args = args.iter().map(|arg| match arg {
                GenericArg::Type(ty) => GenericArg::Type(substitute(ty, of)),
                other => other.clone(),
            });
            Box::new(GenericArgs::AngleBracketed { args: args.collect(), constraints: constraints.clone() })
        }
        other => Box::new(other.clone()),
    });
    Path { path: path.path.clone(), id: path.id, args }
}
