package report

import (
	"fmt"
	"math"
)

// isMissing reports whether the value is no measurement. The median of no runs is NaN, and a time of 0 in a short run makes a rate infinite.
func isMissing(value float64) bool { return math.IsNaN(value) || math.IsInf(value, 0) }

// quantity formats a value with three digits and a suitable unit.
func quantity(value float64, unit string) string {
	if isMissing(value) {
		return "–"
	}
	names := map[string][]string{
		"ns": {"ns", "µs", "ms", "s"}, "B": {"B", "kB", "MB", "GB"}, "B/s": {"B/s", "kB/s", "MB/s", "GB/s"}, "/s": {"/s", "k/s", "M/s"},
	}[unit]
	if names == nil {
		return digits(value) + " " + unit
	}
	for len(names) > 1 && math.Abs(value) >= 999.5 {
		value, names = value/1000, names[1:]
	}
	return digits(value) + " " + names[0]
}

// digits formats a number with three significant digits, and thousands with commas.
func digits(value float64) string {
	abs := math.Abs(value)
	switch {
	case isMissing(value):
		return "–"
	case abs < 0.0995 && value != 0:
		return fmt.Sprintf("%.3f", value)
	case abs < 9.995:
		return fmt.Sprintf("%.2f", value)
	case abs < 99.95:
		return fmt.Sprintf("%.1f", value)
	}
	text := fmt.Sprintf("%.0f", value)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// size formats a number of bytes.
func size(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
