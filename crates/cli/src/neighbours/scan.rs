//! Reads the top-level declarations of Go and assembly files, to find clashes with generated code.
//!
//! Users write these files, so the files may be unfinished. The scanner skips code that it does not understand, because Go reports the errors in such
//! code.

use rustgo_schema::go_keywords::KEYWORDS;

/// The declarations at the top level of a Go file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopLevel {
    /// The name in the package clause. Empty if there is no clause.
    pub package: String,
    pub imports: Vec<Import>,
    /// The declared names, without methods.
    pub declared: Vec<Declared>,
    pub methods: Vec<Method>,
}

/// A method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The name of the receiver's type.
    pub of: String,
    pub name: String,
    pub line: u32,
}

/// An import declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub path: String,
    /// The name by which the file refers to the package, if the import states a name.
    pub name: Option<String>,
    pub line: u32,
}

/// A name and the line that declares or defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    pub name: String,
    pub line: u32,
    pub is_type: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// An identifier or keyword.
    Word(&'a str),
    /// A literal, as it is written in the source.
    Literal(&'a str),
    Sign(char),
    /// The end of a statement: a semicolon, or the end of a line where Go inserts a semicolon.
    End,
}
use Token::{End, Literal, Sign, Word};

/// Reads the package clause, the imports and the top-level declarations of a Go file.
pub fn top_level(text: &str) -> TopLevel {
    let tokens = tokens(text.trim_start_matches('\u{feff}'));
    let mut found = TopLevel::default();
    if let [(Word("package"), _), (Word(name), _), ..] = tokens.as_slice() {
        found.package = (*name).to_owned();
    }
    let mut depth = 0_u32;
    // The keyword before the open parenthesis of a declaration group, as in `var (`.
    let mut group = None;
    let mut starts = true;
    for (index, &(token, line)) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1).map(|(token, _)| *token);
        match token {
            Word("func") if starts && depth == 0 => {
                if let Some(Word(name)) = next {
                    found.declared.push(Declared { name: name.to_owned(), line, is_type: false });
                }
                found.methods.extend(method(&tokens[index + 1..]));
            }
            Word(keyword @ ("import" | "type" | "var" | "const")) if starts && depth == 0 => {
                if next == Some(Sign('(')) {
                    group = Some(keyword);
                } else {
                    found.specification(keyword, &tokens[index + 1..]);
                }
            }
            Sign('(' | '[' | '{') => depth += 1,
            Sign(')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                group = group.filter(|_| depth > 0);
            }
            _ if starts && depth == 1 => {
                if let Some(keyword) = group {
                    found.specification(keyword, &tokens[index..]);
                }
            }
            _ => {}
        }
        starts = token == End || token == Sign('(') && depth == 1 && group.is_some();
    }
    found
}

/// Returns the method that the tokens after `func` declare: `(q *Queue) Push(`, `(Queue[T]) Push(`. None if they declare a function.
fn method(tokens: &[(Token<'_>, u32)]) -> Option<Method> {
    let [(Sign('('), _), receiver @ ..] = tokens else { return None };
    let end = receiver.iter().position(|(token, _)| *token == Sign(')'))?;
    let named = receiver[..end].iter().take_while(|(token, _)| *token != Sign('['));
    let of = named.filter_map(|(token, _)| if let Word(word) = token { Some(*word) } else { None }).last()?;
    match receiver.get(end + 1)? {
        (Word(name), line) => Some(Method { of: of.to_owned(), name: (*name).to_owned(), line: *line }),
        _ => None,
    }
}

impl TopLevel {
    /// Reads one declaration. `tokens` begin after the keyword, or inside the parentheses after the keyword.
    fn specification(&mut self, keyword: &str, tokens: &[(Token<'_>, u32)]) {
        let token = |index: usize| tokens.get(index).map(|(token, _)| *token);
        if keyword == "import" {
            let name = match token(0) {
                Some(Word(name)) => Some(name.to_owned()),
                _ => None,
            };
            let at = usize::from(name.is_some() || token(0) == Some(Sign('.')));
            if let Some(&(Literal(path), line)) = tokens.get(at) {
                self.imports.push(Import { path: path.trim_matches(['"', '`']).to_owned(), name, line });
            }
            return;
        }
        let is_type = keyword == "type";
        let mut rest = tokens;
        while let [(Word(name), line), after @ ..] = rest {
            self.declared.push(Declared { name: (*name).to_owned(), line: *line, is_type });
            match after {
                [(Sign(','), _), after @ ..] if !is_type => rest = after,
                _ => break,
            }
        }
    }
}

/// Splits the text into tokens with their line numbers. An operator of several characters becomes several tokens. This does not affect the scan.
fn tokens(text: &str) -> Vec<(Token<'_>, u32)> {
    let mut tokens: Vec<(Token<'_>, u32)> = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |at| at + 4)
        } else if first == '`' {
            rest[1..].find('`').map_or(rest.len(), |at| at + 2)
        } else if first == '"' || first == '\'' {
            quoted(rest, first)
        } else if is_letter(first) || first.is_ascii_digit() {
            // A dot after digits belongs to the number, as in `1.`.
            rest.find(|c| !(is_letter(c) || c.is_numeric() || c == '.' && first.is_ascii_digit())).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (written, after) = rest.split_at(length);
        let is_comment = written.starts_with("//") || written.starts_with("/*");
        let token = match first {
            _ if is_comment || first.is_whitespace() => {
                // A comment of several lines can end a statement, like the end of a line.
                (written.contains('\n') && tokens.last().is_some_and(|(last, _)| ends_statement(*last))).then_some(End)
            }
            ';' => Some(End),
            _ if is_letter(first) => Some(Word(written)),
            '"' | '\'' | '`' | '0'..='9' => Some(Literal(written)),
            _ => Some(Sign(first)),
        };
        tokens.extend(token.map(|token| (token, line)));
        line += u32::try_from(written.matches('\n').count()).unwrap_or(0);
        rest = after;
    }
    tokens
}

fn is_letter(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Returns the length of the literal at the start of `text`. An unfinished literal ends at the end of its line.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Returns true if the end of a line after this token ends a statement (<https://go.dev/ref/spec#Semicolons>).
fn ends_statement(token: Token<'_>) -> bool {
    match token {
        Word(word) => !KEYWORDS.contains(&word) || matches!(word, "break" | "continue" | "fallthrough" | "return"),
        Literal(_) => true,
        Sign(sign) => matches!(sign, ')' | ']' | '}'),
        End => false,
    }
}

/// Lists the symbols of the package that a Go assembly file defines. File-local symbols are left out.
pub fn assembly(text: &str) -> Vec<Declared> {
    let mut defined = Vec::new();
    let mut in_comment = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = without_comments(line, &mut in_comment);
        let symbol = ["TEXT", "GLOBL"].iter().find_map(|word| line.trim_start().strip_prefix(word)?.strip_prefix([' ', '\t']));
        let Some((symbol, _)) = symbol.and_then(|symbol| symbol.split_once('(')) else { continue };
        let symbol = symbol.trim();
        // `·F<ABIInternal>` is the symbol F of the package. `·F<>` is a file-local symbol.
        let Some(name) = symbol.strip_prefix('·').or_else(|| symbol.strip_prefix("\"\".")).filter(|name| !name.ends_with("<>")) else {
            continue;
        };
        let name = name.split('<').next().unwrap_or_default().to_owned();
        defined.push(Declared { name, line: number, is_type: false });
    }
    defined
}

fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let mut kept = String::new();
    let mut rest = line;
    loop {
        if *in_comment {
            let Some((_, after)) = rest.split_once("*/") else { return kept };
            (*in_comment, rest) = (false, after);
        }
        match rest.find("/*").filter(|at| !rest[..*at].contains("//")) {
            Some(at) => {
                kept.push_str(&rest[..at]);
                kept.push(' ');
                (*in_comment, rest) = (true, &rest[at + 2..]);
            }
            None => {
                kept.push_str(rest.split("//").next().unwrap_or_default());
                return kept;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str) -> String {
        let show = |d: &Declared| format!("{}{}:{}", if d.is_type { "type " } else { "" }, d.name, d.line);
        top_level(text).declared.iter().map(show).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_top_level_is_found() {
        for (body, expected) in [
            ("func Sum(x []byte) uint64 { return 0 }", "Sum:3"),
            ("func (t *T) Sum() {}\nfunc (T) Min() {}", ""),
            ("func Map[K comparable, V any](m map[K]V) {\n\tfunc Inner() {}\n\ttype Local int\n}", "Map:3"),
            ("type T struct {\n\tSum func()\n}\ntype U = uint32", "type T:3, type U:6"),
            ("type (\n\tT struct{ a, b int }\n\t// F\n\tF func(\n\t\tx int,\n\t) (int)\n\tG[P any] []P\n)", "type T:4, type F:6, type G:9"),
            ("var a, b = 1, func() int {\n\tvar c int\n\treturn c\n}()\nvar d int", "a:3, b:3, d:7"),
            ("const (\n\tA = iota\n\tB\n\tC, D = (1 +\n\t\t2), 3\n); var e int", "A:4, B:5, C:6, D:6, e:8"),
            ("var s = `\nfunc No() {}\n`\nvar r, q = '\"', \"\\\"func\\\\\"\nfunc Yes()", "s:3, r:6, q:6, Yes:7"),
            ("// func No() {}\n/* func No()\n{ */ func Yes() {}", "Yes:5"),
            ("const (\n\ta = 1.\n\tb = .5e+3\n\tc = 0x1p-2\n)", "a:4, b:5, c:6"),
            ("var f func(int) = nil\nvar g = []func(){\n\tnil,\n}\ntype F func()", "f:3, g:4, type F:7"),
            ("func größe() {}\nvar (x int; y = 1)", "größe:3, x:4, y:4"),
            // Unfinished code.
            ("func", ""),
            ("func Sum(", "Sum:3"),
            ("type (", ""),
            ("})]\nfunc Sum() {}", "Sum:4"),
            ("var x = \"open\nfunc Sum() {}", "x:3, Sum:4"),
            ("var", ""),
        ] {
            let text = format!("package a\n\n{body}\n");
            assert_eq!(declared(&text), expected, "{body}");
            assert_eq!(declared(&text.replace('\n', "\r\n")), expected, "{body}, as Windows writes it");
        }
    }

    #[test]
    fn packages_are_found() {
        for (text, expected) in [
            ("package a\n", "a"),
            ("// Copyright\n\npackage a // x\n", "a"),
            ("// Package a is.\npackage a;", "a"),
            ("//go:build amd64\n\n/*\nPackage a\n*/\npackage a\n", "a"),
            ("/* x */ package a\n", "a"),
            ("//go:generate x\npackage a\n", "a"),
            ("", ""),
            ("func main() {}", ""),
        ] {
            assert_eq!(top_level(text).package, expected, "{text:?}");
        }
    }

    #[test]
    fn imports_are_found() {
        let text =
            "package a\n\nimport \"C\"\nimport m \"math\"\nimport (\n\t\"io\"\n\t. `os`\n\t_ \"embed\"\n)\nimport (\"net\"; h \"hash\")\n";
        let show = |import: &Import| format!("{} {:?} {}", import.path, import.name.as_deref().unwrap_or(""), import.line);
        let found: Vec<String> = top_level(text).imports.iter().map(show).collect();
        assert_eq!(found, ["C \"\" 3", "math \"m\" 4", "io \"\" 6", "os \"\" 7", "embed \"_\" 8", "net \"\" 10", "hash \"h\" 10"]);
    }

    #[test]
    fn symbols_of_the_package_are_found() {
        let text = "#include \"textflag.h\"\n\
                    TEXT ·Sum(SB), NOSPLIT, $0-8\n\
                    \tCALL ·Called(SB)\n\
                    TEXT ·local<>(SB), NOSPLIT, $0\n\
                    /* TEXT ·No(SB)\n\
                    TEXT ·No(SB) */ TEXT\t·Abi<ABIInternal>(SB), NOSPLIT, $0\n\
                    // TEXT ·No(SB), 4, $0\n\
                    TEXT runtime·other(SB), 4, $0 // /* no comment\n\
                    GLOBL \"\".table(SB), 8, $16\n";
        let found: Vec<(String, u32)> = assembly(text).into_iter().map(|symbol| (symbol.name, symbol.line)).collect();
        assert_eq!(found, [("Sum".to_owned(), 2), ("Abi".to_owned(), 6), ("table".to_owned(), 9)]);
    }
}
