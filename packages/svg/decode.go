//go:build amd64 || arm64

package svg

import (
	"image"
	"image/color"
	"io"
)

// Decode reads r up to its end and draws the document at its own size, on an [*image.RGBA]. Texts are left out, because there are no fonts; use
// [Options.Decode] for fonts and other limits.
func Decode(r io.Reader) (image.Image, error) { return (*Options)(nil).Decode(r) }

// DecodeConfig reads r up to its end and returns the size of the document, as [Document.Bounds] does, and the colour model of an [*image.RGBA]. It
// parses the whole document.
func DecodeConfig(r io.Reader) (image.Config, error) { return (*Options)(nil).DecodeConfig(r) }

// Decode does what the function [Decode] does, with options.
func (o *Options) Decode(r io.Reader) (image.Image, error) {
	d, err := o.read(r)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	p, err := d.Render(0, 0)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// DecodeConfig does what the function [DecodeConfig] does, with options.
func (o *Options) DecodeConfig(r io.Reader) (image.Config, error) {
	d, err := o.read(r)
	if err != nil {
		return image.Config{}, err
	}
	defer d.Close()
	size := d.Bounds().Max
	return image.Config{ColorModel: color.RGBAModel, Width: size.X, Height: size.Y}, nil
}

func (o *Options) read(r io.Reader) (*Document, error) {
	n, err := o.resolve()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, addOne(n.limits.MaxBytes)))
	if err != nil {
		return nil, err
	}
	return Parse(data, o)
}

// RegisterFormat registers SVG with [image.RegisterFormat], so that image.Decode and image.DecodeConfig read it, with opts. The package does not
// register it by itself, because a program that decodes uploaded pictures would then accept documents, which can cost far more than pictures of the
// same size.
//
// SVG has no bytes that all documents begin with. Documents that begin with "<svg" or "<?xml" are recognized, also after a byte order mark: for
// other XML the error of image.Decode is [ErrFormat], not image.ErrFormat. Documents that begin with a comment, with white space or with <!DOCTYPE
// are not recognized, nor are compressed ones.
func RegisterFormat(opts *Options) {
	for _, magic := range []string{"<svg", "<?xml", "\ufeff<svg", "\ufeff<?xml"} {
		image.RegisterFormat("svg", magic, opts.Decode, opts.DecodeConfig)
	}
}
