//! Prints the call graph as a DOT file, for Graphviz and other viewers that read DOT.

use super::{InstanceId, Node, Subject};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A function in the graph.
struct Shown {
    me: InstanceId,
    export: bool,
    /// The function's full path, which identifies it in the file.
    path: String,
    name: String,
    detail: String,
    recursive: bool,
    panics: bool,
}

/// Returns the call graph as DOT. Leaves out the functions that run only on the way to a panic, and marks the functions that call them.
pub fn dot(subject: &Subject<'_>) -> String {
    let (shown, left_out) = functions(subject);
    let index: BTreeMap<InstanceId, usize> = shown.iter().enumerate().map(|(at, shown)| (shown.me, at)).collect();
    let mut calls = BTreeSet::new();
    for (from, shown) in shown.iter().enumerate() {
        for node in subject.callees(shown.me) {
            if let Node::Instance(to) = node
                && let Some(&to) = index.get(to)
            {
                calls.insert((from, to));
            }
        }
    }
    print(&shown, &calls, left_out)
}

/// Prints one DOT statement in each line: the graph's label, which explains the marks, then the functions, then the calls.
fn print(shown: &[Shown], calls: &BTreeSet<(usize, usize)>, left_out: usize) -> String {
    let mut out =
        String::from("digraph calls {\n\tnode [shape=box, style=\"rounded,filled\", fillcolor=\"#eef3fa\", fontname=monospace];\n");
    let _ = writeln!(out, "\tlabel={};", quote(&legend(shown, left_out)));
    for function in shown {
        let mark = if function.panics { "! " } else { "" };
        let label = format!("{mark}{}\n{}", function.name, function.detail);
        let _ = write!(out, "\t{} [label={}, tooltip={}", quote(&function.path), quote(&label), quote(&function.path));
        if function.export {
            out.push_str(", fillcolor=\"#1d5fa8\", fontcolor=white");
        }
        if function.recursive {
            out.push_str(", color=\"#c2571a\", penwidth=2");
        }
        out.push_str("];\n");
    }
    for &(from, to) in calls {
        let _ = writeln!(out, "\t{} -> {};", quote(&shown[from].path), quote(&shown[to].path));
    }
    out.push_str("}\n");
    out
}

/// Returns the label that explains the marks in this graph.
fn legend(shown: &[Shown], left_out: usize) -> String {
    let mut parts = vec!["blue: exported to Go".to_owned()];
    if shown.iter().any(|shown| shown.recursive) {
        parts.push("orange: recursive".into());
    }
    if left_out > 0 {
        parts.push(format!("!: may panic; {left_out} functions that run only then are not shown"));
    }
    parts.join("\n")
}

/// Returns the text as a quoted DOT string. A line feed becomes `\n`.
fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// Returns the functions of the graph, and the number of functions that are left out.
fn functions(subject: &Subject<'_>) -> (Vec<Shown>, usize) {
    let mut exports: BTreeMap<InstanceId, Vec<String>> = BTreeMap::new();
    let mut bounds: BTreeMap<InstanceId, u32> = BTreeMap::new();
    for (id, function) in &subject.package.functions {
        let facts = &subject.facts.exports[id];
        exports.entry(facts.shim).or_default().push(function.shown());
        bounds.insert(facts.shim, facts.bound);
    }
    let (doomed, rest): (Vec<InstanceId>, Vec<InstanceId>) =
        subject.hot().partition(|me| subject.facts.instances[*me].doomed && !exports.contains_key(me));
    let gone: BTreeSet<InstanceId> = doomed.iter().copied().collect();
    let names = names(rest.iter().map(|&me| subject.path(me)));
    let shown = rest.into_iter().map(|me| {
        let (instance, stack) = (&subject.facts.instances[me], subject.facts.stacks[me]);
        let path = subject.path(me);
        let exported = exports.get(&me);
        let name = exported.map_or_else(|| names[&path].clone(), |names| names.join(", "));
        let need = bounds.get(&me).copied().unwrap_or(stack.need);
        let panics = subject.callees(me).into_iter().any(|node| match node {
            Node::Instance(to) => gone.contains(to),
            Node::Exit(_) | Node::Unavailable(_) => true,
        });
        let mut detail = format!("frame {}, stack {need}", instance.summary.deepest);
        if let Some(alignment) = instance.alignment {
            let _ = write!(detail, ", sp {alignment}");
        }
        Shown { me, export: exported.is_some(), path, name, detail, recursive: stack.recursive, panics }
    });
    (shown.collect(), doomed.len())
}

/// Returns a short name for each path: the path's last two parts or, if two parts are not unique, the last three, four or five parts. If even five
/// parts are not unique, the name has two parts. Paths that differ only in the alignment of SP have the same name.
fn names(paths: impl Iterator<Item = String>) -> BTreeMap<String, String> {
    let paths: BTreeSet<String> = paths.collect();
    let mut named: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let ends: Vec<Vec<String>> = paths.iter().map(|path| (2..=5).map(|count| short(path, count)).collect()).collect();
    for (path, ends) in paths.iter().zip(&ends) {
        for end in ends {
            named.entry(end.clone()).or_default().insert(without_alignment(path));
        }
    }
    let tells = |ends: &[String]| ends.iter().find(|end| named[*end].len() == 1).unwrap_or(&ends[0]).clone();
    paths.iter().cloned().zip(ends.iter().map(|ends| tells(ends))).collect()
}

/// Removes the alignment of SP from the end of an instance's name: `f (sp 8)` becomes `f`.
fn without_alignment(path: &str) -> &str {
    path.split(" (sp ").next().unwrap_or_default()
}

/// Returns the last `count` parts of a path without generic arguments: `Hasher::update` for `<crate::Hasher<T> as core::hash::Hasher>::update`.
fn short(path: &str, count: usize) -> String {
    let path = without_alignment(path);
    // The form `<TYPE as Trait>::name` becomes `TYPE::name`.
    let mut plain = String::new();
    let mut rest = path;
    if let Some(inside) = path.strip_prefix('<')
        && let Some(end) = closing(inside)
    {
        plain = inside[..end].split(" as ").next().unwrap_or_default().trim_start_matches(['&', '*']).to_owned();
        plain = plain.trim_start_matches("mut ").to_owned();
        rest = &inside[end + 1..];
    }
    plain.push_str(rest);
    let mut depth = 0usize;
    let mut text = String::new();
    for (at, character) in plain.char_indices() {
        match character {
            '<' => depth += 1,
            // The `>` in `->` is not a closing bracket.
            '>' if plain[..at].ends_with('-') => {}
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => text.push(character),
            _ => {}
        }
    }
    let parts: Vec<&str> = text.split("::").filter(|part| !part.is_empty()).collect();
    // A closure's short name has one more part, because the closure follows the name of its function: `function::{closure#0}`.
    let count = if parts.last().is_some_and(|last| last.starts_with('{')) { count + 1 } else { count };
    parts[parts.len().saturating_sub(count)..].join("::")
}

/// Returns the position in `text` of the `>` that closes a `<` directly before `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1usize;
    text.char_indices().find_map(|(at, character)| {
        match character {
            '<' => depth += 1,
            '>' if !text[..at].ends_with('-') => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_unique() {
        for (path, expected) in [
            ("memcpy", "memcpy"),
            ("blake3::portable::compress_in_place", "portable::compress_in_place"),
            ("<blake3::Hasher as core::hash::Hasher>::update", "Hasher::update"),
            ("<&mut alloc::vec::Vec<u8, A> as core::fmt::Write>::write_str", "Vec::write_str"),
            ("memchr::memmem::searcher::Searcher::find::<alloc::vec::Vec<u8>>", "Searcher::find"),
            ("krate::run<fn(u8) -> u8>::inner", "run::inner"),
            ("krate::module::run::{{closure}}", "module::run::{{closure}}"),
            ("krate::hash (sp 8)", "krate::hash"),
        ] {
            assert_eq!(short(path, 2), expected, "{path}");
        }
        let paths = ["a::x::run", "b::x::run", "b::x::run (sp 8)", "b::y::run"];
        let names = names(paths.iter().map(|path| (*path).to_owned()));
        assert_eq!(paths.map(|path| names[path].as_str()), ["a::x::run", "b::x::run", "b::x::run", "y::run"]);
    }

    #[test]
    fn the_graph_marks_exports_recursion_and_panics() {
        use cranelift_entity::EntityRef;
        let function = |name: &str, export, recursive, panics| Shown {
            me: InstanceId::new(0),
            export,
            path: format!("krate::{name}<\"T\">"),
            name: name.into(),
            detail: "frame 8, stack 16".into(),
            recursive,
            panics,
        };
        let shown = [function("Sum", true, false, true), function("walk", false, true, false), function("leaf", false, false, false)];
        let calls = BTreeSet::from([(0, 1), (1, 1), (1, 2)]);
        let expected = r##"digraph calls {
	node [shape=box, style="rounded,filled", fillcolor="#eef3fa", fontname=monospace];
	label="blue: exported to Go\norange: recursive\n!: may panic; 3 functions that run only then are not shown";
	"krate::Sum<\"T\">" [label="! Sum\nframe 8, stack 16", tooltip="krate::Sum<\"T\">", fillcolor="#1d5fa8", fontcolor=white];
	"krate::walk<\"T\">" [label="walk\nframe 8, stack 16", tooltip="krate::walk<\"T\">", color="#c2571a", penwidth=2];
	"krate::leaf<\"T\">" [label="leaf\nframe 8, stack 16", tooltip="krate::leaf<\"T\">"];
	"krate::Sum<\"T\">" -> "krate::walk<\"T\">";
	"krate::walk<\"T\">" -> "krate::walk<\"T\">";
	"krate::walk<\"T\">" -> "krate::leaf<\"T\">";
}
"##;
        assert_eq!(print(&shown, &calls, 3), expected);
    }
}
