package report

import (
	"math"
	"testing"
)

// TestRatioRule judges a claim of twice the speed. The claim holds if at least 1.8 times the speed was measured.
func TestRatioRule(t *testing.T) {
	for _, c := range []struct {
		slow []float64
		want string
	}{
		{[]float64{181}, held}, {[]float64{179}, notHeld}, {[]float64{150, 175, 200}, cannotSay}, {[]float64{80, 100, 120}, notHeld},
	} {
		row := &Row{Unit: "ns", Values: map[string][]float64{rust: {100}, cgo: c.slow}}
		if ours, verdict := ratioRule(2, cgo, rust, row, nil)(); verdict != c.want {
			t.Errorf("%v: got %s (%s), want %s", c.slow, verdict, ours, c.want)
		}
	}
	if ours, _ := ratioRule(2, cgo, rust, nil)(); ours != "" {
		t.Errorf("without a measurement: %s", ours)
	}
}

func TestQuantity(t *testing.T) {
	for _, c := range []struct {
		value      float64
		unit, want string
	}{
		{0, "ns", "0.00 ns"}, {0.034, "%", "0.034 %"}, {9.994, "ns", "9.99 ns"}, {999.4, "ns", "999 ns"}, {999.6, "ns", "1.00 µs"}, {4e12, "ns", "4,000 s"}, {67623, "/s", "67.6 k/s"},
		{math.NaN(), "B", "–"},
		{math.Inf(1), "B/s", "–"},
	} {
		if got := quantity(c.value, c.unit); got != c.want {
			t.Errorf("quantity(%v, %q) = %q, want %q", c.value, c.unit, got, c.want)
		}
	}
}
