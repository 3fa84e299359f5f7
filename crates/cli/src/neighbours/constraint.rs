//! Decides for which platforms Go builds a file. The file's name and its `//go:build` line decide (`go help buildconstraint`).
//!
//! The result is for builds without extra tags (`go build -tags`): a file that needs such a tag counts as not built.

use crate::target::Arch;
use crate::toolchain::GO_MINIMUM;

/// The operating systems that Go knows (`internal/syslist` of Go 1.26).
const KNOWN_OS: [&str; 18] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];
const NOT_UNIX: [&str; 6] = ["js", "nacl", "plan9", "wasip1", "windows", "zos"];
const KNOWN_ARCH: [&str; 24] = [
    "386",
    "amd64",
    "amd64p32",
    "arm",
    "armbe",
    "arm64",
    "arm64be",
    "loong64",
    "mips",
    "mipsle",
    "mips64",
    "mips64le",
    "mips64p32",
    "mips64p32le",
    "ppc",
    "ppc64",
    "ppc64le",
    "riscv",
    "riscv64",
    "s390",
    "s390x",
    "sparc",
    "sparc64",
    "wasm",
];
/// The operating systems that generated code supports.
pub const SUPPORTED_OS: [&str; 4] = ["darwin", "freebsd", "linux", "windows"];

/// The minor versions N of Go releases (`go1.N`) for which a constraint is evaluated.
const RELEASES: std::ops::Range<u32> = GO_MINIMUM.minor..100;

/// The settings of the go command that decide whether a file is built.
#[derive(Clone, Copy, Debug)]
struct Platform<'a> {
    goos: &'a str,
    goarch: &'a str,
    cgo: bool,
    /// The minor version N of the Go release, as in the tag `go1.N`.
    release: u32,
}

/// The condition under which Go builds a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The system and architecture in the file's name. The file is built only if all of these tags are true.
    tags: Vec<String>,
    /// The condition in the comments at the top of the file. None if Go cannot parse the condition; Go then reports the error.
    head: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Expr {
    Tag(String),
    Not(Box<Expr>),
    /// True if all conditions in the list are true.
    All(Vec<Expr>),
    /// True if at least one condition in the list is true.
    Any(Vec<Expr>),
}

impl Constraint {
    /// Reads the constraint of a Go, assembly or C file from its name and its text.
    pub fn of(name: &str, text: &str) -> Constraint {
        Constraint { tags: name_tags(name), head: head(text) }
    }

    /// Returns true if the file is built for any platform that Go has ever known.
    pub fn is_built(&self) -> bool {
        KNOWN_ARCH.iter().any(|goarch| self.built_on(&KNOWN_OS, goarch, &[false, true]).next().is_some())
    }

    /// Lists the operating systems on which the file is built for this architecture, in alphabetical order. If `cgo` is true, only builds with
    /// cgo count.
    pub fn systems(&self, arch: Arch, cgo: bool) -> Vec<&'static str> {
        let both = [true, false];
        self.built_on(&SUPPORTED_OS, arch.goarch(), if cgo { &both[..1] } else { &both }).collect()
    }

    fn built_on<'a>(&'a self, systems: &'a [&'static str], goarch: &'a str, cgo: &'a [bool]) -> impl Iterator<Item = &'static str> + 'a {
        let releases = if self.head.as_ref().is_some_and(Expr::names_release) { RELEASES } else { RELEASES.start..RELEASES.start + 1 };
        systems.iter().copied().filter(move |goos| {
            let holds = |cgo, release| self.holds(Platform { goos, goarch, cgo, release });
            cgo.iter().any(|&cgo| releases.clone().any(|release| holds(cgo, release)))
        })
    }

    fn holds(&self, platform: Platform<'_>) -> bool {
        self.tags.iter().all(|tag| platform.has(tag)) && self.head.as_ref().is_some_and(|head| head.holds(platform))
    }
}

impl Platform<'_> {
    fn has(self, tag: &str) -> bool {
        match tag {
            "unix" => !NOT_UNIX.contains(&self.goos),
            "cgo" => self.cgo,
            // Only Go's own compiler (`gc`) builds Go assembly, so this tag is true.
            "gc" => true,
            "linux" if self.goos == "android" => true,
            "solaris" if self.goos == "illumos" => true,
            "darwin" if self.goos == "ios" => true,
            // Every build for an architecture has the tag of its lowest level.
            "amd64.v1" => self.goarch == "amd64",
            "arm64.v8.0" => self.goarch == "arm64",
            _ => tag == self.goos || tag == self.goarch || release(tag).is_some_and(|release| release <= self.release),
        }
    }
}

/// Returns the minor version N of a tag `go1.N`.
fn release(tag: &str) -> Option<u32> {
    tag.strip_prefix("go1.")?.parse().ok()
}

/// Returns the system and architecture tags in a file's name: `name_GOOS`, `name_GOARCH` and `name_GOOS_GOARCH`, each also before `_test`. The
/// part before the first `_` is never a tag.
fn name_tags(name: &str) -> Vec<String> {
    let stem = name.split('.').next().unwrap_or_default();
    let mut parts: Vec<&str> = stem.split('_').skip(1).collect();
    if parts.last() == Some(&"test") {
        parts.pop();
    }
    let tags = match parts.as_slice() {
        [.., os, arch] if KNOWN_OS.contains(os) && KNOWN_ARCH.contains(arch) => vec![*os, *arch],
        [.., last] if KNOWN_OS.contains(last) || KNOWN_ARCH.contains(last) => vec![*last],
        _ => Vec::new(),
    };
    tags.into_iter().map(str::to_owned).collect()
}

/// Reads the condition in the comments before the package clause: the `//go:build` line or, if there is none, all `// +build` lines. A `// +build`
/// line counts only if a blank line separates it from the code.
fn head(text: &str) -> Option<Expr> {
    let (mut old, mut pending) = (Vec::new(), Vec::new());
    let mut in_comment = false;
    for line in text.trim_start_matches('\u{feff}').lines() {
        let mut line = line.trim();
        if !in_comment && line.starts_with("//") {
            if let Some(expression) = line.strip_prefix("//go:build").filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])) {
                return parse(expression);
            }
            if let Some(terms) = line[2..].trim().strip_prefix("+build").filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])) {
                pending.push(plus_build(terms));
            }
            continue;
        }
        if line.is_empty() && !in_comment {
            old.append(&mut pending);
            continue;
        }
        // On one line, one comment can end and another can begin.
        loop {
            if in_comment {
                let Some((_, rest)) = line.split_once("*/") else { break };
                (in_comment, line) = (false, rest.trim_start());
            } else if let Some(rest) = line.strip_prefix("/*") {
                (in_comment, line) = (true, rest);
            } else {
                break;
            }
        }
        if !in_comment && !line.is_empty() && !line.starts_with("//") {
            break;
        }
    }
    Some(Expr::All(old))
}

/// Parses the terms of `// +build a,!b c`: a space means "or", a comma means "and".
fn plus_build(terms: &str) -> Expr {
    let literal = |tag: &str| match tag.strip_prefix('!') {
        Some(tag) => Expr::Not(Box::new(Expr::Tag(tag.to_owned()))),
        None => Expr::Tag(tag.to_owned()),
    };
    Expr::Any(terms.split_whitespace().map(|term| Expr::All(term.split(',').map(literal).collect())).collect())
}

/// Parses a condition like `a && !(b || c)`. None if the text has another form.
fn parse(text: &str) -> Option<Expr> {
    let mut rest = text;
    let expr = any(&mut rest, 0)?;
    rest.trim_start().is_empty().then_some(expr)
}

/// The maximum nesting of parentheses that the parser accepts, so that its recursion is bounded. Go itself allows conditions with 1000 tags.
const DEEPEST: u32 = 100;

fn any(rest: &mut &str, depth: u32) -> Option<Expr> {
    let mut terms = vec![all(rest, depth)?];
    while eat(rest, "||") {
        terms.push(all(rest, depth)?);
    }
    Some(Expr::Any(terms))
}

fn all(rest: &mut &str, depth: u32) -> Option<Expr> {
    let mut terms = vec![not(rest, depth)?];
    while eat(rest, "&&") {
        terms.push(not(rest, depth)?);
    }
    Some(Expr::All(terms))
}

fn not(rest: &mut &str, depth: u32) -> Option<Expr> {
    if depth > DEEPEST {
        return None;
    }
    if eat(rest, "!") {
        return Some(Expr::Not(Box::new(not(rest, depth + 1)?)));
    }
    if eat(rest, "(") {
        let inner = any(rest, depth + 1)?;
        return eat(rest, ")").then_some(inner);
    }
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
    let (tag, after) = rest.split_at(end);
    *rest = after;
    (!tag.is_empty()).then(|| Expr::Tag(tag.to_owned()))
}

/// Removes the operator and the white space around it from the start of the text. Returns false if the text does not begin with the operator.
fn eat(rest: &mut &str, sign: &str) -> bool {
    *rest = rest.trim_start();
    let Some(after) = rest.strip_prefix(sign) else { return false };
    *rest = after.trim_start();
    true
}

impl Expr {
    fn holds(&self, platform: Platform<'_>) -> bool {
        match self {
            Expr::Tag(tag) => platform.has(tag),
            Expr::Not(expr) => !expr.holds(platform),
            Expr::All(exprs) => exprs.iter().all(|expr| expr.holds(platform)),
            Expr::Any(exprs) => exprs.iter().any(|expr| expr.holds(platform)),
        }
    }

    fn names_release(&self) -> bool {
        match self {
            Expr::Tag(tag) => release(tag).is_some(),
            Expr::Not(expr) => expr.names_release(),
            Expr::All(exprs) | Expr::Any(exprs) => exprs.iter().any(Expr::names_release),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists the operating systems on which the file is built for amd64, with cgo or without.
    fn amd64(name: &str, text: &str) -> String {
        Constraint::of(name, text).systems(Arch::Amd64, false).join(" ")
    }

    const ALL: &str = "darwin freebsd linux windows";

    #[test]
    fn names_choose_platforms() {
        for (name, expected) in [
            ("a.go", ALL),
            ("amd64.go", ALL),
            ("linux.go", ALL),
            ("a_amd64.go", ALL),
            ("a_arm64.s", ""),
            ("a_windows.c", "windows"),
            ("a_linux_amd64.go", "linux"),
            ("a_linux_arm64.go", ""),
            ("a_linux_test.go", "linux"),
            ("a_linux_x.go", ALL),
            ("a_unix.go", ALL),
            ("a_plan9.go", ""),
            ("_linux.go", "linux"),
        ] {
            assert_eq!(amd64(name, "package a\n"), expected, "{name}");
        }
    }

    #[test]
    fn heads_choose_platforms() {
        for (head, expected) in [
            ("//go:build amd64", ALL),
            ("//go:build !amd64 && !arm64", ""),
            ("//go:build !arm64&&(linux||windows)", "linux windows"),
            ("//go:build unix", "darwin freebsd linux"),
            ("//go:build ignore", ""),
            ("//go:build !purego", ALL),
            ("//go:build tools || generate", ""),
            ("//go:build cgo && darwin", "darwin"),
            ("//go:build !cgo", ALL),
            ("//go:build go1.18", ALL),
            ("//go:build !go1.18", ""),
            ("//go:build go1.25 && !go1.27", ALL),
            ("//go:build gccgo", ""),
            ("//go:build amd64.v1", ALL),
            // Go refuses files with these invalid conditions.
            ("//go:build linux &&", ""),
            ("//go:build linux windows", ""),
            ("//go:build", ""),
            ("//go:buildlinux", ALL),
            ("// Copyright\n\n// +build linux darwin\n// +build !darwin", "linux"),
            ("// +build ignore", ""),
            ("//+build windows,amd64 linux,arm64", "windows"),
            ("/* a\nb */ /* c */\n//go:build linux", "linux"),
            // In a file with both forms of constraint, only `//go:build` counts.
            ("//go:build linux\n// +build windows", "linux"),
        ] {
            assert_eq!(amd64("a.go", &format!("{head}\n\npackage a\n")), expected, "{head}");
            assert_eq!(amd64("a.go", &format!("\u{feff}{head}\r\n\r\npackage a\r\n")), expected, "{head}, as Windows writes it");
        }
        // A constraint after the package clause does not count. A `// +build` line directly above the package clause does not count either.
        assert_eq!(amd64("a.go", "package a\n\n//go:build ignore\n"), ALL);
        assert_eq!(amd64("a.go", "// +build ignore\npackage a\n"), ALL);
        assert_eq!(amd64("a.go", &format!("//go:build {}linux{}\n", "(".repeat(500), ")".repeat(500))), "");
    }

    #[test]
    fn cgo_and_other_architectures() {
        let without = Constraint::of("a.go", "//go:build !cgo\n\npackage a\n");
        assert_eq!(without.systems(Arch::Arm64, true), [""; 0]);
        assert_eq!(without.systems(Arch::Arm64, false).len(), 4);
        for (head, expected) in [("js && wasm", true), ("!amd64", true), ("s390x", true), ("tools", false), ("linux && windows", false)] {
            assert_eq!(Constraint::of("a.go", &format!("//go:build {head}\n\npackage a\n")).is_built(), expected, "{head}");
        }
        assert!(Constraint::of("a_plan9.go", "package a\n").is_built());
        assert!(!Constraint::of("a_plan9.go", "//go:build linux\n\npackage a\n").is_built());
    }
}
