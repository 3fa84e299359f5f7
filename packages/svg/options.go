//go:build amd64 || arm64

package svg

import (
	"fmt"
	"math"
	"time"
	"unicode/utf8"
)

// Options say how [Parse] reads a document. Zero fields have defaults.
type Options struct {
	// Fonts are the only fonts for the document's texts; fonts of the system and fonts in the document are not used. If it is nil, texts are left out.
	Fonts *Fonts
	// FontFamily is the family of texts that name none. If it is empty, it is the family of the first font.
	FontFamily string
	// Serif and the other fields are the families for CSS's generic names. If one is empty, it is FontFamily. Texts that name only families that
	// Fonts does not have get Serif.
	Serif, SansSerif, Cursive, Fantasy, Monospace string
	// FontSize is the size of texts that state none, in pixels. The default is 12.
	FontSize float64
	// Languages decide the attribute systemLanguage, as in "en-US". The default is "en".
	Languages []string
	// DPI is the number of pixels in an inch, for lengths in units such as mm. The default is 96.
	DPI float64
	// Stylesheet is CSS that is added before the style sheets of the document, so that those win.
	Stylesheet string
	// DefaultWidth and DefaultHeight are 100 % of a document without a viewBox whose width and height are relative or missing. The default is 100.
	DefaultWidth, DefaultHeight float64
	// Limits bound what a document may cost.
	Limits Limits
}

// Limits bound the memory and the time for a document. A zero field is the default. A call that would exceed a limit returns [ErrTooLarge] before it
// has allocated or computed much.
type Limits struct {
	// MaxBytes is the length of the text after decompression, and after the replacement of entities. The default is 64 MiB.
	MaxBytes int64
	// MaxElements is the number of elements after references are followed: an element that 10 use elements show counts as 11. Each character of a
	// text, and each KiB of attributes, counts as an element more. The default is 1,000,000, which is the most that the crate accepts.
	MaxElements int64
	// MaxPixels is the number of pixels of the picture, and of each image inside the document. The default is 67,108,864 (8192 × 8192).
	MaxPixels int64
	// MaxMemory is the number of bytes that drawing may need in addition to the picture, for groups, masks, filters, patterns and images. The
	// default is 1 GiB. [rustgo.dev/go/rt.SetMemoryLimit] bounds the memory of all calls and documents.
	MaxMemory int64
	// MaxTime bounds the time for parsing a document, and for each drawing. It is not a deadline: the times are estimated before, from the numbers
	// of elements and characters, and from areas and segments. Pictures of many kinds were drawn in a third to three times the estimated time. The
	// default is a minute.
	MaxTime time.Duration
}

func orDefault[T int64 | float64 | time.Duration](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}

// native are options as the Rust code gets them.
type nativeOptions struct {
	raw       rawOptions
	fonts     *fontSet
	families  []string
	languages []string
	sheet     string
	limits    Limits
}

func invalid(format string, args ...any) error {
	return &Error{Err: ErrOption, Text: fmt.Sprintf(format, args...)}
}

// resolve replaces zero fields by defaults, and returns an error if a field is invalid.
func (o *Options) resolve() (nativeOptions, error) {
	if o == nil {
		o = new(Options)
	}
	n := nativeOptions{limits: Limits{
		MaxBytes:    orDefault(o.Limits.MaxBytes, 64<<20),
		MaxElements: min(orDefault(o.Limits.MaxElements, 1e6), 1e6),
		MaxPixels:   orDefault(o.Limits.MaxPixels, 1<<26),
		MaxMemory:   orDefault(o.Limits.MaxMemory, 1<<30),
		MaxTime:     orDefault(o.Limits.MaxTime, time.Minute),
	}}
	for _, limit := range []int64{n.limits.MaxBytes, n.limits.MaxElements, n.limits.MaxPixels, n.limits.MaxMemory, int64(n.limits.MaxTime)} {
		if limit < 0 {
			return n, invalid("a negative limit")
		}
	}
	numbers := []float64{orDefault(o.DPI, 96), orDefault(o.FontSize, 12), orDefault(o.DefaultWidth, 100), orDefault(o.DefaultHeight, 100)}
	for _, number := range numbers {
		if !(number >= 1e-3 && number <= 1e6) {
			return n, invalid("DPI, FontSize, DefaultWidth or DefaultHeight is %v", number)
		}
	}
	n.raw = rawOptions{
		Dpi: float32(numbers[0]), FontSize: float32(numbers[1]), DefaultWidth: float32(numbers[2]), DefaultHeight: float32(numbers[3]),
		MaxElements: uint64(n.limits.MaxElements), MaxBytes: uint64(n.limits.MaxBytes), MaxPixels: uint64(n.limits.MaxPixels),
		MaxNanoseconds: uint64(n.limits.MaxTime),
	}
	family := o.FontFamily
	if o.Fonts != nil {
		if o.Fonts.native == nil {
			return n, invalid("Fonts was not made by NewFonts")
		}
		n.fonts = o.Fonts.native
		if family == "" {
			family = o.Fonts.families[0]
		}
	}
	n.families = []string{family, o.Serif, o.SansSerif, o.Cursive, o.Fantasy, o.Monospace}
	for i, name := range n.families {
		if name == "" {
			n.families[i] = family
		}
	}
	n.languages = o.Languages
	if len(n.languages) == 0 {
		n.languages = []string{"en"}
	}
	n.sheet = o.Stylesheet
	for _, texts := range [][]string{n.families, n.languages, {n.sheet}} {
		for _, text := range texts {
			if !utf8.ValidString(text) {
				return n, invalid("%q is not UTF-8", text[:min(len(text), 40)])
			}
		}
	}
	return n, nil
}

// Fonts are fonts for [Options]. Any number of documents and goroutines may share them.
type Fonts struct {
	native   *fontSet
	families []string
}

// NewFonts reads fonts (TrueType, OpenType) and collections of fonts from the contents of files. It makes copies of them, in memory outside of Go's
// heap, which the garbage collector frees after the last document that uses the fonts. The error is [ErrFont] if a file has no font.
func NewFonts(files ...[]byte) (f *Fonts, err error) {
	defer caught(&err)
	if len(files) == 0 {
		return nil, invalid("no fonts")
	}
	n, err := newFontSet(files)
	if err != nil {
		return nil, failure(err)
	}
	f = &Fonts{native: n}
	seen := map[string]bool{}
	for _, family := range n.families() {
		if !seen[family] {
			f.families = append(f.families, family)
		}
		seen[family] = true
	}
	if len(f.families) == 0 {
		return nil, &Error{Err: ErrFont, Text: "no font has a name"}
	}
	return f, nil
}

// Families returns the names of the families, in the order of the files.
func (f *Fonts) Families() []string { return append([]string(nil), f.families...) }

// pixelCount returns the number of pixels of a picture, or the largest number if it is larger.
func pixelCount(width, height int) int64 {
	if height > 0 && int64(width) > math.MaxInt64/int64(height) {
		return math.MaxInt64
	}
	return int64(width) * int64(height)
}
