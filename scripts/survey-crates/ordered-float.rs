//@ std
//@ support: libm
//@ ordered-float = "=5.1.0"
//! Sorts floating-point numbers by a total order.
use ordered_float::{FloatIsNan, NotNan, OrderedFloat};
use std::collections::BTreeMap;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let floats = input.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().unwrap()));
    let mut sorted: Vec<OrderedFloat<f64>> = floats.clone().map(OrderedFloat).collect();
    sorted.sort_unstable();
    let all: Result<Vec<NotNan<f32>>, FloatIsNan> = floats.clone().map(|x| NotNan::new(x as f32)).collect();
    let sum = all.map(|all| all.iter().min().copied());
    let mut map = BTreeMap::new();
    for x in input.iter().map(|&b| OrderedFloat(f32::from(b) / 7.0 - 9.0)) {
        *map.entry(x).or_insert(0) += 1;
    }
    let parsed = String::from_utf8_lossy(input).parse::<NotNan<f64>>().map_err(|e| e.to_string());
    put(out, format!("{sorted:?} {sum:?} {map:?} {parsed:?}").as_bytes())
}
