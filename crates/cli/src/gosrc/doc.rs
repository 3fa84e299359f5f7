//! Converts rustdoc's Markdown to a Go doc comment, for the printer of Go files.
//!
//! The parser pulldown-cmark finds the blocks of the Markdown. The text of a block is copied as the author wrote it, except for parts that gofmt
//! would rewrite. Code blocks, list markers, headings and link definitions are written as gofmt writes them. The rules are at
//! <https://go.dev/doc/comment>, and in the parser and printer in go/doc/comment.

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// Returns the lines of the comment without the slashes. In the file, a line that begins with a tab follows the slashes without a space.
pub fn doc_lines(markdown: &str) -> Vec<String> {
    let (blocks, links) = Reader::read(&super::visible(markdown));
    let blocks = unite(blocks);
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

/// Returns the Markdown with links to Go declarations in Go's form. For example, ``[`next`]`` becomes `[Next]` if `name` returns the Go name
/// `Next` for the path `next`. All other links and code are unchanged.
pub fn with_links(markdown: &str, name: impl Fn(&str) -> Option<String>) -> String {
    let resolve = |link: BrokenLink<'_>| Some((CowStr::from(name(&link.reference)?), CowStr::Borrowed("")));
    let mut text = String::new();
    let mut at = 0;
    for (event, range) in Parser::new_with_broken_link_callback(markdown, Options::empty(), Some(resolve)).into_offset_iter() {
        if let Event::Start(Tag::Link { link_type: LinkType::ShortcutUnknown, dest_url, .. }) = event {
            text.push_str(&markdown[at..range.start]);
            text.push_str(&format!("[{dest_url}]"));
            at = range.end;
        }
    }
    text + &markdown[at..]
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
    /// The item's number in a numbered list. Empty for an item with a bullet.
    number: String,
    lines: Vec<String>,
}

/// Collects the blocks of a document. In Go, list items cannot contain lists, code or quotations. So the reader turns such a block into lines of the
/// item.
struct Reader<'a> {
    source: &'a str,
    blocks: Vec<Block>,
    /// The link definitions `[text]: url`, as pairs of text and URL.
    links: Vec<(String, String)>,
    /// The source range of the inline text since the last start or end of a block.
    inline: Option<Range<usize>>,
    /// For each list around the current place, the number of the next item. None for a list with bullets.
    lists: Vec<Option<u64>>,
    /// The number of the list item that has begun but has no text yet.
    item: Option<String>,
    /// The text of the current code block, and true if the block is Rust code. In Rust code, `#` hides a line.
    code: Option<(String, bool)>,
    /// The position where the current quotation or HTML block ends. The source up to there is copied unchanged.
    verbatim: usize,
}

impl<'a> Reader<'a> {
    fn read(source: &'a str) -> (Vec<Block>, Vec<(String, String)>) {
        let events = Parser::new(source).into_offset_iter();
        let mut definitions: Vec<(usize, (String, String))> = events
            .reference_definitions()
            .iter()
            .filter_map(|(label, link)| Some((link.span.start, link_definition(&format!("[{label}]: {}", link.dest))?)))
            .collect();
        definitions.sort();
        let links = definitions.into_iter().map(|(_, link)| link).collect();
        let mut reader = Reader { source, blocks: vec![], links, inline: None, lists: vec![], item: None, code: None, verbatim: 0 };
        for (event, range) in events {
            reader.event(event, range);
        }
        (reader.blocks, reader.links)
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        if range.start < self.verbatim {
            return;
        }
        match event {
            Event::Text(text) if self.code.is_some() => {
                self.code.as_mut().into_iter().for_each(|(code, _)| code.push_str(&text));
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                self.end_of_text();
                self.code = Some((String::new(), matches!(kind, CodeBlockKind::Fenced(language) if is_rust(&language))));
            }
            Event::End(TagEnd::CodeBlock) => self.end_of_code(),
            Event::Start(Tag::List(first)) => {
                self.end_of_text();
                self.lists.push(first);
            }
            Event::End(TagEnd::List(_)) => {
                self.end_of_text();
                self.lists.pop();
            }
            Event::Start(Tag::Item) => {
                self.end_of_text();
                let number = self.lists.last_mut().and_then(Option::as_mut).map(|number| (number.to_string(), *number += 1).0);
                self.item = Some(number.unwrap_or_default());
            }
            Event::End(TagEnd::Item) => {
                self.end_of_text();
                self.item = None;
            }
            Event::End(TagEnd::Heading(_)) if self.lists.is_empty() => {
                let title = self.inline.take().map(|range| lines(&self.source[range]).join(" "));
                self.blocks.extend(title.filter(|title| !title.is_empty()).map(Block::Heading));
            }
            Event::Start(Tag::BlockQuote(_) | Tag::HtmlBlock) => {
                self.end_of_text();
                self.verbatim = range.end;
                self.text(lines(&self.source[range]));
            }
            Event::Start(Tag::Paragraph | Tag::Heading { .. }) | Event::End(TagEnd::Paragraph | TagEnd::Heading(_)) | Event::Rule => {
                self.end_of_text();
            }
            // All other events belong to inline text.
            _ => {
                let begun = self.inline.take().unwrap_or(range.clone());
                self.inline = Some(begun.start..begun.end.max(range.end));
            }
        }
    }

    fn end_of_text(&mut self) {
        if let Some(range) = self.inline.take() {
            self.text(lines(&self.source[range]));
        }
    }

    /// Adds lines without indentation. Splits them at lines that are blank in Go: Go treats more characters as white space than Markdown.
    fn text(&mut self, lines: Vec<String>) {
        if !self.lists.is_empty() {
            return self.item_lines(&lines);
        }
        for mut lines in lines.split(String::is_empty).map(<[String]>::to_vec) {
            while let Some(link) = lines.first().and_then(|line| link_definition(line)) {
                lines.remove(0);
                if !self.links.contains(&link) {
                    self.links.push(link);
                }
            }
            match lines.as_slice() {
                [] => {}
                [line] if heading(line).is_some() => self.blocks.extend(heading(line).map(Block::Heading)),
                _ => self.blocks.push(Block::Text(lines)),
            }
        }
    }

    fn end_of_code(&mut self) {
        let Some((code, is_rust)) = self.code.take() else { return };
        let is_hidden = |line: &str| is_rust && (line.trim_start() == "#" || line.trim_start().starts_with("# "));
        let lines: Vec<String> = code.lines().filter(|line| !is_hidden(line)).map(str::to_owned).collect();
        if self.lists.is_empty() { self.blocks.push(Block::Code(lines)) } else { self.item_lines(&lines) }
    }

    fn item_lines(&mut self, lines: &[String]) {
        if !matches!(self.blocks.last(), Some(Block::List(_))) {
            self.blocks.push(Block::List(Vec::new()));
        }
        let Some(Block::List(items)) = self.blocks.last_mut() else { return };
        let mut lines = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
        if let Some(first) = lines.next() {
            match self.item.take() {
                Some(number) => items.push(Item { number, lines: vec![first.to_owned()] }),
                None => go_on(items, &[first.to_owned()]),
            }
        }
        go_on(items, &lines.map(str::to_owned).collect::<Vec<_>>());
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_owned()).collect()
}

/// Returns true if rustdoc treats a code block as Rust. `language` is the text after the block's fence.
fn is_rust(language: &str) -> bool {
    language.split(',').all(|word| matches!(word.trim(), "" | "rust" | "no_run" | "ignore" | "should_panic" | "compile_fail"))
}

/// Merges adjacent lists and adjacent code blocks. In Go, a list or a code block ends only at the next line without indentation.
fn unite(blocks: Vec<Block>) -> Vec<Block> {
    let mut united: Vec<Block> = Vec::new();
    for mut block in blocks {
        if let Block::Code(code) = &mut block {
            unindent(code);
            // Go treats indented lines as a list if the first line begins like a list item.
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
    // Go removes the indentation that all lines of a comment have in common. So if a document is only a list or only code, Go sees no
    // indentation, and the text becomes paragraphs.
    if let [Block::List(_) | Block::Code(_)] = united.as_slice() {
        return united.iter().flat_map(Block::as_paragraphs).collect();
    }
    united
}

/// Adds lines to a list, as Go does: a line that begins like an item becomes an item, and other lines continue the last item.
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

    /// Prints the block. `before_text` is true if a block precedes this block and a block without indentation follows it.
    fn print(&self, before_text: bool, lines: &mut Vec<String>) {
        match self {
            // Go would treat this line as a heading. A full stop at the end prevents that.
            Block::Text(text) if before_text && text.len() == 1 && is_old_heading(&text[0]) => lines.push(format!("{}.", quotes(&text[0]))),
            Block::Text(text) => lines.extend(text.iter().map(|line| quotes(line))),
            Block::Heading(title) => lines.push(format!("# {title}")),
            Block::Code(code) => lines.extend(code.iter().map(|line| if line.is_empty() { String::new() } else { format!("\t{line}") })),
            Block::List(items) => {
                let numbered = items.first().is_some_and(|item| !item.number.is_empty());
                for item in items {
                    let text = item.lines.iter().map(|line| quotes(line)).collect::<Vec<_>>();
                    let (first, rest) = text.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
                    // The first item decides if the list has numbers or bullets. gofmt indents an item of the other kind as
                    // text of the preceding item.
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

/// Prints the link definitions at the end of the comment: first the definitions that the text uses, then the others.
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
    // A comment that would consist only of link definitions is omitted.
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

/// Removes blank lines at both ends, all but one of several consecutive blank lines, and the indentation that all lines have in common.
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

/// Replaces two backquotes or two single quotes by a quotation mark, as gofmt does. Three or more backquotes stay unchanged.
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

/// Returns the title of a heading such as `# Title`. Go has only one level of headings.
fn heading(line: &str) -> Option<String> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    if !(1..=6).contains(&level) || !title.starts_with([' ', '\t']) {
        return None;
    }
    let title = title.trim().trim_end_matches('#').trim_end();
    (!title.is_empty()).then(|| title.to_owned())
}

/// Returns true if Go treats the line as a heading because of its characters, without a `#`. The rule is from the time before headings began with
/// `#`.
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

/// Parses the link definition `[text]: url`. Go accepts only a URL with a scheme.
fn link_definition(line: &str) -> Option<(String, String)> {
    let (text, url) = line.strip_prefix('[')?.split_once("]:")?;
    let address = url.trim();
    let (scheme, rest) = address.split_once("://")?;
    let is_url = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !rest.is_empty() && !address.contains(char::is_whitespace);
    (url.starts_with([' ', '\t']) && is_url && !text.is_empty()).then(|| (text.to_owned(), address.to_owned()))
}
