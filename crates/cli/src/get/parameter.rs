//! Decides how a parameter crosses (see `cross`): its type in the wrapper, and the expression that the wrapper passes to the crate's function.

use super::api::arguments;
use super::cross::{Cross, element};
use super::types::{Kind, Known, has_usize, is_number, show, show_bounds};
use rustdoc_types::{AssocItemConstraintKind, GenericArg, GenericArgs, GenericBound, Impl, Path, Term, TraitBoundModifier, Type};

/// A parameter of the wrapper.
#[derive(Clone, Debug, Default)]
pub struct Parameter {
    /// The type in Rust. Empty if the wrapper has no such parameter, because it makes the argument itself.
    pub ty: String,
    /// The names and types of the wrapper's parameters if there are several for this one: `("x", "&str"), ("has_x", "bool")`. Otherwise empty.
    pub several: Vec<(String, String)>,
    /// Statements before the call, one a line.
    pub before: Option<String>,
    /// A statement after the call that stores the changed value for Go.
    pub after_call: Option<String>,
    /// The argument of the crate's function.
    pub expr: String,
    /// The type of the buffer, if the crate's function changes a buffer and the wrapper returns it. The buffer has the name of the parameter.
    pub buffer: Option<String>,
    /// True if the parameter lends memory to the result.
    pub lends: bool,
    /// True if a returned iterator must not borrow from the parameter, so that its items must be collected.
    pub is_slice: bool,
    /// True if the type has a `usize`, which is Go's `int`.
    pub int: bool,
}

/// Number types in the order of preference. If the crate's function accepts several of them, the wrapper's parameter has the first.
pub const WIDEST: [&str; 6] = ["f64", "i64", "u64", "f32", "i32", "u32"];

/// Returns the expression that converts `x`, an `isize` from Go, to `usize`. The macro's option `int` makes a `usize` Go's `int`, but not in lists,
/// structs and functions. So wrappers use `isize` there.
pub fn from_int(x: &str) -> String {
    format!("usize::try_from({x}).expect(\"a negative number\")")
}

/// Returns the expression that converts `x`, a `usize`, to `isize`: the reverse of [`from_int`].
pub fn into_int(x: &str) -> String {
    format!("isize::try_from({x}).expect(\"the number is too large for Go\")")
}

/// True for integers and floating-point numbers.
fn is_of_numbers(ty: &Type) -> bool {
    matches!(ty, Type::Primitive(name) if is_number(name) && name.starts_with(['u', 'i', 'f']))
}

/// Returns the expression for a reference to the value of `expr`.
fn by_reference(expr: &str) -> String {
    if expr.contains("..") { format!("&({expr})") } else { format!("&{expr}") }
}

impl Parameter {
    pub fn new(ty: impl Into<String>, expr: impl Into<String>) -> Parameter {
        let ty = ty.into();
        Parameter { int: has_usize(&ty), ty, expr: expr.into(), ..Parameter::default() }
    }

    /// Returns the names and types of the wrapper's parameters, given the name that a single one has.
    pub fn declared(&self, name: &str) -> Vec<(String, String)> {
        match self.several.is_empty() {
            true if self.ty.is_empty() => Vec::new(),
            true => vec![(name.to_owned(), self.ty.clone())],
            false => self.several.clone(),
        }
    }

    /// Returns the declarations of the wrapper's parameters as in Rust source.
    pub fn declarations(&self, name: &str) -> String {
        self.declared(name).into_iter().map(|(name, ty)| format!("{name}: {ty}")).collect::<Vec<_>>().join(", ")
    }

    /// Returns the number of the wrapper's parameters that lend memory to the result.
    pub fn lenders(&self) -> usize {
        let of_several = || self.several.iter().filter(|(_, ty)| ty.contains(['&', '\''])).count();
        if self.lends { of_several().max(1) } else { 0 }
    }

    /// Returns the parameter for a reference to the value that the wrapper makes. A result cannot borrow from this value.
    fn lent(self) -> Parameter {
        Parameter { expr: by_reference(&self.expr), lends: false, ..self }
    }

    /// True if the wrapper has the parameter, and stores nothing for Go after the call.
    pub fn is_unchanged(&self) -> bool {
        let is_data = !self.ty.is_empty() && !self.ty.starts_with("&mut") && !self.ty.starts_with("Func<");
        is_data && self.buffer.is_none() && self.after_call.is_none()
    }

    pub fn lending(self) -> Parameter {
        Parameter { lends: true, ..self }
    }

    pub fn slice(self) -> Parameter {
        Parameter { is_slice: true, lends: true, ..self }
    }

    /// Returns the parameter for a buffer of this type that the crate's function changes and the wrapper returns.
    fn buffer(name: &str, ty: &str) -> Parameter {
        let parameter = Parameter::new(ty, format!("&mut {name}"));
        Parameter { before: Some(format!("let mut {name} = {name};")), buffer: Some(ty.to_owned()), ..parameter }
    }

    pub fn after(self, before: String) -> Parameter {
        Parameter { before: Some(before), is_slice: true, ..self }
    }
}

/// True for a type whose first argument is the lifetime `'static`, such as `Cow<'static, str>`.
fn is_static(path: &Path) -> bool {
    let Some(GenericArgs::AngleBracketed { args, .. }) = path.args.as_deref() else { return false };
    matches!(args.first(), Some(GenericArg::Lifetime(lifetime)) if lifetime == "'static")
}

/// The parameter for a list of `usize`: a list of Go's `int`. Go and Rust lay out both alike, but negative numbers must not reach the crate.
fn ints(name: &str, expr: String) -> Parameter {
    Parameter::new("&[isize]", expr).after(format!("let {name}: Vec<usize> = {name}.iter().map(|&x| {}).collect();", from_int("x")))
}

impl Cross<'_> {
    /// Returns the wrapper's parameter for a parameter of this type, or the reason why the type cannot cross.
    pub fn parameter(&self, name: &str, ty: &Type) -> Result<Parameter, String> {
        let ty = self.resolve(ty);
        let refused = || Err(format!("takes {}", show(&ty)));
        match &ty {
            Type::Primitive(number) if is_number(number) => Ok(Parameter::new(number, name)),
            // No value of Go is sure to live as long as the program.
            Type::BorrowedRef { lifetime: Some(lifetime), type_, .. } if lifetime == "'static" => {
                Err(format!("takes &'static {}", show(type_)))
            }
            Type::BorrowedRef { is_mutable: false, type_, .. } => self.reference(name, type_),
            Type::BorrowedRef { is_mutable: true, type_, .. } => self.exclusive(name, type_),
            Type::Array { type_, len } if element(type_).is_some() => Ok(Parameter::new(format!("[{}; {len}]", show(type_)), name)),
            Type::Array { type_, len } => self.array_parameter(name, type_, len),
            Type::ImplTrait(_) | Type::Generic(_) => self.bounds(name, &self.all_bounds(&ty)),
            Type::ResolvedPath(path) => self.owned(name, path, &ty),
            Type::Tuple(parts) => self.tuple_of(name, "", parts),
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
                Some(elem) if elem == "usize" => Ok(ints(name, format!("&{name}"))),
                Some(elem) => Ok(Parameter::new(format!("&[{elem}]"), name).slice()),
                None => self.slice_of(name, &self.resolve(elem)),
            },
            Type::Array { type_, len } if element(type_).is_some() => {
                Ok(Parameter::new(format!("&[{}; {len}]", show(type_)), name).slice())
            }
            Type::Array { type_, len } => self.array_parameter(name, type_, len).map(Parameter::lent),
            Type::Tuple(parts) => self.tuple_of(name, "", parts).map(Parameter::lent),
            Type::Generic(_) | Type::ImplTrait(_) | Type::DynTrait(_) => {
                let bounds = self.all_bounds(&target);
                let inner = self.bounds(name, &bounds)?;
                let may_be_unsized =
                    |bound: &GenericBound| matches!(bound, GenericBound::TraitBound { modifier: TraitBoundModifier::Maybe, .. });
                match bounds.iter().any(may_be_unsized) && inner.ty.starts_with('&') && inner.expr == name {
                    true => Ok(inner),
                    false => Ok(Parameter { expr: by_reference(&inner.expr), ..inner }),
                }
            }
            Type::ResolvedPath(path) => match self.known(path) {
                Some(known) => match known? {
                    Known { name: ty, kind: Kind::Object { .. }, .. } => {
                        Ok(Parameter::new(format!("&{ty}"), format!("&{name}.0")).lending())
                    }
                    ref known @ Known { name: ref ty, kind: Kind::Value { .. } | Kind::Enumeration { .. }, .. } => {
                        Ok(Parameter::new(ty, format!("&{}({name})", known.to_crate())))
                    }
                    _ => refused(),
                },
                None => match self.api.std_name(path) {
                    "String" => Ok(Parameter::new("&str", format!("&{name}.to_owned()"))),
                    "Path" | "PathBuf" | "OsStr" | "OsString" => self.path_parameter(name, path, true),
                    "Vec" => self
                        .reference(name, &Type::Slice(Box::new(arguments(path).first().map_or(target.clone(), |ty| (*ty).clone()))))
                        .map(|inner| Parameter { expr: format!("&{name}.to_vec()"), lends: false, ..inner }),
                    "HashSet" | "BTreeSet" | "VecDeque" | "BinaryHeap" | "LinkedList" => self
                        .owned(name, path, &target)
                        .map(|inner| Parameter { expr: format!("&{}", inner.expr), ..inner })
                        .map_err(|_| format!("takes &{}", show(&target))),
                    _ => self.as_range(name, path).map(Parameter::lent).ok_or(()).or_else(|()| refused()),
                },
            },
            _ => refused(),
        }
    }

    /// Returns the parameter for an array of values or named numbers.
    fn array_parameter(&self, name: &str, elem: &Type, len: &str) -> Result<Parameter, String> {
        let elem = self.resolve(elem);
        if let Type::ResolvedPath(path) = &elem
            && let Some(known @ Known { name: ty, kind: Kind::Value { .. } | Kind::Enumeration { .. }, .. }) =
                &self.known(path).transpose()?
        {
            return Ok(Parameter::new(format!("[{ty}; {len}]"), format!("{name}.map({})", known.to_crate())));
        }
        Err(format!("takes [{}; {len}]", show(&elem)))
    }

    /// Returns the parameter for a slice whose elements Go lays out differently. The wrapper converts the elements before the call.
    fn slice_of(&self, name: &str, elem: &Type) -> Result<Parameter, String> {
        if let Some((ty, map)) = self.list(elem) {
            let before = format!("let {name}: Vec<_> = {name}.iter(){map}.collect();");
            return Ok(Parameter::new(ty, format!("&{name}")).after(before));
        }
        match elem {
            Type::ResolvedPath(path) => match self.known(path).transpose()? {
                Some(ref known @ Known { name: ref ty, ref path, kind: Kind::Value { .. } | Kind::Enumeration { .. }, .. }) => {
                    let converted = known.into("x", &known.to_crate());
                    Ok(Parameter::new(format!("&[{ty}]"), format!("&{name}"))
                        .after(format!("let {name}: Vec<{path}> = {name}.iter().map(|&x| {converted}).collect();")))
                }
                _ => Err(format!("takes a slice of {}", show(elem))),
            },
            other => Err(format!("takes a slice of {}", show(other))),
        }
    }

    /// The type of a parameter for a list of texts or of slices, and the call that converts each element. `None` for other elements.
    fn list(&self, elem: &Type) -> Option<(String, &'static str)> {
        let strs = || "Strs<'_>".to_owned();
        let slices = |elem: &Type| Some(format!("Slices<'_, {}>", element(elem).filter(|elem| elem != "usize")?));
        let of_bounds = |bounds: &[GenericBound]| {
            let inner = self.bounds("x", bounds).ok().filter(|inner| inner.before.is_none())?;
            match inner.ty.strip_prefix("&[").and_then(|ty| ty.strip_suffix(']')) {
                Some(elem) if !elem.contains(';') => Some((format!("Slices<'_, {elem}>"), "")),
                _ => (inner.ty == "&str").then(|| (strs(), "")),
            }
        };
        match self.resolve(elem) {
            Type::BorrowedRef { is_mutable: false, type_, lifetime } if lifetime.as_deref() != Some("'static") => {
                match self.resolve(&type_) {
                    Type::Primitive(text) if text == "str" => Some((strs(), "")),
                    Type::Slice(elem) => Some((slices(&elem)?, "")),
                    _ => None,
                }
            }
            Type::ResolvedPath(path) => match (self.api.std_name(&path), arguments(&path).first()) {
                ("String", _) => Some((strs(), ".map(str::to_owned)")),
                ("Vec", Some(elem)) => Some((slices(&self.resolve(elem))?, ".map(<[_]>::to_vec)")),
                _ => None,
            },
            Type::Generic(parameter) => of_bounds(&self.bounds_of(&parameter)),
            Type::ImplTrait(bounds) => of_bounds(&bounds),
            _ => None,
        }
    }

    fn exclusive(&self, name: &str, target: &Type) -> Result<Parameter, String> {
        let target = self.resolve(target);
        match &target {
            Type::Primitive(number) if is_number(number) => Ok(Parameter::new(format!("&mut {number}"), name)),
            Type::Slice(elem) if element(elem).is_some() => Ok(Parameter::new(format!("&mut [{}]", show(elem)), name)),
            Type::Array { type_, len } if element(type_).is_some() => Ok(Parameter::new(format!("&mut [{}; {len}]", show(type_)), name)),
            Type::Generic(_) | Type::ImplTrait(_) | Type::DynTrait(_) => {
                let inner = self.bounds(name, &self.all_bounds(&target))?;
                match inner.ty.as_str() {
                    "" => Ok(inner),
                    "Reader<'_>" | "Writer<'_>" | "ReadSeeker<'_>" | "WriteSeeker<'_>" => {
                        let mutable = (inner.expr == name).then(|| format!("let mut {name} = {name};"));
                        // A larger buffer would read ahead, and the caller's next call would miss these bytes of the Go reader.
                        let inner = Parameter { expr: inner.expr.replace("BufReader::new(", "BufReader::with_capacity(1, "), ..inner };
                        let inner = Parameter { expr: format!("&mut {}", inner.expr), ..inner };
                        Ok(mutable.map_or(inner.clone(), |before| inner.after(before)))
                    }
                    ty if ty.starts_with("Func<") => Ok(Parameter { expr: format!("&mut {}", inner.expr), ..inner }),
                    _ => Err(format!("takes &mut {}", show(&target))),
                }
            }
            Type::ResolvedPath(path) => match self.known(path) {
                Some(Ok(Known { name: ty, kind: Kind::Object { .. }, .. })) => {
                    Ok(Parameter::new(format!("&mut {ty}"), format!("&mut {name}.0")))
                }
                Some(Ok(ref known @ Known { name: ref ty, kind: Kind::Value { .. } | Kind::Enumeration { .. }, .. })) => {
                    let value = format!("value_of_{}", name.trim_start_matches("r#"));
                    let parameter = Parameter::new(format!("&mut {ty}"), format!("&mut {value}"));
                    let after_call = Some(format!("*{name} = {};", known.into(&value, &known.to_wrapper())));
                    Ok(Parameter { after_call, ..parameter.after(format!("let mut {value} = {}(*{name});", known.to_crate())) })
                }
                Some(Err(reason)) => Err(reason),
                None => match (self.api.std_name(path), arguments(path).first().map(|elem| self.resolve(elem))) {
                    ("String", _) => Ok(Parameter::buffer(name, "String")),
                    // A Vec of usize would be a list of Go's uint.
                    ("Vec", Some(elem)) if element(&elem).is_some_and(|elem| elem != "usize") => {
                        Ok(Parameter::buffer(name, &format!("Vec<{}>", show(&elem))))
                    }
                    _ => Err(format!("takes &mut {}", show(&target))),
                },
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
                ref known @ Known { name: ref ty, kind: Kind::Value { .. } | Kind::Enumeration { .. }, .. } => {
                    Ok(Parameter::new(ty, known.into(name, &known.to_crate())))
                }
                _ => Err(format!("takes {}", show(ty))),
            };
        }
        let of = arguments(path);
        let first = of.first().map(|ty| self.resolve(ty));
        match (self.api.std_name(path), first) {
            ("String", _) => Ok(Parameter::new("String", name)),
            ("Cow", Some(Type::Primitive(text))) if text == "str" && is_static(path) => {
                Ok(Parameter::new("String", format!("{name}.into()")))
            }
            ("Cow", Some(Type::Primitive(text))) if text == "str" => Ok(Parameter::new("&str", format!("{name}.into()")).lending()),
            ("Cow", Some(Type::Slice(elem))) if element(&elem).is_some_and(|elem| elem != "usize") => Ok(match is_static(path) {
                true => Parameter::new(format!("Vec<{}>", show(&elem)), format!("{name}.into()")),
                false => Parameter::new(format!("&[{}]", show(&elem)), format!("{name}.into()")).slice(),
            }),
            ("Box" | "Rc" | "Arc", Some(Type::Primitive(text))) if text == "str" => Ok(Parameter::new("String", format!("{name}.into()"))),
            ("Box", Some(inner @ (Type::ResolvedPath(_) | Type::Tuple(_)))) => {
                let inner = self.parameter(name, &inner)?;
                Ok(Parameter { expr: format!("Box::new({})", inner.expr), ..inner })
            }
            ("Vec", Some(elem)) => match element(&elem) {
                Some(elem) if elem == "usize" => Ok(ints(name, name.to_owned())),
                Some(elem) => Ok(Parameter::new(format!("Vec<{elem}>"), name)),
                None => self.slice_of(name, &elem).map(|inner| Parameter { expr: name.to_owned(), ..inner }),
            },
            // The parameter of the crate's function tells the compiler which collection `collect` makes.
            ("HashSet" | "BTreeSet" | "VecDeque" | "BinaryHeap" | "LinkedList", Some(elem)) => {
                let inner = self.items_of(name, &elem).map_err(|_| format!("takes {}", show(ty)))?;
                Ok(Parameter { expr: format!("{}.collect()", inner.expr), lends: false, ..inner })
            }
            ("Option", Some(content)) => self.optional(name, &content),
            ("Duration", None) => Ok(Parameter::new("i64", name)
                .after(format!("let {name} = std::time::Duration::from_nanos(u64::try_from({name}).expect(\"a negative duration\"));"))),
            ("SystemTime", None) => Ok(Parameter::new("i64", name).after(format!(
                "let {name} = match std::time::Duration::from_nanos({name}.unsigned_abs()) {{ \
                 apart if {name} < 0 => std::time::UNIX_EPOCH - apart, \
                 apart => std::time::UNIX_EPOCH + apart \
                 }};"
            ))),
            ("PathBuf" | "OsString", _) => self.path_parameter(name, path, false),
            _ => self.as_range(name, path).ok_or_else(|| format!("takes {}", show(ty))),
        }
    }

    /// The bounds of a type parameter, of an `impl Trait` or of a trait object.
    fn all_bounds(&self, ty: &Type) -> Vec<GenericBound> {
        match ty {
            Type::Generic(parameter) => self.bounds_of(parameter),
            Type::ImplTrait(bounds) => bounds.clone(),
            Type::DynTrait(of) => super::cross::bounds_of_object(of),
            _ => Vec::new(),
        }
    }

    /// Chooses a type for a generic parameter by its bounds.
    pub fn bounds(&self, name: &str, bounds: &[GenericBound]) -> Result<Parameter, String> {
        const DEEPEST: u8 = 8;
        let depth = self.depth.get();
        if depth == DEEPEST {
            return Err(format!("generic over {}", show_bounds(bounds)));
        }
        self.depth.set(depth + 1);
        let chosen = self.chosen(name, bounds);
        self.depth.set(depth);
        chosen
    }

    fn chosen(&self, name: &str, bounds: &[GenericBound]) -> Result<Parameter, String> {
        let is_seek =
            |bound: &GenericBound| matches!(bound, GenericBound::TraitBound { trait_, .. } if self.api.std_name(trait_) == "Seek");
        let (reader, writer) = match bounds.iter().any(is_seek) {
            true => ("ReadSeeker<'_>", "WriteSeeker<'_>"),
            false => ("Reader<'_>", "Writer<'_>"),
        };
        for bound in bounds {
            let GenericBound::TraitBound { trait_, .. } = bound else { continue };
            let first = arguments(trait_).first().map(|ty| self.resolve(ty));
            match (self.api.std_name(trait_), first) {
                ("AsRef" | "Borrow", Some(Type::Primitive(text))) if text == "str" => return Ok(Parameter::new("&str", name).lending()),
                ("AsRef" | "Borrow", Some(Type::Slice(elem))) => return self.reference(name, &Type::Slice(elem)),
                ("AsRef" | "Borrow", Some(Type::ResolvedPath(path))) if matches!(self.api.std_name(&path), "Path" | "OsStr") => {
                    return self.path_parameter(name, &path, false).map(|inner| Parameter { expr: name.to_owned(), ..inner }.lending());
                }
                ("Into", Some(Type::ResolvedPath(path))) if self.api.std_name(&path) == "Cow" => {
                    // The crate itself converts the argument.
                    let inner = self.owned(name, &path, &Type::ResolvedPath(path.clone()))?;
                    return Ok(Parameter { expr: name.to_owned(), ..inner });
                }
                ("Into", Some(Type::ResolvedPath(path))) if self.api.std_name(&path) == "String" => {
                    return Ok(Parameter::new("&str", name).lending());
                }
                ("Into", Some(ty)) => {
                    let inner = match self.parameter(name, &ty) {
                        Ok(inner) => inner,
                        Err(reason) => return self.view(name, &ty).ok_or(reason),
                    };
                    let by_value = self.known_of(&ty).map_or(name.to_owned(), |known| format!("{}({name})", known.to_crate()));
                    return Ok(if inner.expr.ends_with(".into()") { Parameter { expr: by_value, ..inner } } else { inner });
                }
                ("RangeBounds", _) => {
                    if let Some(parameter) = self.as_range(name, trait_) {
                        return Ok(parameter);
                    }
                }
                ("ToString" | "Display" | "Pattern", _) => return Ok(Parameter::new("&str", name).lending()),
                ("Read", _) if self.is_std(trait_, "io") => return Ok(Parameter::new(reader, name)),
                ("BufRead", _) => return Ok(Parameter::new(reader, format!("std::io::BufReader::new({name})"))),
                ("Write", _) if self.is_std(trait_, "io") => return Ok(Parameter::new(writer, name)),
                ("Write", _) if self.api.defined_at(trait_.id).is_some_and(|at| at == "core::fmt::Write") => {
                    let before = Some(format!("let mut {name} = String::new();"));
                    return Ok(Parameter { ty: String::new(), before, ..Parameter::buffer(name, "String") });
                }
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

    /// Returns a parameter of text or bytes for a type of the crate that can be made from a reference to text or bytes, such as aho-corasick's `Input`,
    /// which borrows a haystack. Otherwise returns a number, if the type can be made from one type of numbers.
    fn view(&self, name: &str, ty: &Type) -> Option<Parameter> {
        let Type::ResolvedPath(path) = ty else { return None };
        let item = self.api.item(path.id)?;
        let text = Type::Primitive("str".to_owned());
        let bytes = Type::Slice(Box::new(Type::Primitive("u8".to_owned())));
        let viewed = |data: &Impl| {
            let of = data.trait_.as_ref().filter(|of| self.api.std_name(of) == "From" && data.blanket_impl.is_none())?;
            let Type::BorrowedRef { is_mutable: false, type_, .. } = arguments(of).first()? else { return None };
            let Type::Generic(parameter) = &**type_ else { return Some((**type_).clone()) };
            let (bounds, _) = super::function::generics(&[&data.generics]).ok()?;
            let is_view = |bound: &GenericBound| match bound {
                GenericBound::TraitBound { trait_, .. } if self.api.std_name(trait_) == "AsRef" => {
                    arguments(trait_).first().map(|ty| (*ty).clone())
                }
                _ => None,
            };
            bounds.get(parameter)?.iter().find_map(is_view)
        };
        let implementations = self.api.implementations(item);
        let all: Vec<Type> = implementations.iter().filter_map(|data| viewed(data)).collect();
        if let Some(ty) = [text, bytes].iter().find(|ty| all.contains(ty)) {
            return self.reference(name, ty).ok();
        }
        let numbers = implementations.iter().filter_map(|data| {
            let of = data.trait_.as_ref().filter(|of| self.api.std_name(of) == "From" && data.blanket_impl.is_none())?;
            arguments(of).first().filter(|ty| is_of_numbers(ty)).map(|ty| (*ty).clone())
        });
        match numbers.collect::<Vec<Type>>().as_slice() {
            [number] => self.parameter(name, number).ok(),
            _ => None,
        }
    }

    /// Returns the parameter for a type parameter that is bounded by a trait of the crate: text or bytes if one of them implements the trait, a
    /// number if only numbers implement it, otherwise the implementing type if there is only one.
    fn implementor(&self, name: &str, of: &Path) -> Option<Parameter> {
        let item = self.api.item(of.id)?;
        // `impl<T: Trait> Trait for &T` adds no type.
        let is_by_reference = |ty: &&Type| matches!(ty, Type::BorrowedRef { type_, .. } if matches!(**type_, Type::Generic(_)));
        let all = self.api.implementations(item).into_iter().filter(|data| !data.is_negative).map(|data| &data.for_);
        let all: Vec<&Type> = all.filter(|ty| !is_by_reference(ty)).collect();
        let text = |ty: &Type| *ty == Type::Primitive("str".to_owned());
        let is_text = |ty: &&Type| matches!(ty, Type::BorrowedRef { type_, .. } if text(type_)) || text(ty);
        let is_bytes = |ty: &Type| matches!(ty, Type::Slice(elem) if **elem == Type::Primitive("u8".to_owned()));
        if all.iter().any(is_text) {
            return Some(Parameter::new("&str", name).lending());
        }
        if all.iter().any(|ty| is_bytes(ty) || matches!(ty, Type::BorrowedRef { type_, .. } if is_bytes(type_))) {
            return Some(Parameter::new("&[u8]", name).slice());
        }
        if all.len() > 1 && all.iter().all(|ty| is_of_numbers(ty)) {
            let found = WIDEST.map(|name| Type::Primitive(name.to_owned())).into_iter().find(|number| all.contains(&number))?;
            return self.parameter(name, &found).ok();
        }
        match all.as_slice() {
            [Type::Generic(_)] | [] => None,
            [one] => self.parameter(name, one).ok(),
            _ => None,
        }
    }

    /// Returns the number type that a parameter has whose type is bounded by this trait of the crate. `None` if it has no number.
    pub fn number_for(&self, of: &Path) -> Option<String> {
        self.api.item(of.id).filter(|item| item.crate_id == 0)?;
        self.implementor("x", of).filter(|parameter| is_number(&parameter.ty) && parameter.expr == "x").map(|parameter| parameter.ty)
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
                Type::Primitive(number) if is_number(&number) => number,
                Type::ResolvedPath(path) if self.api.std_name(&path) == "String" => "String".to_owned(),
                _ => return Err(refused()),
            },
        };
        let names: Vec<String> = (0..inputs.len()).map(|at| format!("x{at}")).collect();
        let passed: Vec<String> =
            inputs.iter().zip(&names).map(|(ty, name)| if ty == "usize" { into_int(name) } else { name.clone() }).collect();
        // The macro's option `int` does not apply to the parameters of Go functions.
        let inputs: Vec<&str> = inputs.iter().map(|ty| if ty == "usize" { "isize" } else { ty }).collect();
        let (names, passed, inputs) = (names.join(", "), passed.join(", "), inputs.join(", "));
        let (arrow, call) = match result.as_str() {
            "" => (String::new(), format!("{name}.call({passed})")),
            "usize" => (" -> isize".to_owned(), from_int(&format!("{name}.call({passed})"))),
            result => (format!(" -> {result}"), format!("{name}.call({passed})")),
        };
        let ty = format!("Func<'_, fn({inputs}){arrow}>");
        Ok(Parameter::new(ty, format!("|{names}| {call}")))
    }

    /// Returns the parameter for an iterator: a list.
    fn items(&self, name: &str, of: &Path) -> Result<Parameter, String> {
        let refused = || Err("takes an iterator".to_owned());
        let Some(GenericArgs::AngleBracketed { constraints, .. }) = of.args.as_deref() else { return refused() };
        let item = constraints.iter().find(|constraint| constraint.name == "Item").map(|constraint| &constraint.binding);
        match item {
            Some(AssocItemConstraintKind::Equality(Term::Type(ty))) => self.items_of(name, ty),
            Some(AssocItemConstraintKind::Constraint(bounds)) => self.items_of(name, &Type::ImplTrait(bounds.clone())),
            _ => refused(),
        }
    }

    /// Returns the parameter for an iterator over items of a type: a list.
    pub fn items_of(&self, name: &str, ty: &Type) -> Result<Parameter, String> {
        let refused = || Err(format!("takes an iterator over {}", show(ty)));
        if let Some((ty, map)) = self.list(ty) {
            return Ok(Parameter::new(ty, format!("{name}.iter(){map}")).slice());
        }
        match self.resolve(ty) {
            Type::Primitive(number) if number == "char" => Ok(Parameter::new("&str", format!("{name}.chars()"))),
            Type::Primitive(number) if number == "usize" => {
                Ok(Parameter::new("&[isize]", format!("{name}.iter().map(|&x| {})", from_int("x"))).slice())
            }
            Type::Primitive(number) if is_number(&number) => {
                Ok(Parameter::new(format!("&[{number}]"), format!("{name}.iter().copied()")).slice())
            }
            Type::BorrowedRef { is_mutable: false, type_, .. } => match self.resolve(&type_) {
                Type::Primitive(number) if is_number(&number) && number != "usize" => {
                    Ok(Parameter::new(format!("&[{number}]"), format!("{name}.iter()")).slice())
                }
                _ => refused(),
            },
            Type::ResolvedPath(path) => match self.known(&path).transpose()? {
                Some(ref known @ Known { name: ref ty, kind: Kind::Value { .. } | Kind::Enumeration { .. }, .. }) => {
                    Ok(Parameter::new(format!("&[{ty}]"), format!("{name}.iter().map(|&x| {}(x))", known.to_crate())).slice())
                }
                _ => refused(),
            },
            _ => refused(),
        }
    }
}
