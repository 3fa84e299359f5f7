//! Drawing into the memory of Go.

use crate::cost;
use crate::error::{Failure, Reason};
use resvg::tiny_skia::{Pixmap, PixmapMut, Transform};
use resvg::usvg::Tree;

/// rawTarget is a rectangle of pixels and how to draw on it.
#[derive(Clone, Copy, rustgo::Value)]
#[rustgo(name = "rawTarget")]
#[repr(C)]
pub struct RawTarget {
    pub width: u32,
    pub height: u32,
    /// The distance of two rows in bytes.
    pub stride: usize,
    /// x' = m[0]·x + m[1]·y + m[2], y' = m[3]·x + m[4]·y + m[5], where x and y are coordinates of the document.
    pub matrix: [f32; 6],
    /// True if the document is drawn over the pixels, false if it replaces them.
    pub over: bool,
    /// True if all pixels are zero.
    pub clear: bool,
    pub max_memory: u64,
    pub max_nanoseconds: u64,
}

/// Draws the document. The pixels end with the last pixel of the last row.
pub fn draw(tree: &Tree, pixels: &mut [u8], target: &RawTarget) -> Result<(), Failure> {
    let row = target.width as usize * 4;
    let direct = target.stride == row && !target.over;
    let [a, b, c, d, e, f] = target.matrix;
    let transform = Transform::from_row(a, d, b, e, c, f);
    let layer = if direct { 0 } else { (row * target.height as usize) as u64 };
    cost::check(tree, transform, (target.width, target.height), layer, target)?;
    if direct {
        if !target.clear {
            pixels.fill(0);
        }
        let mut pixmap = PixmapMut::from_bytes(pixels, target.width, target.height).ok_or_else(no_picture)?;
        resvg::render(tree, transform, &mut pixmap);
        return Ok(());
    }
    let mut layer = Pixmap::new(target.width, target.height).ok_or_else(no_picture)?;
    resvg::render(tree, transform, &mut layer.as_mut());
    for (to, from) in pixels.chunks_mut(target.stride).zip(layer.data().chunks_exact(row)) {
        let to = &mut to[..row];
        if target.over {
            to.chunks_exact_mut(4).zip(from.chunks_exact(4)).for_each(|(to, from)| over(to, from));
        } else {
            to.copy_from_slice(from);
        }
    }
    Ok(())
}

fn no_picture() -> Failure {
    Failure::new(Reason::TooLarge, "the picture has no pixels or too many")
}

/// Draws a pixel over another one, as Go's package image/draw does.
fn over(to: &mut [u8], from: &[u8]) {
    const MOST: u32 = 0xffff;
    let alpha = (MOST - u32::from(from[3]) * 0x101) * 0x101;
    for (to, from) in to.iter_mut().zip(from) {
        *to = ((u32::from(*to) * alpha / MOST + u32::from(*from) * 0x101) >> 8) as u8;
    }
}
