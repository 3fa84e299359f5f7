//@ std
//@ support: libm
//@ rstar = "=0.12.2"
//! Stores points and boxes in a tree. Searches for the nearest ones, and for the ones in a region.
use rstar::{AABB, RTree, primitives::Rectangle};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let points: Vec<[i32; 2]> = input.chunks_exact(2).map(|p| [i32::from(p[0]) * 3, i32::from(p[1])]).collect();
    let mut tree = RTree::bulk_load(points.clone());
    for point in points.iter().step_by(5) {
        tree.remove(point);
        tree.insert([point[0] + 1, point[1] - 7]);
    }
    let near: Vec<i32> = tree.nearest_neighbor_iter_with_distance_2(&[100, 90]).take(9).map(|(_, d)| d).collect();
    let mut inside: Vec<_> = tree.locate_in_envelope(&AABB::from_corners([20, 20], [300, 90])).collect();
    inside.sort();
    let boxes: RTree<Rectangle<[f64; 2]>> =
        RTree::bulk_load(points.iter().map(|p| Rectangle::from_corners([p[0].into(), 0.5], [p[1].into(), 9.5])).collect());
    let hit = boxes.locate_all_at_point(&[77.0, 3.0]).count();
    let text = format!("{near:?} {inside:?} {hit} {} {:?}", tree.size(), tree.nearest_neighbor(&[0, 0]).map(|p| p[0] * p[0] + p[1] * p[1]));
    put(out, text.as_bytes())
}
