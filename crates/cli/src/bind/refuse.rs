//! Refuses packages with names that Go does not allow or that are used twice, and packages whose export records are incomplete.

use super::convert::MAX_CONVERTED;
use crate::api::{Function, Item, Package, Param, Role, go_type, is_direct};
use crate::diag::{Diagnostic, ErrorCode};
use crate::gosrc::{self, Declaration, Import, TypeBody};
use crate::load;
use rustgo_schema::Type;
use std::collections::BTreeMap;

/// Refuses names that Go does not allow, and names that several declarations have.
pub fn names(package: &Package, declarations: &[Declaration], imports: &[Import]) -> Vec<Diagnostic> {
    let mut refused = Vec::new();
    let mut by_name: BTreeMap<&str, Vec<Item<'_>>> = BTreeMap::new();
    let items = package.items();
    let methods = package.functions.values().filter(|function| function.role == Role::Method);
    let methods = methods.map(|function| Item {
        name: &function.name,
        kind: "method",
        rust_path: &function.rust_path,
        file: &function.file,
        line: function.line,
    });
    for item in items.into_iter().chain(methods) {
        let is_method = item.kind == "method";
        if let Some(problem) = name_problem(item.name, is_method, imports) {
            refused.push(
                Diagnostic::new(ErrorCode::GoName, format!("{} cannot be {:?} in Go: {problem}", item.rust_path, item.name))
                    .at(item.place())
                    .hint(format!("choose another name: {}", attribute(package, &item))),
            );
        }
        if !is_method {
            by_name.entry(item.name).or_default().push(item);
        }
    }
    let mut declared: BTreeMap<&str, usize> = BTreeMap::new();
    declarations.iter().flat_map(Declaration::names).for_each(|name| *declared.entry(name).or_default() += 1);
    for (name, items) in by_name {
        match items.as_slice() {
            // Only one item has the name, but several declarations have it. So rustgo generated the other declarations.
            [item] if declared.get(name).is_some_and(|&count| count > 1) => {
                let message = format!("{} cannot be {name:?} in Go: the generated file uses that name", item.rust_path);
                let hint = format!("choose another name: {}", attribute(package, item));
                refused.push(Diagnostic::new(ErrorCode::GoName, message).at(item.place()).hint(hint));
            }
            [_] => {}
            several => refused.push(twice(package, name, several)),
        }
    }
    if refused.is_empty() {
        refused.extend(generated_twice(package, declared));
    }
    refused.extend(members(package, declarations));
    refused
}

/// Refuses an item if the generated file makes a name from the item's name, and declares the made name twice. `declared` counts the declarations of
/// each name.
///
/// An example: the file declares the helper `rust_failure`. For an error type `failure` with fields it would also declare a type `rust_failure`.
fn generated_twice(package: &Package, declared: BTreeMap<&str, usize>) -> Vec<Diagnostic> {
    let methods = package.functions.values().filter(|function| function.role == Role::Method);
    let methods = methods.filter_map(|function| {
        Some((
            format!("{}_{}", function.owner.as_ref()?.name, function.name),
            Item { name: &function.name, kind: "method", rust_path: &function.rust_path, file: &function.file, line: function.line },
        ))
    });
    let named: Vec<(String, Item<'_>)> = package.items().into_iter().map(|item| (item.name.to_owned(), item)).chain(methods).collect();
    let twice = declared.into_iter().filter(|&(_, count)| count > 1).filter_map(|(name, _)| {
        let rest = name.strip_prefix("rust_")?;
        // If several names fit, the longest counts, because the part that rustgo appends is short.
        let is_made_of = |made: &str| rest.strip_prefix(made).is_some_and(|added| added.is_empty() || added.starts_with('_'));
        let (_, item) = named.iter().filter(|(made, _)| is_made_of(made)).max_by_key(|(made, _)| made.len())?;
        let message = format!("{} cannot be {:?} in Go: the generated file would declare {name} twice", item.rust_path, item.name);
        Some(
            Diagnostic::new(ErrorCode::GoName, message).at(item.place()).hint(format!("choose another name: {}", attribute(package, item))),
        )
    });
    twice.collect()
}

/// Returns the attribute with which the crate's author chooses the Go name of the item.
fn attribute(package: &Package, item: &Item<'_>) -> &'static str {
    match item.kind {
        // The constant of an enum's variant has the Rust path of the enum.
        "constant" if package.type_of(item.rust_path).is_some() => "#[rustgo(name = \"GoName\")]",
        "type" if package.type_of(item.rust_path).is_some_and(|declared| declared.ty.is_called()) => {
            "#[rustgo::interface(name = \"GoName\")]"
        }
        "type" => "#[rustgo(name = \"GoName\")], or #[rustgo::object(name = \"GoName\")]",
        _ => "#[rustgo::export(name = \"GoName\")]",
    }
}

fn twice(package: &Package, name: &str, items: &[Item<'_>]) -> Diagnostic {
    let is_one_kind = items.iter().all(|item| item.kind == items[0].kind);
    let kind = if is_one_kind { format!("{}s", items[0].kind) } else { "things".to_owned() };
    let show = |item: &Item<'_>| if is_one_kind { item.show() } else { format!("the {} {}", item.kind, item.show()) };
    let mut message = format!("{} {kind} would be {name} in Go: ", items.len());
    for (index, item) in items.iter().enumerate() {
        let separator = match index {
            0 => "",
            index if index + 1 == items.len() => " and ",
            _ => ", ",
        };
        message += &format!("{separator}{}", show(item));
    }
    Diagnostic::new(ErrorCode::GoName, message)
        .at(items[1].place())
        .hint(format!("give one of them another name: {}", attribute(package, &items[1])))
}

fn name_problem(name: &str, is_method: bool, imports: &[Import]) -> Option<String> {
    let imported = |import: &Import| import.name.clone().unwrap_or_else(|| import.path.rsplit('/').next().unwrap_or_default().to_owned());
    if !gosrc::is_identifier(name) || name == "_" {
        Some("it is not a Go identifier".into())
    } else if is_method {
        None
    } else if matches!(name, "init" | "main") {
        Some("Go gives that name a meaning of its own".into())
    } else if gosrc::is_reserved(name) {
        // A declaration of this name would change its meaning in all files of the package, including the generated file.
        Some("that name is predeclared in Go; declaring it would change its meaning in the whole package".into())
    } else if imports.iter().any(|import| imported(import) == name) {
        Some("an imported package has that name".into())
    } else {
        None
    }
}

/// Refuses names that a field and a method of one type share, and fields whose names Go does not allow.
fn members(package: &Package, declarations: &[Declaration]) -> Vec<Diagnostic> {
    let mut refused = Vec::new();
    let mut methods: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    declarations.iter().filter_map(method).for_each(|(owner, name)| methods.entry(owner).or_default().push(name));
    let mut exports: BTreeMap<(&str, &str), Vec<&Function>> = BTreeMap::new();
    for function in package.functions.values().filter(|function| function.role == Role::Method) {
        if let Some(owner) = &function.owner {
            exports.entry((&owner.name, &function.name)).or_default().push(function);
        }
    }
    for declaration in declarations {
        let Declaration::Type(ty) = declaration else { continue };
        let Some(declared) = package.types.iter().find(|declared| is_of(&declared.ty, &ty.name)) else { continue };
        let mut by_name: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        if let TypeBody::Struct(fields) = &ty.ty {
            for field in fields {
                by_name.entry(&field.name).or_default().push("a field".into());
                if !gosrc::is_identifier(&field.name) || field.name == "_" {
                    let message =
                        format!("a field of {} cannot be {:?} in Go: it is not a Go identifier", declared.decl.rust_path, field.name);
                    refused.push(
                        Diagnostic::new(ErrorCode::GoName, message)
                            .at(declared.place())
                            .hint("name the field otherwise: #[rustgo(name = \"GoName\")]"),
                    );
                }
            }
        }
        if let (Type::Trait { methods, .. }, TypeBody::Interface(_)) = (&declared.ty, &ty.ty) {
            for method in methods {
                by_name.entry(&method.go_name).or_default().push("a method".into());
                if !gosrc::is_identifier(&method.go_name) || method.go_name == "_" {
                    let message =
                        format!("a method of {} cannot be {:?} in Go: it is not a Go identifier", declared.decl.rust_path, method.go_name);
                    refused.push(
                        Diagnostic::new(ErrorCode::GoName, message)
                            .at(declared.place())
                            .hint("name the method otherwise: #[rustgo(name = \"GoName\")]"),
                    );
                }
            }
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        methods.get(ty.name.as_str()).into_iter().flatten().for_each(|method| *counts.entry(method).or_default() += 1);
        for (method, count) in counts {
            let exported = exports.get(&(ty.name.as_str(), method)).map(Vec::as_slice).unwrap_or_default();
            let known = by_name.entry(method).or_default();
            known.extend(exported.iter().map(|f| format!("the method {} ({}:{})", f.rust_path, f.file, f.line)));
            known.extend((exported.len()..count).map(|_| "a method that rustgo adds".to_owned()));
        }
        for (name, what) in by_name.into_iter().filter(|(_, what)| what.len() > 1) {
            let message = format!("{}.{name} would be {} things in Go: {}", ty.name, what.len(), what.join(" and "));
            refused.push(
                Diagnostic::new(ErrorCode::GoName, message)
                    .at(declared.place())
                    .hint("give one of them another name: name = \"GoName\" in its attribute"),
            );
        }
    }
    refused
}

/// Returns true if the Go type `name` is declared for `ty`, or for one of its variants.
fn is_of(ty: &Type, name: &str) -> bool {
    let of_case = match ty {
        Type::Error { single: false, cases, .. } => cases.iter().any(|case| case.go_name == name),
        _ => false,
    };
    of_case || ty.declared().is_some_and(|decl| decl.go_name == name)
}

/// Returns the names of a method's type and of the method; `None` if the declaration is not a method.
fn method(declaration: &Declaration) -> Option<(&str, &str)> {
    match declaration {
        Declaration::Func(func) => Some((func.receiver.as_ref()?.ty.trim_start_matches('*'), func.name.as_str())),
        _ => None,
    }
}

/// Refuses types in positions that Go does not allow, and functions whose export records lack data that a wrapper needs.
pub fn incomplete(package: &Package) -> Vec<Diagnostic> {
    let mut refused = Vec::new();
    for function in package.functions.values() {
        let problems = [parameters(package, function), results(package, function), companions(package, function)];
        let problems = problems.into_iter().flatten().map(|(problem, hint)| {
            let message = format!("{} cannot be in Go: {problem}", function.rust_path);
            Diagnostic::new(if hint == RELEASES { ErrorCode::Schema } else { ErrorCode::GoName }, message).at(function.place()).hint(hint)
        });
        refused.extend(problems);
    }
    refused
}

/// The hint for a record that lacks a part.
const RELEASES: &str = "build with a rustgo and a rustgo-support of the same release";

type Problem = (String, &'static str);

fn parameters(package: &Package, function: &Function) -> Vec<Problem> {
    let mut problems = Vec::new();
    let locked = |ty: &Type| ty.declared().is_some_and(|decl| package.type_of(&decl.rust_path).is_some_and(|declared| declared.locked));
    if function.params.iter().filter(|param| appends(param)).count() > 1 {
        problems.push(("it appends to several slices".into(), RELEASES));
    }
    if function.calls_go() {
        if function.makes_iterator() && function.params.iter().any(|param| param.is_called() && !param.field.ty.is_kept()) {
            problems.push((
                "it returns an iterator and takes a Go value that Rust has only during the call".into(),
                "take it as an OwnedFunc, OwnedGo, OwnedReader or OwnedWriter, which the iterator can keep",
            ));
        }
        if function.blocking.is_some() {
            problems.push(("it is blocking and takes a Go function".into(), "leave out `blocking`"));
        }
    }
    if package.no_threads && function.calls_go() {
        problems.push((
            "it takes a Go value that Rust may call, and all calls of a package with threads = \"none\" run one after the other, so a call by that Go code would wait for ever".into(),
            "return the data, and call the Go function in Go",
        ));
    }
    if package.no_threads && function.blocking.is_some() {
        problems.push((
            "it is blocking, and all calls of a package with threads = \"none\" run one after the other".into(),
            "leave out `blocking`",
        ));
    }
    if function.task.is_some() && (function.calls_go() || package.keeps_go()) {
        if let Some(param) = function.params.iter().find(|param| load::refers_to_inline(&param.field.ty)) {
            // Wrappers do not mark an inline object (an object in Go's memory) as used. So a Go function that Rust calls could change the object
            // while Rust has a reference to it.
            problems.push((
                format!("it calls Go functions, which could change the inline object {} meanwhile", param.go.name),
                "leave out `inline` at the type",
            ));
        }
        if function.borrows
            && let Some(param) = super::task::written(function).next()
        {
            // Rust would get a copy of the argument and return a part of the copy. But the documentation promises a part of the argument itself.
            problems.push((
                format!("it calls Go functions, writes to {}, and returns a part of an argument", param.go.name),
                "return a Vec, a String or a number instead of a reference",
            ));
        }
    }
    for param in &function.params {
        let ty = &param.field.ty;
        let is_allowed = match ty {
            // The companion function that fetches an iterator's items has pointers to arrays of raw values, which Rust fills.
            _ if function.role == Role::Next => true,
            Type::Append { elem } => is_direct(elem),
            Type::Object { .. } => true,
            ty => is_direct(ty),
        };
        let itself = match ty {
            Type::Pointer { elem, .. } => elem,
            ty => ty,
        };
        if !is_allowed {
            problems.push((format!("the parameter {} has the type {}, which only results can have", param.go.name, go_type(ty)), RELEASES));
        } else if function.role != Role::Next && !matches!(itself, Type::Object { .. }) && !itself.is_called() && itself.has(locked) {
            let problem = format!("the parameter {} refers to several objects that only one call may use at a time", param.go.name);
            problems.push((problem, "take each of the objects as a parameter"));
        }
    }
    if function.role == Role::Method && (function.params.is_empty() || function.owner.is_none()) {
        problems.push(("it is a method of nothing".into(), RELEASES));
    }
    problems
}

fn results(package: &Package, function: &Function) -> Vec<Problem> {
    let mut problems = Vec::new();
    // Go code converts the items that an iterator fetches, so these are checked like results.
    let fetched = if function.role == Role::Next { function.params.as_slice() } else { &[] };
    for field in function.results.iter().chain(fetched) {
        let is_itself = |ty: &Type| std::ptr::eq(ty, &field.field.ty);
        field.field.ty.each(&mut |ty| match ty {
            Type::Iterator { .. } if !is_itself(ty) || function.results.len() > 1 || function.params.iter().any(appends) => {
                problems.push(("it returns more than an iterator".into(), "make a function that returns the iterator and nothing else"));
            }
            Type::Array { len, elem } if !is_direct(elem) && function.role != Role::Next && *len > MAX_CONVERTED => problems.push((
                format!("it returns an array of {len} elements that each have to be converted"),
                "return a Vec instead of the array",
            )),
            Type::Append { .. } => problems.push(("it returns what can only be a parameter".into(), RELEASES)),
            Type::Pointer { elem, .. } | Type::Slice { elem, .. } if !is_direct(ty) && function.role != Role::Next => {
                problems.push((format!("it returns a reference to {}", go_type(elem)), "return the value itself"));
            }
            Type::Object { decl, words: 0, .. } if package.of_role(Some(&decl.rust_path), Role::Drop).is_none() => {
                problems.push((format!("no record describes how a {} is dropped", decl.go_name), RELEASES));
            }
            Type::Error { decl, size: 4, .. } if package.of_role(Some(&decl.rust_path), Role::Text).is_none() => {
                problems.push((format!("no record describes how the text of a {} is found", decl.go_name), RELEASES));
            }
            _ => {}
        });
        if field.field.ty.has(Type::is_freed) && package.of_role(None, Role::Release).is_none() {
            problems.push(("no record describes how memory is freed".into(), RELEASES));
        }
    }
    problems
}

fn appends(param: &Param) -> bool {
    matches!(param.field.ty, Type::Append { .. })
}

/// Refuses a function that returns an iterator if a companion function, which fetches the items or drops the iterator, is missing.
fn companions(package: &Package, function: &Function) -> Vec<Problem> {
    // `results` already refuses a function that returns more than an iterator. Such a function gets no second refusal here.
    let is_alone = function.results.len() == 1 && !function.params.iter().any(appends);
    let is_missing = function.makes_iterator() && is_alone && super::iterator::body(package, function).is_none();
    let problem = "no record describes how the items of its iterator are fetched".to_owned();
    if is_missing { vec![(problem, RELEASES)] } else { Vec::new() }
}
