//! The elements of a document.

use super::references::{Edge, Ids, Kind, Place};
use resvg::usvg::roxmltree::{Document, Node};

const SVG: &str = "http://www.w3.org/2000/svg";

/// The elements of a document, in its order. An element has the number of its place in this order.
pub struct Graph<'a, 'input> {
    pub nodes: Vec<Node<'a, 'input>>,
    /// The parent of an element; the root is its own.
    pub parents: Vec<u32>,
    /// The number after the last descendant of an element.
    pub ends: Vec<u32>,
    /// The references, in the order of `from`.
    pub edges: Vec<Edge>,
    /// The number of levels without references.
    pub depth: u64,
    /// The number of characters before an element, in the whole document.
    pub characters: Vec<u64>,
    /// The number of references of an element, those to gradients too.
    pub servers: Vec<u32>,
}

impl<'a, 'input> Graph<'a, 'input> {
    /// Lists the elements, and their ids.
    pub fn new(document: &'a Document<'input>) -> (Self, Ids<'a>) {
        let mut graph = Self {
            nodes: Vec::new(),
            parents: Vec::new(),
            ends: Vec::new(),
            edges: Vec::new(),
            depth: 0,
            characters: vec![0],
            servers: Vec::new(),
        };
        let mut open: Vec<u32> = Vec::new();
        let mut ids = Ids::default();
        let mut places: Vec<Place> = Vec::new();
        for node in document.descendants().filter(Node::is_element) {
            let number = graph.nodes.len() as u32;
            while let Some(last) = open.last() {
                if Some(graph.nodes[*last as usize]) == node.parent_element() {
                    break;
                }
                graph.ends[*last as usize] = number;
                open.pop();
            }
            let place = Place::new(name(node), open.last().map(|parent| places[*parent as usize]));
            places.push(place);
            graph.parents.push(open.last().copied().unwrap_or(number));
            open.push(number);
            graph.depth = graph.depth.max(open.len() as u64);
            graph.nodes.push(node);
            graph.ends.push(number + 1);
            graph.characters.push(graph.characters[number as usize] + characters(node));
            if let Some(id) = node.attribute("id") {
                ids.first.entry(id).or_insert(number);
                if place != Place::Nowhere {
                    ids.last.insert(id, number);
                }
            }
        }
        for number in open {
            graph.ends[number as usize] = graph.nodes.len() as u32;
        }
        (graph, ids)
    }

    pub fn name(&self, number: u32) -> &'a str {
        name(self.nodes[number as usize])
    }

    /// Returns the children of an element, and the elements that it refers to, other than markers and the sources of texts.
    pub fn next(&self, number: u32) -> impl Iterator<Item = u32> {
        let mut child = number + 1;
        let end = self.ends[number as usize];
        let children = std::iter::from_fn(move || {
            let present = child;
            (present < end).then(|| {
                child = self.ends[present as usize];
                present
            })
        });
        let links = self.own(number).filter(|edge| !matches!(edge.kind, Kind::End | Kind::Mid | Kind::Text)).map(|edge| edge.to);
        children.chain(links)
    }

    /// Returns the indices of the references from an element and its descendants.
    pub fn inside(&self, number: u32) -> std::ops::Range<usize> {
        let end = self.ends[number as usize];
        self.edges.partition_point(|edge| edge.from < number)..self.edges.partition_point(|edge| edge.from < end)
    }

    pub fn own(&self, number: u32) -> impl Iterator<Item = &Edge> {
        let first = self.edges.partition_point(|edge| edge.from < number);
        self.edges[first..].iter().take_while(move |edge| edge.from == number)
    }
}

/// Returns the name of an element of SVG, or "" for other elements, which usvg ignores.
pub fn name<'a>(node: Node<'a, '_>) -> &'a str {
    match node.tag_name().namespace() {
        None | Some(SVG) => node.tag_name().name(),
        _ => "",
    }
}

/// Returns the number of characters in an element, without those in its children.
pub fn characters(node: Node<'_, '_>) -> u64 {
    node.children().filter(Node::is_text).filter_map(|text| text.text()).map(|text| text.chars().count() as u64).sum()
}
