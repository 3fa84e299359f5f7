// Package jpeg decodes pictures in JPEG, baseline and progressive. The decoder is the Rust crate zune-jpeg, with AVX2 and NEON.
//
//	picture, err := jpeg.Decode(file) // an *image.RGBA or an *image.Gray
//
// The pixels are red, green and blue, ready to be drawn or written, whereas image/jpeg returns an [image.YCbCr]. The package does not register its
// format with [image.RegisterFormat]: image.Decode uses the first decoder registered for JPEG, so the order of imports would choose the decoder.
//
// # Differences from image/jpeg
//
// Colours that are stored at a lower resolution are interpolated, whereas image/jpeg repeats them. So edges between colours look smoother, and pixels
// have other values; their brightness differs little. Pictures in CMYK are refused with [ErrUnsupported].
package jpeg

//go:generate rustgo build --crate rust
