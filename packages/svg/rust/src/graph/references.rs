//! The references between elements: by attributes, by styles and by links.

use super::elements::{Graph, name};
use resvg::usvg::roxmltree::Node;
use simplecss::{DeclarationTokenizer, Rule, StyleSheet};
use std::collections::HashMap;

/// What a reference is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A `use` element.
    Use,
    ClipPath,
    Mask,
    Filter,
    /// A `feImage` element that shows another element.
    Image,
    Fill,
    Stroke,
    /// A pattern or filter that has the children of another one.
    Template,
    /// A marker at the first or last vertex of a path.
    End,
    /// A marker at all other vertices.
    Mid,
    /// A `tref` element, which shows the characters of another element.
    Text,
}

impl Kind {
    fn of_property(name: &str) -> &'static [Self] {
        match name {
            "clip-path" => &[Self::ClipPath],
            "mask" => &[Self::Mask],
            "filter" => &[Self::Filter],
            "fill" => &[Self::Fill],
            "stroke" => &[Self::Stroke],
            "marker-start" | "marker-end" => &[Self::End],
            "marker-mid" => &[Self::Mid],
            "marker" => &[Self::End, Self::Mid, Self::End],
            _ => &[],
        }
    }

    /// Reports whether usvg follows a reference of this kind to an element with this name.
    fn leads_to(self, name: &str) -> bool {
        match self {
            Self::Use | Self::Image | Self::Text => true,
            Self::ClipPath => name == "clipPath",
            Self::Mask => name == "mask",
            Self::Filter => name == "filter",
            Self::Fill | Self::Stroke => name == "pattern",
            Self::Template => name == "pattern" || name == "filter",
            Self::End | Self::Mid => name == "marker",
        }
    }
}

#[derive(Clone, Copy)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    pub kind: Kind,
}

/// The elements with an id. usvg looks for `use` elements and texts in the XML, where the first element counts, and for others in its own tree, where the
/// last one counts.
#[derive(Default)]
pub struct Ids<'a> {
    pub first: HashMap<&'a str, u32>,
    pub last: HashMap<&'a str, u32>,
}

/// Where usvg's own tree has an element.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    Nowhere,
    InText,
    /// A `use` element, whose children usvg replaces.
    Use,
    Elsewhere,
}

impl Place {
    pub fn new(name: &str, parent: Option<Self>) -> Self {
        match (parent, name) {
            (Some(Self::Nowhere | Self::Use), _) | (_, "style") => Self::Nowhere,
            (Some(Self::InText), "a" | "tspan" | "tref" | "textPath") => Self::InText,
            (Some(Self::InText), _) => Self::Nowhere,
            (_, "text") => Self::InText,
            (_, "use") => Self::Use,
            _ if ELEMENTS.binary_search(&name).is_ok() => Self::Elsewhere,
            _ => Self::Nowhere,
        }
    }
}

/// The names of the elements that usvg knows, in order.
#[rustfmt::skip]
const ELEMENTS: [&str; 53] = [
    "a", "circle", "clipPath", "defs", "ellipse", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite",
    "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB",
    "feFuncG", "feFuncR", "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight",
    "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence", "filter", "g", "image", "line", "linearGradient", "marker", "mask",
    "path", "pattern", "polygon", "polyline", "radialGradient", "rect", "stop", "style", "svg", "switch", "symbol", "text",
    "textPath", "tref", "tspan", "use",
];

impl Graph<'_, '_> {
    /// Finds the references of all elements.
    pub fn find_edges(&mut self, styles: &StyleSheet<'_>, ids: &Ids<'_>) {
        let rules: Vec<&Rule<'_>> = styles.rules.iter().filter(|rule| rule.declarations.iter().any(|d| refers(d.name, d.value))).collect();
        // The values that a child may inherit explicitly.
        let mut given: HashMap<u32, Vec<(Kind, u32)>> = HashMap::new();
        for number in 0..self.nodes.len() as u32 {
            let node = self.nodes[number as usize];
            let mut found: Vec<(Kind, u32)> = Vec::new();
            let parent = given.get(&self.parents[number as usize]);
            let mut property = |property: &str, value: &str| {
                for kind in Kind::of_property(property) {
                    if value.trim() == "inherit" {
                        found.extend(parent.into_iter().flatten().filter(|(k, _)| k == kind));
                    }
                    for id in urls(value) {
                        found.extend(ids.last.get(id).map(|to| (*kind, *to)));
                    }
                }
            };
            for attribute in node.attributes() {
                property(attribute.name(), attribute.value());
            }
            for rule in &rules {
                if rule.selector.matches(&Element(node)) {
                    rule.declarations.iter().for_each(|d| property(d.name, d.value));
                }
            }
            if let Some(style) = node.attribute("style").filter(|style| style.contains("url(") || style.contains("inherit")) {
                DeclarationTokenizer::from(style).for_each(|d| property(d.name, d.value));
            }
            let link = match name(node) {
                "use" => Some(Kind::Use),
                "feImage" => Some(Kind::Image),
                "pattern" | "filter" => Some(Kind::Template),
                "tref" => Some(Kind::Text),
                _ => None,
            };
            if let Some(kind) = link {
                for attribute in node.attributes().filter(|attribute| attribute.name() == "href") {
                    let id = attribute.value().trim().trim_start_matches('#');
                    let ids = if matches!(kind, Kind::Use | Kind::Text) { &ids.first } else { &ids.last };
                    found.extend(ids.get(id).map(|to| (kind, *to)));
                }
            }
            self.servers.push(found.len() as u32);
            found.retain(|(kind, to)| kind.leads_to(self.name(*to)));
            self.edges.extend(found.iter().map(|(kind, to)| Edge { from: number, to: *to, kind: *kind }));
            if !found.is_empty() {
                given.insert(number, found);
            }
        }
    }
}

/// Reports whether a declaration may refer to an element.
fn refers(property: &str, value: &str) -> bool {
    !Kind::of_property(property).is_empty() && (value.contains("url(") || value.contains("inherit"))
}

/// Returns the ids in `url(#id)`, `url('#id')` and `url("#id")`.
fn urls(value: &str) -> impl Iterator<Item = &str> {
    value.split("url(").skip(1).filter_map(|part| {
        let part = part.trim_start();
        let (part, end): (&str, &[char]) = match part.chars().next()? {
            quote @ ('\'' | '"') => (part[1..].trim_start(), if quote == '"' { &['"'] } else { &['\''] }),
            _ => (part, &[' ', ')']),
        };
        let id = part.strip_prefix('#')?;
        Some(id.split(end).next().unwrap_or_default().trim_end())
    })
}

/// An element, for selectors. They see the same as those of usvg.
struct Element<'a, 'input>(Node<'a, 'input>);

impl simplecss::Element for Element<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Element)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Element)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: simplecss::AttributeOperator<'_>) -> bool {
        self.0.attribute(name).is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: simplecss::PseudoClass<'_>) -> bool {
        class == simplecss::PseudoClass::FirstChild && self.0.prev_sibling_element().is_none()
    }
}
