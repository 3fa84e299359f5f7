//! Checks that the Go package's folder can be imported: Go allows fewer characters in an import path than file systems do in a name.

use std::path::Path;

/// The reason why the folder `out` cannot be imported, if its name or a name between it and its module's folder has a character that Go does not
/// allow.
///
/// The allowed characters are those of `golang.org/x/mod/module.CheckImportPath`.
pub fn problem(out: &Path) -> Option<String> {
    let out = std::path::absolute(out).ok()?;
    let module = out.ancestors().find(|dir| dir.join("go.mod").is_file())?;
    let name = out.strip_prefix(module).ok()?.iter().find(|name| !name.to_str().is_some_and(is_element))?;
    Some(format!("Go cannot import the package: the folder {name:?} has a character that no import path may have"))
}

pub fn is_element(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | '+'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_inside_the_module_are_checked() {
        let root = tempfile::tempdir().unwrap();
        let module = root.path().join("a checkout");
        std::fs::create_dir_all(&module).unwrap();
        assert_eq!(problem(&module.join("ü")), None, "there is no module to import it from");
        std::fs::write(module.join("go.mod"), "module m\n").unwrap();
        for name in ["", "sum", "v2.1-a_b~c+d"] {
            assert_eq!(problem(&module.join(name)), None, "{name}");
        }
        for (path, name) in [("my sums", "my sums"), ("größe/sum", "größe"), ("a/b@c", "b@c")] {
            assert!(problem(&module.join(path)).is_some_and(|problem| problem.contains(&format!("{name:?}"))), "{path}");
        }
    }
}
