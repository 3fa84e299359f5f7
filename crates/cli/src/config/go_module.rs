//! Reads the path and Go version of the module to which a folder belongs, from the file `go.mod`.

use std::path::{Path, PathBuf};

/// A Go module on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoModule {
    /// The folder that contains `go.mod`, as an absolute path.
    pub root: PathBuf,
    /// The module's path, with which the import paths of the module's packages begin.
    pub path: String,
    /// The language version that `go.mod` states, such as `1.24` or `1.24.1`; `None` if it states none.
    pub go: Option<String>,
}

impl GoModule {
    /// Finds the module of the folder `dir`: the module of the nearest `go.mod` in `dir` or above it. `dir` need not exist. `None` if there is no
    /// `go.mod`, or if the nearest one has no module path.
    pub fn of(dir: &Path) -> Option<GoModule> {
        let root = dir.ancestors().find(|dir| dir.join("go.mod").is_file())?;
        let text = std::fs::read_to_string(root.join("go.mod")).ok()?;
        Some(GoModule { root: root.to_owned(), path: directive(&text, "module")?, go: directive(&text, "go") })
    }

    /// Returns the path from the module's folder to `dir`, with `/` between folders. Empty for the module's folder itself.
    pub fn within(&self, dir: &Path) -> String {
        let names = dir.strip_prefix(&self.root).unwrap_or(Path::new("")).iter().map(|name| name.to_string_lossy());
        names.collect::<Vec<_>>().join("/")
    }
}

/// Returns the argument of a directive in `go.mod`. The directive has one of two forms: `module m`, or `module (`, `m`, `)` on three lines.
///
/// Go Modules Reference, "go.mod files": strings may be quoted, and comments begin with `//`.
fn directive(text: &str, keyword: &str) -> Option<String> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim());
    let mut lines = lines.filter(|line| !line.is_empty());
    let argument = lines.find_map(|line| line.strip_prefix(keyword).filter(|rest| rest.starts_with([' ', '\t', '(', '"', '`'])))?;
    let argument = match argument.trim() {
        "(" => lines.next()?,
        argument => argument,
    };
    let argument = argument.trim_matches(['"', '`']);
    (!argument.is_empty() && !argument.contains(char::is_whitespace)).then(|| argument.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_read() {
        let go_mod = "// module no\n\nmodule example.com/my-hash // ours\n\ngo 1.24.1\n\nrequire golang.org/x/sys v0.1.0\n";
        assert_eq!(directive(go_mod, "module").as_deref(), Some("example.com/my-hash"));
        assert_eq!(directive(go_mod, "go").as_deref(), Some("1.24.1"));
        assert_eq!(directive("module \"example.com/m\"\n", "module").as_deref(), Some("example.com/m"));
        assert_eq!(directive("module (\n\texample.com/m\n)\n", "module").as_deref(), Some("example.com/m"));
        for text in ["", "modules m\n", "module\n", "module a b\n", "gopher 1\n"] {
            assert_eq!((directive(text, "module"), directive(text, "go")), (None, None), "{text:?}");
        }
    }

    #[test]
    fn the_nearest_module_is_used() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(root.path().join("go.mod"), "module outer\n").unwrap();
        let module = GoModule::of(&inner.join("missing")).unwrap();
        assert_eq!((module.path.as_str(), module.go.as_deref(), module.within(&inner).as_str()), ("outer", None, "a/b"));
        std::fs::write(inner.join("go.mod"), "module inner\n\ngo 1.24\n").unwrap();
        let module = GoModule::of(&inner).unwrap();
        assert_eq!((module.path.as_str(), module.go.as_deref(), module.within(&inner).as_str()), ("inner", Some("1.24"), ""));
    }
}
