//! Checks if Go can import a package from its folder. Go allows fewer names in an import path than file systems allow for folders.

use std::path::Path;

/// Names that Windows reserves for devices. Windows also reserves every file name whose part before the first dot is such a name, for example
/// `con.txt`.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Returns a message if Go cannot import the folder `out` because of its name, or because of the name of a folder between `out` and its module.
pub fn problem(out: &Path) -> Option<String> {
    let out = std::path::absolute(out).ok()?;
    let module = out.ancestors().find(|dir| dir.join("go.mod").is_file())?;
    let name = out.strip_prefix(module).ok()?.iter().find(|name| !name.to_str().is_some_and(is_element))?;
    Some(format!("Go cannot import the package: the folder {name:?} cannot be a part of an import path"))
}

/// True if the go command accepts `name` as one element of an import path: the name must follow the rules of
/// `golang.org/x/mod/module.CheckImportPath`, and must not be `vendor`.
pub fn is_element(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let stem = lower.split('.').next().unwrap_or_default();
    let is_device = DEVICES.contains(&stem)
        || NUMBERED_DEVICES.iter().any(|device| stem.strip_prefix(device).is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9'])));
    // Windows gives a file with a long name a second, short name such as NAME~1.
    let is_short_form = stem.rsplit_once('~').is_some_and(|(_, rest)| !rest.is_empty() && rest.bytes().all(|c| c.is_ascii_digit()));
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | '+');
    !name.is_empty() && name.chars().all(allowed) && !name.ends_with('.') && !is_device && !is_short_form && name != "vendor"
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
        for name in ["", "sum", "v2.1-a_b~c+d", "com0", "console", "~1a", "vendors"] {
            assert_eq!(problem(&module.join(name)), None, "{name}");
        }
        for (path, name) in [("my sums", "my sums"), ("größe/sum", "größe"), ("a/b@c", "b@c"), ("nul", "nul"), ("vendor/sum", "vendor")]
        {
            assert!(problem(&module.join(path)).is_some_and(|problem| problem.contains(&format!("{name:?}"))), "{path}");
        }
    }

    #[test]
    fn names_that_go_refuses() {
        for name in ["", "a b", "a.", "CON", "aux.h", "lpt9", "com1.tar.gz", "long~1", "long~12.x", "vendor"] {
            assert!(!is_element(name), "{name}");
        }
    }
}
