//@ std
//@ support: libm
//@ image = { version = "=0.25.6", default-features = false, features = ["bmp", "pnm", "png", "tga", "qoi"] }
//! Encodes and decodes pictures in several formats, also damaged ones; rotates, flips and shrinks them.
use image::{DynamicImage, ImageFormat, RgbaImage, imageops};
use std::io::Cursor;

#[rustgo::export(stack = "512k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let (width, height) = (1 + input.len() as u32 % 37, 1 + input.len() as u32 / 150);
    let at = |i: u32| input.get(i as usize).copied().unwrap_or(i as u8);
    let picture = RgbaImage::from_fn(width, height, |x, y| image::Rgba([at(x * 3 + y * width), at(y), at(x), 200]));
    let picture = DynamicImage::from(picture).rotate90().fliph();
    let mut found = vec![];
    for format in [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Pnm, ImageFormat::Tga, ImageFormat::Qoi] {
        let mut file = Cursor::new(vec![]);
        if let Err(error) = picture.write_to(&mut file, format) {
            found.extend_from_slice(error.to_string().as_bytes());
            continue;
        }
        let mut file = file.into_inner();
        assert_eq!(image::load_from_memory_with_format(&file, format).unwrap().to_rgba8(), picture.to_rgba8());
        let at = usize::from(at(2)) % file.len();
        file[at] ^= 1 << (input.len() % 8);
        let mut reader = image::ImageReader::with_format(Cursor::new(&file), format);
        let mut limits = image::Limits::no_limits();
        limits.max_image_width = Some(2000);
        limits.max_image_height = Some(2000);
        limits.max_alloc = Some(1 << 20);
        reader.limits(limits);
        match reader.decode() {
            Ok(back) => found.extend_from_slice(back.as_bytes()),
            Err(error) => found.extend_from_slice(error.to_string().as_bytes()),
        }
    }
    let gray = imageops::thumbnail(&picture.to_luma8(), 9, 7);
    found.extend_from_slice(&gray);
    found.extend_from_slice(format!("{:?}", image::guess_format(input)).as_bytes());
    put(out, &found)
}
