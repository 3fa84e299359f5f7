//go:build amd64 || arm64

package jpeg

import (
	"image"
	"image/color"
	"io"
)

// Decode reads r up to its end and decodes the picture: an [*image.Gray] if the file has one component, otherwise an [*image.RGBA]. If the file or the data of
// a scan ends too early, the cause of the error is [io.ErrUnexpectedEOF].
func Decode(r io.Reader) (image.Image, error) {
	file, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return DecodeBytes(file)
}

// DecodeBytes decodes the picture in a file as [Decode] does.
func DecodeBytes(file []byte) (image.Image, error) { return decodeBytes(file, true) }

// DecodeDamaged decodes as much of a damaged picture as it can, such as the upper part of a file that ends too early. The rest of the picture is
// opaque, and gray or any other colour. The error is not nil if the headers are damaged or if nothing follows them.
func DecodeDamaged(file []byte) (image.Image, error) { return decodeBytes(file, false) }

func decodeBytes(file []byte, strict bool) (picture image.Image, err error) {
	defer guard(&err)
	h, err := readHeader(file)
	if err != nil {
		return nil, failure(err)
	}
	bounds := image.Rect(0, 0, int(h.Width), int(h.Height))
	if h.Gray {
		p := image.NewGray(bounds)
		if err := decode(p.Pix, file, strict); err != nil {
			return nil, failure(err)
		}
		return p, nil
	}
	p := image.NewRGBA(bounds)
	if err := decode(p.Pix, file, strict); err != nil {
		return nil, failure(err)
	}
	return p, nil
}

// DecodeConfig reads r up to its end and returns the size of the picture and the colour model of the image that [Decode] returns.
func DecodeConfig(r io.Reader) (c image.Config, err error) {
	file, err := io.ReadAll(r)
	if err != nil {
		return image.Config{}, err
	}
	defer guard(&err)
	h, err := readHeader(file)
	if err != nil {
		return image.Config{}, failure(err)
	}
	c = image.Config{ColorModel: color.RGBAModel, Width: int(h.Width), Height: int(h.Height)}
	if h.Gray {
		c.ColorModel = color.GrayModel
	}
	return c, nil
}
