//@ std
//@ support: libm
//@ resvg = { version = "=0.49.0", default-features = false, features = ["raster-images", "svgz", "text"] }
//@ input: <svg xmlns="http://www.w3.org/2000/svg" width="60" height="40" viewBox="0 0 120 80"><defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="#00f8"/></linearGradient></defs><rect x="5" y="5" width="90" height="60" rx="9" fill="url(#g)" stroke="black" stroke-width="2.5"/><circle cx="60" cy="40" r="22" fill="hsl(120,50%,50%)" opacity=".6"/></svg>
//@ input: <svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"><style>.a{fill:none;stroke:#123;stroke-dasharray:4 2}</style><path class="a" d="M4 4C10 40 40 10 44 44S20 30 4 44Q24 0 44 4A9 7 30 1 0 30 30z"/><g transform="rotate(20 24 24) scale(.5)"><ellipse cx="20" cy="30" rx="15" ry="8" fill="teal"/></g></svg>
//@ input: <svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><filter id="f"><feGaussianBlur stdDeviation="2"/><feColorMatrix type="saturate" values=".3"/></filter><mask id="m"><circle cx="20" cy="20" r="14" fill="white"/></mask><clipPath id="c"><rect x="4" y="4" width="30" height="20"/></clipPath><pattern id="p" width="5" height="5" patternUnits="userSpaceOnUse"><path d="M0 0L5 5" stroke="green"/></pattern><rect width="40" height="40" fill="url(#p)" mask="url(#m)"/><polygon points="5,5 35,9 20,33" fill="orange" filter="url(#f)" clip-path="url(#c)"/><use href="#x"/><text x="3" y="20">größe</text></svg>
//! Draws a picture in SVG, and returns its size and its pixels.
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let tree = match Tree::from_data(input, &Options::default()) {
        Ok(tree) => tree,
        Err(error) => return put(out, error.to_string().as_bytes()),
    };
    let size = tree.size().to_int_size();
    let mut picture = Pixmap::new(size.width().min(200), size.height().min(200)).unwrap();
    resvg::render(&tree, Transform::default(), &mut picture.as_mut());
    let mut found = format!("{:?} {:?}", tree.size(), tree.root().bounding_box()).into_bytes();
    found.extend_from_slice(picture.data());
    put(out, &found)
}
