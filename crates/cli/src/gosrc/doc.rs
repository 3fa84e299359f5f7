//! rustdoc's Markdown → a Go doc comment: the words stay, what gofmt would rewrite (fenced code, list markers, headings, link
//! definitions) is written as gofmt would. See <https://go.dev/doc/comment>, and the parser and printer of go/doc/comment,
//! whose rules on what counts as a list or a heading are followed here.

/// The comment's lines without the slashes; those that begin with a tab follow the slashes directly.
pub fn doc_lines(markdown: &str) -> Vec<String> {
    let mut parser = Parser::default();
    for line in super::visible(markdown).lines() {
        parser.line(line.trim_end());
    }
    let (blocks, links) = (unite(parser.blocks), parser.links);
    let mut lines = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            lines.push(String::new());
        }
        let before_text = index > 0 && blocks.get(index + 1).map_or(!links.is_empty(), Block::is_text);
        block.print(before_text, &mut lines);
    }
    print_links(&blocks, &links, &mut lines);
    lines
}

/// The Markdown with links to functions as Go writes them: ``[`next`]`` becomes `[Next]` where `name` knows it. Others are as they
/// were, as is code.
pub fn with_links(markdown: &str, name: impl Fn(&str) -> Option<String>) -> String {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in markdown.lines() {
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            fenced = !fenced;
        }
        let is_code = fenced || line.starts_with("    ") || line.starts_with('\t');
        lines.push(if is_code { line.to_owned() } else { line_with_links(line, &name) });
    }
    lines.join("\n")
}

fn line_with_links(line: &str, name: &impl Fn(&str) -> Option<String>) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, inside)) = rest.split_once('[') {
        text.push_str(before);
        let Some((path, after)) = inside.split_once(']') else {
            rest = &rest[before.len()..];
            break;
        };
        // What has a target of its own, or defines one, is another kind of link.
        let other = after.starts_with(['(', '[', ':']);
        match name(path).filter(|_| !other) {
            Some(name) => {
                text.push_str(&format!("[{name}]"));
                rest = after;
            }
            None => {
                text.push('[');
                rest = inside;
            }
        }
    }
    text + rest
}

#[derive(Clone, Debug)]
enum Block {
    Text(Vec<String>),
    Heading(String),
    List(Vec<Item>),
    Code(Vec<String>),
}

#[derive(Clone, Debug)]
struct Item {
    /// Empty for a bullet.
    number: String,
    lines: Vec<String>,
}

#[derive(Default)]
struct Parser {
    blocks: Vec<Block>,
    /// `[text]: url`, text and url.
    links: Vec<(String, String)>,
    /// Inside a fence; does the example run as Rust (then `#` hides a line)?
    fence: Option<bool>,
    after_blank: bool,
}

impl Parser {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim_start();
        let fence = trimmed.strip_prefix("```").or_else(|| trimmed.strip_prefix("~~~"));
        match (self.fence, fence) {
            (Some(_), Some(_)) => self.fence = None,
            (Some(rust), None) => {
                if !(rust && (trimmed == "#" || trimmed.starts_with("# "))) {
                    self.code(line);
                }
            }
            (None, Some(language)) => {
                self.fence = Some(matches!(language.trim(), "" | "rust" | "no_run" | "ignore" | "should_panic"));
                self.blocks.push(Block::Code(Vec::new()));
            }
            (None, None) if trimmed.is_empty() => {
                if let Some(Block::Code(code)) = self.blocks.last_mut() {
                    code.push(String::new());
                }
                self.after_blank = true;
                return;
            }
            (None, None) => self.outside_fences(line, trimmed),
        }
        self.after_blank = false;
    }

    fn outside_fences(&mut self, line: &str, trimmed: &str) {
        let in_text = !self.after_blank && matches!(self.blocks.last(), Some(Block::Text(_)));
        if let Some(title) = heading(trimmed) {
            self.blocks.push(Block::Heading(title));
        } else if let Some(link) = link_definition(trimmed).filter(|_| !in_text) {
            if !self.links.contains(&link) {
                self.links.push(link);
            }
        } else if let Some(item) = list_item(trimmed) {
            match self.blocks.last_mut() {
                Some(Block::List(items)) => items.push(item),
                _ => self.blocks.push(Block::List(vec![item])),
            }
        } else {
            let indented = line.starts_with("    ") || line.starts_with('\t');
            match self.blocks.last_mut() {
                // Markdown lets an item go on without indentation, unless a blank line stands between.
                Some(Block::List(items)) if !self.after_blank || line.starts_with(' ') => {
                    items.last_mut().into_iter().for_each(|item| item.lines.push(trimmed.to_owned()));
                }
                Some(Block::Code(code)) if indented => code.push(line.to_owned()),
                Some(Block::Text(text)) if !self.after_blank => text.push(trimmed.to_owned()),
                _ if indented => self.blocks.push(Block::Code(vec![line.to_owned()])),
                _ => self.blocks.push(Block::Text(vec![trimmed.to_owned()])),
            }
        }
    }

    fn code(&mut self, line: &str) {
        if let Some(Block::Code(code)) = self.blocks.last_mut() {
            code.push(line.to_owned());
        }
    }
}

/// Go ends lists and code at the next line without indentation, not before: neighbours of these kinds are one block there.
fn unite(blocks: Vec<Block>) -> Vec<Block> {
    let mut united: Vec<Block> = Vec::new();
    for mut block in blocks {
        if let Block::Code(code) = &mut block {
            unindent(code);
            // What begins like a list is one for Go, indented or not.
            if code.first().is_some_and(|first| list_item(first).is_some()) {
                let mut items = Vec::new();
                go_on(&mut items, code);
                block = Block::List(items);
            }
        }
        match (united.last_mut(), block) {
            (_, Block::Code(code)) if code.is_empty() => {}
            (Some(Block::Code(before)), Block::Code(code)) => {
                before.push(String::new());
                before.extend(code);
            }
            (Some(Block::Code(before)), Block::List(items)) => {
                before.push(String::new());
                before.extend(items.iter().flat_map(Item::as_text));
            }
            (Some(Block::List(before)), Block::Code(code)) => {
                go_on(before, &code);
            }
            (Some(Block::List(before)), Block::List(items)) => before.extend(items),
            (_, block) => united.push(block),
        }
    }
    // Go removes the indentation that all lines have in common: nothing is left of a list or of code that stands alone.
    if let [Block::List(_) | Block::Code(_)] = united.as_slice() {
        return united.iter().flat_map(Block::as_paragraphs).collect();
    }
    united
}

/// Takes lines of code into a list.
fn go_on(items: &mut Vec<Item>, code: &[String]) {
    for line in code.iter().map(|line| line.trim_start()).filter(|line| !line.is_empty()) {
        match (list_item(line), items.last_mut()) {
            (Some(item), _) => items.push(item),
            (None, Some(item)) => item.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
}

impl Item {
    fn as_text(&self) -> Vec<String> {
        let marker = if self.number.is_empty() { "-".to_owned() } else { format!("{}.", self.number) };
        let mut lines = self.lines.clone();
        if let Some(first) = lines.first_mut() {
            *first = format!("{marker} {first}");
        }
        lines
    }
}

impl Block {
    fn is_text(&self) -> bool {
        matches!(self, Block::Text(_) | Block::Heading(_))
    }

    fn as_paragraphs(&self) -> Vec<Block> {
        let lines: Vec<String> = match self {
            Block::Text(lines) => lines.clone(),
            Block::Heading(title) => vec![format!("# {title}")],
            Block::List(items) => items.iter().flat_map(Item::as_text).collect(),
            Block::Code(lines) => lines.iter().map(|line| line.trim_start().to_owned()).collect(),
        };
        lines.split(String::is_empty).filter(|lines| !lines.is_empty()).map(|lines| Block::Text(lines.to_vec())).collect()
    }

    /// `before_text`: it is not the first block, and one without indentation follows.
    fn print(&self, before_text: bool, lines: &mut Vec<String>) {
        match self {
            // What used to be the form of a heading would be made one: a full stop shows that it is a sentence.
            Block::Text(text) if before_text && text.len() == 1 && is_old_heading(&text[0]) => lines.push(format!("{}.", quotes(&text[0]))),
            Block::Text(text) => lines.extend(text.iter().map(|line| quotes(line))),
            Block::Heading(title) => lines.push(format!("# {title}")),
            Block::Code(code) => lines.extend(code.iter().map(|line| if line.is_empty() { String::new() } else { format!("\t{line}") })),
            Block::List(items) => {
                let numbered = items.first().is_some_and(|item| !item.number.is_empty());
                for item in items {
                    let text = item.lines.iter().map(|line| quotes(line)).collect::<Vec<_>>();
                    let (first, rest) = text.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
                    // A list has one kind of marker; one of the other kind is part of the item before.
                    lines.push(match (numbered, item.number.as_str()) {
                        (false, "") => format!("  - {first}"),
                        (true, "") => format!("    - {first}"),
                        (true, number) => format!(" {number}. {first}"),
                        (false, number) => format!("    {number}. {first}"),
                    });
                    lines.extend(rest.iter().map(|line| format!("    {line}")));
                }
            }
        }
    }
}

/// Link definitions stand at the end: those that are used, then the others.
fn print_links(blocks: &[Block], links: &[(String, String)], lines: &mut Vec<String>) {
    let text: Vec<String> = blocks
        .iter()
        .flat_map(|block| match block {
            Block::Text(text) => text.clone(),
            Block::List(items) => items.iter().flat_map(|item| item.lines.clone()).collect(),
            Block::Heading(_) | Block::Code(_) => Vec::new(),
        })
        .collect();
    let text = text.join(" ");
    let (used, unused): (Vec<_>, Vec<_>) = links.iter().partition(|(name, _)| text.contains(&format!("[{name}]")));
    // Alone they say nothing.
    if lines.is_empty() {
        return;
    }
    for group in [used, unused] {
        if !group.is_empty() {
            lines.push(String::new());
        }
        lines.extend(group.iter().map(|(name, url)| format!("[{name}]: {url}")));
    }
}

/// Removes blank lines at both ends, doubled ones between, and the indentation all lines have in common.
fn unindent(code: &mut Vec<String>) {
    code.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    code.dedup_by(|a, b| a.is_empty() && b.is_empty());
    if code.first().is_some_and(String::is_empty) {
        code.remove(0);
    }
    if code.last().is_some_and(String::is_empty) {
        code.pop();
    }
    let indent = |line: &String| line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let Some(first) = code.first().map(|line| line[..indent(line)].to_owned()) else { return };
    let common = code.iter().filter(|line| !line.is_empty()).fold(first.len(), |common, line| {
        let same = first.bytes().zip(line.bytes()).take_while(|(a, b)| a == b).count();
        common.min(same)
    });
    code.iter_mut().filter(|line| !line.is_empty()).for_each(|line| drop(line.drain(..common)));
}

/// In Go's text two backquotes or two quotes are quotation marks; three backquotes and more are not.
fn quotes(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let backquotes = rest.len() - rest.trim_start_matches('`').len();
        let (taken, written) = match backquotes {
            2 => (2, "\u{201c}"),
            3.. => (backquotes, &rest[..backquotes]),
            _ if rest.starts_with("''") => (2, "\u{201d}"),
            _ => (letter.len_utf8(), &rest[..letter.len_utf8()]),
        };
        text.push_str(written);
        rest = &rest[taken..];
    }
    text
}

/// Markdown's headings of every level are one kind in Go.
fn heading(line: &str) -> Option<String> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    if !(1..=6).contains(&level) || !title.starts_with([' ', '\t']) {
        return None;
    }
    let title = title.trim().trim_end_matches('#').trim_end();
    (!title.is_empty()).then(|| title.to_owned())
}

/// A line that Go took for a heading before it had a mark for them.
fn is_old_heading(line: &str) -> bool {
    line.starts_with(char::is_uppercase)
        && line.ends_with(char::is_alphanumeric)
        && !line.contains([
            ';', ':', '!', '?', '+', '*', '/', '=', '[', ']', '{', '}', '_', '^', '\u{b0}', '&', '\u{a7}', '~', '%', '#', '@', '<', '"',
            '>', '\\',
        ])
        && line.split('\'').skip(1).all(|rest| rest == "s" || rest.starts_with("s "))
        && line.split('.').skip(1).all(|rest| !rest.is_empty() && !rest.starts_with(' '))
}

fn list_item(line: &str) -> Option<Item> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = line.split_at(digits);
    let text = match digits {
        0 => line.strip_prefix(['-', '*', '+', '\u{2022}']),
        _ => rest.strip_prefix(['.', ')']),
    }?;
    let item = Item { number: number.to_owned(), lines: vec![text.trim().to_owned()] };
    (text.starts_with([' ', '\t']) && !text.trim().is_empty()).then_some(item)
}

/// `[text]: url`, as Go has it: the URL must have a scheme.
fn link_definition(line: &str) -> Option<(String, String)> {
    let (text, url) = line.strip_prefix('[')?.split_once("]:")?;
    let address = url.trim();
    let (scheme, rest) = address.split_once("://")?;
    let is_url = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !rest.is_empty() && !address.contains(char::is_whitespace);
    (url.starts_with([' ', '\t']) && is_url && !text.is_empty()).then(|| (text.to_owned(), address.to_owned()))
}
