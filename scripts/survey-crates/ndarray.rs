//@ std
//@ ndarray = { version = "=0.16.1", default-features = false, features = ["std"] }
//! Uses arrays of several dimensions: slices, products, sums along an axis.
use ndarray::{Array, Array2, Axis, concatenate, s};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let (rows, columns) = (1 + input.len() % 9, 2 + input.len() % 5);
    let at = |i: usize| f64::from(input.get(i).copied().unwrap_or(i as u8)) / 8.0;
    let a = Array2::from_shape_fn((rows, columns), |(r, c)| at(r * columns + c));
    let b = Array::from_iter((0..rows * columns).map(|i| at(i + 50))).into_shape_with_order((columns, rows)).unwrap();
    let mut text = format!("{} {:?}", a.dot(&b), b.t().sum_axis(Axis(0)));
    text += &format!("{:?}", a.slice(s![..;2, 1..]).mapv(|x| x * x));
    text += &format!("{:?}", concatenate(Axis(1), &[a.view(), b.t()]));
    text += &format!("{:?} {:?}", (&a * 2.0 - &b.t()).mean(), a.broadcast((2, rows, columns)).map(|x| x.sum()));
    text += &format!("{:?}", Array2::from_shape_vec((3, 3), input.to_vec()).map_err(|e| e.to_string()).map(|x| x.diag().to_owned()));
    // row panics for an index beyond the last row.
    text += &format!("{}", a.row(input.len() % 11));
    put(out, text.as_bytes())
}
