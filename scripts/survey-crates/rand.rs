//@ std
//@ rand = { version = "=0.9.2", default-features = false, features = ["std", "std_rng", "small_rng"] }
//! Generates random numbers from a seed: ranges, distributions, samples.
use rand::{
    Rng, SeedableRng,
    distr::{Alphanumeric, Uniform, weighted::WeightedIndex},
    rngs::{SmallRng, StdRng},
    seq::{IndexedRandom, SliceRandom},
};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut rng = StdRng::seed_from_u64(input.iter().fold(7, |n, &b| n * 31 ^ u64::from(b)));
    let mut some = input.to_vec();
    some.shuffle(&mut rng);
    let mut small = SmallRng::from_rng(&mut rng);
    let mut text = format!("{:?} {:?}", small.random::<(u8, f32, char)>(), input.choose_multiple(&mut small, 4).collect::<Vec<_>>());
    text += &match WeightedIndex::new(input) {
        Ok(weights) => format!("{:?}", (&mut rng).sample_iter(weights).take(9).collect::<Vec<_>>()),
        Err(error) => error.to_string(),
    };
    text.extend((&mut rng).sample_iter(Alphanumeric).take(12).map(char::from));
    text += &format!("{:?}", Uniform::new(1.5, 1.5 + input.len() as f64).map(|u| rng.sample(u)).map_err(|e| e.to_string()));
    // An empty range panics.
    text += &format!("{}", rng.random_range(0..input.len()));
    some.extend_from_slice(text.as_bytes());
    put(out, &some)
}
