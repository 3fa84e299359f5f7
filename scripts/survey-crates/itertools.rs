//@ std
//@ itertools = "=0.14.0"
//! Uses iterators over combinations, groups and merges.
use itertools::{Itertools, Position};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let few = &input[..input.len().min(7)];
    let mut text = format!("{:?}", few.iter().combinations(3).map(|c| c.into_iter().join("-")).collect_vec());
    text += &format!("{:?}", few.iter().take(4).permutations(2).collect_vec().len());
    text += &input.iter().chunk_by(|b| **b > 99).into_iter().map(|(big, run)| format!("{big}{}", run.count())).join(",");
    text += &format!("{:?}", input.iter().sorted().dedup_with_count().collect_vec());
    text += &format!("{:?}", input.iter().minmax());
    text += &format!("{:?}", input.chunks(9).kmerge().take(200).collect_vec());
    text += &format!("{:?}", input.iter().tuple_windows().filter(|(a, b, c)| a < b && b < c).count());
    text += &format!("{:?}", few.iter().with_position().filter(|(p, _)| *p == Position::Middle).map(|p| p.1).collect_vec());
    text +=
        &format!("{:?}", few.iter().map(|&b| if b == 200 { Err(b) } else { Ok(b) }).process_results(|all| all.map(u32::from).sum::<u32>()));
    text += &format!("{:?}", input.iter().counts().into_iter().sorted().collect_vec());
    put(out, text.as_bytes())
}
