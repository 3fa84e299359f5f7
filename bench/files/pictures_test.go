package files

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	stdjpeg "image/jpeg"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"rustgo.dev/bench/internal/processor"
	"rustgo.dev/packages/jpeg"
)

// picture returns a picture that compresses as photographs do: soft shapes, edges and noise.
func picture(width, height int) *image.NRGBA {
	r := rand.New(rand.NewPCG(3, 4))
	p := image.NewNRGBA(image.Rect(0, 0, width, height))
	type disc struct {
		x, y, radius float64
		c            [3]float64
	}
	var discs []disc
	for range 60 {
		discs = append(discs, disc{r.Float64() * float64(width), r.Float64() * float64(height), 20 + r.Float64()*float64(height)/6,
			[3]float64{r.Float64() * 255, r.Float64() * 255, r.Float64() * 255}})
	}
	for y := range height {
		for x := range width {
			fx, fy := float64(x), float64(y)
			c := [3]float64{128 + 90*math.Sin(fx/97), 128 + 90*math.Sin(fy/71), 128 + 90*math.Sin((fx+fy)/131)}
			for _, d := range discs {
				if math.Hypot(fx-d.x, fy-d.y) < d.radius {
					for i := range c {
						c[i] = (c[i] + d.c[i]) / 2
					}
				}
			}
			noise := r.NormFloat64() * 2
			clamp := func(v float64) uint8 { return uint8(max(0, min(255, v+noise))) }
			p.SetNRGBA(x, y, color.NRGBA{clamp(c[0]), clamp(c[1]), clamp(c[2]), 255})
		}
	}
	return p
}

var sizes = []struct {
	name          string
	width, height int
}{{"160x120", 160, 120}, {"1920x1080", 1920, 1080}}

type decoder struct {
	name   string
	decode func(file []byte) (image.Image, error)
}

// compare runs the decoders on a file.
func compare(b *testing.B, name string, file []byte, pixels int, decoders []decoder) {
	for _, d := range decoders {
		b.Run(name+"/"+d.name, func(b *testing.B) {
			b.SetBytes(int64(pixels) * 4)
			b.ReportAllocs()
			b.ResetTimer()
			worked := processor.Time()
			for range b.N {
				if _, err := d.decode(file); err != nil {
					b.Fatal(err)
				}
			}
			processor.Report(b, processor.Time()-worked, b.N)
		})
	}
}

// drawn returns a decoder that also draws its picture to RGBA, as most programs do with a YCbCr picture.
func drawn(decode func(file []byte) (image.Image, error)) func(file []byte) (image.Image, error) {
	return func(file []byte) (image.Image, error) {
		p, err := decode(file)
		if err != nil {
			return nil, err
		}
		out := image.NewRGBA(p.Bounds())
		draw.Draw(out, out.Bounds(), p, p.Bounds().Min, draw.Src)
		return out, nil
	}
}

// BenchmarkJPEG decodes pictures: by packages/jpeg to RGBA, by image/jpeg to YCbCr, and by image/jpeg with a conversion to RGBA. image/jpeg writes
// the files, which are baseline with half the resolution for colours; the environment variable PROGRESSIVE can name a progressive file to decode too.
func BenchmarkJPEG(b *testing.B) {
	std := func(file []byte) (image.Image, error) { return stdjpeg.Decode(bytes.NewReader(file)) }
	decoders := []decoder{{"rustgo", jpeg.DecodeBytes}, {"image-jpeg", std}, {"image-jpeg-drawn", drawn(std)}}
	for _, size := range sizes {
		var file bytes.Buffer
		if err := stdjpeg.Encode(&file, picture(size.width, size.height), &stdjpeg.Options{Quality: 75}); err != nil {
			b.Fatal(err)
		}
		compare(b, size.name, file.Bytes(), size.width*size.height, decoders)
	}
	if name := os.Getenv("PROGRESSIVE"); name != "" {
		file, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		c, err := stdjpeg.DecodeConfig(bytes.NewReader(file))
		if err != nil {
			b.Fatal(err)
		}
		compare(b, "progressive", file, c.Width*c.Height, decoders)
	}
}
