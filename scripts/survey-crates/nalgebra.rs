//@ std
//@ support: libm
//@ nalgebra = { version = "=0.34.2", default-features = false, features = ["std"] }
//! Matrix products, solutions and decompositions. Only arithmetic and square roots are used: their results are equal on all machines.
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let at = |i: usize| f64::from(input.get(i).copied().unwrap_or(i as u8 * 37)) / 16.0 - 5.0;
    let n = 2 + input.len() % 9;
    let a = DMatrix::from_fn(n, n, |r, c| at(r * n + c));
    let b = DVector::from_fn(n, |r, _| at(r + 100));
    let mut text = format!("{:?}", a.clone().lu().solve(&b));
    text += &format!("{:?} {}", a.clone().qr().r(), a.determinant());
    text += &format!("{:?}", (&a * a.transpose() + DMatrix::identity(n, n)).cholesky().map(|c| c.inverse()));
    let m = Matrix3::from_fn(|r, c| at(r * 3 + c + 7));
    let v = Vector3::new(at(1), at(2), at(3));
    text += &format!("{:?} {:?} {:?} {}", m.try_inverse(), m * v, v.cross(&(m * v)), v.norm());
    text += &format!("{:?}", a.view((0, 0), (2, input.len() % 13)).sum());
    put(out, text.as_bytes())
}
