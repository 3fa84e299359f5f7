//! Decides the form of each type of the crate in the wrapper: an object, a value, an enumeration, an iterator, an error, or none.

use super::api::{Api, last};
use rustdoc_types::{Attribute, Id, Item, ItemEnum, Type, VariantKind, Visibility};
use std::collections::{BTreeMap, BTreeSet};

/// The reason for leaving out a deprecated item.
pub const DEPRECATED: &str = "deprecated";

/// The form of a crate's type in the wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A struct around the crate's type, in the Rust heap. `clone` and `sync` are true if the crate's type can be cloned, and if it is `Sync`.
    Object { clone: bool, sync: bool },
    /// A struct that Go gets as a value. Its fields are the numbers that the crate's struct has. `copy` is true if the crate's struct is `Copy`.
    Value { copy: bool },
    /// A Go integer type with a constant for each variant. `open` is true if the crate may add variants, and `copy` if the crate's enum is `Copy`.
    Enumeration { open: bool, copy: bool },
    /// An iterator: the wrapper's functions return a Go iterator over this type of items.
    Iterator(Box<Type>),
    /// An error of which Go gets only the text.
    Error,
    /// An error that Go gets as a mirror (an enum or struct like the crate's), with a text.
    Failure(Report),
}

/// The parts of an error that Go gets besides its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// The number of the variant. The crate's error can be made from it.
    Number,
    /// The variant, with its fields that can cross.
    Variants,
    /// The fields that can cross.
    Fields,
}

/// A type of the crate that the wrapper has.
#[derive(Clone, Debug)]
pub struct Known {
    /// The name in the wrapper. Go's name is derived from it.
    pub name: String,
    /// The public path of the crate's type.
    pub path: String,
    pub kind: Kind,
    /// The names of the public functions and methods that the crate's type has without traits, or by traits outside of std.
    pub own: BTreeSet<String>,
}

impl Known {
    /// The name in Go.
    pub fn go(&self) -> String {
        super::names::camel_case(&self.name)
    }

    /// Returns the Rust function that converts a value of the wrapper's type to the crate's type: `semver::Version::from`.
    pub fn to_crate(&self) -> String {
        self.function(&self.path, "From<_>", "from")
    }

    /// Returns the Rust function that converts a value of the crate's type to the wrapper's type.
    pub fn to_wrapper(&self) -> String {
        self.function(&self.name, "From<_>", "from")
    }

    /// Returns the path of a trait's function. `ty` is the crate's type or the wrapper's type. If the type has a function of this name of its own,
    /// `Type::from` would be that function, so the path contains the trait: `<Type as From<_>>::from`.
    pub fn function(&self, ty: &str, of_trait: &str, name: &str) -> String {
        if self.own.contains(name) { self.qualified(ty, of_trait, name) } else { format!("{ty}::{name}") }
    }

    /// Returns the path that [`function`](Self::function) returns, for a type that may have arguments: `<Type<u8>>::from`.
    pub fn qualified(&self, ty: &str, of_trait: &str, name: &str) -> String {
        if self.own.contains(name) { format!("<{ty} as {of_trait}>::{name}") } else { format!("<{ty}>::{name}") }
    }

    /// Returns the expression that converts `value` with `convert`, one of the two functions above: `value.into()`. `convert` itself is called if the
    /// type has a method `into` of its own, which that expression would call.
    pub fn into(&self, value: &str, convert: &str) -> String {
        if self.own.contains("into") { format!("{convert}({value})") } else { format!("{value}.into()") }
    }
}

/// The form of each public type, by its id. An error is the reason why the type is left out. The second map has the name of each public type, also of
/// those that are left out.
#[derive(Debug, Default)]
pub struct Types(pub BTreeMap<Id, Result<Known, String>>, pub BTreeMap<Id, String>);

impl Types {
    pub fn get(&self, id: Id) -> Option<&Result<Known, String>> {
        self.0.get(&id)
    }
}

/// Decides the form of each public type. `excluded` has the reasons why types are left out, by their paths.
pub fn types(api: &Api, excluded: &BTreeMap<String, String>) -> Types {
    let mut types = Types::default();
    let public = || api.order.iter().filter_map(|id| Some((*id, api.item(*id)?, api.path(*id)?)));
    let is_type = |item: &Item| matches!(item.inner, ItemEnum::Struct(_) | ItemEnum::Enum(_) | ItemEnum::Union(_));
    let paths: Vec<&str> = public().filter(|(_, item, _)| is_type(item)).map(|(_, _, path)| path).collect();
    let names = names(&paths);
    for (id, item, path) in public().filter(|(_, item, _)| is_type(item)) {
        let name = names.get(path).cloned().unwrap_or_default();
        let kind = excluded.get(path).map_or_else(|| kind(api, item, excluded), |reason| Err(reason.clone()));
        types.1.insert(id, name.clone());
        types.0.insert(id, kind.map(|kind| Known { name, path: path.to_owned(), kind, own: own_functions(api, item) }));
    }
    super::errors::settle(api, &mut types);
    types
}

/// The names of the functions that the type has without a trait, and of the functions of traits outside of std, which the wrapper's type has without a
/// trait.
fn own_functions(api: &Api, item: &Item) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut add = |ids: &[Id], public_only: bool| {
        let functions = ids.iter().filter_map(|id| api.item(*id)).filter(|item| matches!(item.inner, ItemEnum::Function(_)));
        names.extend(functions.filter(|item| !public_only || item.visibility == Visibility::Public).filter_map(|item| item.name.clone()));
    };
    for data in api.implementations(item) {
        let Some(of) = &data.trait_ else {
            add(&data.items, true);
            continue;
        };
        if !api.std_name(of).is_empty() {
            continue;
        }
        add(&data.items, false);
        if let Some(ItemEnum::Trait(of)) = api.item(of.id).map(|item| &item.inner) {
            add(&of.items, false);
        }
    }
    names
}

/// Chooses names for types by their paths. If several types have the same name, only the type at the crate's root keeps it. The names of the others
/// get a prefix of module names, as many as make the names unique. A type that the crate re-exports under another name gets that name.
fn names<'a>(paths: &[&'a str]) -> BTreeMap<&'a str, String> {
    let own = |path: &str| last(path).trim_start_matches("r#").to_owned();
    let ending = |path: &str, count: usize| path.rsplit("::").take(count).map(str::to_owned).collect::<Vec<_>>();
    let is_plain = |path: &str| {
        let others = || paths.iter().filter(|other| **other != path && own(other) == own(path));
        !super::names::is_of_prelude(&own(path)) && (path.matches("::").count() == 1 || others().next().is_none())
    };
    let (plain, long): (Vec<&str>, Vec<&str>) = paths.iter().partition(|path| is_plain(path));
    let mut names: BTreeMap<&str, String> = plain.into_iter().map(|path| (path, own(path))).collect();
    for path in long {
        let count = path.split("::").count();
        let name = |count: usize| {
            let mut parts = ending(path, count);
            parts.reverse();
            parts.iter().map(|part| super::names::camel_case(part)).collect::<String>()
        };
        let is_alone = |count: usize| !paths.iter().any(|other| *other != path && ending(other, count) == ending(path, count));
        let is_free = |count: usize| !names.values().any(|taken| super::names::camel_case(taken) == name(count));
        let chosen = (2..=count).find(|count| is_alone(*count) && is_free(*count)).unwrap_or(count);
        let name = name(chosen);
        names.insert(path, name);
    }
    names
}

/// Returns a name for a type or function whose own name is taken: the module's name, then the own name.
pub fn in_module(path: &str) -> String {
    let mut parts = path.rsplit("::").map(super::names::camel_case);
    let name = parts.next().unwrap_or_default();
    format!("{}{name}", parts.next().unwrap_or_default())
}

fn kind(api: &Api, item: &Item, excluded: &BTreeMap<String, String>) -> Result<Kind, String> {
    let implements = |name: &str| api.implements(item, name, None);
    if let Some(data) = implements("Iterator")
        && let Some(of) = api.associated(data, "Item")
    {
        return Ok(Kind::Iterator(Box::new(of.clone())));
    }
    if implements("Error").is_some() || is_failure(api, item) {
        let is_mirrored = !excluded.contains_key(&as_value(api.path(item.id).unwrap_or_default()));
        return Ok(report(api, item).filter(|_| is_mirrored).map_or(Kind::Error, Kind::Failure));
    }
    if item.deprecation.is_some() {
        return Err(DEPRECATED.to_owned());
    }
    let generics = match &item.inner {
        ItemEnum::Struct(data) => &data.generics,
        ItemEnum::Enum(data) => &data.generics,
        _ => return Err("a union".to_owned()),
    };
    if let Some(param) = generics.params.first() {
        return Err(match param.name.starts_with('\'') {
            true => "a type that borrows: an object must own what it has".to_owned(),
            false => format!("a generic type, over {}", param.name),
        });
    }
    let copy = implements("Copy").is_some();
    let path = api.path(item.id).unwrap_or_default();
    // A type that is not `Copy` may be copied too, because its fields are public numbers. But a destructor would run for each copy.
    if implements("Drop").is_none() && !excluded.contains_key(&as_value(path)) {
        if let Some(fields) = api.fields(item)
            && !fields.is_empty()
            && !is_open(item)
            && fields.iter().all(|(_, ty, _)| is_plain(ty))
        {
            return Ok(Kind::Value { copy });
        }
        if let ItemEnum::Enum(data) = &item.inner
            && !data.variants.is_empty()
            && !data.has_stripped_variants
            && data.variants.iter().all(|id| is_unit(api, *id))
            && !data.variants.iter().any(|id| is_closed(api, *id))
        {
            return Ok(Kind::Enumeration { open: is_open(item), copy });
        }
    }
    if !api.is_auto(item, "Send") {
        return Err("a type that is not Send: goroutines move between threads".to_owned());
    }
    Ok(Kind::Object { clone: copy || implements("Clone").is_some(), sync: api.is_auto(item, "Sync") })
}

/// True for a type that implements `Display` and whose name ends with `Error`.
fn is_failure(api: &Api, item: &Item) -> bool {
    let named = item.name.as_deref().is_some_and(|name| name.ends_with("Error"));
    named && api.implements(item, "Display", None).is_some()
}

/// Decides what Go gets of an error besides its text. `None` if Go gets nothing else.
fn report(api: &Api, item: &Item) -> Option<Report> {
    api.implements(item, "Display", None).filter(|_| item.deprecation.is_none())?;
    match &item.inner {
        ItemEnum::Enum(data) if data.generics.params.is_empty() && !data.has_stripped_variants && !data.variants.is_empty() => {
            let is_number = data.variants.iter().all(|id| is_unit(api, *id) && !is_closed(api, *id));
            Some(if is_number { Report::Number } else { Report::Variants })
        }
        ItemEnum::Struct(data) if data.generics.params.is_empty() => Some(Report::Fields),
        _ => None,
    }
}

/// Returns the key by which `excluded` states that a mirror of the type (a struct or enum like the crate's) has failed. A type with this key gets no
/// mirror: it becomes an object or, if it is an error, a text.
pub fn as_value(path: &str) -> String {
    format!("{path} as a value")
}

/// True if the crate may add variants or fields.
pub fn is_open(item: &Item) -> bool {
    item.attrs.contains(&Attribute::NonExhaustive)
}

/// True for a variant that only the crate can make.
fn is_closed(api: &Api, id: Id) -> bool {
    api.item(id).is_some_and(is_open)
}

fn is_unit(api: &Api, id: Id) -> bool {
    let Some(ItemEnum::Variant(variant)) = api.item(id).map(|item| &item.inner) else { return false };
    matches!(variant.kind, VariantKind::Plain)
}

/// True for a number, a bool or a char, and for arrays of them.
pub fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Primitive(name) => is_number(name),
        Type::Array { type_, .. } => is_plain(type_),
        _ => false,
    }
}

/// Returns the number type and the error type of `Result<number, error>`.
pub fn number_or_error(ty: &str) -> Option<(&str, &str)> {
    let (number, error) = ty.strip_prefix("Result<")?.strip_suffix('>')?.split_once(", ")?;
    is_number(number).then_some((number, error))
}

/// True for the basic types of Rust that Go has.
pub fn is_number(name: &str) -> bool {
    matches!(name, "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" | "f32" | "f64" | "bool" | "char")
}

/// True if `usize` occurs in the text of a Rust type.
pub fn has_usize(ty: &str) -> bool {
    ty.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == "usize")
}

/// Returns a type as in Rust source, without modules, for messages.
pub fn show(ty: &Type) -> String {
    let list = |types: &[&Type]| types.iter().map(|ty| show(ty)).collect::<Vec<_>>().join(", ");
    match ty {
        Type::Primitive(name) | Type::Generic(name) => name.clone(),
        Type::ResolvedPath(path) => {
            let args = super::api::arguments(path);
            if args.is_empty() { last(&path.path).to_owned() } else { format!("{}<{}>", last(&path.path), list(&args)) }
        }
        Type::BorrowedRef { is_mutable, type_, .. } => format!("&{}{}", if *is_mutable { "mut " } else { "" }, show(type_)),
        Type::Slice(elem) => format!("[{}]", show(elem)),
        Type::Array { type_, len } => format!("[{}; {len}]", show(type_)),
        Type::Tuple(types) => format!("({})", list(&types.iter().collect::<Vec<_>>())),
        Type::ImplTrait(bounds) => format!("impl {}", show_bounds(bounds)),
        Type::DynTrait(of) => format!("dyn {}", of.traits.iter().map(|of| last(&of.trait_.path)).collect::<Vec<_>>().join(" + ")),
        Type::RawPointer { type_, .. } => format!("*{}", show(type_)),
        Type::FunctionPointer(_) => "fn".to_owned(),
        Type::QualifiedPath { name, self_type, .. } => format!("{}::{name}", show(self_type)),
        _ => "a type that is not known".to_owned(),
    }
}

/// Returns bounds as in Rust source, for messages.
pub fn show_bounds(bounds: &[rustdoc_types::GenericBound]) -> String {
    let names = bounds.iter().filter_map(|bound| match bound {
        rustdoc_types::GenericBound::TraitBound { trait_, modifier: rustdoc_types::TraitBoundModifier::None, .. } => {
            let args = super::api::arguments(trait_);
            let args = args.iter().map(|ty| show(ty)).collect::<Vec<_>>().join(", ");
            Some(if args.is_empty() { last(&trait_.path).to_owned() } else { format!("{}<{args}>", last(&trait_.path)) })
        }
        _ => None,
    });
    names.collect::<Vec<_>>().join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_one_name_have_their_modules_before_it() {
        let paths = [
            "re::dfa::regex::Builder",
            "re::hybrid::regex::Builder",
            "re::nfa::Builder",
            "re::Regex",
            "re::meta::Regex",
            "re::text::String",
        ];
        let found = names(&paths);
        let named: Vec<&str> = paths.iter().map(|path| found[path].as_str()).collect();
        assert_eq!(named, ["DfaRegexBuilder", "HybridRegexBuilder", "NfaBuilder", "Regex", "MetaRegex", "TextString"]);
        assert_eq!(names(&["re::a::One", "re::a_one::Two"]).into_values().collect::<Vec<_>>(), ["One", "Two"]);
    }

    #[test]
    fn only_the_word_usize_is_one() {
        assert!(has_usize("Option<(usize, u8)>") && has_usize("usize") && !has_usize("Option<usize_like>") && !has_usize("Busize"));
    }
}
