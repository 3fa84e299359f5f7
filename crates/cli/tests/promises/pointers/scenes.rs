//@ native: all
//! The nodes of a scene refer to each other by index. LLVM may compile `bounds_of` so that its callers pass it the address of the node's method.
#![no_std]

type Matrix = [[f32; 4]; 4];

trait Node {
    fn bounds(&self, scene: &Scene<'_>, at: &Matrix, depth: u32) -> [f32; 6];
}

struct Scene<'a> {
    nodes: &'a [&'a dyn Node],
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    core::array::from_fn(|i| core::array::from_fn(|j| (0..4).map(|k| a[i][k] * b[k][j]).sum()))
}

/// Calls a method of a trait object. LLVM may pass the method as a function pointer.
#[inline(never)]
fn bounds_of(node: &dyn Node, scene: &Scene<'_>, at: &Matrix, depth: u32) -> [f32; 6] {
    let mut bounds = node.bounds(scene, at, depth);
    for i in 0..3 {
        if !(bounds[i] <= bounds[i + 3]) {
            bounds.swap(i, i + 3);
        }
        bounds[i] = bounds[i].max(-1e6);
        bounds[i + 3] = bounds[i + 3].min(1e6);
    }
    bounds
}

struct Ball(f32);
struct Moved(f32, f32, usize);
struct Turned(f32, usize);

impl Node for Ball {
    fn bounds(&self, _: &Scene<'_>, at: &Matrix, _: u32) -> [f32; 6] {
        let [x, y, z] = [at[0][3], at[1][3], at[2][3]];
        [x - self.0, y - self.0, z - self.0, x + self.0, y + self.0, z + self.0]
    }
}

impl Node for Moved {
    fn bounds(&self, scene: &Scene<'_>, at: &Matrix, depth: u32) -> [f32; 6] {
        let by = [[1.0, 0.0, 0.0, self.0], [0.0, 1.0, 0.0, self.1], [0.0, 0.0, 1.0, 0.5], [0.0, 0.0, 0.0, 1.0]];
        let at = product(at, &by);
        let mut bounds = bounds_of(scene.nodes[self.2], scene, &at, depth + 1);
        bounds[0] -= at[0][0] * 0.001;
        bounds
    }
}

impl Node for Turned {
    fn bounds(&self, scene: &Scene<'_>, at: &Matrix, depth: u32) -> [f32; 6] {
        let by = [[0.0, -self.0, 0.0, 0.0], [self.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
        let at = product(at, &by);
        let mut bounds = bounds_of(scene.nodes[self.1], scene, &at, depth + 1);
        bounds[1] -= at[0][0] * 0.001;
        bounds
    }
}

#[rustgo::export]
pub fn bounded(n: u64) -> u64 {
    let balls: [Ball; 4] = core::array::from_fn(|i| Ball(i as f32));
    let moved: [Moved; 20] = core::array::from_fn(|i| Moved(i as f32, 2.0, 2 * i + 1));
    let turned: [Turned; 20] = core::array::from_fn(|i| Turned(1.0, 2 * i));
    let mut nodes: [&dyn Node; 41] = [&balls[n as usize % 4]; 41];
    for (i, (moved, turned)) in moved.iter().zip(&turned).enumerate() {
        (nodes[2 * i + 1], nodes[2 * i + 2]) = (turned, moved);
    }
    let one = core::array::from_fn(|i| core::array::from_fn(|j| f32::from(u8::from(i == j))));
    let bounds = bounds_of(nodes[n as usize % 41], &Scene { nodes: &nodes }, &one, 0);
    bounds.iter().fold(0, |sum: u64, x| sum.wrapping_mul(31) ^ u64::from(x.to_bits()))
}
