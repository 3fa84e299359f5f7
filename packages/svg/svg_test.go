//go:build amd64 || arm64

package svg

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/draw"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"rustgo.dev/go/rt"
)

// head begins a document of 40 × 30 pixels.
const head = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="30">`

var fonts = sync.OnceValue(func() *Fonts {
	var files [][]byte
	for _, name := range []string{"Go-Regular.ttf", "Go-Mono.ttf"} {
		file, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			panic(err)
		}
		files = append(files, file)
	}
	f, err := NewFonts(files...)
	if err != nil {
		panic(err)
	}
	return f
})

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parseOK(t testing.TB, text string, opts *Options) *Document {
	t.Helper()
	d, err := Parse([]byte(text), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func rendered(t testing.TB, d *Document, width, height int) *image.RGBA {
	t.Helper()
	p, err := d.Render(width, height)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func digest(p *image.RGBA) string {
	h := fnv.New64a()
	h.Write(p.Pix)
	return fmt.Sprintf("%016x", h.Sum64())
}

// The pixels are those that a native program draws, rust/examples/golden.rs.
func TestGolden(t *testing.T) {
	var golden []struct {
		File          string
		Scale         float64
		Width, Height int
		Digest        string
	}
	if err := json.Unmarshal(read(t, "golden.json"), &golden); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/*.svg")
	if err != nil || len(golden) != 4*len(files) || len(files) < 15 {
		t.Fatal(len(golden), files, err)
	}
	opts := &Options{Fonts: fonts(), Monospace: "Go Mono"}
	for _, g := range golden {
		d := parseOK(t, string(read(t, g.File)), opts)
		p, err := d.RenderScale(g.Scale)
		if g.Scale == 0 { // stretched
			p, err = d.Render(g.Width, g.Height)
		}
		if err != nil {
			t.Errorf("%s: %v", g.File, err)
			continue
		}
		if got := digest(p); got != g.Digest || p.Rect != image.Rect(0, 0, g.Width, g.Height) {
			t.Errorf("%s, %v: %v with the digest %s, not %d × %d with %s", g.File, g.Scale, p.Rect, got, g.Width, g.Height, g.Digest)
		}
	}
}

// The pixels are premultiplied: no component exceeds alpha.
func TestPremultiplied(t *testing.T) {
	p := rendered(t, parseOK(t, head+`<rect width="40" height="30" fill="#ff8000" fill-opacity=".5"/></svg>`, nil), 0, 0)
	if got, want := p.RGBAAt(20, 15), (color.RGBA{128, 64, 0, 128}); got != want {
		t.Errorf("%v, not %v", got, want)
	}
	p = rendered(t, parseOK(t, string(read(t, "groups.svg")), nil), 200, 0)
	for i := 0; i < len(p.Pix); i += 4 {
		if max(p.Pix[i], p.Pix[i+1], p.Pix[i+2]) > p.Pix[i+3] {
			t.Fatalf("pixel %d: %v", i/4, p.Pix[i:i+4])
		}
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		attributes    string
		width, height float64
		bounds        image.Point
	}{
		{`width="40" height="30"`, 40, 30, image.Pt(40, 30)},
		{`width="40.5" height=".2"`, 40.5, 0.2, image.Pt(41, 1)},
		{`viewBox="0 0 300 100" width="30"`, 30, 10, image.Pt(30, 10)},
		{`viewBox="0 0 300 100"`, 300, 100, image.Pt(300, 100)},
		{`width="1in" height="10mm"`, 192, 75.590553, image.Pt(192, 76)},
		{`width="1e9" height="1e9"`, 1e9, 1e9, image.Pt(1e9, 1e9)},
		{`width="1e38" height="1"`, 1e38, 1, image.Pt(math.MaxInt32, 1)},
		{`width="50%" height="100%"`, 5, 7, image.Pt(5, 7)},
	} {
		d := parseOK(t, `<svg xmlns="http://www.w3.org/2000/svg" `+c.attributes+`><path d="M0 0h5v7z"/></svg>`, &Options{DPI: 192})
		width, height := d.Size()
		if math.Abs(width/c.width-1) > 1e-6 || math.Abs(height/c.height-1) > 1e-6 || d.Bounds() != (image.Rectangle{Max: c.bounds}) {
			t.Errorf("%s: %v × %v, %v", c.attributes, width, height, d.Bounds())
		}
	}
	d := parseOK(t, head+`<rect width="40" height="30"/></svg>`, nil)
	for _, c := range []struct{ width, height, gotWidth, gotHeight int }{{0, 0, 40, 30}, {80, 0, 80, 60}, {0, 15, 20, 15}, {7, 50, 7, 50}, {1, 0, 1, 1}} {
		p := rendered(t, d, c.width, c.height)
		if p.Rect != image.Rect(0, 0, c.gotWidth, c.gotHeight) || !p.Opaque() {
			t.Errorf("%v: %v, opaque: %v", c, p.Rect, p.Opaque())
		}
	}
	for _, c := range []struct{ width, height, gotWidth, gotHeight int }{{100, 100, 100, 75}, {100, 30, 40, 30}, {4, 1000, 4, 3}, {1, 1, 1, 1}, {41, 30, 40, 30}} {
		if width, height := d.Fit(c.width, c.height); width != c.gotWidth || height != c.gotHeight {
			t.Errorf("%v: %d × %d", c, width, height)
		}
	}
}

// Draw gives the same pixels for all kinds of destinations, and changes no others.
func TestDraw(t *testing.T) {
	d := parseOK(t, string(read(t, "groups.svg")), nil)
	want := rendered(t, d, 60, 45)
	background := func(p draw.Image) draw.Image {
		for y := range p.Bounds().Dy() {
			for x := range p.Bounds().Dx() {
				p.Set(p.Bounds().Min.X+x, p.Bounds().Min.Y+y, color.RGBA{uint8(2 * x), uint8(3 * y), 50, uint8(150 + x)})
			}
		}
		return p
	}
	whole := image.Rect(-5, 3, 95, 83)
	sub := func() draw.Image {
		big := background(image.NewRGBA(whole.Inset(-10))).(*image.RGBA)
		return big.SubImage(whole).(draw.Image)
	}
	for name, make := range map[string]func() draw.Image{
		"RGBA":     func() draw.Image { return background(image.NewRGBA(whole)) },
		"SubImage": sub,
		"NRGBA":    func() draw.Image { return background(image.NewNRGBA(whole)) },
		"RGBA64":   func() draw.Image { return background(image.NewRGBA64(whole)) },
		"Gray":     func() draw.Image { return background(image.NewGray(whole)) },
	} {
		for _, op := range []draw.Op{draw.Src, draw.Over} {
			for _, at := range []image.Point{{10, 20}, {-5, 3}, {-30, -10}, {70, 70}, {500, 500}} {
				got, expected := make(), make()
				r := image.Rectangle{at, at.Add(want.Rect.Max)}
				if err := d.Draw(got, r, op); err != nil {
					t.Fatal(err)
				}
				// Parts of a picture may differ by one, because coordinates are rounded.
				draw.Draw(expected, r, want, image.Point{}, op)
				if n := difference(got, expected); n > 1 && r.In(whole) || n > 3 {
					t.Errorf("%s, %v, %v: a difference of %d", name, op, at, n)
				}
				if r.In(whole) && name != "Gray" && !reflect.DeepEqual(got, expected) {
					t.Errorf("%s, %v, %v: other pixels", name, op, at)
				}
			}
		}
	}
	// Whole rows of a picture are drawn in place.
	p := background(image.NewRGBA(image.Rect(0, 0, 60, 60))).(*image.RGBA)
	before := bytes.Clone(p.Pix)
	if err := d.Draw(p, image.Rect(0, 10, 60, 55), draw.Src); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(p.Pix[10*p.Stride:55*p.Stride], want.Pix) || !bytes.Equal(p.Pix[:10*p.Stride], before[:10*p.Stride]) || !bytes.Equal(p.Pix[55*p.Stride:], before[55*p.Stride:]) {
		t.Error("other pixels in whole rows")
	}
	if n := testing.AllocsPerRun(10, func() { d.Draw(p, image.Rect(0, 10, 60, 55), draw.Src) }); n > 2 {
		t.Errorf("%v allocations", n)
	}
}

// difference returns the largest difference of the components of two pictures of the same size.
func difference(p, q image.Image) int {
	most := 0
	for y := p.Bounds().Min.Y; y < p.Bounds().Max.Y; y++ {
		for x := p.Bounds().Min.X; x < p.Bounds().Max.X; x++ {
			var a, b [4]uint32
			a[0], a[1], a[2], a[3] = p.At(x, y).RGBA()
			b[0], b[1], b[2], b[3] = q.At(x, y).RGBA()
			for i := range a {
				most = max(most, int(a[i]>>8)-int(b[i]>>8), int(b[i]>>8)-int(a[i]>>8))
			}
		}
	}
	return most
}

// The tiles of a picture are the parts of the whole one.
func TestTiles(t *testing.T) {
	d := parseOK(t, string(read(t, "shapes.svg")), nil)
	want := rendered(t, d, 320, 240)
	got := image.NewRGBA(want.Rect)
	for y := 0; y < 240; y += 60 {
		for x := 0; x < 320; x += 80 {
			m := [6]float64{0: 4, 2: float64(-x), 4: 4, 5: float64(-y)}
			if err := d.DrawTransformed(got, image.Rect(x, y, x+80, y+60), m, draw.Src); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := others(got, want); n > 0.01 {
		t.Errorf("%v of the pixels differ", n)
	}
	// A quarter turn.
	turned := image.NewRGBA(image.Rect(0, 0, 240, 320))
	if err := d.DrawTransformed(turned, turned.Rect, [6]float64{0, -4, 240, 4, 0, 0}, draw.Src); err != nil {
		t.Fatal(err)
	}
	back := image.NewRGBA(want.Rect)
	for y := range 240 {
		for x := range 320 {
			back.Set(x, y, turned.At(239-y, x))
		}
	}
	if n := others(back, want); n > 0.03 {
		t.Errorf("turned: %v of the pixels differ", n)
	}
}

// others returns the part of the pixels that differ. The samples of pixels at edges are rounded to places that depend on the transformation.
func others(p, q *image.RGBA) float64 {
	n := 0
	for i := 0; i < len(p.Pix); i += 4 {
		if !bytes.Equal(p.Pix[i:i+4], q.Pix[i:i+4]) {
			n++
		}
	}
	return 4 * float64(n) / float64(len(p.Pix))
}

func TestTexts(t *testing.T) {
	text := func(attributes string, opts *Options) string {
		d := parseOK(t, head+`<text y="20" `+attributes+`>Text</text></svg>`, opts)
		return digest(rendered(t, d, 0, 0))
	}
	empty := text("", nil)
	plain := text("", &Options{Fonts: fonts()})
	mono := text(`font-family="Go Mono"`, &Options{Fonts: fonts()})
	if empty == plain || plain == mono || empty == mono {
		t.Error("the same pictures")
	}
	for attributes, want := range map[string]string{
		`font-family="Go"`: plain, `font-family="Nothing"`: plain, `font-family="Nothing, Go Mono"`: mono, `font-family="monospace"`: mono,
		`font-family="serif"`: plain, `style="font-family:'Go Mono'"`: mono, `font-size="12"`: plain, `font-family="fantasy"`: mono,
	} {
		if text(attributes, &Options{Fonts: fonts(), Monospace: "Go Mono", Fantasy: "Go Mono"}) != want {
			t.Errorf("%s: another picture", attributes)
		}
	}
	if text("", &Options{Fonts: fonts(), FontFamily: "Go Mono"}) != mono || text("", &Options{Fonts: fonts(), Stylesheet: "text { font-family: Go Mono }"}) != mono {
		t.Error("another picture")
	}
	if text("", &Options{Fonts: fonts(), FontSize: 20}) != text(`font-size="20"`, &Options{Fonts: fonts()}) {
		t.Error("FontSize: another picture")
	}
	german := `systemLanguage="de"`
	if text(german, &Options{Fonts: fonts()}) != empty || text(german, &Options{Fonts: fonts(), Languages: []string{"fr", "de"}}) != plain {
		t.Error("Languages: another picture")
	}
	if got := fonts().Families(); !reflect.DeepEqual(got, []string{"Go", "Go Mono"}) {
		t.Error(got)
	}
}

func TestWarnings(t *testing.T) {
	d := parseOK(t, head+`<text y="20" font-family="Nothing">x</text><image width="9" height="9" href="/etc/passwd"/><rect width="9" height="9" fill="wrong"/></svg>`, nil)
	got := strings.Join(d.Warnings(), "\n")
	for _, want := range []string{"\"Nothing\"' font-family", "'/etc/passwd'", "'wrong'"} {
		if !strings.Contains(got, want) {
			t.Errorf("no warning about %s: %s", want, got)
		}
	}
	if got := parseOK(t, head+`</svg>`, nil).Warnings(); len(got) != 0 {
		t.Error(got)
	}
	if got := parseOK(t, head+strings.Repeat(`<rect width="9" height="9" fill="w"/><rect width="9" height="9" fill="v"/>`, 200)+`</svg>`, nil).Warnings(); len(got) != 100 {
		t.Error(len(got))
	}
}

func TestErrors(t *testing.T) {
	zipped := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		return b.Bytes()
	}
	good := zipped(head + `</svg>`)
	for _, c := range []struct {
		name, data   string
		want         error
		line, column int
	}{
		{"nothing", "", ErrFormat, 0, 0},
		{"PNG", "\x89PNG\r\n\x1a\n", ErrEncoding, 0, 0},
		{"text", "a text", ErrSyntax, 1, 1},
		{"HTML", "<html><body></body></html>", ErrFormat, 0, 0},
		{"svg of another namespace", `<svg xmlns="http://example.com"/>`, ErrFormat, 0, 0},
		{"UTF-16", "\xff\xfe<\x00s\x00", ErrEncoding, 0, 0},
		{"Latin-1", head + "<!-- \xe4 --></svg>", ErrEncoding, 0, 0},
		{"unclosed", "<svg>\n <g>", ErrSyntax, 0, 0},
		{"wrong tag", "<svg>\n <g></h></svg>", ErrSyntax, 2, 5},
		{"prefix", "<svg xmlns='http://www.w3.org/2000/svg'>\n<a:b/></svg>", ErrSyntax, 2, 2},
		{"entity", head + "&nbsp;</svg>", ErrSyntax, 1, len(head) + 1},
		{"no width", `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="9"/>`, ErrSize, 0, 0},
		{"negative", `<svg xmlns="http://www.w3.org/2000/svg" width="-1" height="9"/>`, ErrSize, 0, 0},
		{"gzip of a text", string(zipped("text")), ErrSyntax, 1, 1},
		{"gzip, cut off", string(good[:len(good)-9]), ErrFormat, 0, 0},
		{"gzip, header", "\x1f\x8b", ErrFormat, 0, 0},
	} {
		d, err := Parse([]byte(c.data), nil)
		var e *Error
		if !errors.Is(err, c.want) || !errors.As(err, &e) || d != nil || !strings.HasPrefix(err.Error(), "svg: ") {
			t.Errorf("%s: %v, %v", c.name, d, err)
			continue
		}
		if e.Line != c.line || e.Column != c.column {
			t.Errorf("%s: %d:%d in %v", c.name, e.Line, e.Column, err)
		}
	}
	if d, err := Parse(good, nil); err != nil {
		t.Error(err)
	} else if width, _ := d.Size(); width != 40 {
		t.Error(width)
	}
	for name, opts := range map[string]Options{
		"DPI": {DPI: -1}, "FontSize": {FontSize: math.NaN()}, "DefaultWidth": {DefaultWidth: math.Inf(1)}, "Fonts": {Fonts: new(Fonts)},
		"Stylesheet": {Stylesheet: "\xff"}, "FontFamily": {FontFamily: "\xff"}, "Languages": {Languages: []string{"\xff"}}, "Limits": {Limits: Limits{MaxPixels: -1}},
	} {
		if d, err := Parse([]byte(head+"</svg>"), &opts); !errors.Is(err, ErrOption) || d != nil {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	if f, err := NewFonts(read(t, "Go-Mono.ttf"), []byte("no font")); !errors.Is(err, ErrFont) || f != nil || !strings.Contains(err.Error(), "file 1") {
		t.Error(f, err)
	}
	if f, err := NewFonts(); !errors.Is(err, ErrOption) || f != nil {
		t.Error(f, err)
	}
	d := parseOK(t, head+"</svg>", nil)
	for _, size := range [][2]int{{-1, 5}, {5, -1}} {
		if p, err := d.Render(size[0], size[1]); !errors.Is(err, ErrOption) || p != nil {
			t.Error(p, err)
		}
	}
	for _, scale := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if p, err := d.RenderScale(scale); !errors.Is(err, ErrOption) || p != nil {
			t.Error(scale, p, err)
		}
	}
	p := image.NewRGBA(image.Rect(0, 0, 9, 9))
	for _, err := range []error{d.Draw(p, p.Rect, 5), d.DrawTransformed(p, p.Rect, [6]float64{math.NaN()}, draw.Src), d.DrawTransformed(p, p.Rect, [6]float64{1e300}, draw.Src)} {
		if !errors.Is(err, ErrOption) {
			t.Error(err)
		}
	}
	if err := d.DrawTransformed(p, p.Rect, [6]float64{}, draw.Src); err != nil {
		t.Error(err)
	}
}

func TestClose(t *testing.T) {
	d, err := Parse([]byte(head+"</svg>"), nil)
	if err != nil {
		t.Fatal(err)
	}
	d.using.RLock()
	if err := d.Close(); err != rt.ErrInUse {
		t.Error(err)
	}
	d.using.RUnlock()
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if err := d.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	var zero Document
	for _, d := range []*Document{d, &zero} {
		if p, err := d.render(1, 1, [6]float64{}); !errors.Is(err, ErrClosed) && !errors.Is(err, ErrTooLarge) || p != nil {
			t.Error(p, err)
		}
		if err := d.Draw(image.NewRGBA(image.Rect(0, 0, 1, 1)), image.Rect(0, 0, 1, 1), draw.Src); err == nil {
			t.Error("no error")
		}
	}
	if err := zero.Close(); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestDecode(t *testing.T) {
	text := head + `<rect width="20" height="30" fill="red"/></svg>`
	p, err := Decode(strings.NewReader(text))
	if err != nil || p.Bounds() != image.Rect(0, 0, 40, 30) || p.At(3, 3) != (color.RGBA{255, 0, 0, 255}) || p.At(30, 3) != (color.RGBA{}) {
		t.Error(p, err)
	}
	c, err := DecodeConfig(strings.NewReader(text))
	if err != nil || c.Width != 40 || c.Height != 30 || c.ColorModel != p.ColorModel() {
		t.Error(c, err)
	}
	// The size may be larger than a picture may be.
	c, err = DecodeConfig(strings.NewReader(`<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="2e9"/>`))
	if err != nil || c.Width != 1e9 || c.Height != 2e9 {
		t.Error(c, err)
	}
	broken := errors.New("broken")
	if p, err := Decode(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))); err != broken || p != nil {
		t.Error(p, err)
	}
	if p, err := Decode(strings.NewReader("text")); !errors.Is(err, ErrSyntax) || p != nil {
		t.Error(p, err)
	}
	if p, err := (&Options{Limits: Limits{MaxBytes: 100}}).Decode(iotest.OneByteReader(strings.NewReader(text))); !errors.Is(err, ErrTooLarge) || p != nil {
		t.Error(p, err)
	}

	if _, _, err := image.Decode(strings.NewReader(text)); err != image.ErrFormat {
		t.Errorf("before RegisterFormat: %v", err)
	}
	RegisterFormat(&Options{Fonts: fonts()})
	for _, text := range []string{text, `<?xml version="1.0"?>` + text, "\ufeff" + text} {
		p, format, err := image.Decode(strings.NewReader(text))
		if err != nil || format != "svg" || p.Bounds() != image.Rect(0, 0, 40, 30) {
			t.Error(p, format, err)
		}
		c, format, err := image.DecodeConfig(strings.NewReader(text))
		if err != nil || format != "svg" || c.Width != 40 {
			t.Error(c, format, err)
		}
	}
	if _, _, err := image.Decode(strings.NewReader(`<?xml version="1.0"?><html/>`)); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}

// Goroutines parse documents and draw shared ones at the same time.
func TestConcurrent(t *testing.T) {
	names := []string{"text.svg", "filters.svg", "groups.svg", "patterns.svg"}
	opts := &Options{Fonts: fonts(), Monospace: "Go Mono"}
	var documents []*Document
	var want []string
	for _, name := range names {
		d := parseOK(t, string(read(t, name)), opts)
		documents = append(documents, d)
		want = append(want, digest(rendered(t, d, 100, 0)))
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for j := range 8 {
				n := (i + j) % len(names)
				d := documents[n]
				if i%2 == 0 {
					var err error
					if d, err = Parse(read(t, names[n]), opts); err != nil {
						t.Error(err)
						return
					}
					defer d.Close()
				}
				p, err := d.Render(100, 0)
				if err != nil || digest(p) != want[n] {
					t.Errorf("%s: %v, or other pixels", names[n], err)
				}
				runtime.Gosched()
			}
		}()
	}
	all.Wait()
}

// Documents leave no memory outside of Go's heap, whether they are good or not.
func TestMemory(t *testing.T) {
	files, err := filepath.Glob("testdata/*.svg")
	if err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread() // thread-local variables stay allocated
	defer runtime.UnlockOSThread()
	round := func() {
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, data := range [][]byte{data, data[:len(data)/2], bytes.ReplaceAll(data, []byte("url("), []byte("url(#a"))} {
				d, err := Parse(data, &Options{Fonts: fonts()})
				if err != nil {
					continue
				}
				p := image.NewRGBA(image.Rect(0, 0, 60, 60))
				for _, err := range []error{d.Draw(p, p.Rect, draw.Src), d.Draw(p, image.Rect(5, 5, 50, 50), draw.Over)} {
					if err != nil {
						t.Fatal(err)
					}
				}
				if err := d.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	round()
	settle()
	before := rt.HeapLive()
	round()
	settle()
	if after := rt.HeapLive(); after > before {
		t.Errorf("%d bytes are left", after-before)
	}
}

// settle lets the collector drop the documents that earlier tests have not closed.
func settle() {
	for live := uint64(math.MaxUint64); rt.HeapLive() < live; {
		live = rt.HeapLive()
		for range 3 {
			runtime.GC()
		}
	}
}
