//! Writes the wrapper's function for a function or method of the crate.

use super::cross::{Cross, Lending, Output, Place};
use super::docs;
use super::names;
use super::parameter::Parameter;
use super::types::{Kind, Known};
use rustdoc_types::{
    AssocItemConstraint, AssocItemConstraintKind, Function, GenericArgs, GenericBound, GenericParamDefKind, Generics, Id, Span, Type,
    WherePredicate,
};
use std::collections::{BTreeMap, BTreeSet};

/// A function of the wrapper.
#[derive(Clone, Debug)]
pub struct Export {
    /// The path of the crate's item, for messages.
    pub path: String,
    /// The lines of the function, with its comment and attribute, not indented.
    pub lines: Vec<String>,
    /// The types of the crate in the signature.
    pub used: BTreeSet<Id>,
    /// The crate's types that are arguments or receivers: a caller must already have a value of each.
    pub needed: BTreeSet<Id>,
    /// The objects of the crate that the function returns.
    pub made: BTreeSet<Id>,
}

/// How the wrapper calls the function of the crate.
#[derive(Clone, Debug)]
pub struct Callee {
    /// The path for a call without a receiver: `semver::Version::parse`.
    pub path: String,
    /// True if the wrapper calls the method by its path and passes the receiver as an argument, as for a trait's methods:
    /// `hex::ToHex::encode_hex(&data)`.
    pub by_path: bool,
}

/// The receiver of the wrapper's function.
#[derive(Clone, Debug)]
pub enum Receiver<'a> {
    /// A method of a type of the wrapper.
    Method(&'a Known, Id),
    /// The first parameter of a free function, with this name and type.
    Parameter(&'static str, &'a Type),
    /// The only value of a struct without fields, at this path.
    Unit(&'a str),
    None,
}

/// The name, documentation and options of the wrapper's function.
#[derive(Clone, Debug)]
pub struct Signature<'a> {
    pub path: String,
    /// The name in Rust.
    pub rust: String,
    /// The name in Go.
    pub go: String,
    /// The Go name that the macro derives from `rust`.
    pub derived: String,
    pub docs: &'a str,
    /// True for a function in an `impl` block with the attribute `#[rustgo::export]`.
    pub in_block: bool,
    /// The place of the crate's function in its source.
    pub span: Option<Span>,
}

/// Returns the type parameters of a function with their bounds, and whether there are lifetime parameters.
///
/// # Errors
/// A function with a constant parameter is refused, because such a function has no single machine code.
pub fn generics(of: &[&Generics]) -> Result<(BTreeMap<String, Vec<GenericBound>>, bool), String> {
    let (mut types, mut lifetimes): (BTreeMap<String, Vec<GenericBound>>, bool) = (BTreeMap::new(), false);
    for param in of.iter().flat_map(|generics| &generics.params) {
        match &param.kind {
            GenericParamDefKind::Lifetime { .. } => lifetimes = true,
            GenericParamDefKind::Type { bounds, .. } => drop(types.insert(param.name.clone(), bounds.clone())),
            GenericParamDefKind::Const { .. } => return Err(format!("generic over the constant {}", param.name)),
        }
    }
    let mut projections = Vec::new();
    for predicate in of.iter().flat_map(|generics| &generics.where_predicates) {
        match predicate {
            WherePredicate::BoundPredicate { type_: Type::Generic(name), bounds, .. } => {
                types.entry(name.clone()).or_default().extend(bounds.iter().cloned());
            }
            WherePredicate::BoundPredicate { type_: Type::QualifiedPath { name, self_type, .. }, bounds, .. } => {
                if let Type::Generic(of) = &**self_type {
                    projections.push((of, name, bounds));
                }
            }
            _ => {}
        }
    }
    // `I: IntoIterator, I::Item: AsRef<str>` says the same as `I: IntoIterator<Item: AsRef<str>>`.
    for (of, name, bounds) in projections {
        types.entry(of.clone()).or_default().iter_mut().for_each(|bound| constrain(bound, name, bounds));
    }
    Ok((types, lifetimes))
}

/// Adds `bounds`, which apply to an iterator's items, to the iterator's own bound. Does nothing if that bound already states the type of the items.
fn constrain(bound: &mut GenericBound, name: &str, bounds: &[GenericBound]) {
    let GenericBound::TraitBound { trait_, .. } = bound else { return };
    if name != "Item" || !matches!(super::api::last(&trait_.path), "IntoIterator" | "Iterator") {
        return;
    }
    let none = || Box::new(GenericArgs::AngleBracketed { args: Vec::new(), constraints: Vec::new() });
    if let GenericArgs::AngleBracketed { constraints, .. } = &mut **trait_.args.get_or_insert_with(none)
        && !constraints.iter().any(|constraint| constraint.name == name)
    {
        constraints.push(AssocItemConstraint {
            name: name.to_owned(),
            args: None,
            binding: AssocItemConstraintKind::Constraint(bounds.to_vec()),
        });
    }
}

/// The receiver in the wrapper's signature, and the expression for the crate's receiver.
struct Self_ {
    declared: Option<String>,
    expr: String,
    lends: bool,
    /// True if the expression is a temporary value.
    temporary: bool,
    /// Statements before and after the call.
    before: Option<String>,
    after_call: Option<String>,
}

impl Self_ {
    fn new(declared: &str, expr: impl Into<String>) -> Self_ {
        let declared = (!declared.is_empty()).then(|| declared.to_owned());
        Self_ { declared, expr: expr.into(), lends: false, temporary: false, before: None, after_call: None }
    }
}

/// Methods of the traits in std's prelude.
pub const PRELUDE: [&str; 20] = [
    "as_mut",
    "as_ref",
    "clamp",
    "clone",
    "cmp",
    "eq",
    "extend",
    "ge",
    "gt",
    "into",
    "into_iter",
    "le",
    "lt",
    "max",
    "min",
    "ne",
    "partial_cmp",
    "to_owned",
    "to_string",
    "try_into",
];

/// Writes the wrapper's function that calls the crate's `function`.
///
/// # Errors
/// The reason why the function cannot be called from Go.
pub fn write(
    mut cross: Cross<'_>,
    signature: &Signature<'_>,
    function: &Function,
    callee: &Callee,
    receiver: &Receiver<'_>,
    has_lifetimes: bool,
) -> Result<Export, String> {
    // With a name of PRELUDE, `value.name(…)` may call the method of a prelude trait instead of the crate's method. A path is unambiguous.
    let callee = &Callee { by_path: callee.by_path || PRELUDE.contains(&super::api::last(&callee.path)), ..callee.clone() };
    let header = &function.header;
    cross.span = signature.span.clone();
    cross.fails_as_io = cross.has_io_error(function);
    let cross = &cross;
    if header.is_unsafe {
        return Err("unsafe: Go cannot keep its promises".to_owned());
    }
    if header.is_async {
        return Err("async".to_owned());
    }
    let mut inputs = function.sig.inputs.iter();
    let own = function.sig.inputs.first().filter(|(name, _)| name == "self");
    let mut params: Vec<(String, Parameter)> = Vec::new();
    let self_ = match (own, receiver) {
        (None, _) => None,
        (Some((_, ty)), Receiver::Method(known, _)) => {
            inputs.next();
            Some(method(ty, known, callee)?)
        }
        (Some((_, ty)), Receiver::Parameter(name, of)) => {
            inputs.next();
            let ty = match ty {
                Type::Generic(_) => (*of).clone(),
                Type::BorrowedRef { is_mutable: false, .. } => {
                    Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new((*of).clone()) }
                }
                _ => return Err("changes its receiver".to_owned()),
            };
            let parameter = cross.parameter(name, &ty)?;
            let self_ = Self_::new("", parameter.expr.clone());
            params.push(((*name).to_owned(), parameter));
            Some(self_)
        }
        (Some((_, ty)), Receiver::Unit(path)) => {
            inputs.next();
            match ty {
                Type::BorrowedRef { is_mutable: false, .. } if callee.by_path => Some(Self_::new("", format!("&{path}"))),
                Type::BorrowedRef { is_mutable: false, .. } | Type::Generic(_) => Some(Self_::new("", *path)),
                _ => return Err("changes its receiver".to_owned()),
            }
        }
        (Some(_), Receiver::None) => return Err("a method of a type that is left out".to_owned()),
    };
    let received = params.len();
    for (index, (name, ty)) in inputs.enumerate() {
        params.push(parameter(cross, &params, (name, index), ty)?);
    }
    let mut needed = cross.used.borrow().clone();
    if let (Some(_), Receiver::Method(_, id)) = (&self_, receiver) {
        needed.insert(*id);
    }

    let self_lends = self_.as_ref().is_some_and(|self_| self_.lends);
    let temporary = self_.as_ref().is_some_and(|self_| self_.temporary);
    let lenders = params.iter().map(|(_, param)| param.lenders()).sum::<usize>() + usize::from(self_lends);
    let has_locals = params.iter().any(|(_, param)| param.before.is_some());
    // An iterator that Rust returns must not borrow from these parameters, because Go may change their targets.
    let is_held = |param: &Parameter| {
        let changes = param.ty.starts_with("&mut") && !param.expr.ends_with(".0");
        param.is_slice || param.ty.contains("<'_") || param.ty.starts_with("Option<&") || changes
    };
    // An iterator that borrows nothing needs neither a temporary receiver nor the parameters. It may be infinite, so it is not collected.
    let has_held = params.iter().any(|(_, param)| is_held(param));
    let is_free = (temporary || has_held) && function.sig.output.as_ref().is_some_and(|ty| cross.is_free(ty));
    let lending = Lending {
        owned: lenders == 0 || (lenders > 1 && (has_lifetimes || !self_lends)) || has_locals || temporary,
        collected: (has_held || temporary) && !is_free,
    };
    let mut buffers = params.iter().filter_map(|(name, param)| Some((name, param.buffer.as_ref()?)));
    let buffer = buffers.next();
    if buffers.next().is_some() {
        return Err("changes several buffers".to_owned());
    }
    let chains = returns_self(cross, function);
    let output = match &function.sig.output {
        Some(_) if chains => Output::new("", "let _ = $;"),
        Some(Type::Primitive(never)) if never == "never" => return Err("never returns".to_owned()),
        Some(ty) => cross.output(ty, Place::Top, lending)?,
        None => Output::new("", "$"),
    };
    let output = if is_free { output.without_lifetimes() } else { output };
    let output = match buffer {
        Some((name, ty)) => output.beside(name, ty)?,
        None => output,
    };

    let int = output.int || params.iter().any(|(_, param)| param.int);
    let declared: Vec<String> = self_
        .iter()
        .filter_map(|self_| self_.declared.clone())
        .chain(params.iter().filter(|(_, param)| !param.ty.is_empty()).map(|(name, param)| param.declarations(name)))
        .collect();
    let mut args: Vec<String> = params.iter().skip(received).map(|(_, param)| param.expr.clone()).collect();
    let call = match &self_ {
        Some(self_) if callee.by_path => {
            args.insert(0, self_.expr.clone());
            format!("{}({})", callee.path, args.join(", "))
        }
        Some(self_) => format!("{}.{}({})", self_.expr, super::api::last(&callee.path), args.join(", ")),
        None => format!("{}({})", callee.path, args.join(", ")),
    };
    let arrow = if output.ty.is_empty() || output.ty == "()" { String::new() } else { format!(" -> {}", output.ty) };
    let units = units(params.iter().map(|(_, param)| param), &output);
    let docs = match docs::named(&signature.go, signature.docs) {
        docs if docs.is_empty() || units.is_empty() => docs + &units,
        docs => format!("{docs}\n\n{units}"),
    };
    let mut lines = docs::comment("///", &docs);
    let options =
        [(signature.go != signature.derived).then(|| format!("name = {:?}", signature.go)), int.then(|| "int = \"usize\"".to_owned())];
    let options = options.into_iter().flatten().collect::<Vec<_>>().join(", ");
    if !options.is_empty() {
        lines.push(format!("#[rustgo::export({options})]"));
    } else if !signature.in_block {
        lines.push("#[rustgo::export]".to_owned());
    }
    if signature.rust.chars().any(|c| c.is_ascii_uppercase()) {
        lines.push("#[allow(non_snake_case)]".to_owned());
    }
    lines.push(format!("pub fn {}({}){arrow} {{", signature.rust, declared.join(", ")));
    let before = params.iter().filter_map(|(_, param)| param.before.as_deref()).flat_map(str::lines);
    lines.extend(before.map(|before| format!("    {before}")));
    lines.extend(self_.iter().filter_map(|self_| self_.before.clone()).map(|before| format!("    {before}")));
    let after_call: Vec<&String> = self_
        .iter()
        .filter_map(|self_| self_.after_call.as_ref())
        .chain(params.iter().filter_map(|(_, param)| param.after_call.as_ref()))
        .collect();
    let result = output.apply(&call);
    match (after_call.is_empty(), arrow.is_empty()) {
        (true, _) => lines.push(format!("    {result}")),
        (false, true) => lines.push(format!("    {};", result.trim_end_matches(';'))),
        (false, false) => lines.push(format!("    let returned = {result};")),
    }
    lines.extend(after_call.iter().map(|line| format!("    {line}")));
    lines.extend((!after_call.is_empty() && !arrow.is_empty()).then(|| "    returned".to_owned()));
    lines.push("}".to_owned());
    Ok(Export { path: signature.path.clone(), lines, used: cross.used.borrow().clone(), needed, made: cross.made.borrow().clone() })
}

/// Returns the wrapper's parameter for a parameter of the crate's function, with its name. No parameter before it has this name.
fn parameter(
    cross: &Cross<'_>,
    before: &[(String, Parameter)],
    (rust, index): (&str, usize),
    ty: &Type,
) -> Result<(String, Parameter), String> {
    const MOST: usize = 4;
    let taken: BTreeSet<String> =
        before.iter().flat_map(|(name, param)| param.declared(name).into_iter().map(|(name, _)| name).chain([name.clone()])).collect();
    let ty = cross.resolve(ty);
    let mut name = names::parameter(rust, index);
    for _ in 0..MOST {
        let parameter = match &ty {
            Type::Tuple(parts) => cross.tuple_of(&name, rust, parts)?,
            ty => cross.parameter(&name, ty)?,
        };
        let declared = parameter.declared(&name);
        if !taken.contains(&name) && !declared.iter().any(|(name, _)| taken.contains(name)) {
            return Ok((name, parameter));
        }
        name.push('_');
    }
    Err("two parameters have one name in Go".to_owned())
}

/// Returns sentences on the units of a function's durations and times. Empty if the function has none.
fn units<'p>(params: impl Iterator<Item = &'p Parameter> + Clone, output: &Output) -> String {
    let converts = |what: &str| {
        let has = |text: &str| text.contains(what);
        params.clone().any(|param| has(&param.expr) || param.before.as_deref().is_some_and(has)) || has(&output.expr)
    };
    let sentences = [
        (converts("UNIX_EPOCH - apart") || converts("too far away for Go"), "Times are in nanoseconds since 1970, as in time.Unix(0, n)."),
        (converts("after.subsec_nanos()"), "The time is in seconds and nanoseconds since 1970, as in time.Unix."),
        (
            converts(".as_nanos()).unwrap_or(") || converts("from_nanos(u64::try_from("),
            "Durations are in nanoseconds, as in time.Duration.",
        ),
    ];
    sentences.into_iter().filter_map(|(is_needed, sentence)| is_needed.then_some(sentence)).collect::<Vec<_>>().join(" ")
}

/// True if a method changes its object and returns the same object, so that callers can write chains of calls.
fn returns_self(cross: &Cross<'_>, function: &Function) -> bool {
    // The signature may have `Self` or the type's name, after any path.
    let is_this = |ty: &Type| match (cross.resolve(ty), &cross.this) {
        (Type::ResolvedPath(a), Some(Type::ResolvedPath(b))) => a.id == b.id,
        (ty, this) => Some(&ty) == this.as_ref(),
    };
    let is_mutable = |ty: &Type| matches!(ty, Type::BorrowedRef { is_mutable: true, type_, .. } if is_this(type_));
    let takes = function.sig.inputs.first().is_some_and(|(name, ty)| name == "self" && is_mutable(ty));
    takes && function.sig.output.as_ref().is_some_and(is_mutable)
}

/// Returns the receiver of a method.
fn method(ty: &Type, known: &Known, callee: &Callee) -> Result<Self_, String> {
    let Known { kind, .. } = known;
    let (by_reference, mutable) = match ty {
        Type::Generic(_) => (false, false),
        Type::BorrowedRef { is_mutable, type_, .. } if matches!(**type_, Type::Generic(_)) => (true, *is_mutable),
        _ => return Err("a method of a pointer to the type".to_owned()),
    };
    let borrow = |expr: &str| match (callee.by_path, mutable) {
        (false, _) => expr.to_owned(),
        (true, false) => format!("&{expr}"),
        (true, true) => format!("&mut {expr}"),
    };
    match kind {
        Kind::Object { .. } if by_reference && mutable => Ok(Self_ { lends: true, ..Self_::new("&mut self", borrow("self.0")) }),
        Kind::Object { .. } if by_reference => Ok(Self_ { lends: true, ..Self_::new("&self", borrow("self.0")) }),
        Kind::Object { clone: true, .. } => Ok(Self_ { lends: true, temporary: true, ..Self_::new("&self", "self.0.clone()") }),
        Kind::Object { .. } => Ok(Self_ { temporary: true, ..Self_::new("self", "self.0") }),
        Kind::Value { .. } | Kind::Enumeration { .. } if mutable => Ok(Self_ {
            temporary: true,
            before: Some(format!("let mut own_value = {}(*self);", known.to_crate())),
            after_call: Some(format!("*self = {};", known.into("own_value", &known.to_wrapper()))),
            ..Self_::new("&mut self", borrow("own_value"))
        }),
        Kind::Value { .. } | Kind::Enumeration { .. } => {
            let expr = format!("{}(*self)", known.to_crate());
            let expr = if by_reference { borrow(&expr) } else { expr };
            Ok(Self_ { lends: true, temporary: true, ..Self_::new("&self", expr) })
        }
        _ => Err("a method of a type that is left out".to_owned()),
    }
}
