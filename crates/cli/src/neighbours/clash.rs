//! Compares the generated package with the folder's other files. Refuses declarations and files that Go does not accept together, and returns
//! notes.

use super::constraint::SUPPORTED_OS;
use super::scan::{Declared, Method};
use super::{Content, File, GoFile, read};
use crate::api::{Item, Package};
use crate::diag::{Diagnostic, ErrorCode, Failure, Place, Result};
use crate::gosrc::{self, Declaration, NamedType, TypeBody};
use crate::target::Arch;
use rustgo_schema::go_keywords::PREDECLARED_TYPES;
use std::collections::BTreeSet;
use std::path::Path;

/// Finds clashes between the generated files and the other files of the folder. Returns notes.
///
/// `made` lists the names of the generated files. `package` has the declarations of the generated Go file.
///
/// # Errors
/// [`ErrorCode::Output`] for everything that Go would refuse or misunderstand: a name that is declared twice or has another meaning in Go, a
/// symbol that is defined twice, a source file that needs cgo.
pub fn clashes<'a>(
    dir: &Path,
    made: impl Iterator<Item = &'a String>,
    go_file: &gosrc::File,
    package: &Package,
    arches: &[Arch],
) -> Result<Vec<String>> {
    let made: BTreeSet<&str> = made.map(String::as_str).collect();
    let others = read(dir, |name| !made.contains(name));
    let folder = Folder { go_file, package, arches };
    let mut refused = Vec::new();
    for file in &others {
        folder.check(file, &mut refused);
    }
    if !refused.is_empty() {
        return Err(Failure::Refused(refused));
    }
    let missing = go_file.types.iter().filter(|ty| ty.package.is_none() && !folder.declares(&others, ty));
    Ok(missing
        .map(|ty| format!("declare the type {} in another file of the package: Go needs it, and it is not there yet", ty.name))
        .collect())
}

/// The generated package, which [`Folder::check`] compares with each other file of the folder.
struct Folder<'a> {
    go_file: &'a gosrc::File,
    package: &'a Package,
    arches: &'a [Arch],
}

impl Folder<'_> {
    fn check(&self, file: &File, refused: &mut Vec<Diagnostic>) {
        let name = file.name();
        match &file.content {
            Content::Go(go) if self.is_of_package(go) && self.built(file, false) => {
                match go.top.imports.iter().find(|import| import.path == "C") {
                    // Go itself refuses cgo in tests, so a test file needs no refusal here.
                    Some(import) if !go.is_test && self.built(file, true) => {
                        let problem = format!("{name} uses cgo, and Go allows no assembly beside it");
                        refused.push(self.refuse(file, Some(import.line), problem).hint(MOVE));
                    }
                    // A file that imports "C" is not built without cgo, so its declarations do not count.
                    Some(_) => {}
                    None => self.check_names(file, go, refused),
                }
            }
            Content::Assembly(symbols) if self.built(file, false) => {
                for Declared { name: symbol, line, .. } in symbols {
                    if let Some(export) = self.export(symbol) {
                        let problem = format!("{name} defines {symbol}, as the generated assembly does");
                        refused.push(self.refuse(file, Some(*line), problem).note(whose(&export)).hint(self.rename()));
                    }
                }
            }
            Content::Other(language) if self.built(file, false) => {
                let problem = format!("{name} holds {language}, which Go takes with cgo only, and cgo allows no assembly of Go's");
                refused.push(self.refuse(file, None, problem).hint(MOVE));
            }
            _ => {}
        }
    }

    /// Refuses declarations and import names of the file that clash with the generated package.
    fn check_names(&self, file: &File, go: &GoFile, refused: &mut Vec<Diagnostic>) {
        let file_name = file.name();
        for import in &go.top.imports {
            if let Some((name, export)) = import.name.as_ref().and_then(|name| Some((name, self.export(name)?))) {
                let problem = format!("{file_name} imports a package as {name}, which rustgo.go declares");
                refused.push(self.refuse(file, Some(import.line), problem).note(whose(&export)).hint("import it by another name"));
            }
        }
        for Declared { name, line, .. } in &go.top.declared {
            let mut refuse =
                |problem: String| refused.push(self.refuse(file, Some(*line), problem).hint(format!("rename it in {file_name}")));
            if self.imports(name) {
                refuse(format!("{file_name} declares {name}, and rustgo.go imports a package of that name"));
            } else if self.uses_predeclared(name) {
                refuse(format!("{file_name} declares {name}, and rustgo.go means Go's own {name}"));
            } else if let Some(export) = self.export(name) {
                let problem = format!("{file_name} declares {name}, as rustgo.go does");
                refused.push(self.refuse(file, Some(*line), problem).note(whose(&export)).hint(self.rename()));
            }
        }
        for Method { of, name, line } in &go.top.methods {
            if self.has_member(of, name) {
                let problem =
                    format!("{file_name} declares the method {of}.{name}, and rustgo.go gives {of} a field or method of that name");
                refused.push(self.refuse(file, Some(*line), problem).hint(format!("rename it in {file_name}")));
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

    fn refuse(&self, file: &File, line: Option<u32>, problem: String) -> Diagnostic {
        let place = Place { function: String::new(), file: Some(file.path.display().to_string()), line, inlined: None };
        let diagnostic = Diagnostic::new(ErrorCode::Output, problem).at(place);
        let mut systems: Vec<&str> = self.arches.iter().flat_map(|arch| file.constraint.systems(*arch, false)).collect();
        systems.sort_unstable();
        systems.dedup();
        // A note about systems would add nothing if the file is built on all of them.
        if systems.len() < SUPPORTED_OS.len() { diagnostic.note(format!("it is built for {}", systems.join(", "))) } else { diagnostic }
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

    /// Returns true if Go builds the file together with generated code on some system.
    fn built(&self, file: &File, cgo: bool) -> bool {
        self.arches.iter().any(|arch| !file.constraint.systems(*arch, cgo).is_empty())
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

    fn declares(&self, files: &[File], ty: &NamedType) -> bool {
        let declares =
            |go: &GoFile| !go.is_test && self.is_of_package(go) && go.top.declared.iter().any(|d| d.is_type && d.name == ty.name);
        files.iter().any(|file| matches!(&file.content, Content::Go(go) if declares(go)) && self.built(file, false))
    }
}

impl File {
    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

const MOVE: &str = "move that file to another folder, or choose another output folder with --out DIR";

fn whose(item: &Item<'_>) -> String {
    format!("{} is {}", item.name, item.show())
}
