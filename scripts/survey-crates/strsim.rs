//@ std
//@ strsim = "=0.11.1"
//! Computes distances and similarities of two texts.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = String::from_utf8_lossy(&input[..input.len().min(400)]);
    let (a, b) = text.split_at(text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at));
    let said = format!(
        "{} {} {} {:?} {} {} {}",
        strsim::levenshtein(a, b),
        strsim::osa_distance(a, b),
        strsim::damerau_levenshtein(a, b),
        strsim::hamming(a, b),
        strsim::jaro(a, b),
        strsim::jaro_winkler(a, b),
        strsim::sorensen_dice(a, b),
    );
    put(out, said.as_bytes())
}
