//! The decoder of the crate zune-jpeg, for the Go files of the package.

mod segments;

use std::fmt::{Display, Formatter};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

/// The reason for a failure.
#[derive(Clone, Copy, PartialEq, Debug, rustgo::Value)]
#[rustgo(name = "reason")]
#[repr(u8)]
pub enum Reason {
    /// The file is not JPEG.
    Format,
    /// The file or a scan ends too early.
    Truncated,
    /// The picture uses a feature that the crate does not decode.
    Unsupported,
    /// The file is damaged.
    Corrupt,
}

/// The failure of a call.
#[derive(Debug, rustgo::Error)]
#[rustgo(name = "nativeError")]
pub struct Failure {
    pub reason: Reason,
    pub text: String,
}

impl Failure {
    fn new(reason: Reason, text: &str) -> Self {
        Self { reason, text: text.to_owned() }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<DecodeErrors> for Failure {
    fn from(error: DecodeErrors) -> Self {
        let reason = match &error {
            // The first text means that the crate has read the ones that `sealed` puts after a scan. The second text is the error for a scan that
            // gets no ones.
            DecodeErrors::Format(text) if text.starts_with("Bad Huffman Code 0xFFFF") || text.starts_with("No more bytes left") => {
                return segments::ends_early();
            }
            DecodeErrors::IllegalMagicBytes(_) => Reason::Format,
            DecodeErrors::ExhaustedData | DecodeErrors::IoErrors(_) => Reason::Truncated,
            DecodeErrors::Unsupported(_) => Reason::Unsupported,
            _ => Reason::Corrupt,
        };
        Self { reason, text: error.to_string().trim_end().to_owned() }
    }
}

/// header has the properties of a picture.
#[derive(Clone, Copy, rustgo::Value)]
#[rustgo(name = "header")]
#[repr(C)]
pub struct Header {
    pub width: u16,
    pub height: u16,
    /// The number of components.
    pub components: u8,
    /// True if decode writes one byte for each pixel, false if it writes four.
    pub gray: bool,
}

type Decoder<'a> = JpegDecoder<ZCursor<&'a [u8]>>;

/// Reads the headers, and chooses the colour space of the output.
fn decoder(file: &[u8], strict: bool) -> Result<(Decoder<'_>, Header), Failure> {
    let largest = usize::from(u16::MAX);
    let options = DecoderOptions::new_fast().set_strict_mode(strict).set_max_width(largest).set_max_height(largest);
    // The crate chooses the conversion from YCbCr while it reads the headers, so RGBA must be set before.
    let options = options.jpeg_set_out_colorspace(ColorSpace::RGBA);
    // A strict decoder reads a sealed file, which may have one scan more (`sealed`).
    let options = options.jpeg_set_max_scans(options.jpeg_get_max_scans() + usize::from(strict));
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers()?;
    let input = decoder.input_colorspace();
    let gray = input == Some(ColorSpace::Luma);
    // For the files of some programs, the crate's conversion from CMYK gives other colours than image/jpeg.
    if !matches!(input, Some(ColorSpace::Luma | ColorSpace::RGB | ColorSpace::YCbCr)) {
        return Err(Failure::new(Reason::Unsupported, "the colours are neither gray, RGB nor YCbCr"));
    }
    // For gray and RGB the crate copies the components, and cannot add alpha.
    if let Some(same @ (ColorSpace::Luma | ColorSpace::RGB)) = input {
        decoder.set_options(options.jpeg_set_out_colorspace(same));
    }
    let info = decoder.info().expect("the headers have been read");
    Ok((decoder, Header { width: info.width, height: info.height, components: info.components, gray }))
}

/// readHeader reads the properties of a picture, without its pixels.
#[rustgo::export(name = "readHeader", blocking_over = 65536)]
pub fn read_header(file: &[u8]) -> Result<Header, Failure> {
    segments::supported(file)?;
    Ok(decoder(file, false)?.1)
}

/// decode writes the pixels of a picture to dst, row by row: one byte for each pixel of a gray picture, otherwise four (red, green, blue, alpha). If
/// strict is true, decode returns an error for a picture that it would otherwise complete by guesses.
#[rustgo::export(name = "decode", blocking)]
pub fn decode(dst: &mut [u8], file: &[u8], strict: bool) -> Result<(), Failure> {
    if strict {
        return decode_with(dst, &segments::sealed(file)?, strict);
    }
    segments::has_data(file)?;
    decode_with(dst, file, strict)
}

fn decode_with(dst: &mut [u8], file: &[u8], strict: bool) -> Result<(), Failure> {
    let (mut decoder, header) = decoder(file, strict)?;
    if decoder.output_colorspace() != Some(ColorSpace::RGB) {
        decoder.decode_into(dst)?;
        // The crate gives missing pixels an arbitrary alpha.
        if !strict && !header.gray {
            dst.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
        }
        return Ok(());
    }
    // The pixels without alpha fill the first three quarters of dst. Move them to their places, from the last pixel to the first.
    let pixels = dst.len() / 4;
    decoder.decode_into(&mut dst[..pixels * 3])?;
    for pixel in (0..pixels).rev() {
        let [red, green, blue] = [dst[pixel * 3], dst[pixel * 3 + 1], dst[pixel * 3 + 2]];
        dst[pixel * 4..pixel * 4 + 4].copy_from_slice(&[red, green, blue, 255]);
    }
    Ok(())
}
