//! The packages of several targets are one to Go: do they agree?
//!
//! Each target is compiled on its own, so `cfg(target_arch)` in the crate can make them differ. Go sees one declaration,
//! and each target's entry is made for what its own compiler said.

use super::{Function, Package};
use crate::diag::{Code, Diagnostic, Failure, Result};
use crate::target::Target;
use std::collections::{BTreeMap, BTreeSet};

/// Gives the one package that the packages of all targets describe. Refuses what is exported for one target and not for
/// another, or with other types, names of parameters or places of arguments and results.
///
/// Documentation, source lines and stack budgets may differ: the first target's documentation is what Go gets.
///
/// # Errors
/// [`Code::Architecture`] for each name that differs from the first target's, in the order of the names.
pub fn agree(targets: &[(Target, &Package)]) -> Result<Package> {
    let Some(((first, package), others)) = targets.split_first() else { return Ok(Package::default()) };
    let ours = by_name(package);
    let mut refused = Vec::new();
    for (target, package) in others {
        let theirs = by_name(package);
        let names: BTreeSet<&str> = ours.keys().chain(theirs.keys()).copied().collect();
        for name in names {
            refused.extend(match (ours.get(name), theirs.get(name)) {
                (Some(a), Some(b)) if !same(a, b) => Some(
                    refuse(a, format!("{name} is another function for {target} than for {first}"))
                        .note(show(*first, a))
                        .note(show(*target, b)),
                ),
                (Some(a), None) => Some(refuse(a, format!("{name} is exported for {first}, but not for {target}"))),
                (None, Some(b)) => Some(refuse(b, format!("{name} is exported for {target}, but not for {first}"))),
                _ => None,
            });
        }
    }
    if refused.is_empty() { Ok((*package).clone()) } else { Err(Failure::Refused(refused)) }
}

/// Where a name is exported twice, binding refuses it.
fn by_name(package: &Package) -> BTreeMap<&str, &Function> {
    package.functions.values().map(|function| (function.name.as_str(), function)).collect()
}

fn same(a: &Function, b: &Function) -> bool {
    let shape = |f: &Function| (f.is_routine, f.results_offset, f.size, f.blocking.clone());
    (shape(a), &a.params, &a.results) == (shape(b), &b.params, &b.results)
}

fn refuse(function: &Function, message: String) -> Diagnostic {
    Diagnostic::new(Code::Architecture, message)
        .at(function.place())
        .hint("the crate exports other things where cfg(target_arch) says so: make them alike, or build for one of them with --arch")
}

fn show(target: Target, function: &Function) -> String {
    let (declaration, size, results) = (function.declaration(), function.size, function.results_offset);
    format!("{target}: {declaration}, {size} bytes of arguments and results, the results from byte {results} on")
}

#[cfg(test)]
mod tests {
    use super::agree;
    use crate::api::Package;
    use crate::diag::{Diagnostic, Failure};
    use crate::target::{Arch, Target};
    use rustgo_schema::{Basic, Field, Function, Type};

    fn export(name: &str, ty: Type) -> Function {
        Function {
            go_name: name.into(),
            rust_path: format!("case::{}", name.to_lowercase()),
            file: "src/lib.rs".into(),
            line: 7,
            doc: String::new(),
            stack: None,
            blocking: None,
            params: vec![Field { name: "x".into(), ty, offset: 0 }],
            results: Vec::new(),
            results_offset: 8,
            frame_size: 8,
        }
    }

    fn refusals(a: &[Function], b: &[Function]) -> Vec<Diagnostic> {
        let [amd64, arm64] = Arch::ALL.map(Target::baseline);
        match agree(&[(amd64, &Package::new(a)), (arm64, &Package::new(b))]) {
            Ok(_) => Vec::new(),
            Err(Failure::Refused(reasons)) => reasons,
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_same_exports_agree() {
        let a = [export("F", Type::Basic(Basic::Uint64)), export("G", Type::Basic(Basic::String))];
        let mut b = a.clone();
        // What Go does not see may differ.
        (b[0].doc, b[0].line, b[0].stack) = ("F for arm64.".into(), 9, Some(4096));
        assert_eq!(refusals(&a, &b), []);
        let [amd64, arm64] = Arch::ALL.map(Target::baseline);
        let package = agree(&[(arm64, &Package::new(&b)), (amd64, &Package::new(&a))]).unwrap();
        let docs: Vec<&str> = package.functions.values().map(|function| function.doc.as_str()).collect();
        assert_eq!(docs, ["F for arm64.", ""]);
    }

    #[test]
    fn every_name_that_differs_is_told() {
        let a = [export("E", Type::Basic(Basic::Bool)), export("F", Type::Basic(Basic::Uint64)), export("G", Type::Basic(Basic::Int))];
        let b = [export("F", Type::Basic(Basic::Uint32)), export("G", Type::Basic(Basic::Int)), export("H", Type::Basic(Basic::Int))];
        let reasons = refusals(&a, &b);
        let messages: Vec<&str> = reasons.iter().map(|reason| reason.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "E is exported for amd64, but not for arm64",
                "F is another function for arm64 than for amd64",
                "H is exported for arm64, but not for amd64"
            ]
        );
        assert_eq!(
            reasons[1].notes,
            [
                "amd64: func F(x uint64), 8 bytes of arguments and results, the results from byte 8 on",
                "arm64: func F(x uint32), 8 bytes of arguments and results, the results from byte 8 on"
            ]
        );
        assert_eq!(reasons[1].place.as_ref().unwrap().line, Some(7));
    }

    #[test]
    fn places_and_names_count() {
        for change in [
            |e: &mut Function| e.frame_size = 16,
            |e: &mut Function| e.results_offset = 16,
            |e: &mut Function| e.blocking = Some(0),
            |e: &mut Function| e.params[0].offset = 8,
            |e: &mut Function| e.params[0].name = "y".into(),
            |e: &mut Function| e.results.push(Field { name: String::new(), ty: Type::Basic(Basic::Bool), offset: 8 }),
        ] {
            let a = [export("F", Type::Basic(Basic::Uint64))];
            let mut b = a.clone();
            change(&mut b[0]);
            assert_eq!(refusals(&a, &b).len(), 1, "{:?}", b[0]);
        }
    }
}
