//! `rustgo update`: finds the changes that a newer version of a crate makes in a module that `rustgo get` has made.

use super::files::{self, Wrapped};
use super::go_api::{Difference, declarations, difference};
use crate::config::go_module::GoModule;
use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::product::Product;
use crate::scaffold::Place;
use crate::verify::GO_FILE;
use crate::write::Folder;
use std::path::{Path, PathBuf};

/// A module that `rustgo get` has made.
#[derive(Debug)]
pub struct Module {
    pub dir: PathBuf,
    pub wrapped: Wrapped,
    /// The texts of Cargo.toml, of the wrapper's source, and of the generated Go file.
    manifest: String,
    source: String,
    go: String,
    /// README.md, if there is one.
    readme: Option<String>,
}

/// The names and texts of files.
pub type Texts = Vec<(String, String)>;

/// The changes that another version of the crate brings.
#[derive(Debug)]
pub struct Change {
    pub api: Difference,
    /// The files to replace. `None` if the wrapper was edited.
    pub replaces: Option<Texts>,
    /// The files to write beside the module's own if the wrapper was edited.
    pub beside: Texts,
}

/// Reads the module in a folder.
///
/// # Errors
/// [`ErrorCode::Request`] if the folder has no such module.
pub fn read(dir: &Path) -> Result<Module> {
    let absolute = dir.canonicalize().map_err(|error| refused(format!("the folder {}: {error}", dir.display())))?;
    let text = |name: &str| {
        std::fs::read_to_string(absolute.join(name))
            .map_err(|error| refused(format!("{} cannot be read: {error}", dir.join(name).display())))
    };
    let manifest = text("rust/Cargo.toml")?;
    let mut wrapped = files::wrapped(&manifest, &dir.join("rust/Cargo.toml").display().to_string())?;
    let readme = std::fs::read_to_string(absolute.join("README.md")).ok();
    let source = text("rust/src/lib.rs")?;
    if wrapped.version.is_empty() {
        wrapped.version = files::proposed_for(&source, &wrapped.name).unwrap_or_else(|| "of an unknown version".to_owned());
    }
    Ok(Module { wrapped, manifest, source, go: text(GO_FILE)?, readme, dir: absolute })
}

fn refused(message: String) -> Diagnostic {
    Diagnostic::new(ErrorCode::Request, message).hint("name the folder of a module that rustgo get has made: --module DIR")
}

impl Module {
    /// Returns the crate to wrap, in the form of the argument of `rustgo get`. If the module wraps a crate in a folder, returns the path of the
    /// folder. Otherwise returns `named` or, without `named`, the crate's name alone, which means the newest version.
    ///
    /// # Errors
    /// [`ErrorCode::Request`] if another crate is named.
    pub fn wanted(&self, named: Option<&str>) -> Result<String> {
        let own = || match &self.wrapped.path {
            Some(path) => self.dir.join("rust").join(path).to_string_lossy().into_owned(),
            None => self.wrapped.name.clone(),
        };
        let Some(named) = named else { return Ok(own()) };
        if named.split('@').next() != Some(&self.wrapped.name) {
            let message = format!("the module wraps the crate {}, not {named}", self.wrapped.name);
            return Err(Diagnostic::new(ErrorCode::Request, message)
                .hint(format!("rustgo update {}@VERSION, or rustgo get for another module", self.wrapped.name))
                .into());
        }
        Ok(if self.wrapped.path.is_some() { own() } else { named.to_owned() })
    }

    /// Returns the folder, package name and import path of the module.
    ///
    /// # Errors
    /// [`ErrorCode::Request`] if the folder is in no Go module.
    pub fn place(&self) -> Result<Place> {
        let outer = GoModule::of(&self.dir).ok_or_else(|| refused(format!("{} is in no Go module", self.dir.display())))?;
        let within = outer.within(&self.dir);
        let in_module = !self.dir.join("go.mod").is_file();
        let import = if within.is_empty() || within == "." { outer.path.clone() } else { format!("{}/{within}", outer.path) };
        let table: toml::Table = toml::from_str(&self.manifest).unwrap_or_default();
        let setting = table.get("package").and_then(|package| package.get("metadata")?.get("rustgo")?.get("package")?.as_str());
        let name = setting.map_or_else(|| self.dir.file_name().unwrap_or_default().to_string_lossy().into_owned(), str::to_owned);
        Ok(Place { dir: self.dir.clone(), name, import, in_module })
    }

    /// Compares the module with the new product. `draft` has the new wrapper crate and README.md, which are not in the product.
    ///
    /// # Errors
    /// [`ErrorCode::Output`] if a file of the draft cannot be read.
    pub fn change(&self, product: &Product, draft: &Path, wrapped: &Wrapped) -> Result<Change> {
        let new = |name: &str| {
            std::fs::read_to_string(draft.join(name)).map_err(|error| Diagnostic::new(ErrorCode::Output, format!("{name}: {error}")))
        };
        let declared = declarations(&product.declarations());
        let api = difference(&declarations(&self.go), &declared);
        let source = new("rust/src/lib.rs")?;
        let manifest = files::with_dependency(&self.manifest, wrapped)
            .map(|text| files::with_untested(&text, &product.unrepeatable, |name| declared.contains_key(name)));
        let replaces = match manifest.filter(|_| files::is_unedited(&self.source)) {
            None => None,
            Some(manifest) => {
                let is_edited = self.readme.as_ref().is_some_and(|text| !files::is_unedited(text));
                let readme = if is_edited { "README.md.new" } else { "README.md" };
                let lock = new("rust/Cargo.lock")?;
                Some(vec![
                    ("rust/src/lib.rs".to_owned(), source.clone()),
                    ("rust/Cargo.toml".to_owned(), manifest),
                    ("rust/Cargo.lock".to_owned(), lock),
                    (readme.to_owned(), new("README.md")?),
                ])
            }
        };
        Ok(Change { api, replaces, beside: vec![("rust/src/lib.rs.new".to_owned(), source)] })
    }
}

impl Change {
    /// Returns the number of changes and the semantic version that they ask for.
    pub fn title(&self) -> String {
        let Difference { added, gone, changed } = &self.api;
        format!(
            "{} added, {} gone, {} changed in the Go API, which asks for {}",
            added.len(),
            gone.len(),
            changed.len(),
            self.api.asks_for()
        )
    }
}

/// Changes the paths of a product's folders: from the draft's folder to the module's.
pub fn move_to(folders: &mut [Folder], draft: &Path, module: &Path) {
    for folder in folders {
        if let Ok(within) = folder.dir.strip_prefix(draft) {
            folder.dir = module.join(within);
        }
    }
}
