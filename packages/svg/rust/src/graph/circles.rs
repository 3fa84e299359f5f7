//! The references that usvg ignores, so that an element does not contain itself.

use super::elements::Graph;
use super::references::Kind;
use crate::error::{Failure, Reason};
use std::collections::HashSet;

/// A limit of the work of this module, and of usvg's search for circles.
const MOST_STEPS: u64 = 100_000_000;

impl Graph<'_, '_> {
    /// Removes the references that usvg ignores, because the element contains itself. The result is an estimate of the time that usvg needs for that.
    pub fn break_circles(&mut self) -> Result<u64, Failure> {
        let mut gone = HashSet::new();
        let mut steps = 0;
        for (kind, element) in [
            (Kind::Fill, "pattern"),
            (Kind::Stroke, "pattern"),
            (Kind::ClipPath, "clipPath"),
            (Kind::Mask, "mask"),
            (Kind::End, "marker"),
            (Kind::Mid, "marker"),
        ] {
            for number in (0..self.nodes.len() as u32).filter(|number| self.name(*number) == element) {
                // usvg visits all descendants of each of these elements, and of the elements that they refer to.
                steps += u64::from(self.ends[number as usize] - number);
                for outer in self.inside(number).filter(|i| self.edges[*i].kind == kind) {
                    let to = self.edges[outer].to;
                    if to == number {
                        gone.insert(outer);
                    } else if element != "marker" {
                        steps += u64::from(self.ends[to as usize] - to);
                        gone.extend(self.inside(to).filter(|i| self.edges[*i].kind == kind && self.edges[*i].to == number));
                    }
                    if steps > MOST_STEPS {
                        return Err(Failure::new(Reason::TooLarge, "too many references from clip paths, masks or patterns to others"));
                    }
                }
            }
        }
        for (i, edge) in self.edges.iter().enumerate() {
            steps += self.inside(edge.to).len() as u64;
            if steps > MOST_STEPS {
                return Err(Failure::new(Reason::TooLarge, "too many references to elements that have references"));
            }
            let broken = match edge.kind {
                Kind::Use => {
                    let uses = |j: usize| self.edges[j].kind == Kind::Use && (self.edges[j].to == edge.from || self.edges[j].to == edge.to);
                    let is_mutual = self.own(edge.to).any(|other| other.kind == Kind::Use && other.to == edge.from);
                    edge.to == edge.from || is_mutual || self.inside(edge.to).any(|j| self.edges[j].from != edge.to && uses(j))
                }
                Kind::Template => edge.to == edge.from,
                // usvg removes the filter of an element that an image of the same filter shows.
                Kind::Filter => self.inside(edge.to).any(|j| self.edges[j].kind == Kind::Image && self.edges[j].to == edge.from),
                _ => false,
            };
            if broken {
                gone.insert(i);
            }
        }
        let mut i = 0;
        self.edges.retain(|_| {
            i += 1;
            !gone.contains(&(i - 1))
        });
        // usvg begins again after each circle.
        Ok((steps * 100).saturating_mul(gone.len() as u64 + 1))
    }
}
