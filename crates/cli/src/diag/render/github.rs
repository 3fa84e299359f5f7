//! Prints errors as workflow commands of GitHub Actions. GitHub shows them at the source lines of a pull request.

use super::{Style, human};
use crate::diag::{Diagnostic, Place};
use std::path::{Component, Path, PathBuf};

/// The folders to which file names are relative, in messages and in annotations.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The folder of the Go package: messages name the author's files relative to it.
    pub package: PathBuf,
    /// The top of the checkout: annotations name files relative to it.
    pub workspace: PathBuf,
}

/// Returns the workflow command for an error, which makes an annotation. The annotation is at the place of the error if this place is in the
/// checkout, otherwise at the last call in the chain whose place is in the checkout. If there is no such call, or if `folders` is `None`, the
/// annotation names no file.
pub fn annotation(diagnostic: &Diagnostic, folders: Option<&Folders>) -> String {
    let calls = diagnostic.chain.iter().rev().map(|call| &call.place);
    let places = diagnostic.place.iter().chain(calls);
    let at = folders.and_then(|folders| places.into_iter().find_map(|place| in_checkout(place, folders)));
    let at = at.map_or_else(String::new, |(file, line)| format!("file={},line={line},", property(&file)));
    let title = property(&format!("rustgo: {}", diagnostic.code.as_str()));
    let text = human(diagnostic, Style::Plain);
    // The annotation's title already names the tool.
    let text = text.strip_prefix("rustgo: error: ").unwrap_or(&text);
    format!("::error {at}title={title}::{}", data(text.trim_end()))
}

/// Returns the file relative to the checkout, with slashes, and the line.
fn in_checkout(place: &Place, folders: &Folders) -> Option<(String, u32)> {
    let (file, line) = (place.file.as_ref()?, place.line?);
    let full = without_parents(&folders.package.join(file));
    let inside = full.strip_prefix(without_parents(&folders.workspace)).ok()?;
    Some((inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"), line))
}

/// Returns the path with `..` and the component before it removed.
fn without_parents(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut clean, part| {
        match part {
            Component::ParentDir => drop(clean.pop()),
            Component::CurDir => {}
            _ => clean.push(part),
        }
        clean
    })
}

/// Escapes the text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Call, ErrorCode};

    fn at(file: &str, line: u32) -> Place {
        Place { function: "demo::walk".into(), file: Some(file.into()), line: Some(line), inlined: None }
    }

    fn folders() -> Option<Folders> {
        Some(Folders { package: "/work/checkout/go/hash".into(), workspace: "/work/checkout/".into() })
    }

    #[test]
    fn an_error_is_annotated_at_its_place() {
        let mut error = Diagnostic::new(ErrorCode::Request, "50 % of the stack, or more").hint("state a budget");
        error.place = Some(at("../../rust/src/a,b.rs", 12));
        assert_eq!(
            annotation(&error, folders().as_ref()),
            "::error file=rust/src/a%2Cb.rs,line=12,title=rustgo%3A request::50 %25 of the stack, or more%0A  --> ../../rust/src/a,b.rs:12 (demo::walk)%0A  hint: state a budget"
        );
        assert!(annotation(&error, None).starts_with("::error title=rustgo%3A request::50 %25"));
    }

    #[test]
    fn dependency_error_is_annotated_at_the_call() {
        let mut error = Diagnostic::new(ErrorCode::Request, "a system call");
        error.place = Some(at("/cargo/other-1.0.0/src/lib.rs", 7));
        let call = |file, how| Call { place: at(file, 3), how };
        error.chain = vec![
            call("rust/src/lib.rs", Some("calls")),
            call("rust/src/inner.rs", Some("calls")),
            call("/cargo/other-1.0.0/src/lib.rs", None),
        ];
        let text = annotation(&error, folders().as_ref());
        assert!(text.starts_with("::error file=go/hash/rust/src/inner.rs,line=3,title="), "{text}");
        error.chain.clear();
        let text = annotation(&error, folders().as_ref());
        assert!(text.starts_with("::error title="), "{text}");
    }
}
