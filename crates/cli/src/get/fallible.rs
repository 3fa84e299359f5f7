//! Decides how a `Result` and its error type cross.

use super::api::arguments;
use super::cross::{Cross, Lending, Output, Place};
use super::types::{Kind, Known, is_number, show};
use rustdoc_types::{ItemEnum, Path, Type};

/// The wrapper's error type for most errors of other crates, and for a boxed error that is `Send` and `Sync`.
pub const BOXED: &str = "Box<dyn std::error::Error + Send + Sync>";

/// The wrapper's error type for a boxed error that may be neither `Send` nor `Sync`.
const LOCAL: &str = "Box<dyn std::error::Error>";

impl Cross<'_> {
    pub fn fallible(&self, value: &Type, error: &Type, place: Place, lending: Lending) -> Result<Output, String> {
        if place != Place::Top {
            return Err("returns a Result inside another type".to_owned());
        }
        if let Type::Tuple(none) = error
            && none.is_empty()
        {
            return match value {
                Type::Tuple(none) if none.is_empty() => Ok(Output::new("bool", "$.is_ok()")),
                value => {
                    let inner = self.output(value, Place::Inside, lending)?;
                    Ok(Output::new(format!("Option<{}>", inner.ty), format!("$.ok(){}", inner.mapped("map"))))
                }
            };
        }
        match self.error(&self.resolve(error))? {
            (ty, None) => self.result(value, &ty, lending),
            (ty, Some(convert)) => {
                let output = self.result(value, &ty, lending)?;
                Ok(Output { expr: format!("{}.map_err({convert})", output.expr), ..output })
            }
        }
    }

    pub fn result(&self, value: &Type, error: &str, lending: Lending) -> Result<Output, String> {
        let inner = self.output(value, Place::Inside, lending)?;
        Ok(Output::new(format!("Result<{}, {error}>", inner.ty), format!("${}", inner.mapped("map"))))
    }

    /// True for a box with a trait object that is `Send` and `Sync`.
    fn is_shareable(&self, path: &Path) -> bool {
        let Some(Type::DynTrait(of)) = arguments(path).first() else { return false };
        ["Send", "Sync"].iter().all(|name| of.traits.iter().any(|of| self.api.std_name(&of.trait_) == *name))
    }

    /// True for a box with a trait object of `Error` that borrows nothing.
    fn is_error_object(&self, path: &Path) -> bool {
        let Some(Type::DynTrait(of)) = arguments(path).first() else { return false };
        let is_static = of.lifetime.as_deref().is_none_or(|lifetime| lifetime == "'static");
        is_static && of.traits.iter().any(|of| self.api.std_name(&of.trait_) == "Error")
    }

    /// True for a box with a trait object of more than one trait, such as `Error + Send`.
    fn has_auto_trait(&self, path: &Path) -> bool {
        matches!(arguments(path).first(), Some(Type::DynTrait(of)) if of.traits.len() > 1)
    }

    /// Returns the error type of the wrapper for the crate's error type, and the Rust function that converts the error. `None` if no conversion is
    /// needed.
    pub fn error(&self, error: &Type) -> Result<(String, Option<String>), String> {
        let debug = || Ok(("String".to_owned(), Some("|error| format!(\"{error:?}\")".to_owned())));
        match error {
            Type::BorrowedRef { type_, .. } if **type_ == Type::Primitive("str".to_owned()) => Ok(("&'static str".to_owned(), None)),
            data if is_data(data, &|path| self.api.std_name(path).to_owned()) => debug(),
            Type::ResolvedPath(path) => {
                let Some(item) = self.api.item(path.id) else {
                    let name = self.api.std_name(path);
                    if let ("Box", Some(inner @ Type::ResolvedPath(_))) = (name, arguments(path).first()) {
                        let (ty, convert) = self.error(&self.resolve(inner))?;
                        let convert = convert.map_or("|error| *error".to_owned(), |convert| format!("|error| ({convert})(*error)"));
                        return Ok((ty, Some(convert)));
                    }
                    return Ok(match name {
                        "String" => ("String".to_owned(), None),
                        "ParseIntError" | "ParseFloatError" | "TryFromIntError" => (format!("std::num::{name}"), None),
                        "Utf8Error" => ("std::str::Utf8Error".to_owned(), None),
                        "FromUtf8Error" => ("std::string::FromUtf8Error".to_owned(), None),
                        "Infallible" => ("std::convert::Infallible".to_owned(), None),
                        _ if self.api.defined_at(path.id).is_some_and(|at| at.ends_with("io::error::Error")) => {
                            ("std::io::Error".to_owned(), None)
                        }
                        _ if self.api.defined_at(path.id).is_some_and(|at| at == "core::fmt::Error") => {
                            ("std::fmt::Error".to_owned(), None)
                        }
                        "Box" if !self.is_shareable(path) && self.is_error_object(path) => {
                            let convert = format!("|error| -> {LOCAL} {{ error }}");
                            (LOCAL.to_owned(), self.has_auto_trait(path).then_some(convert))
                        }
                        "Box" if !self.is_shareable(path) => ("String".to_owned(), Some("|error| error.to_string()".to_owned())),
                        _ => (BOXED.to_owned(), Some("Into::into".to_owned())),
                    });
                };
                if let Some(Ok(known @ Known { name, kind: Kind::Failure(_), .. })) = self.types.get(path.id) {
                    self.used.borrow_mut().insert(path.id);
                    return Ok((name.clone(), Some(known.to_wrapper())));
                }
                let is_generic = matches!(&item.inner, ItemEnum::Struct(data) if !data.generics.params.is_empty())
                    || matches!(&item.inner, ItemEnum::Enum(data) if !data.generics.params.is_empty());
                let has = |name: &str| self.api.implements(item, name, None).is_some();
                match self.api.path(path.id) {
                    Some(path) if has("Display") && !is_generic && item.deprecation.is_none() => Ok((path.to_owned(), None)),
                    _ if has("Display") => Ok(("String".to_owned(), Some("|error| error.to_string()".to_owned()))),
                    _ if has("Debug") => debug(),
                    _ => Err(format!("fails with {}, which has no text", show(error))),
                }
            }
            other => Err(format!("fails with {}", show(other))),
        }
    }
}

/// True for a type that has no text of its own, but whose content has one: a number, or a list or tuple of such types. `std_name` returns the name of a
/// type of std.
fn is_data(ty: &Type, std_name: &dyn Fn(&Path) -> String) -> bool {
    match ty {
        Type::Primitive(name) => is_number(name) || name == "str",
        Type::Array { type_, .. } | Type::Slice(type_) | Type::BorrowedRef { type_, .. } => is_data(type_, std_name),
        Type::Tuple(parts) => !parts.is_empty() && parts.iter().all(|part| is_data(part, std_name)),
        Type::ResolvedPath(path) if matches!(std_name(path).as_str(), "Vec" | "Option") => {
            arguments(path).iter().all(|part| is_data(part, std_name) || matches!(part, Type::ResolvedPath(of) if std_name(of) == "String"))
        }
        _ => false,
    }
}
