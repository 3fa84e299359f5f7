//! Merges the packages of all targets (architectures and processor levels) into one package, for the module bind.
//!
//! Each target is compiled separately, so `cfg(target_arch)` in the crate can make the packages differ. Go sees one declaration of each function,
//! and the assembly of each target must fit this declaration.

use super::{Declared, Function, Package, declared};
use crate::diag::{Diagnostic, ErrorCode, Failure, Place, Result};
use crate::target::Target;
use rustgo_schema::{Constant, Decl, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the package that all targets share. Refuses an export that some target lacks, and an export whose types, parameter names, values, or
/// offsets of arguments and results differ between targets.
///
/// Documentation, source lines and stack budgets may differ: Go gets the documentation of the first target. Only the stack sizes of tasks must be
/// equal, because the Go file contains them.
///
/// # Errors
/// Returns an [`ErrorCode::Architecture`] for each target and each export that differs between this target and the first target. For each target, the
/// functions come first, then the types, then the constants, each ordered by name.
pub fn agree(targets: &[(Target, &Package)]) -> Result<Package> {
    let Some(((first, package), others)) = targets.split_first() else { return Ok(Package::default()) };
    let mut refused = Vec::new();
    for (target, other) in others {
        compare((*first, &functions(package)), (*target, &functions(other)), &mut refused);
        compare((*first, &types(package)), (*target, &types(other)), &mut refused);
        compare((*first, &constants(package)), (*target, &constants(other)), &mut refused);
    }
    if refused.is_empty() { Ok((*package).clone()) } else { Err(Failure::Refused(refused)) }
}

/// Items by the names that messages show. If two items have one name, the map contains only one of them; bind refuses the name later.
type ByName<'a, T> = BTreeMap<String, &'a T>;

fn functions(package: &Package) -> ByName<'_, Function> {
    package.functions.values().map(|function| (function.shown(), function)).collect()
}

fn types(package: &Package) -> ByName<'_, Declared> {
    package.types.iter().map(|declared| (declared.decl.go_name.clone(), declared)).collect()
}

fn constants(package: &Package) -> ByName<'_, Constant> {
    package.constants.iter().map(|constant| (constant.go_name.clone(), constant)).collect()
}

/// An item that every target must export in the same way.
trait Exported {
    const KIND: &str;
    /// The difference that a message states if [`Exported::show`] returns equal texts for two different items.
    const UNSEEN: &str;
    fn is_same(&self, other: &Self) -> bool;
    fn place(&self) -> Place;
    /// Describes the item as Go sees it. Leaves out documentation, lines and stack budgets.
    fn show(&self) -> String;
}

fn compare<T: Exported>(
    (first, ours): (Target, &ByName<'_, T>),
    (target, theirs): (Target, &ByName<'_, T>),
    refused: &mut Vec<Diagnostic>,
) {
    let names: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let (first, target) = match first.arch == target.arch {
        true => (first.level.to_string(), target.level.to_string()),
        false => (first.to_string(), target.to_string()),
    };
    for name in names {
        refused.extend(match (ours.get(name), theirs.get(name)) {
            (Some(a), Some(b)) if !a.is_same(b) => {
                let refused = refuse(*a, format!("the {} {name} differs between {first} and {target}", T::KIND));
                let (ours, theirs) = (a.show(), b.show());
                Some(match ours == theirs {
                    true => refused.note(format!("for both it is {ours} in Go; {}", T::UNSEEN)),
                    false => refused.note(format!("{first}: {ours}")).note(format!("{target}: {theirs}")),
                })
            }
            (Some(a), None) => Some(refuse(*a, format!("{name} is exported for {first}, but not for {target}"))),
            (None, Some(b)) => Some(refuse(*b, format!("{name} is exported for {target}, but not for {first}"))),
            _ => None,
        });
    }
}

fn refuse(exported: &impl Exported, message: String) -> Diagnostic {
    Diagnostic::new(ErrorCode::Architecture, message)
        .at(exported.place())
        .hint("the exports depend on cfg(target_arch) or cfg(target_feature): make them the same for all targets, or build for one with --arch or --cpu")
}

impl Exported for Function {
    const KIND: &str = "function";
    const UNSEEN: &str = "in Rust it differs in &T and &mut T, in what is an Option, in what the results borrow, in blocking, or in task";

    fn is_same(&self, other: &Self) -> bool {
        let shape =
            |f: &Function| (f.symbol.clone(), f.is_routine, f.borrows, f.results_offset, f.size, f.blocking.clone(), f.task, f.nilable);
        let fields = |f: &Function| f.params.iter().chain(&f.results).map(|field| without_notes(&field.field.ty)).collect::<Vec<_>>();
        let places = |f: &Function| {
            let place = |param: &super::Param| (param.field.name.clone(), param.go.clone(), param.field.offset);
            (f.params.iter().map(place).collect::<Vec<_>>(), f.results.iter().map(place).collect::<Vec<_>>())
        };
        (shape(self), places(self), fields(self)) == (shape(other), places(other), fields(other))
    }

    fn place(&self) -> Place {
        self.place()
    }

    fn show(&self) -> String {
        let (declaration, size, results) = (self.declaration(), self.size, self.results_offset);
        format!("{declaration}, {size} bytes of arguments and results, the results from byte {results} on")
    }
}

impl Exported for Declared {
    const KIND: &str = "type";
    const UNSEEN: &str = "the Rust types implement different traits, or have fields or elements of different types";

    fn is_same(&self, other: &Self) -> bool {
        (without_notes(&self.ty), self.locked) == (without_notes(&other.ty), other.locked)
    }

    fn place(&self) -> Place {
        self.place()
    }

    fn show(&self) -> String {
        let member = |member: &rustgo_schema::Member| format!("{} {} at {}", member.go_name, super::go_type(&member.ty), member.offset);
        let members = |members: &[rustgo_schema::Member]| members.iter().map(member).collect::<Vec<_>>().join(", ");
        let layout = self.ty.layout();
        let parts = match &self.ty {
            Type::Struct { fields, .. } => members(fields),
            Type::Enum { variants: cases, .. } | Type::Error { cases, .. } => {
                let case = |case: &rustgo_schema::Variant| match members(&case.fields) {
                    fields if fields.is_empty() => format!("{} = {}", case.go_name, case.value),
                    fields => format!("{} {{{fields}}}", case.go_name),
                };
                cases.iter().map(case).collect::<Vec<_>>().join(", ")
            }
            Type::Object { words, flags, .. } => format!("{words} words, flags {flags}"),
            Type::Trait { methods, .. } => {
                let method = |method: &rustgo_schema::Method| format!("{}{}", method.go_name, super::declared_method(method).signature());
                methods.iter().map(method).collect::<Vec<_>>().join(", ")
            }
            _ => String::new(),
        };
        format!("{} bytes, aligned to {}: {parts}", layout.size, layout.align)
    }
}

impl Exported for Constant {
    const KIND: &str = "constant";
    const UNSEEN: &str = "in Rust its type differs";

    fn is_same(&self, other: &Self) -> bool {
        let parts = |c: &Constant| (without_notes(&c.ty), c.value.clone(), c.variable);
        parts(self) == parts(other)
    }

    fn place(&self) -> Place {
        declared::place(&self.rust_path, &self.file, self.line)
    }

    fn show(&self) -> String {
        format!("{}, the bytes {:02x?}", super::go_type(&self.ty), self.value)
    }
}

/// Returns true if two constants have the same type and the same value.
pub fn is_same_constant(a: &Constant, b: &Constant) -> bool {
    a.is_same(b)
}

/// Returns the type without documentation and source lines, which may differ between targets.
fn without_notes(ty: &Type) -> Type {
    let mut ty = ty.clone();
    strip(&mut ty);
    ty
}

fn strip(ty: &mut Type) {
    let plain = |decl: &mut Decl| (decl.doc, decl.line) = (String::new(), 0);
    let members = |members: &mut [rustgo_schema::Member]| {
        for member in members {
            member.doc.clear();
            strip(&mut member.ty);
        }
    };
    let variants = |variants: &mut [rustgo_schema::Variant]| {
        for variant in variants {
            variant.doc.clear();
            members(&mut variant.fields);
        }
    };
    match ty {
        Type::Array { elem, .. }
        | Type::Pointer { elem, .. }
        | Type::Slice { elem, .. }
        | Type::List { elem, .. }
        | Type::Append { elem } => {
            strip(elem);
        }
        Type::Struct { decl, fields, .. } => {
            plain(decl);
            members(fields);
        }
        Type::Enum { decl, variants: cases, .. } | Type::Error { decl, cases, .. } => {
            plain(decl);
            variants(cases);
        }
        Type::Object { decl, .. } => plain(decl),
        Type::Iterator { items } => items.iter_mut().for_each(strip),
        Type::Func { params, results, .. } => params.iter_mut().chain(results).for_each(strip),
        Type::Trait { decl, methods, .. } => {
            plain(decl);
            for method in methods {
                method.doc.clear();
                method.params.iter_mut().chain(&mut method.results).for_each(strip);
            }
        }
        Type::Basic(_) | Type::Handle { .. } | Type::Text { .. } | Type::Failure {} | Type::Address {} | Type::Interface { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::agree;
    use crate::api::Package;
    use crate::diag::{Diagnostic, Failure};
    use crate::target::{Arch, Target};
    use rustgo_schema::{Basic, Constant, Decl, Field, Function, Member, Method, Type};

    fn export(name: &str, ty: Type) -> Function {
        Function {
            results_offset: 8,
            frame_size: 8,
            ..crate::api::tests::export(name, vec![Field { name: "x".into(), ty, offset: 0 }], vec![])
        }
    }

    fn refusals(a: &[Function], b: &[Function]) -> Vec<Diagnostic> {
        let [amd64, arm64] = Arch::ALL.map(Target::baseline);
        match agree(&[(amd64, &Package::new(a, &[])), (arm64, &Package::new(b, &[]))]) {
            Ok(_) => Vec::new(),
            Err(Failure::Refused(reasons)) => reasons,
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_same_exports_agree() {
        let a = [export("F", Type::Basic(Basic::Uint64)), export("G", Type::Basic(Basic::String))];
        let mut b = a.clone();
        // Documentation, lines and stack budgets may differ between targets.
        (b[0].doc, b[0].line, b[0].stack) = ("F for arm64.".into(), 9, Some(4096));
        assert_eq!(refusals(&a, &b), []);
        let [amd64, arm64] = Arch::ALL.map(Target::baseline);
        let package = agree(&[(arm64, &Package::new(&b, &[])), (amd64, &Package::new(&a, &[]))]).unwrap();
        let docs: Vec<&str> = package.functions.values().map(|function| function.doc.as_str()).collect();
        assert_eq!(docs, ["F for arm64.", ""]);
    }

    #[test]
    fn every_difference_is_reported() {
        let a = [export("E", Type::Basic(Basic::Bool)), export("F", Type::Basic(Basic::Uint64)), export("G", Type::Basic(Basic::Int))];
        let b = [export("F", Type::Basic(Basic::Uint32)), export("G", Type::Basic(Basic::Int)), export("H", Type::Basic(Basic::Int))];
        let reasons = refusals(&a, &b);
        let messages: Vec<&str> = reasons.iter().map(|reason| reason.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "E is exported for amd64, but not for arm64",
                "the function F differs between amd64 and arm64",
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
    fn offsets_and_names_must_agree() {
        for change in [
            |e: &mut Function| e.frame_size = 16,
            |e: &mut Function| e.results_offset = 16,
            |e: &mut Function| e.blocking = Some(0),
            |e: &mut Function| e.task = true,
            |e: &mut Function| e.nilable = 1,
            |e: &mut Function| e.params[0].offset = 8,
            |e: &mut Function| e.params[0].name = "y".into(),
            |e: &mut Function| e.results.push(Field { name: String::new(), ty: Type::Basic(Basic::Bool), offset: 8 }),
        ] {
            let a = [export("F", Type::Basic(Basic::Uint64))];
            let mut b = a.clone();
            change(&mut b[0]);
            let reasons = refusals(&a, &b);
            assert_eq!(reasons.len(), 1, "{:?}", b[0]);
            let notes = &reasons[0].notes;
            match notes.len() {
                1 => assert!(notes[0].contains("results from byte 8 on in Go; in Rust it differs in &T and &mut T"), "{notes:?}"),
                _ => assert_ne!(notes[0].replace("amd64", "arm64"), notes[1]),
            }
        }
    }

    #[test]
    fn interfaces_must_agree() {
        let package = |doc: &str, line, kept, ty| {
            let decl =
                Decl { go_name: "Loader".into(), rust_path: "case::Loader".into(), file: "src/lib.rs".into(), line, doc: doc.into() };
            let method = Method {
                go_name: "Load".into(),
                name: "load".into(),
                doc: doc.into(),
                names: "user_id".into(),
                params: vec![Type::Basic(ty)],
                results: vec![Type::Failure {}],
            };
            [export("F", Type::Trait { decl, kept, methods: vec![method] })]
        };
        let a = package("", 1, false, Basic::Uint64);
        assert_eq!(refusals(&a, &package("Loads.", 2, false, Basic::Uint64)), []);
        let reasons = refusals(&a, &package("", 1, false, Basic::Uint32));
        let messages: Vec<&str> = reasons.iter().map(|reason| reason.message.as_str()).collect();
        assert_eq!(messages, ["the function F differs between amd64 and arm64", "the type Loader differs between amd64 and arm64"]);
        assert_eq!(
            reasons[1].notes,
            ["amd64: 8 bytes, aligned to 8: Load(userID uint64) error", "arm64: 8 bytes, aligned to 8: Load(userID uint32) error"]
        );
        assert_eq!(refusals(&a, &package("", 1, true, Basic::Uint64)).len(), 1);
    }

    /// Returns a package with these constants and with a function that takes a struct. The struct has a field at this offset.
    fn with_type(offset: u64, doc: &str, constants: &[Constant]) -> Package {
        let decl = Decl { go_name: "Point".into(), rust_path: "case::Point".into(), file: "src/lib.rs".into(), line: 3, doc: doc.into() };
        let field = Member { go_name: "X".into(), doc: doc.into(), offset, ty: Type::Basic(Basic::Uint32) };
        Package::new(&[export("F", Type::Struct { decl, size: 8, align: 4, fields: vec![field] })], constants)
    }

    #[test]
    fn types_and_constants_must_agree() {
        let most = |value: u8| Constant {
            go_name: "Most".into(),
            rust_path: "case::MOST".into(),
            file: "src/lib.rs".into(),
            line: 5,
            doc: String::new(),
            ty: Type::Basic(Basic::Uint8),
            value: vec![value],
            variable: false,
        };
        let [amd64, arm64] = Arch::ALL.map(Target::baseline);
        let refused = |a: &Package, b: &Package| match agree(&[(amd64, a), (arm64, b)]) {
            Ok(_) => Vec::new(),
            Err(Failure::Refused(reasons)) => reasons,
            Err(other) => panic!("{other:?}"),
        };
        let a = with_type(0, "", &[most(1)]);
        assert_eq!(refused(&a, &with_type(0, "Other words.", &[most(1)])), []);
        let reasons = refused(&a, &with_type(4, "", &[most(2)]));
        let messages: Vec<&str> = reasons.iter().map(|reason| reason.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "the function F differs between amd64 and arm64",
                "the type Point differs between amd64 and arm64",
                "the constant Most differs between amd64 and arm64"
            ]
        );
        assert_eq!(reasons[1].notes, ["amd64: 8 bytes, aligned to 4: X uint32 at 0", "arm64: 8 bytes, aligned to 4: X uint32 at 4"]);
        assert_eq!(reasons[2].notes, ["amd64: uint8, the bytes [01]", "arm64: uint8, the bytes [02]"]);
        let reasons = refused(&a, &with_type(0, "", &[]));
        assert_eq!(reasons[0].message, "Most is exported for amd64, but not for arm64");
    }
}
