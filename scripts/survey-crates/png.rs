//@ std
//@ png = "=0.18.1"
//! Encodes a picture, decodes it, and decodes a damaged copy.
#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let (width, height) = (1 + input.len() as u32 % 37, 1 + input.len() as u32 / 120);
    let colors = [(png::ColorType::Grayscale, 1), (png::ColorType::Rgb, 3), (png::ColorType::Rgba, 4)];
    let (color, samples) = colors[input.len() % 3];
    let data: Vec<u8> = input.iter().copied().cycle().chain(0..).take((width * height) as usize * samples).collect();
    let data = if data.is_empty() { vec![7; width as usize * height as usize * samples] } else { data };
    let mut file = vec![];
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.add_text_chunk("Title".into(), "survey".into()).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&data).unwrap();
    writer.finish().unwrap();
    let mut found = decode(&file).unwrap();
    assert_eq!(found, data);

    let at = usize::from(input.first().copied().unwrap_or(3)) * 5 % file.len();
    file[at] ^= 1 << (input.len() % 8);
    match decode(&file) {
        Ok(back) => found.extend_from_slice(&back),
        Err(error) => found.extend_from_slice(format!("{error} {error:?}").as_bytes()),
    }
    found.extend_from_slice(&file);
    put(out, &found)
}

fn decode(file: &[u8]) -> Result<Vec<u8>, png::DecodingError> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info()?;
    let size = reader.output_buffer_size().unwrap_or(0).min(1 << 20);
    let mut data = vec![0; size];
    let info = reader.next_frame(&mut data)?;
    data.truncate(info.buffer_size());
    Ok(data)
}
