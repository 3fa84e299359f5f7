package float_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"rustgo.dev/packages/float"
	"rustgo.dev/packages/internal/panictest"
)

// digits returns the significant digits of a decimal text, without sign, point, exponent and zeros at either end.
func digits(text string) string {
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "-"), "e")
	return strings.Trim(strings.Replace(text, ".", "", 1), "0")
}

func checkFormat(t *testing.T, x float64) {
	t.Helper()
	var dst [24]byte
	text := string(dst[:float.Format(dst[:], x)])
	if math.IsNaN(x) {
		if text != "NaN" {
			t.Errorf("Format(NaN) = %q", text)
		}
		return
	}
	if back, err := strconv.ParseFloat(text, 64); err != nil || math.Float64bits(back) != math.Float64bits(x) {
		t.Errorf("Format(%v) = %q, which is %v (%v)", x, text, back, err)
	}
	if shortest := strconv.FormatFloat(x, 'e', -1, 64); !math.IsInf(x, 0) && digits(text) != digits(shortest) {
		t.Errorf("Format(%v) = %q, the shortest digits are those of %s", x, text, shortest)
	}
}

func checkFormat32(t *testing.T, x float32) {
	t.Helper()
	var dst [24]byte
	text := string(dst[:float.Format32(dst[:], x)])
	if x != x {
		if text != "NaN" {
			t.Errorf("Format32(NaN) = %q", text)
		}
		return
	}
	if back, err := strconv.ParseFloat(text, 32); err != nil || math.Float32bits(float32(back)) != math.Float32bits(x) {
		t.Errorf("Format32(%v) = %q, which is %v (%v)", x, text, back, err)
	}
	if shortest := strconv.FormatFloat(float64(x), 'e', -1, 32); !math.IsInf(float64(x), 0) && digits(text) != digits(shortest) {
		t.Errorf("Format32(%v) = %q, the shortest digits are those of %s", x, text, shortest)
	}
}

var edges = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.1, 0.3, 0.1 + 0.2, 1e21, 1e22, 1e23, 123456789012345680, 9007199254740993, 5e-324,
	math.MaxFloat64, -math.MaxFloat64, 2.2250738585072014e-308, 2.2250738585072011e-308, math.Pi, 1 << 53, 1<<53 - 1,
	math.Inf(1), math.Inf(-1), math.NaN(), 4.35, 2.98023223876953125e-8, 8.41e21, 9.5367431640625e-7,
}

func TestFormat(t *testing.T) {
	for _, x := range edges {
		checkFormat(t, x)
		checkFormat32(t, float32(x))
	}
	for e := range 2048 { // powers of two and their neighbours
		for _, m := range []uint64{0, 1, 1<<52 - 1} {
			checkFormat(t, math.Float64frombits(uint64(e)<<52|m))
		}
	}
	for range 100_000 {
		checkFormat(t, math.Float64frombits(rand.Uint64()))
		checkFormat32(t, math.Float32frombits(rand.Uint32()))
		checkFormat(t, float64(rand.IntN(1_000_000))/1000)
	}
}

func TestFormatIntoTooLittle(t *testing.T) {
	if got, want := panictest.Message(func() { float.Format(make([]byte, 2), 1) }), "range end index 3 out of range for slice of length 2"; got != want {
		t.Errorf("got panic %q, want %q", got, want)
	}
	if p := panictest.Panic(func() { float.Format(nil, math.Pi) }); p == nil {
		t.Error("no room at all should panic")
	}
}

// plain says whether both strconv and this package take the text for a decimal number if it is one: strconv knows
// hexadecimal numbers and, with a prefix, underscores.
func plain(text string) bool { return !strings.ContainsAny(text, "xX_pP") }

func checkParse(t *testing.T, text string) {
	t.Helper()
	if !plain(text) {
		return
	}
	x, ok := float.Parse([]byte(text))
	want, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		want = 0
	}
	if ok == errors.Is(err, strconv.ErrSyntax) || math.Float64bits(x) != math.Float64bits(want) && !(x != x && want != want) {
		t.Errorf("Parse(%q) = %v, %v, want %v (%v)", text, x, ok, want, err)
	}
	x32, ok := float.Parse32([]byte(text))
	want, err = strconv.ParseFloat(text, 32)
	if errors.Is(err, strconv.ErrSyntax) {
		want = 0
	}
	if w := float32(want); ok == errors.Is(err, strconv.ErrSyntax) || math.Float32bits(x32) != math.Float32bits(w) && !(x32 != x32 && w != w) {
		t.Errorf("Parse32(%q) = %v, %v, want %v (%v)", text, x32, ok, w, err)
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{
		"", "-", "+", ".", "-.", "e1", "1e", "1e+", "1.e1", ".5", "5.", "+1", "-0", "1..2", "1 ", " 1", "1,5", "nan", "NaN", "inf", "-Inf",
		"+infinity", "INFINITY", "infinit", "nano", "1e400", "-1e400", "1e-400", "1e99999999999999999999", "0e99999999999999999999",
		"9007199254740993", "9007199254740993.00000000000000000000000000000001", "2.4703282292062327208e-324", "2.4703282292062328e-324",
		"1.7976931348623158e308", "1.7976931348623159e308", "16777217", "16777217.0000000001", "3.4028235677973366e38", "7.006492321624085e-46",
		"100000000000000016777215", "100000000000000016777216", "2.2250738585072011e-308", strings.Repeat("9", 800), "0." + strings.Repeat("0", 400) + "1e400",
		"1" + strings.Repeat("0", 308), "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
	} {
		checkParse(t, text)
	}
	for range 100_000 {
		checkParse(t, strconv.FormatFloat(math.Float64frombits(rand.Uint64()), 'e', rand.IntN(25)-1, 64))
		checkParse(t, strconv.FormatFloat(float64(math.Float32frombits(rand.Uint32())), 'g', -1, 32))
		// Many digits.
		checkParse(t, strconv.FormatFloat(float64(math.Float32frombits(rand.Uint32()>>1))*1.00000005, 'f', -1, 64))
	}
}

func FuzzFormat(f *testing.F) {
	for _, x := range edges {
		f.Add(math.Float64bits(x))
	}
	f.Fuzz(func(t *testing.T, bits uint64) {
		checkFormat(t, math.Float64frombits(bits))
		checkFormat32(t, math.Float32frombits(uint32(bits)))
	})
}

func FuzzParse(f *testing.F) {
	f.Add("3.14e-15")
	f.Fuzz(checkParse)
}

func BenchmarkFormat(b *testing.B) {
	dst := make([]byte, 24)
	b.Run("rust", func(b *testing.B) {
		for range b.N {
			float.Format(dst, math.Pi)
		}
	})
	b.Run("strconv", func(b *testing.B) {
		for range b.N {
			strconv.AppendFloat(dst[:0], math.Pi, 'g', -1, 64)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := "3.141592653589793"
	b.Run("rust", func(b *testing.B) {
		bytes := []byte(text)
		for range b.N {
			float.Parse(bytes)
		}
	})
	b.Run("strconv", func(b *testing.B) {
		for range b.N {
			strconv.ParseFloat(text, 64)
		}
	})
}
