//! Decides how a parameter crosses (see `cross`): its type in the wrapper, and the expression that the wrapper passes to the crate's function.

use super::api::arguments;
use super::cross::{Cross, element};
use super::types::{Kind, Known, is_number, show, show_bounds};
use rustdoc_types::{AssocItemConstraintKind, GenericArgs, GenericBound, Path, Term, TraitBoundModifier, Type};

/// A parameter of the wrapper.
#[derive(Clone, Debug, Default)]
pub struct Parameter {
    pub ty: String,
    /// A statement before the call.
    pub before: Option<String>,
    /// The argument of the crate's function.
    pub expr: String,
    /// True if the parameter lends memory to the result.
    pub lends: bool,
    /// True if a returned iterator must not borrow from the parameter, so that its items must be collected.
    pub is_slice: bool,
    /// True for a `usize`, which is Go's `int`.
    pub int: bool,
}

/// Types of numbers, best first. If the crate's function accepts several of them, the wrapper takes the first.
const WIDEST: [&str; 6] = ["f64", "i64", "u64", "f32", "i32", "u32"];

const PATHS: &str = "a path: files are Go's business";

impl Parameter {
    fn new(ty: impl Into<String>, expr: impl Into<String>) -> Parameter {
        Parameter { ty: ty.into(), expr: expr.into(), ..Parameter::default() }
    }

    fn lending(self) -> Parameter {
        Parameter { lends: true, ..self }
    }

    fn slice(self) -> Parameter {
        Parameter { is_slice: true, lends: true, ..self }
    }

    fn after(self, before: String) -> Parameter {
        Parameter { before: Some(before), is_slice: true, ..self }
    }
}

impl Cross<'_> {
    /// Returns the wrapper's parameter for a parameter of this type, or the reason why the type cannot cross.
    pub fn parameter(&self, name: &str, ty: &Type) -> Result<Parameter, String> {
        let ty = self.resolve(ty);
        let refused = || Err(format!("takes {}", show(&ty)));
        match &ty {
            Type::Primitive(number) if is_number(number) => Ok(Parameter { int: number == "usize", ..Parameter::new(number, name) }),
            // No value of Go is sure to live as long as the program.
            Type::BorrowedRef { lifetime: Some(lifetime), type_, .. } if lifetime == "'static" => {
                Err(format!("takes &'static {}", show(type_)))
            }
            Type::BorrowedRef { is_mutable: false, type_, .. } => self.reference(name, type_),
            Type::BorrowedRef { is_mutable: true, type_, .. } => self.exclusive(name, type_),
            Type::Array { type_, len } if element(type_).is_some() => Ok(Parameter::new(format!("[{}; {len}]", show(type_)), name)),
            Type::ImplTrait(bounds) => self.bounds(name, bounds),
            Type::Generic(parameter) => self.bounds(name, &self.bounds_of(parameter)),
            Type::ResolvedPath(path) => self.owned(name, path, &ty),
            _ => refused(),
        }
    }

    fn reference(&self, name: &str, target: &Type) -> Result<Parameter, String> {
        let target = self.resolve(target);
        let refused = || Err(format!("takes &{}", show(&target)));
        match &target {
            Type::Primitive(text) if text == "str" => Ok(Parameter::new("&str", name).lending()),
            Type::Primitive(number) if is_number(number) => Ok(Parameter::new(number, format!("&{name}"))),
            Type::Slice(elem) => match element(elem) {
                Some(elem) => Ok(Parameter::new(format!("&[{elem}]"), name).slice()),
                None => self.slice_of(name, &self.resolve(elem)),
            },
            Type::Array { type_, len } if element(type_).is_some() => {
                Ok(Parameter::new(format!("&[{}; {len}]", show(type_)), name).slice())
            }
            Type::Generic(parameter) => {
                let bounds = self.bounds_of(parameter);
                let inner = self.bounds(name, &bounds)?;
                let may_be_unsized =
                    |bound: &GenericBound| matches!(bound, GenericBound::TraitBound { modifier: TraitBoundModifier::Maybe, .. });
                match bounds.iter().any(may_be_unsized) && inner.ty.starts_with('&') && inner.expr == name {
                    true => Ok(inner),
                    false => Ok(Parameter { expr: format!("&{}", inner.expr), ..inner }),
                }
            }
            Type::ResolvedPath(path) => match self.known(path) {
                Some(known) => match known? {
                    Known { name: ty, kind: Kind::Object { .. }, .. } => {
                        Ok(Parameter::new(format!("&{ty}"), format!("&{name}.0")).lending())
                    }
                    Known { name: ty, path, kind: Kind::Value | Kind::Enumeration { .. } } => {
                        Ok(Parameter::new(ty, format!("&{path}::from({name})")))
                    }
                    _ => refused(),
                },
                None => match self.api.std_name(path) {
                    "String" => Ok(Parameter::new("&str", format!("&{name}.to_owned()"))),
                    "Path" | "PathBuf" | "OsStr" | "OsString" => Err(PATHS.to_owned()),
                    "Vec" => self
                        .reference(name, &Type::Slice(Box::new(arguments(path).first().map_or(target.clone(), |ty| (*ty).clone()))))
                        .map(|inner| Parameter { expr: format!("&{name}.to_vec()"), ..inner }),
                    _ => refused(),
                },
            },
            _ => refused(),
        }
    }

    /// Returns the parameter for a slice whose elements Go lays out differently. The wrapper converts the elements before the call.
    fn slice_of(&self, name: &str, elem: &Type) -> Result<Parameter, String> {
        let text =
            |ty: &Type| matches!(ty, Type::BorrowedRef { is_mutable: false, type_, .. } if **type_ == Type::Primitive("str".to_owned()));
        let collected = |collect: &str| {
            Parameter::new("Strs<'_>", format!("&{name}")).after(format!("let {name}: Vec<_> = {name}.iter(){collect}.collect();"))
        };
        match elem {
            ty if text(ty) => Ok(collected("")),
            Type::ResolvedPath(path) if self.api.std_name(path) == "String" => Ok(collected(".map(str::to_owned)")),
            Type::Generic(parameter) if self.bounds(name, &self.bounds_of(parameter)).is_ok_and(|inner| inner.ty == "&str") => {
                Ok(collected(""))
            }
            Type::ResolvedPath(path) => match self.known(path).transpose()? {
                Some(Known { name: ty, path, kind: Kind::Value | Kind::Enumeration { .. } }) => {
                    Ok(Parameter::new(format!("&[{ty}]"), format!("&{name}"))
                        .after(format!("let {name}: Vec<{path}> = {name}.iter().map(|&x| x.into()).collect();")))
                }
                _ => Err(format!("takes a slice of {}", show(elem))),
            },
            other => Err(format!("takes a slice of {}", show(other))),
        }
    }

    fn exclusive(&self, name: &str, target: &Type) -> Result<Parameter, String> {
        let target = self.resolve(target);
        match &target {
            Type::Primitive(number) if is_number(number) => Ok(Parameter::new(format!("&mut {number}"), name)),
            Type::Slice(elem) if element(elem).is_some() => Ok(Parameter::new(format!("&mut [{}]", show(elem)), name)),
            Type::Array { type_, len } if element(type_).is_some() => Ok(Parameter::new(format!("&mut [{}; {len}]", show(type_)), name)),
            Type::Generic(parameter) => {
                let inner = self.bounds(name, &self.bounds_of(parameter))?;
                match inner.ty.as_str() {
                    "Reader<'_>" | "Writer<'_>" => Ok(Parameter { expr: format!("&mut {}", inner.expr), ..inner }),
                    _ => Err(format!("takes &mut {}", show(&target))),
                }
            }
            Type::ResolvedPath(path) => match self.known(path) {
                Some(Ok(Known { name: ty, kind: Kind::Object { .. }, .. })) => {
                    Ok(Parameter::new(format!("&mut {ty}"), format!("&mut {name}.0")))
                }
                Some(Err(reason)) => Err(reason),
                _ => Err(format!("takes &mut {}", show(&target))),
            },
            _ => Err(format!("takes &mut {}", show(&target))),
        }
    }

    fn owned(&self, name: &str, path: &Path, ty: &Type) -> Result<Parameter, String> {
        if let Some(known) = self.known(path) {
            return match known? {
                Known { name: ty, kind: Kind::Object { clone: true, .. }, .. } => {
                    Ok(Parameter::new(format!("&{ty}"), format!("{name}.0.clone()")))
                }
                Known { name: ty, kind: Kind::Object { .. }, .. } => Err(format!("takes a {ty} away, which cannot be cloned")),
                Known { name: ty, kind: Kind::Value | Kind::Enumeration { .. }, .. } => Ok(Parameter::new(ty, format!("{name}.into()"))),
                _ => Err(format!("takes {}", show(ty))),
            };
        }
        let of = arguments(path);
        let first = of.first().map(|ty| self.resolve(ty));
        match (self.api.std_name(path), first) {
            ("String", _) => Ok(Parameter::new("String", name)),
            ("Cow", Some(Type::Primitive(text))) if text == "str" => Ok(Parameter::new("&str", format!("{name}.into()")).lending()),
            ("Vec", Some(elem)) => match element(&elem) {
                Some(elem) => Ok(Parameter::new(format!("Vec<{elem}>"), name)),
                None => self.slice_of(name, &elem).map(|inner| Parameter { expr: name.to_owned(), ..inner }),
            },
            ("Option", Some(Type::Primitive(number))) if is_number(&number) => {
                Ok(Parameter::new(format!("Option<&{number}>"), format!("{name}.copied()")))
            }
            ("Option", Some(Type::ResolvedPath(path))) => match self.known(&path).transpose()? {
                Some(Known { name: ty, kind: Kind::Object { clone: true, .. }, .. }) => {
                    Ok(Parameter::new(format!("Option<&{ty}>"), format!("{name}.map(|{name}| {name}.0.clone())")))
                }
                Some(Known { name: ty, path, kind: Kind::Value | Kind::Enumeration { .. } }) => {
                    Ok(Parameter::new(format!("Option<&{ty}>"), format!("{name}.map(|&{name}| {path}::from({name}))")))
                }
                _ => Err(format!("takes {}", show(ty))),
            },
            ("Option", Some(Type::BorrowedRef { is_mutable: false, type_, .. })) => match self.resolve(&type_) {
                Type::ResolvedPath(path) => match self.known(&path) {
                    Some(Ok(Known { name: ty, kind: Kind::Object { .. }, .. })) => {
                        Ok(Parameter::new(format!("Option<&{ty}>"), format!("{name}.map(|{name}| &{name}.0)")))
                    }
                    _ => Err(format!("takes {}", show(ty))),
                },
                _ => Err(format!("takes {}", show(ty))),
            },
            ("Duration", None) => Ok(Parameter::new("i64", name)
                .after(format!("let {name} = std::time::Duration::from_nanos(u64::try_from({name}).expect(\"a negative duration\"));"))),
            ("SystemTime", None) => Ok(Parameter::new("i64", name).after(format!(
                "let {name} = match std::time::Duration::from_nanos({name}.unsigned_abs()) {{ \
                 apart if {name} < 0 => std::time::UNIX_EPOCH - apart, \
                 apart => std::time::UNIX_EPOCH + apart \
                 }};"
            ))),
            ("Path" | "PathBuf" | "OsString", _) => Err(PATHS.to_owned()),
            _ => Err(format!("takes {}", show(ty))),
        }
    }

    /// Chooses a type for a generic parameter by its bounds.
    pub fn bounds(&self, name: &str, bounds: &[GenericBound]) -> Result<Parameter, String> {
        for bound in bounds {
            let GenericBound::TraitBound { trait_, .. } = bound else { continue };
            let first = arguments(trait_).first().map(|ty| self.resolve(ty));
            match (self.api.std_name(trait_), first) {
                ("AsRef" | "Borrow", Some(Type::Primitive(text))) if text == "str" => return Ok(Parameter::new("&str", name).lending()),
                ("AsRef" | "Borrow", Some(Type::Slice(elem))) => return self.reference(name, &Type::Slice(elem)),
                ("AsRef" | "Borrow", Some(Type::ResolvedPath(path))) if matches!(self.api.std_name(&path), "Path" | "OsStr") => {
                    return Err(PATHS.to_owned());
                }
                ("Into", Some(Type::ResolvedPath(path))) if matches!(self.api.std_name(&path), "String" | "Cow") => {
                    return Ok(Parameter::new("&str", name).lending());
                }
                ("Into", Some(ty)) => {
                    let inner = self.parameter(name, &ty)?;
                    let by_value = format!("{}::from({name})", self.path_of(&ty).unwrap_or_default());
                    return Ok(if inner.expr.ends_with(".into()") { Parameter { expr: by_value, ..inner } } else { inner });
                }
                ("ToString" | "Display" | "Pattern", _) => return Ok(Parameter::new("&str", name).lending()),
                ("Read", _) if self.is_std(trait_, "io") => return Ok(Parameter::new("Reader<'_>", name)),
                ("BufRead", _) => return Ok(Parameter::new("Reader<'_>", format!("std::io::BufReader::new({name})"))),
                ("Write", _) if self.is_std(trait_, "io") => return Ok(Parameter::new("Writer<'_>", name)),
                ("Fn" | "FnMut" | "FnOnce", _) => return self.function(name, trait_),
                ("IntoIterator" | "Iterator", _) => return self.items(name, trait_),
                _ if self.api.item(trait_.id).is_some_and(|of| of.crate_id == 0) => {
                    if let Some(parameter) = self.implementor(name, trait_) {
                        return Ok(parameter);
                    }
                }
                _ => {}
            }
        }
        let shown = show_bounds(bounds);
        Err(if shown.is_empty() { "generic".to_owned() } else { format!("generic over {shown}") })
    }

    /// Returns the parameter for a bound by a trait of the crate: text or bytes if they implement the trait, a number if only numbers do, otherwise
    /// the only implementing type.
    fn implementor(&self, name: &str, of: &Path) -> Option<Parameter> {
        let item = self.api.item(of.id)?;
        let all: Vec<&Type> = self.api.implementations(item).into_iter().filter(|data| !data.is_negative).map(|data| &data.for_).collect();
        let text = |ty: &Type| *ty == Type::Primitive("str".to_owned());
        let is_text = |ty: &&Type| matches!(ty, Type::BorrowedRef { type_, .. } if text(type_)) || text(ty);
        let is_bytes = |ty: &Type| matches!(ty, Type::Slice(elem) if **elem == Type::Primitive("u8".to_owned()));
        if all.iter().any(is_text) {
            return Some(Parameter::new("&str", name).lending());
        }
        if all.iter().any(|ty| is_bytes(ty) || matches!(ty, Type::BorrowedRef { type_, .. } if is_bytes(type_))) {
            return Some(Parameter::new("&[u8]", name).slice());
        }
        let is_of_numbers = |ty: &&Type| matches!(ty, Type::Primitive(name) if name.starts_with(['u', 'i', 'f']));
        if all.len() > 1 && all.iter().all(is_of_numbers) {
            let found = WIDEST.map(|name| Type::Primitive(name.to_owned())).into_iter().find(|number| all.contains(&number))?;
            return self.parameter(name, &found).ok();
        }
        match all.as_slice() {
            [Type::Generic(_)] | [] => None,
            [one] => self.parameter(name, one).ok(),
            _ => None,
        }
    }

    /// Returns the parameter for a closure: a Go function.
    fn function(&self, name: &str, of: &Path) -> Result<Parameter, String> {
        let Some(GenericArgs::Parenthesized { inputs, output }) = of.args.as_deref() else { return Err("takes a function".to_owned()) };
        let simple = |ty: &Type| match self.resolve(ty) {
            Type::Primitive(number) if is_number(&number) => Some(number),
            Type::BorrowedRef { is_mutable: false, type_, .. } => match *type_ {
                Type::Primitive(text) if text == "str" => Some("&str".to_owned()),
                Type::Slice(elem) => element(&elem).map(|elem| format!("&[{elem}]")),
                _ => None,
            },
            _ => None,
        };
        let refused = || "takes a function with types that cannot cross".to_owned();
        let inputs: Vec<String> = inputs.iter().map(|ty| simple(ty).ok_or_else(refused)).collect::<Result<_, _>>()?;
        let result = match output {
            None => String::new(),
            Some(Type::Tuple(none)) if none.is_empty() => String::new(),
            Some(ty) => match self.resolve(ty) {
                Type::Primitive(number) if is_number(&number) => format!(" -> {number}"),
                Type::ResolvedPath(path) if self.api.std_name(&path) == "String" => " -> String".to_owned(),
                _ => return Err(refused()),
            },
        };
        let names: Vec<String> = (0..inputs.len()).map(|at| format!("x{at}")).collect();
        let names = names.join(", ");
        let ty = format!("Func<'_, fn({}){result}>", inputs.join(", "));
        Ok(Parameter::new(ty, format!("|{names}| {name}.call({names})")))
    }

    /// Returns the parameter for an iterator: a list.
    fn items(&self, name: &str, of: &Path) -> Result<Parameter, String> {
        let refused = || Err("takes an iterator".to_owned());
        let Some(GenericArgs::AngleBracketed { constraints, .. }) = of.args.as_deref() else { return refused() };
        let item = constraints.iter().find(|constraint| constraint.name == "Item").map(|constraint| &constraint.binding);
        match item {
            Some(AssocItemConstraintKind::Equality(Term::Type(ty))) => self.items_of(name, ty),
            Some(AssocItemConstraintKind::Constraint(bounds)) if self.bounds(name, bounds).is_ok_and(|inner| inner.ty == "&str") => {
                Ok(Parameter::new("Strs<'_>", format!("{name}.iter()")).slice())
            }
            _ => refused(),
        }
    }

    /// Returns the parameter for an iterator over items of a type: a list.
    pub fn items_of(&self, name: &str, ty: &Type) -> Result<Parameter, String> {
        let refused = || Err(format!("takes an iterator over {}", show(ty)));
        match self.resolve(ty) {
            Type::Primitive(number) if number == "char" => Ok(Parameter::new("&str", format!("{name}.chars()"))),
            Type::Primitive(number) if is_number(&number) => {
                Ok(Parameter::new(format!("&[{number}]"), format!("{name}.iter().copied()")).slice())
            }
            Type::BorrowedRef { is_mutable: false, type_, .. } => match self.resolve(&type_) {
                Type::Primitive(text) if text == "str" => Ok(Parameter::new("Strs<'_>", format!("{name}.iter()")).slice()),
                Type::Primitive(number) if is_number(&number) => {
                    Ok(Parameter::new(format!("&[{number}]"), format!("{name}.iter()")).slice())
                }
                _ => refused(),
            },
            Type::ResolvedPath(path) if self.api.std_name(&path) == "String" => {
                Ok(Parameter::new("Strs<'_>", format!("{name}.iter().map(str::to_owned)")).slice())
            }
            Type::Generic(parameter) if self.bounds(name, &self.bounds_of(&parameter)).is_ok_and(|inner| inner.ty == "&str") => {
                Ok(Parameter::new("Strs<'_>", format!("{name}.iter()")).slice())
            }
            Type::ResolvedPath(path) => match self.known(&path).transpose()? {
                Some(Known { name: ty, path, kind: Kind::Value | Kind::Enumeration { .. } }) => {
                    Ok(Parameter::new(format!("&[{ty}]"), format!("{name}.iter().map(|&x| {path}::from(x))")).slice())
                }
                _ => refused(),
            },
            _ => refused(),
        }
    }
}
