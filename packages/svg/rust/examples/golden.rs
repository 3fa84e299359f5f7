//! Prints the digests of the pictures that the crate resvg draws from the documents in testdata, for the test TestGolden:
//!
//!     cargo run --release --example golden > ../testdata/golden.json
//!
//! It calls the crate resvg directly, not the exports of this package.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::path::Path;

/// The scales at which each document is drawn.
const SCALES: [f64; 3] = [1.0, 0.37, 3.1];
/// The side of the square to which each document is stretched.
const SIDE: u32 = 45;

fn main() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata");
    let mut options = Options { font_family: "Go".to_owned(), ..Options::default() };
    let fonts = options.fontdb_mut();
    for file in ["Go-Regular.ttf", "Go-Mono.ttf"] {
        fonts.load_font_data(std::fs::read(data.join(file)).expect("a font"));
    }
    fonts.set_serif_family("Go");
    fonts.set_sans_serif_family("Go");
    fonts.set_cursive_family("Go");
    fonts.set_fantasy_family("Go");
    fonts.set_monospace_family("Go Mono");
    let mut files: Vec<_> = std::fs::read_dir(&data).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "svg"));
    files.sort();
    let mut lines = Vec::new();
    for file in files {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let tree = Tree::from_data(&std::fs::read(&file).expect("a document"), &options).expect("an SVG document");
        let (width, height) = (tree.size().width(), tree.size().height());
        for scale in SCALES {
            let side = |length: f32| ((f64::from(length) * scale).round() as u32).max(1);
            lines.push(line(&tree, &name, &scale.to_string(), (side(width), side(height)), (scale, scale)));
        }
        let (x, y) = (f64::from(SIDE) / f64::from(width), f64::from(SIDE) / f64::from(height));
        lines.push(line(&tree, &name, "0", (SIDE, SIDE), (x, y)));
    }
    println!("[\n{}\n]", lines.join(",\n"));
}

/// One picture as an object of JSON.
fn line(tree: &Tree, file: &str, scale: &str, (width, height): (u32, u32), (x, y): (f64, f64)) -> String {
    let mut pixmap = Pixmap::new(width, height).expect("a picture");
    resvg::render(tree, Transform::from_scale(x as f32, y as f32), &mut pixmap.as_mut());
    let digest = digest(pixmap.data());
    format!("\t{{\"file\": \"{file}\", \"scale\": {scale}, \"width\": {width}, \"height\": {height}, \"digest\": \"{digest:016x}\"}}")
}

/// FNV-1a with 64 bits.
fn digest(data: &[u8]) -> u64 {
    data.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
