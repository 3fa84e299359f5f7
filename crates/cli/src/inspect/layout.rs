//! Where the boxes of a call graph stand: in layers, callers above callees.
//!
//! Calls within a cycle lead to a lower layer if they lead away from where the cycle is entered; the others go back. Without these the
//! graph has no cycle, and the layer of a box is its longest distance from a root. So recursion does not make the picture larger. A layer
//! that is too wide goes on in further rows. Within a layer the boxes stand near those that they are joined with.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A graph to be drawn: the width of each box, and the edges between them, by index.
pub struct Graph {
    pub widths: Vec<u32>,
    pub edges: BTreeSet<(usize, usize)>,
    pub roots: Vec<usize>,
}

/// Where a box stands: its left side, and its row from above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub x: u32,
    pub row: usize,
}

#[derive(Debug)]
pub struct Layout {
    pub places: Vec<Place>,
    /// The edges that lead back, or to the same box.
    pub back: BTreeSet<(usize, usize)>,
    pub rows: usize,
    /// From the left side of the first box to the right side of the last.
    pub width: u32,
}

/// Between two boxes of a row.
pub const GAP: u32 = 18;
/// How often the order in the layers is improved, downwards and upwards.
const ROUNDS: usize = 8;

/// The places of the boxes in rows of at most `limit`, or of one box.
pub fn layout(graph: &Graph, limit: u32) -> Layout {
    let back = back_edges(graph);
    let layers = ordered(graph, &back, layers(graph, &back));
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for layer in layers {
        let total: u32 = layer.iter().map(|&node| graph.widths[node] + GAP).sum::<u32>().saturating_sub(GAP);
        // Rows of one layer are about equally long.
        let count = total.div_ceil(limit).max(1);
        let wanted = total.div_ceil(count).min(limit);
        let mut row: Vec<usize> = Vec::new();
        let mut width = 0;
        for node in layer {
            let more = graph.widths[node];
            if !row.is_empty() && (width + GAP + more > limit || width >= wanted) {
                rows.push(std::mem::take(&mut row));
                width = 0;
            }
            width += more + if row.is_empty() { 0 } else { GAP };
            row.push(node);
        }
        rows.push(row);
    }
    let length = |row: &Vec<usize>| row.iter().map(|&node| graph.widths[node] + GAP).sum::<u32>().saturating_sub(GAP);
    let width = rows.iter().map(length).max().unwrap_or(0);
    let mut places = vec![Place::default(); graph.widths.len()];
    for (at, row) in rows.iter().enumerate() {
        let mut x = (width - length(row)) / 2;
        for &node in row {
            places[node] = Place { x, row: at };
            x += graph.widths[node] + GAP;
        }
    }
    Layout { places, back, rows: rows.len(), width }
}

/// The edges within a cycle that do not lead away from where it is entered.
fn back_edges(graph: &Graph) -> BTreeSet<(usize, usize)> {
    let component = components(graph);
    let inside = |&(from, to): &(usize, usize)| component[from] == component[to];
    // Where a component is entered: a root, or the end of an edge from another. What nothing leads to is entered at its first.
    let mut distance: Vec<Option<usize>> = vec![None; graph.widths.len()];
    let entered = graph.roots.iter().copied().chain(graph.edges.iter().filter(|edge| !inside(edge)).map(|&(_, to)| to));
    let mut queue: VecDeque<usize> = VecDeque::new();
    let enter = |queue: &mut VecDeque<usize>, distance: &mut Vec<Option<usize>>, node: usize| {
        if distance[node].is_none() {
            distance[node] = Some(0);
            queue.push_back(node);
        }
    };
    entered.for_each(|node| enter(&mut queue, &mut distance, node));
    for node in 0..graph.widths.len() {
        while let Some(from) = queue.pop_front() {
            for &(_, to) in graph.edges.range((from, 0)..(from + 1, 0)).filter(|edge| inside(edge)) {
                if distance[to].is_none() {
                    distance[to] = distance[from].map(|distance| distance + 1);
                    queue.push_back(to);
                }
            }
        }
        enter(&mut queue, &mut distance, node);
    }
    graph.edges.iter().filter(|edge| inside(edge) && distance[edge.0] >= distance[edge.1]).copied().collect()
}

/// The strongly connected component of each node, by any number (Kosaraju).
fn components(graph: &Graph) -> Vec<usize> {
    let count = graph.widths.len();
    let reversed: BTreeSet<(usize, usize)> = graph.edges.iter().map(|&(from, to)| (to, from)).collect();
    // Nodes in the order in which the search leaves them.
    let mut left = Vec::new();
    let mut seen = vec![false; count];
    for root in 0..count {
        let mut work = vec![(root, false)];
        while let Some((node, done)) = work.pop() {
            if done {
                left.push(node);
            } else if !std::mem::replace(&mut seen[node], true) {
                work.push((node, true));
                work.extend(graph.edges.range((node, 0)..(node + 1, 0)).map(|&(_, to)| (to, false)));
            }
        }
    }
    let mut component = vec![usize::MAX; count];
    for &root in left.iter().rev() {
        let mut work = vec![root];
        while let Some(node) = work.pop() {
            if component[node] == usize::MAX {
                component[node] = root;
                work.extend(reversed.range((node, 0)..(node + 1, 0)).map(|&(_, to)| to));
            }
        }
    }
    component
}

/// The nodes by layer: each lies below all that lead to it.
fn layers(graph: &Graph, back: &BTreeSet<(usize, usize)>) -> Vec<Vec<usize>> {
    let count = graph.widths.len();
    let mut waiting = vec![0usize; count];
    let forward = || graph.edges.iter().filter(|edge| !back.contains(edge));
    forward().for_each(|&(_, to)| waiting[to] += 1);
    let mut layer = vec![0usize; count];
    let mut ready: VecDeque<usize> = (0..count).filter(|&node| waiting[node] == 0).collect();
    while let Some(from) = ready.pop_front() {
        for &(_, to) in graph.edges.range((from, 0)..(from + 1, 0)).filter(|edge| !back.contains(edge)) {
            layer[to] = layer[to].max(layer[from] + 1);
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push_back(to);
            }
        }
    }
    let mut layers = vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)];
    for (node, at) in layer.into_iter().enumerate() {
        layers[at].push(node);
    }
    layers
}

/// The layers, each in the order of its nodes' mean distance from the left in the layers above and below, by turns.
fn ordered(graph: &Graph, back: &BTreeSet<(usize, usize)>, mut layers: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut joined: [BTreeMap<usize, Vec<usize>>; 2] = Default::default();
    for &(from, to) in graph.edges.iter().filter(|edge| !back.contains(edge)) {
        joined[0].entry(to).or_default().push(from);
        joined[1].entry(from).or_default().push(to);
    }
    // In thousandths of the layer, so that short layers lie above the whole of long ones.
    let mut position = vec![0usize; graph.widths.len()];
    let place = |layer: &[usize], position: &mut Vec<usize>| {
        for (at, &node) in layer.iter().enumerate() {
            position[node] = (2 * at + 1) * 1000 / (2 * layer.len());
        }
    };
    layers.iter().for_each(|layer| place(layer, &mut position));
    for round in 0..ROUNDS {
        let joined = &joined[round % 2];
        let order: Vec<usize> = if round % 2 == 0 { (0..layers.len()).collect() } else { (0..layers.len()).rev().collect() };
        for at in order {
            layers[at].sort_by_key(|&node| match joined.get(&node) {
                Some(others) => others.iter().map(|&other| position[other]).sum::<usize>() / others.len(),
                None => position[node],
            });
            place(&layers[at], &mut position);
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(count: usize, edges: &[(usize, usize)]) -> Graph {
        Graph { widths: vec![100; count], edges: edges.iter().copied().collect(), roots: if count > 0 { vec![0] } else { vec![] } }
    }

    fn rows(layout: &Layout) -> Vec<usize> {
        layout.places.iter().map(|place| place.row).collect()
    }

    #[test]
    fn a_box_stands_below_its_furthest_caller() {
        let layout = layout(&graph(4, &[(0, 1), (1, 2), (0, 2), (2, 3)]), 1000);
        assert_eq!((rows(&layout), layout.width, layout.back.len()), (vec![0, 1, 2, 3], 100, 0));
    }

    #[test]
    fn calls_back_make_the_picture_no_larger() {
        // 0 → 1 → 2 → 3 → 1, 3 → 4, 2 → 2, and 5 and 6, which only call each other.
        let layout = layout(&graph(7, &[(0, 1), (1, 2), (2, 3), (3, 1), (3, 4), (2, 2), (5, 6), (6, 5)]), 1000);
        assert_eq!(rows(&layout), [0, 1, 2, 3, 4, 0, 1]);
        assert_eq!(layout.back, BTreeSet::from([(3, 1), (2, 2), (6, 5)]));
        assert_eq!((layout.rows, layout.width), (5, 200 + GAP));
    }

    #[test]
    fn a_cycle_of_many_is_as_deep_as_its_distances() {
        // Everybody calls everybody: all are one step from the entry.
        let all: Vec<(usize, usize)> = (0..50).flat_map(|from| (0..50).map(move |to| (from, to))).collect();
        let layout = layout(&graph(50, &all), 1000);
        assert_eq!(layout.places[0].row, 0);
        assert!(layout.width <= 1000 && layout.rows <= 8, "{layout:?}");
    }

    #[test]
    fn wide_layers_go_on_in_further_rows() {
        let edges: Vec<(usize, usize)> = (1..31).map(|to| (0, to)).collect();
        let layout = layout(&graph(31, &edges), 1000);
        assert!(layout.width <= 1000 && layout.rows == 5, "{layout:?}");
        let mut seen = BTreeSet::new();
        assert!(layout.places.iter().all(|place| seen.insert((place.row, place.x))), "two boxes in one place");
    }

    #[test]
    fn boxes_stand_near_those_they_are_joined_with() {
        // Two pairs, crossed at first.
        let layout = layout(&Graph { roots: vec![0, 1], ..graph(4, &[(0, 3), (1, 2)]) }, 1000);
        assert!((layout.places[0].x < layout.places[1].x) == (layout.places[3].x < layout.places[2].x));
    }

    #[test]
    fn nothing_is_nothing() {
        let layout = layout(&graph(0, &[]), 1000);
        assert_eq!((layout.rows, layout.width), (0, 0));
    }
}
