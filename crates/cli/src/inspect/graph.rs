//! The call graph: for Graphviz, and as a picture.

use super::layout::{self, Graph, Layout};
use super::{InstanceId, Node, Subject, table};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The call graph for Graphviz.
pub fn dot(subject: &Subject<'_>) -> String {
    let mut out = String::from("digraph calls {\n\trankdir=LR;\n\tnode [shape=box, fontname=\"monospace\"];\n");
    for (id, function) in &subject.package.functions {
        let facts = &subject.facts.exports[id];
        let _ = writeln!(out, "\t\"go:{0}\" [label=\"{0}\\nstack {1}\", style=bold];", function.shown(), facts.bound);
        let _ = writeln!(out, "\t\"go:{}\" -> \"{}\";", function.shown(), quote(&subject.path(facts.shim)));
    }
    for me in subject.hot() {
        let instance = &subject.facts.instances[me];
        let name = quote(&subject.path(me));
        let _ =
            writeln!(out, "\t\"{name}\" [label=\"{name}\\nframe {}, stack {}\"];", instance.summary.deepest, subject.facts.stacks[me].need);
        for node in subject.callees(me) {
            let _ = writeln!(out, "\t\"{name}\" -> \"{}\";", quote(&subject.name_of(node)));
        }
    }
    out.push_str("}\n");
    out
}

fn quote(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The widest row of boxes, in pixels.
const LIMIT: u32 = 1500;
const MARGIN: u32 = 40;
/// The height of a box and from one row to the next.
const HEIGHT: u32 = 38;
const STEP: u32 = 84;
/// A character of the font, in tenths of a pixel.
const CHAR: u32 = 67;
/// The longest name in a box, in characters.
const NAME: usize = 30;
/// The height of the line below that says what the marks mean.
const LEGEND: u32 = 30;

/// A box of the picture.
struct Shown {
    me: InstanceId,
    export: bool,
    /// The whole path, for whoever points at it.
    title: String,
    name: String,
    detail: String,
    recursive: bool,
    panics: bool,
}

/// The call graph as a picture: callers above callees, exports marked. What runs only on the way to a panic is left out, and the functions
/// that call it have a mark.
pub fn svg(subject: &Subject<'_>) -> String {
    let (shown, left_out) = boxes(subject);
    let index: BTreeMap<InstanceId, usize> = shown.iter().enumerate().map(|(at, shown)| (shown.me, at)).collect();
    let mut edges = BTreeSet::new();
    for (from, shown) in shown.iter().enumerate() {
        for node in subject.callees(shown.me) {
            if let Node::Instance(to) = node
                && let Some(&to) = index.get(to)
            {
                edges.insert((from, to));
            }
        }
    }
    let widths = shown.iter().map(width).collect();
    let roots = (0..shown.len()).filter(|&at| shown[at].export).collect();
    let graph = Graph { widths, edges, roots };
    draw(&shown, &graph, &layout::layout(&graph, LIMIT), left_out)
}

/// The functions that are drawn, and the number of those that are not.
fn boxes(subject: &Subject<'_>) -> (Vec<Shown>, usize) {
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
        let title = subject.path(me);
        let exported = exports.get(&me);
        let name = exported.map_or_else(|| names[&title].clone(), |names| names.join(", "));
        let need = bounds.get(&me).copied().unwrap_or(stack.need);
        let panics = subject.callees(me).into_iter().any(|node| match node {
            Node::Instance(to) => gone.contains(to),
            Node::Exit(_) | Node::Unavailable(_) => true,
        });
        let mut detail = format!("frame {}, stack {need}", instance.summary.deepest);
        if let Some(alignment) = instance.alignment {
            let _ = write!(detail, ", sp {alignment}");
        }
        Shown { me, export: exported.is_some(), name: table::shorten(&name, NAME), title, detail, recursive: stack.recursive, panics }
    });
    (shown.collect(), doomed.len())
}

fn width(shown: &Shown) -> u32 {
    let mark = if shown.panics { 2 } else { 0 };
    let longest = (shown.name.chars().count() + mark).max(shown.detail.chars().count());
    u32::try_from(longest).unwrap_or(u32::MAX / CHAR).saturating_mul(CHAR) / 10 + 18
}

/// A short name for each path: as many parts as tell it from others, as far as five do.
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

/// The function's own path: an instance for one alignment of SP has that behind it.
fn without_alignment(path: &str) -> &str {
    path.split(" (sp ").next().unwrap_or_default()
}

/// The last `count` parts of a path, without generic arguments: `Hasher::update` of `<crate::Hasher<T> as core::hash::Hasher>::update`.
fn short(path: &str, count: usize) -> String {
    let path = without_alignment(path);
    // `<TYPE as Trait>::name` is TYPE::name.
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
            // `->` closes nothing.
            '>' if plain[..at].ends_with('-') => {}
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => text.push(character),
            _ => {}
        }
    }
    let parts: Vec<&str> = text.split("::").filter(|part| !part.is_empty()).collect();
    // A closure is named by its function.
    let count = if parts.last().is_some_and(|last| last.starts_with('{')) { count + 1 } else { count };
    parts[parts.len().saturating_sub(count)..].join("::")
}

/// Where the bracket closes that was opened before the text.
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

fn draw(shown: &[Shown], graph: &Graph, layout: &Layout, left_out: usize) -> String {
    let legend = legend(shown, left_out);
    let (width, height) = size(layout, &legend);
    let mut out = format!(
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="11">"#,
            "\n",
            r##"<defs><marker id="to" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#6b7b8d"/></marker>"##,
            r##"<marker id="back" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#c2571a"/></marker></defs>"##,
            "\n",
            r##"<rect width="100%" height="100%" fill="white"/>"##,
            "\n",
        ),
        width, height
    );
    let indent = (width - layout.width) / 2;
    let corner = |node: usize| (indent + layout.places[node].x, MARGIN + u32::try_from(layout.places[node].row).unwrap_or(0) * STEP);
    let centre = |node: usize| corner(node).0 + graph.widths[node] / 2;
    // The edges that leave or reach a box stand side by side, in the order of their other ends.
    let forward: Vec<(usize, usize)> = graph.edges.iter().filter(|edge| !layout.back.contains(edge)).copied().collect();
    let port = |node: usize, me: (usize, usize), end: fn((usize, usize)) -> (usize, usize)| {
        let mut sides: Vec<(usize, usize)> = forward.iter().filter(|edge| end(**edge).0 == node).copied().collect();
        sides.sort_by_key(|edge| (centre(end(*edge).1), *edge));
        let at = sides.iter().position(|edge| *edge == me).unwrap_or(0);
        let (at, count) = (u32::try_from(at).unwrap_or(0), u32::try_from(sides.len()).unwrap_or(1));
        corner(node).0 + 10 + (graph.widths[node] - 20) * (2 * at + 1) / (2 * count)
    };
    for &edge in &forward {
        let (from, to) = edge;
        let (x, y) = (port(from, edge, |edge| edge), corner(from).1 + HEIGHT);
        let (to_x, to_y) = (port(to, edge, |(from, to)| (to, from)), corner(to).1);
        let bend = (to_y - y) / 2;
        // What passes other rows is fainter.
        let opacity = if to_y - y < STEP { "0.9" } else { "0.45" };
        let _ = writeln!(
            out,
            r##"<path d="M{x} {y}C{x} {} {to_x} {} {to_x} {to_y}" fill="none" stroke="#6b7b8d" opacity="{opacity}" marker-end="url(#to)"/>"##,
            y + bend,
            to_y - bend
        );
    }
    // Beside the boxes and within the margin, however many rows they pass.
    for &(from, to) in &layout.back {
        let side = |node: usize| (corner(node).0 + graph.widths[node], corner(node).1 + HEIGHT / 2);
        let ((x, y), (to_x, to_y)) = (side(from), side(to));
        let (y, to_y) = if from == to { (y - 8, y + 8) } else { (y, to_y) };
        let bend = (x.max(to_x) + if from == to { 24 } else { 34 }).min(width - 4);
        let _ = writeln!(
            out,
            r##"<path d="M{x} {y}C{bend} {y} {bend} {to_y} {to_x} {to_y}" fill="none" stroke="#c2571a" stroke-dasharray="5 3" marker-end="url(#back)"/>"##
        );
    }
    for (node, shown) in shown.iter().enumerate() {
        let (x, y) = corner(node);
        let (fill, text, faint) = if shown.export { ("#1d5fa8", "white", "#d5e4f5") } else { ("#eef3fa", "#16202b", "#56697d") };
        let (stroke, thick) = if shown.recursive { ("#c2571a", "2") } else { ("#8aa0b8", "1") };
        let weight = if shown.export { r#" font-weight="bold""# } else { "" };
        let _ = write!(
            out,
            concat!(
                r#"<g><title>{}</title><rect x="{}" y="{}" width="{}" height="{}" rx="5" fill="{}" stroke="{}" stroke-width="{}"/>"#,
                r#"<text x="{}" y="{}" fill="{}"{}>{}</text><text x="{}" y="{}" fill="{}">{}</text>"#
            ),
            escape(&shown.title),
            x,
            y,
            graph.widths[node],
            HEIGHT,
            fill,
            stroke,
            thick,
            x + 8,
            y + 16,
            text,
            weight,
            escape(&shown.name),
            x + 8,
            y + 31,
            faint,
            escape(&shown.detail)
        );
        if shown.panics {
            let (x, y) = (x + graph.widths[node] - 11, y + 12);
            let _ = write!(
                out,
                r##"<circle cx="{x}" cy="{y}" r="6" fill="#b3261e"/><text x="{x}" y="{}" fill="white" font-weight="bold" text-anchor="middle">!</text>"##,
                y + 4
            );
        }
        out.push_str("</g>\n");
    }
    let _ = writeln!(out, r##"<text x="{MARGIN}" y="{}" fill="#56697d">{}</text>"##, height - LEGEND / 2, escape(&legend));
    out.push_str("</svg>\n");
    out
}

/// The picture's width and height.
fn size(layout: &Layout, legend: &str) -> (u32, u32) {
    let legend = u32::try_from(legend.chars().count()).unwrap_or(0) * CHAR / 10;
    let rows = u32::try_from(layout.rows).unwrap_or(0);
    (layout.width.max(legend) + 2 * MARGIN, rows * STEP + MARGIN + LEGEND)
}

/// What the marks mean that are in the picture.
fn legend(shown: &[Shown], left_out: usize) -> String {
    let mut parts = vec!["blue: exported to Go".to_owned()];
    if shown.iter().any(|shown| shown.recursive) {
        parts.push("orange: recursive, dashed lines call back".into());
    }
    if left_out > 0 {
        parts.push(format!("!: may panic; {left_out} functions that run only then are not shown"));
    }
    parts.join("  ·  ")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_tell() {
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

    fn shown(name: &str, export: bool, recursive: bool, panics: bool) -> Shown {
        use cranelift_entity::EntityRef;
        let detail = "frame 8, stack 16".to_owned();
        Shown { me: InstanceId::new(0), export, title: format!("krate::{name}<T>"), name: name.into(), detail, recursive, panics }
    }

    #[test]
    fn the_picture_has_what_the_legend_says() {
        let boxes = [shown("Sum", true, false, true), shown("walk", false, true, false), shown("leaf", false, false, false)];
        let edges = BTreeSet::from([(0, 1), (1, 1), (1, 2), (2, 1)]);
        let graph = Graph { widths: boxes.iter().map(width).collect(), edges, roots: vec![0] };
        let picture = draw(&boxes, &graph, &layout::layout(&graph, LIMIT), 3);
        for (text, times) in [
            ("<title>krate::Sum&lt;T&gt;</title>", 1),
            (r##"fill="#1d5fa8""##, 1),
            ("url(#to)", 2),
            ("url(#back)", 2),
            (r##"stroke="#c2571a" stroke-width="2""##, 1),
            ("3 functions that run only then", 1),
            (">!</text>", 1),
        ] {
            assert_eq!(picture.matches(text).count(), times, "{text}: {picture}");
        }
    }
}
