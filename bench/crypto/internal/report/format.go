package report

import (
	"fmt"
	"math"
	"strings"
)

// quantity writes a value with three digits and a unit that suits.
func quantity(value float64, unit string) string {
	if math.IsNaN(value) {
		return "–"
	}
	type scale struct {
		factor float64
		name   string
	}
	scales := map[string][]scale{
		"ns":   {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}},
		"s":    {{1, "s"}},
		"B":    {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}},
		"B/s":  {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}},
		"/s":   {{1, "/s"}, {1e3, "k/s"}, {1e6, "M/s"}},
		"Gbps": {{1, "Gbit/s"}},
		"%":    {{1, "%"}},
		"×":    {{1, "×"}},
	}[unit]
	s := scales[0]
	for _, larger := range scales {
		if math.Abs(value) >= larger.factor*0.9995 {
			s = larger
		}
	}
	return digits(value/s.factor) + " " + s.name
}

// digits writes a number with three digits that count.
func digits(value float64) string {
	switch abs := math.Abs(value); {
	case math.IsNaN(value):
		return "–"
	case abs >= 99.95:
		return grouped(int64(math.Round(value)))
	case abs >= 9.995:
		return fmt.Sprintf("%.1f", value)
	case abs >= 0.0995 || value == 0:
		return fmt.Sprintf("%.2f", value)
	}
	return fmt.Sprintf("%.3f", value)
}

// grouped writes thousands with a comma.
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// bytesSize writes a size of a text.
func bytesSize(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

var operationTitles = map[string]string{
	"x25519": "X25519 exchange", "sign": "Ed25519 sign", "verify": "Ed25519 verify", "batch": "Ed25519 verify, of a batch of " +
		"64", "keygen": "ML-KEM-768 keys from a seed",
	"encaps": "ML-KEM-768 encapsulate", "decaps": "ML-KEM-768 decapsulate", "empty": "empty call",
}

// escape makes text safe within HTML.
var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace
