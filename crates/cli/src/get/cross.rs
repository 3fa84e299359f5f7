//! Decides how the results of one function cross: a type *crosses* if its values can be passed between Rust and Go. Also defines [`Cross`], the facts
//! about the function, which the decisions about parameters use too.

use super::api::{Api, arguments, last, substitute};
use super::types::{Kind, Known, Types, has_usize, is_number, is_plain, number_or_error, show};
use rustdoc_types::{DynTrait, GenericArgs, GenericBound, Id, ItemEnum, Path, PolyTrait, Span, TraitBoundModifier, Type};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// The facts about the crate's function: its type parameters, the types of `Self` and `Self::Name`, and the types in its signature.
#[derive(Debug)]
pub struct Cross<'a> {
    pub api: &'a Api,
    pub types: &'a Types,
    /// The type of `Self`.
    pub this: Option<Type>,
    /// The types of `Self::Name`, by `Name`.
    pub associated: BTreeMap<String, Type>,
    pub generics: BTreeMap<String, Vec<GenericBound>>,
    /// The place of the function in the crate's source. `None` for a field or conversion.
    pub span: Option<Span>,
    /// True if the function fails with the error of std's `io`.
    pub fails_as_io: bool,
    /// The types of the crate that the signature uses.
    pub used: RefCell<BTreeSet<Id>>,
    /// The types of the crate whose objects the result contains. A Go program can get an object only from a result, so the wrapper leaves out types
    /// that no result contains.
    pub made: RefCell<BTreeSet<Id>>,
    /// The current depth of nested bounds. The depth is limited, because bounds may refer to each other in a circle.
    pub depth: Cell<u8>,
}

/// The result of the wrapper's function.
#[derive(Clone, Debug)]
pub struct Output {
    /// The type in Rust. Empty if the function has no result.
    pub ty: String,
    /// The Rust expression for the result. `$` stands for the result of the crate's function.
    pub expr: String,
    /// True if the type has a `usize`, which is Go's `int`.
    pub int: bool,
}

/// The place of a type in the type of a result. Some types cross only in some places. `Top` is the whole type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Top,
    /// The content of a `Result`. Also a tuple, range or time in an `Option`, and a pair or range as the item of an iterator.
    Inside,
    /// A part of a tuple, list or iterator.
    Part,
}

/// Limits on a result that borrows from the arguments.
#[derive(Clone, Copy, Debug)]
pub struct Lending {
    /// True if borrowed results must be copied, because they may borrow from an unknown argument or from a local variable of the wrapper.
    pub owned: bool,
    /// True if the wrapper must collect an iterator's items before it returns.
    pub collected: bool,
}

impl Output {
    pub fn new(ty: impl Into<String>, expr: impl Into<String>) -> Output {
        let ty = ty.into();
        Output { int: has_usize(&ty), ty, expr: expr.into() }
    }

    /// Returns the expression with `result` in place of `$`.
    pub fn apply(&self, result: &str) -> String {
        self.expr.replace('$', result)
    }

    /// Puts the buffer `name` of type `ty`, which the function changes, before the function's own result.
    ///
    /// # Errors
    /// The reason why the two cannot be combined, for example if the function's own result is a tuple or an `Option`.
    pub fn beside(self, name: &str, ty: &str) -> Result<Output, String> {
        let Output { ty: own, expr, int } = self;
        let (ty, expr) = match own.as_str() {
            "" | "()" => (ty.to_owned(), format!("{{ {}; {name} }}", expr.trim_end_matches(';'))),
            own if own.starts_with("Result<(), ") => (own.replacen("()", ty, 1), format!("{expr}.map(|()| {name})")),
            own if let Some((number, error)) = number_or_error(own) => {
                (format!("Result<({ty}, {number}), {error}>"), format!("{expr}.map(|returned| ({name}, returned))"))
            }
            own if own.starts_with(['(', '&']) || ["Result<", "Option<", "impl "].iter().any(|start| own.starts_with(start)) => {
                return Err(format!("changes a buffer and returns {own}"));
            }
            own => (format!("({ty}, {own})"), format!("{{ let returned = {expr}; ({name}, returned) }}")),
        };
        Ok(Output { ty, expr, int })
    }

    /// Returns the conversion of a pointer. `self` converts the pointer's target. `view` is the expression for the target, in which `$` stands for
    /// the pointer.
    fn through(self, view: &str) -> Output {
        let in_brackets = format!("({view})");
        let expr = match self.expr.as_str() {
            "$" => view.to_owned(),
            // In `f($)` the brackets of the call already enclose the view.
            expr => expr.split("($)").map(|part| part.replace('$', &in_brackets)).collect::<Vec<_>>().join(&in_brackets),
        };
        Output { expr, ..self }
    }

    /// Adds `use<>` to an iterator's type, which states that the iterator captures no lifetime of a parameter.
    pub fn without_lifetimes(self) -> Output {
        match self.ty.starts_with("impl Iterator") && !self.ty.ends_with("use<>") {
            true => Output { ty: format!("{} + use<>", self.ty), ..self },
            false => self,
        }
    }

    /// Returns the call of `method`, such as `map`, that converts the content of a container. Empty if the content needs no conversion.
    pub fn mapped(&self, method: &str) -> String {
        match self.expr.strip_suffix("($)") {
            _ if self.expr == "$" => String::new(),
            Some(function) if function.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '<' | '>' | ' ')) => {
                format!(".{method}({function})")
            }
            _ => format!(".{method}(|x| {})", self.apply("x")),
        }
    }
}

/// The Rust expression for the two bounds of a range. `$` stands for the range or a reference to it.
const RANGE: &str = "{ let range = &$; (range.start, range.end) }";

/// Returns the type of a slice's elements if Rust and Go lay the elements out alike.
pub fn element(ty: &Type) -> Option<String> {
    is_plain(ty).then(|| show(ty))
}

impl<'a> Cross<'a> {
    /// Replaces `Self`, its associated types, and aliases.
    pub fn resolve(&self, ty: &Type) -> Type {
        let this = |name: &str| match name {
            "Self" => self.this.clone(),
            "Self::Owned" if !self.associated.contains_key("Owned") => self.this.as_ref().map(owned),
            name => self.associated.get(name.strip_prefix("Self::")?).cloned(),
        };
        self.api.resolve(&substitute(ty, &this))
    }

    pub fn bounds_of(&self, parameter: &str) -> Vec<GenericBound> {
        self.generics.get(parameter).cloned().unwrap_or_default()
    }

    /// Finds the type of the crate that a path names. `None` for a type of another crate.
    pub fn known(&self, path: &Path) -> Option<Result<Known, String>> {
        if self.api.item(path.id).is_none_or(|item| item.crate_id != 0) {
            return None;
        }
        let name = last(&path.path);
        Some(match self.types.get(path.id) {
            Some(Ok(known)) => {
                self.used.borrow_mut().insert(path.id);
                Ok(known.clone())
            }
            Some(Err(reason)) => Err(format!("uses {name}, which is left out ({reason})")),
            None => Err(format!("uses {name}, which is not public")),
        })
    }

    /// Returns a type of the crate that the wrapper has.
    pub fn known_of(&self, ty: &Type) -> Option<&Known> {
        let Type::ResolvedPath(path) = ty else { return None };
        self.types.get(path.id)?.as_ref().ok()
    }

    /// True for a trait of std's module `module`.
    pub fn is_std(&self, path: &Path, module: &str) -> bool {
        self.api.defined_at(path.id).is_some_and(|defined| defined.starts_with(&format!("std::{module}::")))
    }

    /// True if a result of this type borrows nothing and can go to another thread: the type is a struct or enum of the crate without generic parameters.
    pub fn is_free(&self, ty: &Type) -> bool {
        let Type::ResolvedPath(path) = self.resolve(ty) else { return false };
        let Some(item) = self.api.item(path.id).filter(|item| item.crate_id == 0) else { return false };
        let has_parameters = match &item.inner {
            ItemEnum::Struct(data) => !data.generics.params.is_empty(),
            ItemEnum::Enum(data) => !data.generics.params.is_empty(),
            _ => true,
        };
        !has_parameters && self.api.is_auto(item, "Send")
    }

    /// Returns the wrapper's result for a result of this type, or the reason why the type cannot cross.
    pub fn output(&self, ty: &Type, place: Place, lending: Lending) -> Result<Output, String> {
        let ty = self.resolve(ty);
        let refused = || Err(format!("returns {}", show(&ty)));
        match &ty {
            Type::Primitive(number) if is_number(number) => Ok(Output::new(number, "$")),
            Type::Array { type_, .. } if is_plain(type_) => Ok(Output::new(show(&ty), "$")),
            Type::Array { type_, len } => self.array(type_, len, false),
            Type::Tuple(parts) if parts.is_empty() => Ok(Output::new("()", "$")),
            Type::Tuple(parts) if place != Place::Part => self.tuple(parts, lending),
            Type::BorrowedRef { is_mutable: false, type_, lifetime } => {
                let is_static = lifetime.as_deref() == Some("'static");
                self.borrowed(type_, place, Lending { owned: lending.owned && !is_static, ..lending }, is_static)
            }
            Type::ImplTrait(bounds) => match self.item_of(bounds) {
                Some(item) if place == Place::Top => self.lent_items(item, lending),
                Some(item) => self.listed(item).unwrap_or_else(refused),
                None if bounds.iter().any(|bound| self.is_display(bound)) => Ok(Output::new("String", "$.to_string()")),
                None => refused(),
            },
            Type::ResolvedPath(path) => self.path(path, &ty, place, lending),
            Type::Generic(parameter) => self.collected(&self.bounds_of(parameter)),
            _ => refused(),
        }
    }

    fn tuple(&self, parts: &[Type], lending: Lending) -> Result<Output, String> {
        let parts: Vec<Output> = parts.iter().map(|part| self.output(part, Place::Part, lending)).collect::<Result<_, _>>()?;
        let join = |text: &dyn Fn((usize, &Output)) -> String| parts.iter().enumerate().map(text).collect::<Vec<_>>().join(", ");
        let tuple = format!("({})", join(&|(_, part)| part.ty.clone()));
        if parts.iter().all(|part| part.expr == "$") {
            return Ok(Output::new(tuple, "$"));
        }
        let names = join(&|(at, _)| format!("part{at}"));
        let values = join(&|(at, part)| part.apply(&format!("part{at}")));
        Ok(Output::new(tuple, format!("{{ let ({names}) = $; ({values}) }}")))
    }

    fn borrowed(&self, target: &Type, place: Place, lending: Lending, is_static: bool) -> Result<Output, String> {
        let target = self.resolve(target);
        let start = if is_static { "&'static " } else { "&" };
        match &target {
            Type::Primitive(text) if text == "str" => Ok(match lending.owned {
                true => Output::new("String", "$.to_owned()"),
                false => Output::new(format!("{start}str"), "$"),
            }),
            Type::Primitive(number) if is_number(number) => Ok(Output::new(number, "*$")),
            Type::Slice(elem) => match element(elem) {
                // A borrowed slice of `usize` would be `[]uint` in Go instead of `[]int`.
                Some(elem) if lending.owned || elem == "usize" => Ok(Output::new(format!("Vec<{elem}>"), "$.to_vec()")),
                Some(elem) => Ok(Output::new(format!("{start}[{elem}]"), "$")),
                None if place == Place::Top && self.is_tuple_of_two(elem) => self.borrowed_pairs(elem, lending),
                None => {
                    let by_reference = Type::BorrowedRef { lifetime: None, is_mutable: false, type_: elem.clone() };
                    let inner = self.output(&by_reference, Place::Part, Lending { owned: true, ..lending })?;
                    Ok(Output::new(format!("Vec<{}>", inner.ty), format!("$.iter(){}.collect()", inner.mapped("map"))))
                }
            },
            Type::BorrowedRef { type_, .. } => {
                // Callers may put the expression into a closure, where the compiler does not dereference references automatically.
                Ok(self.borrowed(type_, place, lending, is_static)?.through("*$"))
            }
            Type::Array { type_, .. } if is_plain(type_) => Ok(Output::new(show(&target), "*$")),
            Type::Array { type_, len } => self.array(type_, len, true),
            Type::ResolvedPath(path) => match self.known(path) {
                Some(known) => match known? {
                    Known { name, kind: Kind::Object { clone: true, .. }, .. } => {
                        self.made.borrow_mut().insert(path.id);
                        Ok(Output::new(&name, format!("{name}($.clone())")))
                    }
                    ref known @ Known { ref name, kind: Kind::Value { copy } | Kind::Enumeration { copy, .. }, .. } => {
                        Ok(Output::new(name, format!("{}({}$)", known.to_wrapper(), if copy { "*" } else { "" })))
                    }
                    Known { name, .. } => Err(format!("lends a {name}, which cannot be cloned")),
                },
                None => {
                    let of = arguments(path);
                    match (self.api.std_name(path), of.first()) {
                        ("String", _) if lending.owned => Ok(Output::new("String", "$.clone()")),
                        ("String", _) => Ok(Output::new("&str", "$.as_str()")),
                        ("Vec", Some(elem)) if place == Place::Top && self.is_tuple_of_two(elem) => {
                            self.borrowed(&Type::Slice(Box::new((*elem).clone())), place, lending, false)
                        }
                        ("Vec", Some(elem)) => {
                            self.borrowed(&Type::Slice(Box::new((*elem).clone())), place, Lending { owned: true, ..lending }, false)
                        }
                        ("HashMap" | "BTreeMap", Some(_)) if place == Place::Top => {
                            let lent = |ty: &Type| Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new(ty.clone()) };
                            self.iterator(&Type::Tuple(of.iter().take(2).map(|ty| lent(ty)).collect()), "$.iter()", lending)
                        }
                        ("HashSet" | "BTreeSet" | "VecDeque", Some(elem)) => {
                            let lent = Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new((*elem).clone()) };
                            let inner = self.output(&lent, Place::Part, Lending { owned: true, ..lending })?;
                            Ok(Output::new(format!("Vec<{}>", inner.ty), format!("$.iter(){}.collect()", inner.mapped("map"))))
                        }
                        ("Option", Some(content)) if place != Place::Part => {
                            let lent = Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new((*content).clone()) };
                            let inner = self.output(&lent, Place::Part, lending)?;
                            Ok(Output::new(format!("Option<{}>", inner.ty), format!("$.as_ref(){}", inner.mapped("map"))))
                        }
                        ("Duration" | "SystemTime", _) => self.path(path, &target, place, lending),
                        ("Path" | "PathBuf" | "OsStr" | "OsString", _) => Ok(self.path_result()),
                        ("Range", Some(_)) => self.path(path, &target, place, lending),
                        ("Cow" | "Box" | "Rc" | "Arc", Some(inner)) => match self.resolve(inner) {
                            Type::Primitive(text) if text == "str" => Ok(Output::new("String", "(**$).to_owned()")),
                            Type::Slice(elem) if is_plain(&elem) => Ok(Output::new(format!("Vec<{}>", show(&elem)), "(**$).to_vec()")),
                            inner => Ok(self.borrowed(&inner, place, lending, false)?.through("&**$")),
                        },
                        _ => Err(format!("returns &{}", show(&target))),
                    }
                }
            },
            _ => Err(format!("returns &{}", show(&target))),
        }
    }

    /// True for a generic or borrowing type of the crate that implements `Display`, such as chrono's `DelayedFormat`. Such types exist to be printed.
    fn is_adaptor(&self, path: &Path) -> bool {
        let Some(item) = self.api.item(path.id) else { return false };
        let generics = match &item.inner {
            ItemEnum::Struct(data) => &data.generics,
            ItemEnum::Enum(data) => &data.generics,
            _ => return false,
        };
        !generics.params.is_empty() && item.deprecation.is_none() && self.api.implements(item, "Display", None).is_some()
    }

    pub fn is_pair(&self, ty: &Type) -> bool {
        matches!(ty, Type::Tuple(parts) if parts.len() == 2) || self.bound_of_range(ty).is_some()
    }

    /// The type of the two bounds of a `Range`. Each bound becomes a result.
    fn bound_of_range(&self, ty: &Type) -> Option<Type> {
        let Type::ResolvedPath(path) = self.resolve(ty) else { return None };
        arguments(&path).first().map(|bound| (*bound).clone()).filter(|bound| self.api.std_name(&path) == "Range" && is_plain(bound))
    }

    fn path(&self, path: &Path, ty: &Type, place: Place, lending: Lending) -> Result<Output, String> {
        let refused = || Err(format!("returns {}", show(ty)));
        if let Some(known) = self.known(path) {
            let known = match known {
                // The type's `Display` may fail, for example because of a wrong format string.
                Err(_) if self.is_adaptor(path) && place == Place::Top => {
                    return Ok(Output::new(
                        "Result<String, std::fmt::Error>",
                        "match $ { shown => { let mut out = String::new(); std::fmt::write(&mut out, format_args!(\"{shown}\")).map(|()| out) } }",
                    ));
                }
                Err(_) if self.is_adaptor(path) => return Ok(Output::new("String", "$.to_string()")),
                known => known?,
            };
            return match known {
                Known { name, kind: Kind::Object { .. }, .. } => {
                    self.made.borrow_mut().insert(path.id);
                    Ok(Output::new(&name, format!("{name}($)")))
                }
                ref known @ Known { ref name, kind: Kind::Value { .. } | Kind::Enumeration { .. }, .. } => {
                    Ok(Output::new(name, format!("{}($)", known.to_wrapper())))
                }
                Known { kind: Kind::Iterator(item), .. } if place == Place::Top => {
                    let is_send = self.api.item(path.id).is_some_and(|item| self.api.is_auto(item, "Send"));
                    self.lent_items(&item, Lending { collected: lending.collected || !is_send, ..lending })
                }
                Known { kind: Kind::Iterator(item), .. } => self.listed(&item).unwrap_or_else(refused),
                _ => refused(),
            };
        }
        let of: Vec<Type> = arguments(path).into_iter().map(|ty| self.resolve(ty)).collect();
        let defined = self.api.defined_at(path.id).unwrap_or_default();
        match (self.api.std_name(path), of.as_slice()) {
            ("Result", [value]) if ["io::Result", "io::error::Result"].iter().any(|end| defined.ends_with(end)) => {
                self.result(value, "std::io::Error", lending)
            }
            ("Result", [value, error]) => self.fallible(value, error, place, lending),
            ("Result", []) if defined == "core::fmt::Result" => self.result(&Type::Tuple(Vec::new()), "std::fmt::Error", lending),
            (_, [value]) if defined == "anyhow::Result" => {
                let output = self.result(value, super::fallible::BOXED, lending)?;
                Ok(Output { expr: format!("{}.map_err(Into::into)", output.expr), ..output })
            }
            ("String", []) => Ok(Output::new("String", "$")),
            ("PathBuf" | "OsString", []) => Ok(self.path_result()),
            // The result becomes a `Result` of an `Option`, because Go code checks the error first, and then the bool.
            ("Option", [Type::ResolvedPath(result)]) if place == Place::Top && self.api.std_name(result) == "Result" => {
                let of: Vec<Type> = arguments(result).into_iter().map(|ty| self.resolve(ty)).collect();
                let io = self.api.defined_at(result.id).is_some_and(|at| at.ends_with("io::error::Result") || at.ends_with("io::Result"));
                match of.as_slice() {
                    [value] if io => Ok(self.result(&of_std("Option", Some(value)), "std::io::Error", lending)?.through("$.transpose()")),
                    [_, Type::Tuple(none)] if none.is_empty() => refused(),
                    [value @ (Type::Primitive(_) | Type::ResolvedPath(_) | Type::BorrowedRef { .. }), error] => {
                        Ok(self.fallible(&of_std("Option", Some(value)), error, place, lending)?.through("$.transpose()"))
                    }
                    _ => refused(),
                }
            }
            ("Option", [value]) if place != Place::Part => {
                let is_time = matches!(value, Type::ResolvedPath(of) if self.api.std_name(of) == "SystemTime");
                let is_several = is_time || matches!(value, Type::Tuple(_)) || self.bound_of_range(value).is_some();
                let inner = self.output(value, if is_several { Place::Inside } else { Place::Part }, lending)?;
                Ok(Output::new(format!("Option<{}>", inner.ty), format!("${}", inner.mapped("map"))))
            }
            ("Vec", [elem]) if self.is_pair(elem) && place == Place::Top => self.pairs(&of[0], "$.into_iter()"),
            ("HashMap" | "BTreeMap", [key, value, ..]) if place == Place::Top => {
                let item = Type::Tuple(vec![key.clone(), value.clone()]);
                self.pairs(&item, "$.into_iter()")
            }
            ("Vec" | "HashSet" | "BTreeSet" | "VecDeque", [elem, ..]) => match element(elem) {
                Some(elem) if self.api.std_name(path) == "Vec" => Ok(Output::new(format!("Vec<{elem}>"), "$")),
                _ => {
                    let inner = self.output(elem, Place::Part, lending)?;
                    let expr = if inner.expr == "$" && self.api.std_name(path) == "Vec" {
                        "$".to_owned()
                    } else {
                        format!("$.into_iter(){}.collect()", inner.mapped("map"))
                    };
                    Ok(Output::new(format!("Vec<{}>", inner.ty), expr))
                }
            },
            ("Range", [bound]) if is_plain(bound) && place != Place::Part => Ok(Output::new(format!("({0}, {0})", show(bound)), RANGE)),
            ("Box", [inner]) if !matches!(inner, Type::Primitive(_) | Type::Slice(_) | Type::DynTrait(_)) => {
                Ok(self.output(inner, place, lending)?.through("*$"))
            }
            ("Cow", [Type::Primitive(text)]) if text == "str" => Ok(Output::new("String", "$.into_owned()")),
            ("Cow", [Type::Slice(elem)]) if is_plain(elem) => Ok(Output::new(format!("Vec<{}>", show(elem)), "$.into_owned()")),
            ("Box" | "Rc" | "Arc", [Type::Primitive(text)]) if text == "str" => Ok(Output::new("String", "$.as_ref().to_owned()")),
            ("Box", [Type::Slice(elem)]) if is_plain(elem) => Ok(Output::new(format!("Vec<{}>", show(elem)), "$.into_vec()")),
            ("Box", [Type::DynTrait(of)]) => match self.item_of(&bounds_of_object(of)) {
                Some(item) if place == Place::Top => {
                    // Another goroutine could end the loop on another thread, so Go gets no iterator that is not `Send`.
                    let is_send = of.traits.iter().any(|of| self.api.std_name(&of.trait_) == "Send");
                    self.lent_items(item, Lending { collected: lending.collected || !is_send, ..lending })
                }
                Some(item) => self.listed(item).unwrap_or_else(refused),
                None => refused(),
            },
            // The length of these arrays is a type of the crate typenum, and rustdoc does not convert it to a number.
            (_, [Type::Primitive(byte), _]) if byte == "u8" && is_array_of_typenum(&defined) => Ok(Output::new("Vec<u8>", "$.to_vec()")),
            // A duration that is too long for Go becomes Go's longest Duration, as in Go's own functions.
            ("Duration", []) => Ok(Output::new("i64", "i64::try_from($.as_nanos()).unwrap_or(i64::MAX)")),
            ("SystemTime", []) if place != Place::Part => Ok(Output::new(
                "(i64, i64)",
                "match $.duration_since(std::time::UNIX_EPOCH) { \
                 Ok(after) => (after.as_secs() as i64, i64::from(after.subsec_nanos())), \
                 Err(before) => (-(before.duration().as_secs() as i64), -i64::from(before.duration().subsec_nanos())) \
                 }",
            )),
            ("SystemTime", []) => Ok(Output::new(
                "i64",
                "match $.duration_since(std::time::UNIX_EPOCH) { \
                 Ok(after) => i64::try_from(after.as_nanos()), \
                 Err(before) => i64::try_from(before.duration().as_nanos()).map(|before| -before) \
                 }.expect(\"the time is too far away for Go\")",
            )),
            ("Ordering", []) => Ok(Output::new("isize", "$ as isize")),
            _ => match self.std_items(&defined, &of) {
                // Only a result as a whole can be an iterator. Inside another type, the items are collected into a list.
                Some(item) if place == Place::Top => self.lent_items(&item, lending),
                Some(item) => self.listed(&item).unwrap_or_else(refused),
                None => refused(),
            },
        }
    }

    fn is_display(&self, bound: &GenericBound) -> bool {
        matches!(bound, GenericBound::TraitBound { trait_, .. } if self.api.std_name(trait_) == "Display")
    }
}

/// True for the array types of the crates hybrid-array and generic-array, which RustCrypto uses. An example is the result of `Digest::finalize`.
fn is_array_of_typenum(defined: &str) -> bool {
    (defined.starts_with("hybrid_array::") && defined.ends_with("::Array"))
        || (defined.starts_with("generic_array::") && defined.ends_with("::GenericArray"))
}

/// Returns the traits of a trait object as bounds.
pub fn bounds_of_object(of: &DynTrait) -> Vec<GenericBound> {
    let bound = |of: &PolyTrait| GenericBound::TraitBound {
        trait_: of.trait_.clone(),
        generic_params: Vec::new(),
        modifier: TraitBoundModifier::None,
    };
    of.traits.iter().map(bound).collect()
}

/// Returns a type of std with at most one argument.
fn of_std(name: &str, of: Option<&Type>) -> Type {
    let arg = of.map(|of| rustdoc_types::GenericArg::Type(of.clone()));
    let args = GenericArgs::AngleBracketed { args: arg.into_iter().collect(), constraints: Vec::new() };
    // No item has this id, so [`Api::std_name`] treats the path as the path of a type of std.
    Type::ResolvedPath(Path { path: name.to_owned(), id: Id(u32::MAX), args: Some(Box::new(args)) })
}

/// Returns the associated type `Owned` of std's `ToOwned` for the type.
fn owned(ty: &Type) -> Type {
    match ty {
        Type::Primitive(text) if text == "str" => of_std("String", None),
        Type::Slice(elem) => of_std("Vec", Some(elem)),
        ty => ty.clone(),
    }
}
