//! Decides how parameters cross that may be missing, and parameters that become several in Go: optional texts and lists, tuples and ranges.

use super::api::arguments;
use super::cross::Cross;
use super::parameter::{Parameter, from_int};
use super::types::{Kind, Known, is_number, is_plain, show};
use rustdoc_types::{Path, Type};

/// Names of parameters that say no more than that the parameter is a range.
const RANGES: [&str; 6] = ["bounds", "interval", "r", "range", "span", "value"];

/// True for an expression that is the name of a variable.
fn is_name(expr: &str) -> bool {
    expr.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// True for a type for which a Go program can pass a zero value: a nil object or reader panics.
fn has_zero(ty: &str) -> bool {
    let is_object = ty.starts_with('&') && !ty.starts_with("&str") && !ty.starts_with("&[");
    !is_object && !ty.ends_with("Reader<'_>") && !ty.ends_with("Writer<'_>") && !ty.ends_with("Seeker<'_>")
}

/// True for a variable, and for a tuple or range of variables.
fn has_only_names(expr: &str) -> bool {
    expr.trim_matches(['(', ')']).split(", ").flat_map(|part| part.split("..")).all(|part| is_name(part.trim_start_matches('=')))
}

/// Joins the statements of several parameters.
fn joined<'p>(all: &'p [Parameter], of: fn(&'p Parameter) -> Option<&'p String>) -> Option<String> {
    let lines: Vec<&str> = all.iter().filter_map(of).map(String::as_str).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Returns the two parameters for a range whose bounds have the type `bound`. `dots` is `..`, or `..=` if the range includes its last element.
fn range_of(name: &str, bound: &Type, dots: &str) -> Parameter {
    let ty = show(bound);
    let plain = name.trim_start_matches("r#").trim_end_matches('_');
    let is_unnamed = RANGES.contains(&name) || name.starts_with("arg");
    let of = |word: &str| match plain.strip_suffix("_range") {
        _ if is_unnamed => word.to_owned(),
        short => format!("{}_{word}", short.unwrap_or(plain)),
    };
    let (start, end) = if dots == ".." { (of("start"), of("end")) } else { (of("first"), of("last")) };
    let several = vec![(start.clone(), ty.clone()), (end.clone(), ty.clone())];
    Parameter { several, ..Parameter::new(format!("({ty}, {ty})"), format!("{start}{dots}{end}")) }
}

impl Cross<'_> {
    /// Returns the parameter for an `Option` of the type `content`: a pointer, or the content and a bool if Go's pointers cannot stand for the content.
    pub fn optional(&self, name: &str, content: &Type) -> Result<Parameter, String> {
        let refused = || Err(format!("takes Option<{}>", show(content)));
        let pointer = |ty: &str, expr: String| Ok(Parameter::new(format!("Option<&{ty}>"), expr));
        match content {
            Type::Primitive(number) if number == "usize" => pointer("isize", format!("{name}.map(|&x| {})", from_int("x"))),
            Type::Primitive(number) if is_number(number) => pointer(number, format!("{name}.copied()")),
            Type::Array { .. } if is_plain(content) => pointer(&show(content), format!("{name}.copied()")),
            Type::ResolvedPath(path) if self.api.std_name(path) == "Duration" => {
                let duration = "std::time::Duration::from_nanos(u64::try_from(x).expect(\"a negative duration\"))";
                pointer("i64", format!("{name}.map(|&x| {duration})"))
            }
            Type::ResolvedPath(path) => match self.known(path).transpose()? {
                Some(Known { name: ty, kind: Kind::Object { clone: true, .. }, .. }) => {
                    pointer(&ty, format!("{name}.map(|{name}| {name}.0.clone())"))
                }
                Some(ref known @ Known { name: ref ty, kind: Kind::Value { .. } | Kind::Enumeration { .. }, .. }) => {
                    pointer(ty, format!("{name}.map(|&{name}| {}({name}))", known.to_crate()))
                }
                Some(_) => refused(),
                None => self.with_presence(name, content),
            },
            Type::BorrowedRef { is_mutable: false, type_, lifetime } if lifetime.as_deref() != Some("'static") => {
                match self.resolve(type_) {
                    Type::Primitive(number) if number == "usize" => {
                        let before = format!("let {name} = {name}.map(|&x| {});", from_int("x"));
                        Ok(Parameter::new("Option<&isize>", format!("{name}.as_ref()")).after(before))
                    }
                    Type::Primitive(number) if is_number(&number) => pointer(&number, name.to_owned()).map(Parameter::lending),
                    array @ Type::Array { .. } if is_plain(&array) => pointer(&show(&array), name.to_owned()).map(Parameter::slice),
                    Type::ResolvedPath(path) => match self.known(&path).transpose()? {
                        Some(Known { name: ty, kind: Kind::Object { .. }, .. }) => pointer(&ty, format!("{name}.map(|{name}| &{name}.0)")),
                        Some(ref known @ Known { name: ref ty, kind: Kind::Value { .. } | Kind::Enumeration { .. }, .. }) => {
                            let before = format!("let {name} = {name}.map(|&x| {}(x));", known.to_crate());
                            pointer(ty, format!("{name}.as_ref()")).map(|parameter| parameter.after(before))
                        }
                        Some(_) => refused(),
                        None => self.with_presence(name, content),
                    },
                    _ => self.with_presence(name, content),
                }
            }
            Type::BorrowedRef { is_mutable: true, type_, .. } => match self.resolve(type_) {
                plain if is_plain(&plain) => Ok(Parameter::new(format!("Option<&mut {}>", show(&plain)), name)),
                Type::ResolvedPath(path) => match self.known(&path).transpose()? {
                    Some(Known { name: ty, kind: Kind::Object { .. }, .. }) => {
                        Ok(Parameter::new(format!("Option<&mut {ty}>"), format!("{name}.map(|{name}| &mut {name}.0)")))
                    }
                    _ => refused(),
                },
                _ => refused(),
            },
            _ => self.with_presence(name, content),
        }
    }

    /// Returns the parameters for an `Option` of the type `content`: the content, and a bool that is true if there is a content.
    fn with_presence(&self, name: &str, content: &Type) -> Result<Parameter, String> {
        let refused = || Err(format!("takes Option<{}>", show(content)));
        let inner = match self.parameter(name, content) {
            Ok(inner) => inner,
            Err(reason) if reason.starts_with("takes ") => return refused(),
            Err(reason) => return Err(reason),
        };
        if !inner.is_unchanged() || !inner.declared(name).iter().all(|(_, ty)| has_zero(ty)) {
            return refused();
        }
        let has = format!("has_{}", name.trim_start_matches("r#"));
        let mut before = inner.before.clone();
        let mut lends = inner.lends;
        let expr = match inner.expr.strip_prefix('&') {
            _ if has_only_names(&inner.expr) => format!("{has}.then_some({})", inner.expr),
            Some(local) if is_name(local) => format!("{has}.then_some({})", inner.expr),
            // The closure cannot return a reference to a value that it makes.
            Some(made) => {
                let line = format!("let {name} = {made};");
                before = Some(before.map_or(line.clone(), |before| format!("{before}\n{line}")));
                lends = false;
                format!("{has}.then_some(&{name})")
            }
            None => format!("{has}.then(|| {})", inner.expr),
        };
        let several = inner.declared(name).into_iter().chain([(has, "bool".to_owned())]).collect();
        Ok(Parameter { ty: format!("({}, bool)", inner.ty), expr, before, several, lends, ..inner })
    }

    /// Returns the parameters for a tuple: one for each part. The names of the parts come from the pattern `(a, b)` if the crate's function has one
    /// in place of the parameter's name.
    pub fn tuple_of(&self, name: &str, pattern: &str, parts: &[Type]) -> Result<Parameter, String> {
        let refused = || Err(format!("takes {}", show(&Type::Tuple(parts.to_vec()))));
        let stated: Vec<&str> = pattern.trim_start_matches('(').trim_end_matches(')').split(',').map(str::trim).collect();
        let is_stated = pattern.starts_with('(') && stated.len() == parts.len();
        let mut all: Vec<Parameter> = Vec::new();
        let mut several: Vec<(String, String)> = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let numbered = format!("{}{at}", name.trim_start_matches("r#"));
            let name = match super::names::parameter(stated.get(at).copied().unwrap_or_default(), at) {
                own if is_stated && !own.starts_with("arg") => own,
                _ => numbered,
            };
            let parameter = self.parameter(&name, part)?;
            let declared = parameter.declared(&name);
            if !parameter.is_unchanged() || declared.iter().any(|(name, _)| several.iter().any(|(other, _)| other == name)) {
                return refused();
            }
            several.extend(declared);
            all.push(parameter);
        }
        let list = |of: fn(&Parameter) -> &str| all.iter().map(of).collect::<Vec<_>>().join(", ");
        if all.len() < 2 {
            return refused();
        }
        Ok(Parameter {
            ty: format!("({})", list(|part| &part.ty)),
            expr: format!("({})", list(|part| &part.expr)),
            before: joined(&all, |part| part.before.as_ref()),
            several,
            lends: all.iter().any(|part| part.lends),
            is_slice: all.iter().any(|part| part.is_slice),
            int: all.iter().any(|part| part.int),
            ..Parameter::default()
        })
    }

    /// Returns the parameters for a type that states a range: std's `Range<T>` and `RangeInclusive<T>`, and the bound `RangeBounds<T>`. `None` for
    /// another path.
    pub fn as_range(&self, name: &str, path: &Path) -> Option<Parameter> {
        let dots = match self.api.std_name(path) {
            "Range" | "RangeBounds" => "..",
            "RangeInclusive" => "..=",
            _ => return None,
        };
        let bound = self.resolve(arguments(path).first()?);
        matches!(&bound, Type::Primitive(number) if is_number(number)).then(|| range_of(name, &bound, dots))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_named_after_their_range() {
        let bound = Type::Primitive("u8".to_owned());
        for (name, dots, expr) in [
            ("range", "..", "start..end"),
            ("arg2", "..=", "first..=last"),
            ("line_range", "..", "line_start..line_end"),
            ("window", "..", "window_start..window_end"),
            ("r_", "..", "r_start..r_end"),
        ] {
            assert_eq!(range_of(name, &bound, dots).expr, expr);
        }
    }

    #[test]
    fn only_calls_need_a_closure() {
        for (expr, is_plain) in [("x", true), ("(x, y)", true), ("a..=b", true), ("x.into()", false), ("T::from(x)", false)] {
            assert_eq!(has_only_names(expr), is_plain, "{expr}");
        }
    }

    #[test]
    fn missing_objects_and_readers_have_no_zero_value() {
        for (ty, has) in [("&str", true), ("&[u8]", true), ("Strs<'_>", true), ("u8", true), ("&Note", false), ("ReadSeeker<'_>", false)] {
            assert_eq!(has_zero(ty), has, "{ty}");
        }
    }
}
