//! Declarations at the top level of a Go file, and a printer for them. The printed text has gofmt's form.

use super::doc::doc_lines;
use super::{comment_line, visible};
use std::fmt::Write as _;

/// A declaration at the top level of a Go file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declaration {
    Func(Func),
    Type(Type),
    Values(Values),
}

/// A Go function or method. If it has no body, the assembly file defines it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Func {
    /// The doc comment, as plain text or Markdown.
    pub doc: String,
    /// Compiler directives without the slashes, such as `go:noescape`.
    pub directives: Vec<String>,
    /// The receiver of a method. The receiver's name is empty if the method does not use the receiver.
    pub receiver: Option<Param>,
    /// The function's name, with the type parameters if the function is generic.
    pub name: String,
    pub params: Vec<Param>,
    pub results: Vec<Param>,
    /// The source place of the function's Rust code, for a comment after the declaration. May be empty.
    pub place: String,
    /// The statements, one string for each line, indented relative to the function. None if the function has no body.
    pub body: Option<Vec<String>>,
}

/// A parameter or result. The name of an unnamed result is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: String,
    pub ty: String,
}

/// The declaration of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// The doc comment, as plain text or Markdown.
    pub doc: String,
    /// The type's name, with the type parameters if the type is generic.
    pub name: String,
    pub ty: TypeBody,
    /// The source place of the type's Rust code, for a comment after the declaration. May be empty.
    pub place: String,
}

/// The text that follows a type's name in its declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeBody {
    /// The text of a type that is neither a struct nor an interface.
    Other(String),
    /// A struct with these fields.
    Struct(Vec<Member>),
    /// An interface with the embedded interfaces and methods.
    Interface(Vec<Element>),
}

/// An embedded interface or a method of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub doc: String,
    /// The element without its documentation, such as `Load(name string) ([]byte, error)`.
    pub text: String,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub doc: String,
    pub name: String,
    pub ty: String,
}

/// A declaration of constants or variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The keyword of the declaration: `const` or `var`.
    pub keyword: &'static str,
    /// The constants or variables. If there is only one, the declaration has no parentheses.
    pub values: Vec<Value>,
}

/// A constant or variable. In one declaration, either all values have a type or no value has a type. The same rule applies to places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// The doc comment, as plain text or Markdown.
    pub doc: String,
    pub name: String,
    /// The type. Empty if the value implies the type.
    pub ty: String,
    /// The lines of the value. All lines after the first are indented relative to the declaration. Empty for a variable whose value the assembly file
    /// defines. If a value has several lines or none, it must be the only value of its declaration.
    pub value: Vec<String>,
    /// The source place of the value's Rust code, for a comment after the declaration. May be empty.
    pub place: String,
}

impl From<Func> for Declaration {
    fn from(func: Func) -> Self {
        Declaration::Func(func)
    }
}

impl From<Type> for Declaration {
    fn from(ty: Type) -> Self {
        Declaration::Type(ty)
    }
}

impl From<Values> for Declaration {
    fn from(values: Values) -> Self {
        Declaration::Values(values)
    }
}

impl Declaration {
    pub(super) fn print(&self, text: &mut String) {
        match self {
            Declaration::Func(func) => func.print(text),
            Declaration::Type(ty) => ty.print(text),
            Declaration::Values(values) => values.print(text),
        }
    }

    /// Returns the names that the declaration adds to the package. The list is empty for a method.
    pub fn names(&self) -> Vec<&str> {
        let bare = |name: &'_ str| name.find('[').unwrap_or(name.len());
        match self {
            Declaration::Func(func) if func.receiver.is_some() => Vec::new(),
            Declaration::Func(Func { name, .. }) | Declaration::Type(Type { name, .. }) => vec![&name[..bare(name)]],
            Declaration::Values(values) => values.values.iter().map(|value| value.name.as_str()).collect(),
        }
    }

    /// Returns the text of the declaration without comments.
    pub fn code(&self) -> String {
        let mut plain = self.clone();
        match &mut plain {
            Declaration::Func(func) => (func.doc, func.place) = (String::new(), String::new()),
            Declaration::Type(ty) => {
                (ty.doc, ty.place) = (String::new(), String::new());
                match &mut ty.ty {
                    TypeBody::Other(_) => {}
                    TypeBody::Struct(members) => members.iter_mut().for_each(|member| member.doc.clear()),
                    TypeBody::Interface(elements) => elements.iter_mut().for_each(|element| element.doc.clear()),
                }
            }
            Declaration::Values(values) => {
                values.values.iter_mut().for_each(|value| (value.doc, value.place) = (String::new(), String::new()));
            }
        }
        let mut text = String::new();
        plain.print(&mut text);
        text
    }
}

impl Func {
    fn print(&self, text: &mut String) {
        let doc = doc_lines(&self.doc);
        for line in &doc {
            comment_line(text, line);
        }
        // gofmt puts an empty comment line between the documentation and the directives.
        if !doc.is_empty() && !self.directives.is_empty() {
            comment_line(text, "");
        }
        for directive in &self.directives {
            let _ = writeln!(text, "//{directive}");
        }
        let receiver = match &self.receiver {
            Some(Param { name, ty }) if name.is_empty() => format!("({ty}) "),
            Some(Param { name, ty }) => format!("({name} {ty}) "),
            None => String::new(),
        };
        let (brace, end) = match &self.body {
            Some(body) if body.is_empty() => (" {}", ""),
            Some(_) => (" {", "}\n"),
            None => ("", ""),
        };
        let _ = writeln!(text, "func {receiver}{}{}{brace}{}", self.name, self.signature(), place(&self.place));
        for line in self.body.iter().flatten() {
            let _ = writeln!(text, "{}{line}", if line.is_empty() { "" } else { "\t" });
        }
        text.push_str(end);
    }

    /// Returns the text after the function's name, such as `(dst, k *[32]byte) (n int, ok bool)`.
    pub fn signature(&self) -> String {
        let results = match self.results.as_slice() {
            [] => String::new(),
            [result] if result.name.is_empty() => format!(" {}", result.ty),
            results => format!(" ({})", fields(results)),
        };
        format!("({}){results}", fields(&self.params))
    }
}

/// Prints parameters or results. Adjacent parameters of one type share the type. An unnamed result is only a type.
fn fields(fields: &[Param]) -> String {
    let mut text = String::new();
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        if field.name.is_empty() {
            text.push_str(&field.ty);
            continue;
        }
        text.push_str(&field.name);
        if fields.get(index + 1).is_none_or(|next| next.ty != field.ty) {
            let _ = write!(text, " {}", field.ty);
        }
    }
    text
}

impl Type {
    fn print(&self, text: &mut String) {
        doc_lines(&self.doc).iter().for_each(|line| comment_line(text, line));
        let (name, place) = (&self.name, place(&self.place));
        let _ = match &self.ty {
            TypeBody::Other(ty) => writeln!(text, "type {name} {ty}{place}"),
            TypeBody::Struct(members) if members.is_empty() => writeln!(text, "type {name} struct{{}}{place}"),
            TypeBody::Struct(members) => {
                let rows = members.iter().map(|member| Row { doc: &member.doc, cells: vec![member.name.clone(), member.ty.clone()] });
                writeln!(text, "type {name} struct {{{place}\n{}}}", table(rows.collect()))
            }
            TypeBody::Interface(elements) => {
                let rows = elements.iter().map(|element| Row { doc: &element.doc, cells: vec![element.text.clone()] });
                writeln!(text, "type {name} interface {{{place}\n{}}}", table(rows.collect()))
            }
        };
    }
}

impl Values {
    fn print(&self, text: &mut String) {
        let keyword = self.keyword;
        if let [value] = self.values.as_slice() {
            doc_lines(&value.doc).iter().for_each(|line| comment_line(text, line));
            let ty = if value.ty.is_empty() { String::new() } else { format!(" {}", value.ty) };
            let (first, rest) = value.value.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
            let set = if first.is_empty() { String::new() } else { format!(" = {first}") };
            let _ = writeln!(text, "{keyword} {}{ty}{set}{}", value.name, place(&value.place));
            rest.iter().for_each(|line| text.extend([line, "\n"]));
            return;
        }
        let row = |value: &'_ Value| {
            let mut cells = vec![value.name.clone(), value.ty.clone(), format!("= {}", value.value.join(" "))];
            cells.extend((!value.place.is_empty()).then(|| place(&value.place).trim_start().to_owned()));
            cells.retain(|cell| !cell.is_empty());
            cells
        };
        let rows = self.values.iter().map(|value| Row { doc: &value.doc, cells: row(value) }).collect();
        let _ = writeln!(text, "{keyword} (\n{})", table(rows));
    }
}

/// One constant, variable or field in a group, with the cells of its line.
struct Row<'a> {
    doc: &'a str,
    cells: Vec<String>,
}

/// Prints the lines of a group. Like gofmt, aligns the cells in columns, and starts new columns after a comment.
fn table(rows: Vec<Row<'_>>) -> String {
    let mut text = String::new();
    let mut rest = rows.as_slice();
    while let Some((first, others)) = rest.split_first() {
        let end = 1 + others.iter().position(|row| !row.doc.is_empty()).unwrap_or(others.len());
        for line in doc_lines(first.doc) {
            text.push('\t');
            comment_line(&mut text, &line);
        }
        let (together, after) = rest.split_at(end);
        let width = |column: usize| together.iter().map(|row| row.cells[column].chars().count()).max().unwrap_or(0);
        for Row { cells, .. } in together {
            text.push('\t');
            for (column, cell) in cells.iter().enumerate() {
                text.push_str(cell);
                if column + 1 < cells.len() {
                    text.extend(std::iter::repeat_n(' ', width(column) + 1 - cell.chars().count()));
                }
            }
            text.push('\n');
        }
        rest = after;
    }
    text
}

/// Returns the comment at the end of a declaration's line, which contains the source place.
fn place(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!(" // {}", visible(place).replace('\n', " ")) }
}
