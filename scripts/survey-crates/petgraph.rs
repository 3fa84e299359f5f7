//@ std
//@ petgraph = "=0.8.3"
//! Finds shortest paths, components and orders of graphs.
use petgraph::algo::{bellman_ford, connected_components, dijkstra, is_cyclic_directed, kosaraju_scc, min_spanning_tree, toposort};
use petgraph::data::FromElements;
use petgraph::dot::Dot;
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::visit::Dfs;

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut graph: DiGraph<usize, f64> = DiGraph::new();
    let nodes: Vec<NodeIndex> = (0..3 + input.len() % 29).map(|n| graph.add_node(n)).collect();
    for edge in input.chunks_exact(3).take(200) {
        let at = |b: u8| nodes[usize::from(b) % nodes.len()];
        graph.update_edge(at(edge[0]), at(edge[1]), f64::from(edge[2]));
    }
    graph.remove_node(nodes[1]);
    let start = NodeIndex::new(0);
    let mut far: Vec<_> = dijkstra(&graph, start, None, |e| *e.weight() as u32).into_iter().collect();
    far.sort();
    let mut text = format!("{far:?} {} {}", connected_components(&graph), is_cyclic_directed(&graph));
    text += &format!("{:?} {:?}", toposort(&graph, None), kosaraju_scc(&graph));
    text += &format!("{:?}", bellman_ford(&graph, start).map(|p| p.distances));
    let mut search = Dfs::new(&graph, start);
    while let Some(node) = search.next(&graph) {
        text += &format!("{} ", graph[node]);
    }
    let tree = UnGraph::<usize, f64>::from_elements(min_spanning_tree(&graph));
    text += &format!("{} {:?}", tree.edge_count(), Dot::new(&graph));
    put(out, text.as_bytes())
}
