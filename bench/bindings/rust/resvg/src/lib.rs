//! Package resvg renders SVG pictures to pixels or PNG files.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::sync::OnceLock;

static OPTIONS: OnceLock<Options<'static>> = OnceLock::new();

/// SetFont sets the font for all texts. It reports whether this is its first call; later calls change nothing.
#[rustgo::export(results(first), stack = "1m")]
pub fn set_font(file: Vec<u8>) -> bool {
    let mut options = Options::default();
    options.fontdb_mut().load_font_data(file);
    OPTIONS.set(options).is_ok()
}

/// Render draws a picture. A pixel of the result is four bytes: red, green and blue, each multiplied by alpha, and alpha.
#[rustgo::export(results(width, height, pixels, ok), stack = "1m", blocking)]
pub fn render(svg: &[u8]) -> Option<(u32, u32, Vec<u8>)> {
    draw(svg).map(|pixmap| (pixmap.width(), pixmap.height(), pixmap.take()))
}

/// PNG draws a picture and returns it as a PNG file.
#[rustgo::export(name = "PNG", results(file, ok), stack = "1m", blocking)]
pub fn png(svg: &[u8]) -> Option<Vec<u8>> {
    draw(svg)?.encode_png().ok()
}

fn draw(svg: &[u8]) -> Option<Pixmap> {
    let tree = Tree::from_data(svg, OPTIONS.get_or_init(Options::default)).ok()?;
    let size = tree.size().to_int_size();
    let mut pixmap = Pixmap::new(size.width(), size.height())?;
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    Some(pixmap)
}
