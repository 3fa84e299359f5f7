//go:build amd64 || arm64

package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The expected value was computed by hand, with unequal variances and sizes: means 3 and 6, variances 2.5 and 7, so t is -3 / sqrt(2.5/5 + 7/7).
func TestWelchOfKnownSamples(t *testing.T) {
	var a, b moments
	for _, x := range []float64{1, 2, 3, 4, 5} {
		a.add(x)
	}
	for _, x := range []float64{2, 4, 5, 6, 7, 8, 10} {
		b.add(x)
	}
	if a.mean != 3 || a.variance() != 2.5 || b.mean != 6 || math.Abs(b.variance()-7) > 1e-12 {
		t.Fatalf("mean and variance: %v, %v and %v, %v", a.mean, a.variance(), b.mean, b.variance())
	}
	if got, want := welch(&a, &b), -3/math.Sqrt(1.5); math.Abs(got-want) > 1e-12 {
		t.Errorf("t is %v, not %v", got, want)
	}
	if got, want := welch(&b, &a), 3/math.Sqrt(1.5); math.Abs(got-want) > 1e-12 {
		t.Errorf("t of the two in the other order is %v, not %v", got, want)
	}
}

func TestMomentsOfLargeValues(t *testing.T) {
	var m moments
	for _, x := range []float64{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16} {
		m.add(x)
	}
	if m.mean != 1e9+10 || m.variance() != 30 {
		t.Errorf("mean %v and variance %v, not 1e9+10 and 30", m.mean, m.variance())
	}
}

func TestWelchWithoutVariance(t *testing.T) {
	same, other := moments{n: 3, mean: 5}, moments{n: 3, mean: 6}
	if got := welch(&same, &same); got != 0 {
		t.Errorf("t of equal constants is %v, not 0", got)
	}
	if got := welch(&same, &other); !math.IsInf(got, -1) {
		t.Errorf("t of different constants is %v, not -Inf", got)
	}
}

// drawn returns n measurements, normally distributed around 1000 with a deviation of 20. Measurements of class 0 are larger by shift. If
// interrupted is set, one measurement in a hundred of both classes takes up to a million more.
func drawn(n int, shift float64, interrupted bool) []sample {
	from := rand.New(rand.NewPCG(3, 4))
	samples := make([]sample, n)
	for i := range samples {
		class := uint8(from.Uint32() & 1)
		time := 1000 + 20*from.NormFloat64()
		if class == 0 {
			time += shift
		}
		if interrupted && from.IntN(100) == 0 {
			time += 1e6 * from.Float64()
		}
		samples[i] = sample{uint64(math.Round(time)), class}
	}
	return samples
}

func TestCompare(t *testing.T) {
	const n = 100_000
	for _, test := range []struct {
		name        string
		shift       float64
		interrupted bool
		low, high   float64 // limits of t
	}{
		{"no difference", 0, false, -suspicious, suspicious},
		{"no difference, interruptions", 0, true, -suspicious, suspicious},
		// Each class has about 50,000 measurements with a deviation of 20. So for all measurements t is about shift / (20 * sqrt(2/50,000)) = 7.9 *
		// shift. For the crops, which leave out the largest times, |t| is smaller.
		{"one part in a thousand", 1, false, 5, 12},
		{"one part in 200", 5, false, 36, 44},
		{"the other way", -5, false, -44, -36},
		// Without crops the deviation is some 58,000 and t is near 0. The measurements that a crop keeps contain most of the difference.
		{"one part in 200, interruptions", 5, true, 30, 44},
	} {
		worst, ok := compare(drawn(n, test.shift, test.interrupted))
		if !ok || worst.t < test.low || worst.t > test.high {
			t.Errorf("%s: t is %.2f (ok: %v), not within %v and %v", test.name, worst.t, ok, test.low, test.high)
		}
		if test.shift == 5 && (worst.difference < 0.003 || worst.difference > 0.006) {
			t.Errorf("%s: the difference is %.4f, not about 0.005", test.name, worst.difference)
		}
	}
}

// A crop must not separate equal times, whose order after sorting is arbitrary.
func TestCompareKeepsTiesTogether(t *testing.T) {
	var samples []sample
	for class := range uint8(2) {
		for i := range 10_000 {
			samples = append(samples, sample{uint64(100 + i%2), class})
		}
	}
	worst, ok := compare(samples)
	if !ok || worst.t != 0 {
		t.Errorf("t of equal distributions of two values is %v (ok: %v), not 0", worst.t, ok)
	}
}

func TestCompareOfTooFew(t *testing.T) {
	worst, ok := compare(drawn(2*fewest-1, 500, false))
	if ok {
		t.Errorf("a comparison is made of too few measurements: %+v", worst)
	}
	if verdict, ok := judge(false, worst.t, ok); ok {
		t.Errorf("the verdict on too few measurements is %q, and it is accepted", verdict)
	}
}

func TestPercentilesAscend(t *testing.T) {
	for i := 1; i < crops; i++ {
		if percentile(i) <= percentile(i-1) {
			t.Errorf("percentile %d is %v, and the one before is %v", i, percentile(i), percentile(i-1))
		}
	}
	if first, last := percentile(0), percentile(crops-1); math.Abs(first-0.067) > 0.001 || math.Abs(last-0.999) > 0.0001 {
		t.Errorf("the percentiles go from %v to %v, not from 0.067 to 0.999", first, last)
	}
}

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		control bool
		t       float64
		ok      bool
		verdict string
	}{
		{false, 4.5, true, "no difference"},
		{false, -4.6, true, "suspicious"},
		{false, 10, true, "suspicious"},
		{false, -10.1, false, "LEAK"},
		{false, math.Inf(1), false, "LEAK"},
		{true, 10, false, "control: NOT FOUND"},
		{true, -10.1, true, "control: found"},
	} {
		if verdict, ok := judge(test.control, test.t, true); verdict != test.verdict || ok != test.ok {
			t.Errorf("control %v, t %v: %q, %v, not %q, %v", test.control, test.t, verdict, ok, test.verdict, test.ok)
		}
	}
}
