//! The size of each element with its descendants and with the elements that it refers to.

use super::elements::{Graph, characters, name};
use super::references::Kind;
use crate::error::{Failure, Reason};
use resvg::usvg::roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// The size of a part of a document after its references are followed.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Size {
    /// The levels of the nesting. A reference counts as two levels, because usvg needs more stack for it than for a child.
    pub levels: u64,
    /// The number of elements. Each character of a text and each 1024 other bytes count as an element more.
    pub elements: u64,
    /// An estimate of the time for parsing.
    pub nanoseconds: u64,
    shapes: u64,
    vertices: u64,
    characters: u64,
    spans: u64,
    /// The number of references to gradients, patterns, masks and so on.
    pub servers: u64,
}

impl Size {
    fn add(&mut self, times: u64, other: &Self) {
        self.elements = self.elements.saturating_add(times.saturating_mul(other.elements));
        self.nanoseconds = self.nanoseconds.saturating_add(times.saturating_mul(other.nanoseconds));
        self.servers = self.servers.saturating_add(times.saturating_mul(other.servers));
    }

    /// Adds a child, or the element that a `use` element shows.
    fn include(&mut self, other: &Self) {
        self.add(1, other);
        self.shapes = self.shapes.saturating_add(other.shapes);
        self.vertices = self.vertices.saturating_add(other.vertices);
        self.characters = self.characters.saturating_add(other.characters);
        self.spans = self.spans.saturating_add(other.spans);
        self.levels = self.levels.max(other.levels);
    }
}

impl Graph<'_, '_> {
    /// Computes the size of the document. `markers` has the sizes of markers that an earlier pass has found; the second result has the sizes of this pass.
    pub fn size(&self, markers: &HashMap<u32, Size>) -> Result<(Size, HashMap<u32, Size>), Failure> {
        let count = self.nodes.len();
        let mut sizes = vec![Size::default(); count];
        // 0 is an element that has not been visited, 1 one that contains the present one, 2 one whose size is known.
        let mut states = vec![0u8; count];
        let mut once: HashSet<u32> = HashSet::new();
        let has_mid = self.edges.iter().any(|edge| edge.kind == Kind::Mid);
        let mut stack = Vec::new();
        for start in 0..count as u32 {
            stack.push(start);
            while let Some(&number) = stack.last() {
                let at = number as usize;
                if states[at] == 2 {
                    stack.pop();
                } else if states[at] == 1 {
                    stack.pop();
                    sizes[at] = self.size_of(number, &sizes, markers, &mut once, has_mid);
                    states[at] = 2;
                } else {
                    states[at] = 1;
                    for next in self.next(number) {
                        match states[next as usize] {
                            0 => stack.push(next),
                            1 => return Err(circle(self.nodes[at])),
                            _ => {}
                        }
                    }
                }
            }
        }
        let mut total = sizes.first().copied().unwrap_or_default();
        // usvg converts these once, and the elements that use them share the result.
        once.iter().for_each(|number| total.add(1, &sizes[*number as usize]));
        let found = self.edges.iter().filter(|edge| matches!(edge.kind, Kind::End | Kind::Mid));
        Ok((total, found.map(|edge| (edge.to, sizes[edge.to as usize])).collect()))
    }

    fn size_of(&self, number: u32, sizes: &[Size], markers: &HashMap<u32, Size>, once: &mut HashSet<u32>, has_mid: bool) -> Size {
        let node = self.nodes[number as usize];
        let bytes = node.attributes().map(|attribute| attribute.value().len() as u64).sum::<u64>();
        let mut size = Size { elements: 1 + bytes / 1024, nanoseconds: 10_000 + 50 * bytes, ..Size::default() };
        if let "text" | "tspan" | "textPath" | "a" = name(node) {
            size.characters = characters(node);
            size.spans = 1;
            size.shapes = 1;
        }
        if let "path" | "rect" | "circle" | "ellipse" | "line" | "polyline" | "polygon" = name(node) {
            size.shapes = 1;
            size.vertices = if has_mid { vertices(node) } else { 0 };
        }
        let mut children = 0u64;
        let mut child = number + 1;
        while child < self.ends[number as usize] {
            size.include(&sizes[child as usize]);
            child = self.ends[child as usize];
            children += 1;
        }
        // usvg compares the stops of a gradient, and the primitives of a filter, with each other.
        if let "linearGradient" | "radialGradient" | "filter" = name(node) {
            size.nanoseconds = size.nanoseconds.saturating_add(children * children * 5);
        }
        let own = u64::from(self.servers[number as usize]);
        size.servers = size.servers.saturating_add(own.saturating_mul(size.shapes.max(1)));
        for edge in self.own(number) {
            let inner = &sizes[edge.to as usize];
            match edge.kind {
                Kind::Use | Kind::Template => size.include(inner),
                Kind::Image | Kind::Filter | Kind::Mask | Kind::ClipPath => {
                    if self.is_shared(edge.to) {
                        once.insert(edge.to);
                    } else {
                        size.add(1, inner);
                    }
                    size.levels = size.levels.max(inner.levels + 1);
                }
                Kind::Text => {
                    let end = self.ends[edge.to as usize] as usize;
                    size.characters += self.characters[end] - self.characters[edge.to as usize];
                    size.spans += 1;
                    size.nanoseconds += 5 * self.nodes.len() as u64;
                }
                Kind::Fill | Kind::Stroke | Kind::End | Kind::Mid => {}
            }
        }
        if name(node) == "text" {
            // The layout of a text takes a time that is quadratic in its length.
            let (characters, spans) = (std::mem::take(&mut size.characters), std::mem::take(&mut size.spans));
            size.elements = size.elements.saturating_add(characters);
            let each = 4000u64.saturating_add(characters).saturating_add(spans.saturating_mul(400));
            size.nanoseconds = size.nanoseconds.saturating_add(characters.saturating_mul(each));
        }
        // Descendants inherit these, so each of them may refer to the same element.
        let (shapes, vertices) = (size.shapes, size.vertices);
        let mut inherited = 0;
        for edge in self.own(number) {
            let marker = markers.get(&edge.to);
            let inner = match edge.kind {
                Kind::Fill | Kind::Stroke => Some(&sizes[edge.to as usize]),
                Kind::End | Kind::Mid => marker,
                _ => None,
            };
            let Some(inner) = inner else { continue };
            if matches!(edge.kind, Kind::Fill | Kind::Stroke) && self.is_shared(edge.to) {
                once.insert(edge.to);
            } else {
                size.add(if edge.kind == Kind::Mid { vertices } else { shapes }, inner);
            }
            inherited = inherited.max(inner.levels + 2);
        }
        size.levels = size.levels.saturating_add(inherited).saturating_add(1);
        size
    }

    /// Reports whether usvg converts a clip path, mask or pattern only once, because it does not depend on the element that uses it.
    fn is_shared(&self, number: u32) -> bool {
        let node = self.nodes[number as usize];
        let is = |attribute: &str, default: bool| node.attribute(attribute).map_or(default, |value| value == "userSpaceOnUse");
        match name(node) {
            "clipPath" => is("clipPathUnits", true),
            "mask" => is("maskUnits", false) && is("maskContentUnits", true),
            "pattern" => {
                is("patternUnits", false) && is("patternContentUnits", true) && !self.own(number).any(|edge| edge.kind == Kind::Template)
            }
            "filter" => is("filterUnits", false) && is("primitiveUnits", true),
            _ => false,
        }
    }
}

fn circle(node: Node<'_, '_>) -> Failure {
    let at = node.document().text_pos_at(node.range().start);
    let text = "elements refer to each other in a circle";
    Failure { line: at.row, column: at.col, ..Failure::new(Reason::TooDeep, text) }
}

/// Returns an upper bound of the number of vertices of a shape.
fn vertices(node: Node<'_, '_>) -> u64 {
    let Some(data) = node.attribute("d").or_else(|| node.attribute("points")) else { return 4 };
    let mut numbers = 0;
    let mut last = b' ';
    for byte in data.bytes() {
        let starts = byte.is_ascii_alphabetic() || byte.is_ascii_digit() && !last.is_ascii_digit() || byte == b'.' || byte == b'-';
        numbers += u64::from(starts);
        last = byte;
    }
    // Arcs have flags without separators.
    numbers + data.bytes().filter(|byte| *byte == b'0' || *byte == b'1').count() as u64 / 2
}
