//@ std
//@ gif = "=0.13.3"
//! Encodes an animation, decodes it, and decodes a damaged copy.
use gif::{ColorOutput, DecodeOptions, DecodingError, Encoder, Frame, Repeat};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let (width, height) = (1 + input.len() as u16 % 37, 1 + input.len() as u16 / 120);
    let pixels: Vec<u8> = input.iter().copied().chain([1, 2, 3]).cycle().take(usize::from(width) * usize::from(height) * 3).collect();
    let mut file = vec![];
    {
        let mut encoder = Encoder::new(&mut file, width, height, &[0, 0, 0, 255, 255, 255]).unwrap();
        encoder.set_repeat(Repeat::Infinite).unwrap();
        encoder.write_frame(&Frame::from_rgb(width, height, &pixels)).unwrap();
        let mut second = Frame::from_indexed_pixels(width, height, pixels.iter().step_by(3).map(|p| p & 1).collect::<Vec<_>>(), Some(0));
        second.delay = 7;
        encoder.write_frame(&second).unwrap();
    }
    let mut found = decode(&file).unwrap();
    let at = usize::from(input.first().copied().unwrap_or(3)) * 5 % file.len();
    file[at] ^= 1 << (input.len() % 8);
    match decode(&file) {
        Ok(back) => found.extend_from_slice(&back),
        Err(error) => found.extend_from_slice(error.to_string().as_bytes()),
    }
    found.extend_from_slice(&file);
    put(out, &found)
}

fn decode(file: &[u8]) -> Result<Vec<u8>, DecodingError> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    options.set_memory_limit(gif::MemoryLimit::Bytes(std::num::NonZeroU64::new(1 << 20).unwrap()));
    let mut decoder = options.read_info(file)?;
    let mut data = vec![];
    while let Some(frame) = decoder.read_next_frame()? {
        data.extend_from_slice(&frame.buffer);
        data.push(frame.delay as u8);
    }
    Ok(data)
}
