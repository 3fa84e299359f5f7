//! The nesting and the size of a document after its references are followed.
//!
//! The crate usvg converts elements recursively, and converts a mask, a marker or a clip path again for each element that uses it. So a short document
//! may need any amount of stack, memory and time. This module computes all three without recursion, before usvg gets the document:
//!
//! ```text
//! Document --elements--> Graph --references--> Graph with edges --circles--> Graph without harmless circles --size--> Size
//! ```

mod circles;
mod elements;
mod references;
mod size;

use crate::error::{Failure, Reason};
use crate::styles;
use elements::Graph;
use resvg::usvg::roxmltree::Document;
pub use size::Size;
use std::collections::HashMap;

/// A limit of the nesting of markers.
const MOST_PASSES: usize = 64;

/// What a document may cost.
#[derive(Clone, Copy)]
pub struct Most {
    pub levels: u64,
    pub elements: u64,
    pub nanoseconds: u64,
}

impl Most {
    pub fn check(&self, size: &Size) -> Result<(), Failure> {
        if size.levels > self.levels {
            return Err(Failure::new(Reason::TooDeep, format!("{} levels of elements and references", size.levels)));
        }
        if size.elements > self.elements {
            let text = format!("more than {} elements (MaxElements), counted after references are followed", self.elements);
            return Err(Failure::new(Reason::TooLarge, text));
        }
        if size.nanoseconds > self.nanoseconds {
            let text = format!("parsing would probably take more than {} s (MaxTime)", self.nanoseconds as f64 / 1e9);
            return Err(Failure::new(Reason::TooLarge, text));
        }
        Ok(())
    }
}

/// Measures a document. `sheet` is the style sheet that is added to it. The result is an error if the references form a circle that usvg does not break,
/// or if the document is larger than `most`.
pub fn measure(document: &Document<'_>, sheet: &str, most: &Most) -> Result<Size, Failure> {
    let inner = document.descendants().filter(|node| node.is_element() && node.tag_name().name() == "style");
    let sheets = std::iter::once(sheet).chain(inner.filter_map(|node| node.text()));
    let (styles, mut nanoseconds) = styles::parse(sheets, most.nanoseconds)?;
    let (mut graph, ids) = Graph::new(document);
    styles::check(&styles, graph.nodes.len(), graph.depth)?;
    graph.find_edges(&styles, &ids);
    nanoseconds += graph.break_circles()?;
    // Each pass takes the sizes of markers from the pass before. Most documents have no nested markers, so the second pass finds the sizes of the first.
    // usvg draws no marker inside of itself, so the number of markers bounds their nesting, also if they refer to each other in a circle.
    let mut markers = HashMap::new();
    for pass in 0..MOST_PASSES {
        let (mut size, found) = graph.size(&markers)?;
        // usvg tries all rules for each element, looks for the properties of an element in its ancestors, and compares all paint servers and the like.
        let each = 80 * styles.rules.len() as u64 + 50 * graph.depth;
        let more = size.elements.saturating_mul(each).saturating_add(size.servers.saturating_mul(size.servers));
        size.nanoseconds = size.nanoseconds.saturating_add(more).saturating_add(nanoseconds);
        most.check(&size)?;
        if found == markers || pass > found.len() {
            return Ok(size);
        }
        markers = found;
    }
    Err(Failure::new(Reason::TooDeep, "markers with markers"))
}

#[cfg(test)]
mod tests {
    use super::{Most, measure};
    use resvg::usvg::roxmltree::Document;

    fn size(text: &str, sheet: &str) -> (u64, u64) {
        let text = format!("<svg xmlns='http://www.w3.org/2000/svg'>{text}</svg>");
        let size = measure(&Document::parse(&text).expect("XML"), sheet, &Most { levels: 100, elements: 1_000_000, nanoseconds: u64::MAX })
            .expect("a size");
        (size.levels, size.elements)
    }

    #[test]
    fn counts() {
        let shape = "<path id='s' d='M0 0h1v1'/>";
        for (text, levels, elements) in [
            ("<g/><g><g/></g>", 3, 4),
            ("<g id='a'><g/></g><use href='#a'/>", 4, 6),
            ("<foreign:x xmlns:foreign='x'/>", 2, 2),
            // A clip path and a pattern in user space are converted once for all elements.
            ("<clipPath id='c'><g/></clipPath><g clip-path='url(#c)'/><g clip-path='url( \"#c\" )'/>", 5, 7),
            ("<mask id='c'><g/></mask><g mask='url(#c)'/><g style='mask: url(#c)'/>", 5, 9),
            ("<pattern id='c'><g/></pattern><g fill='url(#c) red'><path/><path/><path/></g>", 7, 13),
            ("<pattern id='c' patternUnits='userSpaceOnUse'><g/></pattern><g stroke='url(#c)'><path/><path/><path/></g>", 7, 9),
            ("<marker id='m'><path marker-end='url(#m)'/></marker><path marker-start='url(#m)'/>", 6, 6),
            ("<marker id='m'><path/></marker><path d='M0 0 1 1 2 2 3 3' marker-mid='url(#m)'/>", 6, 4 + 2 * 11),
            ("<title id='t'>123</title><text>1 3<tspan>456</tspan></text><text><tref href='#t'/></text>", 3, 6 + 6 + 3),
        ] {
            assert_eq!(size(text, ""), (levels, elements), "{text}");
        }
        assert_eq!(size(&format!("{shape}<marker id='m'><g/></marker>"), "path { marker: url(#m) }").0, 6);
        assert_eq!(size("<mask id='m'><g/></mask><g id='x'><g/></g>", "g:first-child { mask: url(#m) } #x { fill: red }").1, 7);
    }
}
