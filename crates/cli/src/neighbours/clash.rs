//! Compares the generated package with the folder's other files. Refuses files and declarations that Go does not accept together with the package,
//! and returns notes.

use super::ports::{Built, SUPPORTED_OS};
use super::scan::{Declared, Method};
use super::{Content, File, GoFile, read};
use crate::api::{Item, Package};
use crate::diag::{Diagnostic, ErrorCode, Failure, Place, Result};
use crate::gosrc::{self, Declaration, NamedType, TypeBody};
use crate::target::Arch;
use crate::toolchain::Go;
use rustgo_schema::go_keywords::PREDECLARED_TYPES;
use std::collections::BTreeSet;
use std::path::Path;

/// Finds clashes between the generated files and the other files of the folder. Returns notes for the user if there is no clash.
///
/// `made` lists the names of the generated files. `package` has the declarations of the generated Go file. The go command runs only if a file would
/// clash, or if a file declares a type that the generated file needs.
///
/// # Errors
/// [`ErrorCode::Output`] for everything that Go would refuse or misunderstand: a name that is declared twice, a declaration that hides a predeclared
/// name of Go in the generated file, a symbol that is defined twice, a source file that needs cgo.
pub fn clashes<'a>(
    dir: &Path,
    made: impl Iterator<Item = &'a String>,
    go_file: &gosrc::File,
    package: &Package,
    arches: &[Arch],
    go: &Go,
) -> Result<Vec<String>> {
    let made: BTreeSet<&str> = made.map(String::as_str).collect();
    let others = read(dir, |name| !made.contains(name));
    let folder = Folder { go_file, package, arches };
    let suspects: Vec<(&File, Vec<Diagnostic>)> =
        others.iter().map(|file| (file, folder.check(file))).filter(|(_, problems)| !problems.is_empty()).collect();
    let needed = || go_file.types.iter().filter(|ty| ty.package.is_none());
    let declaring = |ty: &NamedType| others.iter().filter(|file| folder.declares(file, ty)).map(File::name).collect::<Vec<_>>();
    let built = match suspects.is_empty() && needed().all(|ty| declaring(ty).is_empty()) {
        true => Built::default(),
        false => Built::with(go, dir, arches)?,
    };
    let refused: Vec<Diagnostic> = suspects.into_iter().flat_map(|(file, problems)| only_where_built(file, problems, &built)).collect();
    if !refused.is_empty() {
        return Err(Failure::Refused(refused));
    }
    let missing = needed().filter(|ty| !declaring(ty).iter().any(|name| built.contains(name)));
    Ok(missing
        .map(|ty| format!("declare the type {} in another file of the package: Go needs it, and it is not there yet", ty.name))
        .collect())
}

/// Returns no problems if Go builds the file on no system. Otherwise returns the problems, with a note about the systems on which Go builds the file.
fn only_where_built(file: &File, mut problems: Vec<Diagnostic>, built: &Built) -> Vec<Diagnostic> {
    let systems: Vec<&str> = built.systems(file.name()).into_iter().collect();
    if systems.is_empty() {
        return Vec::new();
    }
    // If Go builds the file on all systems, a note about systems would add nothing.
    if systems.len() < SUPPORTED_OS.len() {
        problems.iter_mut().for_each(|problem| problem.notes.insert(0, format!("it is built for {}", systems.join(", "))));
    }
    problems
}

/// The generated package, which [`Folder::check`] compares with each other file of the folder.
struct Folder<'a> {
    go_file: &'a gosrc::File,
    package: &'a Package,
    arches: &'a [Arch],
}

impl Folder<'_> {
    /// Returns the reasons why Go does not accept the file beside the generated package on systems for which Go builds the file.
    fn check(&self, file: &File) -> Vec<Diagnostic> {
        let mut refused = Vec::new();
        let name = file.name();
        match &file.content {
            Content::Go(go) if self.is_of_package(go) => {
                match go.top.imports.iter().find(|import| import.path == "C") {
                    // Go itself refuses cgo in test files, so rustgo need not refuse such a file.
                    Some(_) if go.is_test => {}
                    Some(import) => {
                        let problem = format!("{name} uses cgo, and Go allows no assembly beside it");
                        refused.push(refuse(file, Some(import.line), problem).hint(MOVE));
                    }
                    None => self.check_names(file, go, &mut refused),
                }
            }
            Content::Go(_) => {}
            Content::Assembly(symbols) => {
                for Declared { name: symbol, line, .. } in symbols {
                    if let Some(export) = self.export(symbol) {
                        let problem = format!("{name} defines {symbol}, as the generated assembly does");
                        refused.push(refuse(file, Some(*line), problem).note(whose(&export)).hint(self.rename()));
                    }
                }
            }
            Content::Other(language) => {
                let problem =
                    format!("{name} holds {language}, which Go compiles only with cgo, and a package with cgo can have no Go assembly");
                refused.push(refuse(file, None, problem).hint(MOVE));
            }
        }
        refused
    }

    /// Refuses declarations and import names of the file that clash with the generated package.
    fn check_names(&self, file: &File, go: &GoFile, refused: &mut Vec<Diagnostic>) {
        let file_name = file.name();
        for import in &go.top.imports {
            if let Some((name, export)) = import.name.as_ref().and_then(|name| Some((name, self.export(name)?))) {
                let problem = format!("{file_name} imports a package as {name}, which rustgo.go declares");
                refused.push(refuse(file, Some(import.line), problem).note(whose(&export)).hint("import it by another name"));
            }
        }
        for Declared { name, line, .. } in &go.top.declared {
            let mut refuse_it =
                |problem: String| refused.push(refuse(file, Some(*line), problem).hint(format!("rename it in {file_name}")));
            if self.imports(name) {
                refuse_it(format!("{file_name} declares {name}, and rustgo.go imports a package of that name"));
            } else if self.uses_predeclared(name) {
                refuse_it(format!("{file_name} declares {name}, and rustgo.go means Go's own {name}"));
            } else if let Some(export) = self.export(name) {
                let problem = format!("{file_name} declares {name}, as rustgo.go does");
                refused.push(refuse(file, Some(*line), problem).note(whose(&export)).hint(self.rename()));
            }
        }
        for Method { of, name, line } in &go.top.methods {
            if self.has_member(of, name) {
                let problem =
                    format!("{file_name} declares the method {of}.{name}, and rustgo.go gives {of} a field or method of that name");
                refused.push(refuse(file, Some(*line), problem).hint(format!("rename it in {file_name}")));
            }
        }
    }

    /// Returns true if the generated Go file declares a method or field of this name for the type `of`.
    fn has_member(&self, of: &str, name: &str) -> bool {
        self.go_file.declarations.iter().any(|declaration| match declaration {
            Declaration::Func(func) => {
                let is_its = |receiver: &gosrc::Param| receiver.ty.trim_start_matches('*') == of;
                func.name == name && func.receiver.as_ref().is_some_and(is_its)
            }
            Declaration::Type(ty) => match &ty.ty {
                TypeBody::Struct(members) => ty.name == of && members.iter().any(|member| member.name == name),
                _ => false,
            },
            Declaration::Values(_) => false,
        })
    }

    /// Returns the hint for a message about two declarations of one name.
    fn rename(&self) -> String {
        let others: Vec<String> = self.arches.iter().map(|arch| format!("!{arch}")).collect();
        format!(
            "rename one of them, #[rustgo::export(name = \"GoName\")]; a file for other processors needs the line //go:build {}",
            others.join(" && ")
        )
    }

    /// Returns true if the file belongs to the generated package. External tests (`package a_test`) belong to another package.
    fn is_of_package(&self, go: &GoFile) -> bool {
        go.top.package == self.go_file.package
    }

    fn export(&self, name: &str) -> Option<Item<'_>> {
        self.package.item(name)
    }

    fn imports(&self, name: &str) -> bool {
        let own =
            |import: &gosrc::Import| import.name.clone().unwrap_or_else(|| import.path.rsplit('/').next().unwrap_or_default().to_owned());
        name != "_" && self.go_file.imports.iter().any(|import| own(import) == name)
    }

    fn uses_predeclared(&self, name: &str) -> bool {
        PREDECLARED_TYPES.contains(&name) && self.go_file.declarations.iter().any(|declaration| gosrc::names(&declaration.code(), name))
    }

    /// Returns true if the file declares the type and is not a test file.
    fn declares(&self, file: &File, ty: &NamedType) -> bool {
        let declared = |go: &GoFile| go.top.declared.iter().any(|declared| declared.is_type && declared.name == ty.name);
        matches!(&file.content, Content::Go(go) if !go.is_test && self.is_of_package(go) && declared(go))
    }
}

fn refuse(file: &File, line: Option<u32>, problem: String) -> Diagnostic {
    let place = Place { function: String::new(), file: Some(file.path.display().to_string()), line, inlined: None };
    Diagnostic::new(ErrorCode::Output, problem).at(place)
}

const MOVE: &str = "move that file to another folder, or choose another output folder with --out DIR";

fn whose(item: &Item<'_>) -> String {
    format!("{} is {}", item.name, item.show())
}
