//! The names of the runtime's built-in symbols. Object files refer to these symbols only by number.
//!
//! The file `cmd/internal/goobj/builtinlist.go` lists the names; the list differs between Go versions. Code that rustgo assembles refers only to the
//! built-in functions that the assembler's own stack check calls. So this module knows only the names of these functions.

/// Returns the name of the built-in symbol with number `index` for a Go version such as `go1.26.8`. For an unknown number or version, returns
/// `go:builtin.` and the number. No other symbol has such a name.
pub(super) fn name(version: &str, index: u32) -> String {
    const STACK_CHECK: [&str; 3] = ["runtime.morestack", "runtime.morestackc", "runtime.morestack_noctxt"];
    let name = first_of_stack_check(version).and_then(|first| STACK_CHECK.get(index.checked_sub(first)? as usize));
    match name {
        Some(name) => (*name).to_owned(),
        None => format!("go:builtin.{index}"),
    }
}

/// Returns the number of `runtime.morestack` in a Go version. In every version, the two variants of this function have the next two numbers.
fn first_of_stack_check(version: &str) -> Option<u32> {
    match minor(version)? {
        24 => Some(225),
        25 => Some(226),
        26 => Some(227),
        27 => Some(244),
        _ => None,
    }
}

/// Returns the minor version: 26 for `go1.26.8`, `go1.26rc1` and `go1.26`.
fn minor(version: &str) -> Option<u32> {
    let rest = version.strip_prefix("go1.")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_version() {
        assert_eq!(name("go1.24.0", 227), "runtime.morestack_noctxt");
        assert_eq!(name("go1.27rc1", 244), "runtime.morestack");
        assert_eq!(name("go1.27.1", 227), "go:builtin.227");
        assert_eq!(name("devel go1.28-abc", 245), "go:builtin.245");
        assert_eq!(name("go1.", 0), "go:builtin.0");
    }
}
