//! Converts rustdoc's Markdown to the comments of the wrapper.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Sections of documentation that only help callers in Rust.
const SKIPPED: [&str; 7] = ["example", "examples", "usage", "safety", "crate features", "features", "optional features"];

/// Returns the documentation without Rust code and without sections for callers in Rust. Links to items become plain code.
pub fn carried(markdown: &str) -> String {
    let mut text = String::new();
    let mut at = 0;
    let mut skipped: Option<(HeadingLevel, usize)> = None;
    let mut heading: Option<(HeadingLevel, usize, String)> = None;
    let cut = |text: &mut String, from: usize, to: usize| {
        if let Some(part) = markdown.get(from..to) {
            text.push_str(part);
        }
    };
    let is_image = |range: std::ops::Range<usize>| markdown.get(range).is_some_and(|link| link.starts_with("[!["));
    let broken = |link: pulldown_cmark::BrokenLink<'_>| Some((link.reference.to_string().into(), "".into()));
    for (event, range) in Parser::new_with_broken_link_callback(markdown, Options::empty(), Some(broken)).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                heading = Some((level, range.start, String::new()));
                if let Some((of, start)) = skipped
                    && level <= of
                {
                    (skipped, at) = (None, range.start.max(start));
                }
            }
            Event::Text(part) | Event::Code(part) if heading.is_some() => {
                if let Some((_, _, title)) = &mut heading {
                    title.push_str(&part);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some((level, start, title)) = heading.take()
                    && skipped.is_none()
                    && SKIPPED.contains(&title.trim().trim_end_matches(':').to_lowercase().as_str())
                {
                    cut(&mut text, at, start);
                    skipped = Some((level, start));
                }
            }
            _ if skipped.is_some() => {}
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = if let CodeBlockKind::Fenced(language) = &kind { language.to_string() } else { String::new() };
                // rustdoc treats a block without a language as Rust.
                let is_rust = language.split([',', ' ']).all(|word| {
                    matches!(word, "" | "rust" | "no_run" | "should_panic" | "ignore" | "compile_fail") || word.starts_with("edition")
                });
                if is_rust {
                    cut(&mut text, at, range.start);
                    drop_announcement(&mut text);
                    at = range.end;
                }
            }
            Event::Start(Tag::Link { dest_url, .. }) if range.start >= at && (!dest_url.starts_with("http") || is_image(range.clone())) => {
                cut(&mut text, at, range.start);
                text.push_str(if is_image(range.clone()) { "" } else { label(markdown.get(range.clone()).unwrap_or_default()) });
                at = range.end;
            }
            Event::Start(Tag::Image { .. }) | Event::Html(_) | Event::InlineHtml(_) if range.start >= at => {
                cut(&mut text, at, range.start);
                at = range.end;
            }
            _ => {}
        }
    }
    if skipped.is_none() {
        cut(&mut text, at, markdown.len());
    }
    tidied(&text)
}

/// Returns the short texts in quotation marks on a line of Rust.
pub fn texts(line: &str) -> impl Iterator<Item = &str> {
    let is_text = |text: &&str| !text.is_empty() && text.len() <= 80 && !text.contains(['\\', '{']);
    line.split('"').skip(1).step_by(2).filter(is_text)
}

/// Returns the short texts in quotation marks in the code blocks of a documentation.
pub fn quoted(markdown: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            found.extend(texts(line));
        }
    }
    found
}

/// Drops a paragraph of one line that announces the code after it: "Equivalent to:".
fn drop_announcement(text: &mut String) {
    let kept = text.trim_end();
    let start = kept.rfind('\n').map_or(0, |at| at + 1);
    let is_alone = start == 0 || kept.get(..start).is_some_and(|before| before.ends_with("\n\n"));
    if is_alone && kept.ends_with(':') && kept.get(start..).is_some_and(|line| !line.starts_with(['#', '-', '*'])) {
        text.truncate(start);
    }
}

/// HTML's character entities, each with the character that replaces it in Go's comments.
const ENTITIES: [(&str, &str); 8] = [
    ("&ensp;", " "),
    ("&emsp;", " "),
    ("&nbsp;", " "),
    ("&mdash;", "\u{2014}"),
    ("&ndash;", "\u{2013}"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&amp;", "&"),
];

/// Returns the text of a link without its brackets: `[`Version`](crate::Version)` becomes `` `Version` ``.
fn label(link: &str) -> &str {
    let inside = link.strip_prefix('[').unwrap_or(link);
    inside.find(']').and_then(|end| inside.get(..end)).unwrap_or(inside)
}

/// Drops repeated empty lines, and the definitions of links that are unused or whose target is no web page. Replaces HTML's character entities.
fn tidied(text: &str) -> String {
    let text = ENTITIES.iter().fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain));
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        let is_dropped = line.starts_with('[')
            && line.split_once("]: ").is_some_and(|(label, to)| !to.starts_with("http") || text.matches(&format!("{label}]")).count() < 2);
        let repeats = line.is_empty() && lines.last().is_none_or(|last| last.is_empty());
        if !is_dropped && !repeats {
            lines.push(line);
        }
    }
    while lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines.join("\n")
}

/// Returns the documentation for a Go declaration. It begins with the declared name, as Go's conventions demand.
pub fn named(name: &str, markdown: &str) -> String {
    let carried = carried(markdown);
    let (first, rest) = carried.split_once(' ').unwrap_or((&carried, ""));
    let is_word = first.chars().all(|c| c.is_ascii_alphabetic()) && first.starts_with(|c: char| c.is_ascii_uppercase());
    let is_verb = is_word && first.ends_with('s') && !first.ends_with("ss") && !matches!(first, "This" | "Its" | "As" | "Is" | "Always");
    let lower = |word: &str| word.to_ascii_lowercase();
    match first {
        "" => String::new(),
        _ if first == name => carried,
        "A" | "An" | "The" if is_sentence(&carried) => format!("{name}: {} {rest}", lower(first)),
        "A" | "An" | "The" => format!("{name} is {} {rest}", lower(first)),
        _ if is_verb => format!("{name} {} {rest}", lower(first)),
        _ => carried,
    }
}

/// True if the text begins with a main clause, such as `The name is empty`, and not with a noun and a relative clause, such as `The name that is
/// empty`. A few frequent verbs and conjunctions decide.
fn is_sentence(text: &str) -> bool {
    let end = text.find(['.', ',', '\n']).unwrap_or(text.len());
    let verbs = ["is", "are", "was", "were", "has", "have", "had", "does", "did", "can", "cannot", "could", "must", "will", "would"];
    let conjunctions = ["that", "which", "who", "whose", "where", "when", "if", "unless"];
    let decides = |word: &&str| verbs.contains(word) || conjunctions.contains(word);
    text[..end].split_whitespace().find(decides).is_some_and(|word| verbs.contains(&word))
}

/// Writes a text as lines of a Rust comment that begin with `mark`.
pub fn comment(mark: &str, text: &str) -> Vec<String> {
    text.lines().map(|line| if line.is_empty() { mark.to_owned() } else { format!("{mark} {line}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_code_and_its_sections_are_left_out() {
        let text = "Parses a [`Version`](crate::Version) or [Other].\n\n```\nlet x = 1;\n```\n\n```text\n1.2\n```\n\n# Errors\n\nIf it fails.\n\n# Examples\n\nUse it so:\n\n```\nx\n```\n\n# Panics\n\nNever.\n\n[Other]: crate::Other\n";
        let expected = "Parses a `Version` or Other.\n\n```text\n1.2\n```\n\n# Errors\n\nIf it fails.\n\n# Panics\n\nNever.";
        assert_eq!(carried(text), expected);
        assert_eq!(carried("Makes it.\n\nEquivalent to:\n\n```\nx\n```\n\nAnd&ensp;more."), "Makes it.\n\nAnd more.");
        assert_eq!(carried("[![badge]](https://example.com)\n\n[badge]: https://example.com/b.svg\n\nText."), "Text.");
        assert_eq!(carried("See [the site](https://example.com/a)."), "See [the site](https://example.com/a).");
    }

    #[test]
    fn examples_have_texts() {
        let text = "Parses \"this\".\n\n```\nparse(\"1.2\", \"{}\");\nparse(\"\\n\");\n```\n\nOr \"that\".\n";
        assert_eq!(quoted(text), ["1.2"]);
    }

    #[test]
    fn comments_begin_with_the_name() {
        for (name, text, expected) in [
            ("Parse", "Parses a text.", "Parse parses a text."),
            ("Version", "A version.", "Version is a version."),
            ("Len", "Number of bytes.", "Number of bytes."),
            ("ErrEmpty", "The name is empty.", "ErrEmpty: the name is empty."),
            ("ErrEmpty", "The name. It is empty.", "ErrEmpty is the name. It is empty."),
            ("ErrEmpty", "The name that is empty.", "ErrEmpty is the name that is empty."),
            ("This", "This is it.", "This is it."),
            ("F", "", ""),
        ] {
            assert_eq!(named(name, text), expected);
        }
    }
}
