//go:build amd64 || arm64

package jpeg

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rustgo.dev/go/rt"
)

// rgba returns a picture as RGBA.
func rgba(p image.Image) *image.RGBA {
	out := image.NewRGBA(p.Bounds())
	draw.Draw(out, out.Rect, p, p.Bounds().Min, draw.Src)
	return out
}

// difference returns the mean difference of the components and the largest difference of the brightness.
func difference(p, q image.Image) (mean, brightness float64) {
	a, b := rgba(p), rgba(q)
	for i := 0; i < len(a.Pix); i += 4 {
		luma := 0.0
		for c, weight := range []float64{0.299, 0.587, 0.114} {
			d := float64(a.Pix[i+c]) - float64(b.Pix[i+c])
			luma += d * weight
			mean += max(d, -d)
		}
		brightness = max(brightness, luma, -luma)
		if a.Pix[i+3] != b.Pix[i+3] {
			return 255, 255
		}
	}
	return mean / float64(len(a.Pix)/4*3), brightness
}

// Every picture of image/jpeg's tests is decoded by both packages. The results differ by rounding, and by the interpolation of colours that are stored at a
// lower resolution.
func TestAgainstImageJPEG(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jpeg")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := jpeg.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(bytes.NewReader(file))
		if strings.Contains(name, "cmyk") {
			if !errors.Is(err, ErrUnsupported) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c, err := DecodeConfig(bytes.NewReader(file))
		if err != nil || c.ColorModel != got.ColorModel() || got.Bounds() != want.Bounds() || got.Bounds() != image.Rect(0, 0, c.Width, c.Height) {
			t.Errorf("%s: %v, %v, %v", name, c, got.Bounds(), err)
		}
		mean, brightness := difference(got, want)
		limits := [2]float64{0.5, 3.1} // without interpolation
		switch {
		case strings.Contains(name, "gray"):
			limits = [2]float64{0.1, 1}
		case strings.Contains(name, "rgb"): // green and blue are interpolated as if they were colour differences
			limits = [2]float64{5, 60}
		case strings.Contains(name, "42") || strings.Contains(name, "440") || strings.Contains(name, "restart") || strings.Contains(name, "separate"):
			limits = [2]float64{2, 6}
		}
		if mean > limits[0] || brightness > limits[1] {
			t.Errorf("%s: a mean difference of %.2f, and one of %.1f in brightness", name, mean, brightness)
		}
	}
}

// The test decodes pictures of many small sizes, so that rows and columns end within blocks.
func TestSizes(t *testing.T) {
	for width := 1; width <= 40; width += 3 {
		for height := 1; height <= 40; height++ {
			p := image.NewRGBA(image.Rect(0, 0, width, height))
			gray := image.NewGray(p.Rect)
			for y := range height {
				for x := range width {
					p.Set(x, y, color.RGBA{uint8(x * 6), uint8(y * 6), uint8(x*3 + y*3), 255})
					gray.SetGray(x, y, color.Gray{uint8(x*3 + y*3)})
				}
			}
			for _, p := range []image.Image{p, gray} {
				var file bytes.Buffer
				if err := jpeg.Encode(&file, p, &jpeg.Options{Quality: 100}); err != nil {
					t.Fatal(err)
				}
				got, err := DecodeBytes(file.Bytes())
				if err != nil {
					t.Fatal(err)
				}
				want, err := jpeg.Decode(&file)
				if err != nil {
					t.Fatal(err)
				}
				if mean, brightness := difference(got, want); mean > 8 || brightness > 8 || got.Bounds() != p.Bounds() {
					t.Fatalf("%d × %d, %T: a mean difference of %.2f, and one of %.1f in brightness", width, height, p, mean, brightness)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	file, err := os.ReadFile("testdata/video-001.jpeg")
	if err != nil {
		t.Fatal(err)
	}
	var e *Error
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"nothing":   {nil, io.ErrUnexpectedEOF},
		"PNG":       {[]byte("\x89PNG\r\n\x1a\n"), ErrFormat},
		"headers":   {file[:100], nil},
		"truncated": {file[:len(file)/2], nil},
	} {
		p, err := DecodeBytes(c.file)
		if !errors.As(err, &e) || p != nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	if _, err := DecodeConfig(bytes.NewReader(file[:10])); err == nil {
		t.Error("no error")
	}
	broken := errors.New("broken")
	if _, err := Decode(io.MultiReader(bytes.NewReader(file), errReader{broken})); err != broken {
		t.Error(err)
	}
	whole, err := DecodeBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	half, err := DecodeDamaged(file[:len(file)/2])
	if err != nil {
		t.Fatal(err)
	}
	a, b := whole.(*image.RGBA), half.(*image.RGBA)
	if n := a.Stride * 24; !bytes.Equal(a.Pix[:n], b.Pix[:n]) {
		t.Error("the upper part of a truncated picture differs")
	}
}

// ending returns the lengths to which the test cuts the file: 40 lengths or, in a short test, 8. The shortest file has only the headers.
func ending(file []byte) []int {
	first := bytes.Index(file, []byte{0xff, 0xda}) + 2
	first += int(file[first])<<8 + int(file[first+1])
	n := 40
	if testing.Short() {
		n = 8
	}
	places := []int{first}
	for i := 1; i < n; i++ {
		places = append(places, first+(len(file)-8-first)*i/n)
	}
	return places
}

// If image/jpeg refuses a picture that ends too early, Decode refuses it too: with the marker of the end, and without it.
func TestIncompleteScans(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jpeg")
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, name := range files {
		if strings.Contains(name, "cmyk") {
			continue
		}
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range ending(file) {
			for _, c := range [][]byte{file[:n:n], append(file[:n:n], 0xff, 0xd9)} {
				_, want := jpeg.Decode(bytes.NewReader(c))
				_, err := DecodeBytes(c)
				if (err == nil) != (want == nil) {
					t.Errorf("%s, %d of %d bytes: %v, and image/jpeg: %v", name, n, len(file), err, want)
				}
				if len(c) == n && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("%s, %d of %d bytes: %v", name, n, len(file), err)
				}
				if errors.Is(err, io.ErrUnexpectedEOF) {
					refused++
				}
			}
		}
	}
	if refused < len(files)*8 {
		t.Errorf("%d pictures have a scan that ends too early", refused)
	}
	// Half of the data between two restart markers is missing.
	file, err := os.ReadFile("testdata/video-001.restart2.jpeg")
	if err != nil {
		t.Fatal(err)
	}
	from := bytes.Index(file, []byte{0xff, 0xd0}) + 2
	length := bytes.Index(file[from:], []byte{0xff, 0xd1})
	if from < 2 || length < 12 {
		t.Fatal(from, length)
	}
	short := append(bytes.Clone(file[:from+length/2]), file[from+length:]...)
	if _, err := DecodeBytes(short); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// The decoder skips bytes between segments, as image/jpeg does.
func TestBytesBetweenSegments(t *testing.T) {
	file, err := os.ReadFile("testdata/video-001.jpeg")
	if err != nil {
		t.Fatal(err)
	}
	want, err := DecodeBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(file, []byte{0xff, 0xc4})
	for _, more := range []string{"\xff", "\xff\xff\xff", "\x00", "\x00\x00\x00\x00", "\x01\x02\x03\x04\x05\x06\x07"} {
		other := append(append(bytes.Clone(file[:at]), more...), file[at:]...)
		if got, err := DecodeBytes(other); err != nil || !bytes.Equal(got.(*image.RGBA).Pix, want.(*image.RGBA).Pix) {
			t.Errorf("%q: %v", more, err)
		}
		if _, err := jpeg.Decode(bytes.NewReader(other)); err != nil {
			t.Errorf("%q: image/jpeg: %v", more, err)
		}
	}
}

// The pixels of a damaged picture are opaque, and a picture without data is an error.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"video-001.jpeg", "video-001.rgb.jpeg", "video-001.progressive.jpeg"} {
		file, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range ending(file) {
			p, err := DecodeDamaged(file[:n])
			if i == 0 {
				if !errors.Is(err, io.ErrUnexpectedEOF) || p != nil {
					t.Errorf("%s without data: %v", name, err)
				}
				if _, err := DecodeDamaged(append(file[:n:n], 0xff, 0xd9)); !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("%s without data before the end: %v", name, err)
				}
				continue
			}
			// A progressive picture also has headers between its scans.
			if err != nil && strings.Contains(name, "progressive") && errors.Is(err, io.ErrUnexpectedEOF) {
				continue
			}
			if err != nil || !p.(*image.RGBA).Opaque() {
				t.Errorf("%s, %d of %d bytes: %v, or not opaque", name, n, len(file), err)
			}
		}
	}
}

// The error for a feature that the crate does not decode is ErrUnsupported.
func TestUnsupported(t *testing.T) {
	file, err := os.ReadFile("testdata/video-001.jpeg")
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(file, []byte{0xff, 0xc0})
	check := func(name string, change func(file []byte)) {
		other := bytes.Clone(file)
		change(other)
		if _, err := DecodeBytes(other); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: Decode: %v", name, err)
		}
		if _, err := DecodeDamaged(other); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: DecodeDamaged: %v", name, err)
		}
		if _, err := DecodeConfig(bytes.NewReader(other)); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: DecodeConfig: %v", name, err)
		}
	}
	check("12 bits", func(file []byte) { file[at+4] = 12 })
	for _, marker := range []byte{0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf} {
		check(fmt.Sprintf("SOF%d", marker-0xc0), func(file []byte) { file[at+1] = marker })
	}
	for n := range file[:at] {
		if _, err := DecodeBytes(file[:n]); err == nil || strings.TrimSpace(err.Error()) != err.Error() {
			t.Errorf("%d bytes: %q", n, err)
		}
	}
}

// If the memory does not suffice, the error is ErrMemory and not ErrCorrupt.
func TestMemoryLimit(t *testing.T) {
	file, err := os.ReadFile("testdata/video-001.progressive.jpeg")
	if err != nil {
		t.Fatal(err)
	}
	// The decoder holds all coefficients of a progressive picture in memory at once: 25 MB for this size.
	at := bytes.Index(file, []byte{0xff, 0xc2})
	copy(file[at+5:], []byte{8, 0, 8, 0})
	rt.FreeMemory()
	rt.SetMemoryLimit(1 << 20)
	defer rt.SetMemoryLimit(math.MaxUint64)
	if _, err := DecodeDamaged(file); !errors.Is(err, ErrMemory) || errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

// FuzzDecode decodes damaged files. The decoder must not crash or write outside of the picture, and must return the same result twice.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/*.jpeg")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		c, err := DecodeConfig(bytes.NewReader(file))
		if err != nil || c.Width*c.Height > 1<<20 {
			return
		}
		for _, decode := range []func([]byte) (image.Image, error){DecodeBytes, DecodeDamaged} {
			p, err := decode(file)
			q, err2 := decode(file)
			if (err == nil) != (err2 == nil) {
				t.Fatalf("%v, and then %v", err, err2)
			}
			var e *Error
			if err != nil && !errors.As(err, &e) {
				t.Fatal(err)
			}
			if err == nil && !bytes.Equal(rgba(p).Pix, rgba(q).Pix) {
				t.Fatal("two results")
			}
		}
	})
}
