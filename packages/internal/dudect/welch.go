//go:build amd64 || arm64

package main

import (
	"math"
	"slices"
)

// A sample is the time of one measurement and the class of its inputs.
type sample struct {
	time  uint64
	class uint8 // 0 or 1
}

// moments accumulates mean and variance by Welford's method, which does not suffer from cancellation if the mean is large.
type moments struct{ n, mean, squares float64 }

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.squares += d * (x - m.mean)
}

func (m *moments) variance() float64 { return m.squares / (m.n - 1) }

// welch returns Welch's t of two sets with at least two values each. t is positive if the mean of a is larger. If neither set has variance, t is
// zero for equal means and infinite otherwise.
func welch(a, b *moments) float64 {
	d := a.mean - b.mean
	if d == 0 {
		return 0
	}
	return d / math.Sqrt(a.variance()/a.n+b.variance()/b.n)
}

const (
	crops = 100
	// fewest is the smallest allowed number of measurements of each class in a crop. With fewer, t would not be close to normally distributed.
	fewest = 2000
)

// percentile returns the share of the measurements that crop i keeps, as in dudect. A crop consists of the fastest measurements. Most of the noise is
// in the slowest measurements, so the shares lie close together near 1.
func percentile(i int) float64 { return 1 - math.Pow(0.5, 10*float64(i+1)/crops) }

// A comparison is the result of Welch's test for one crop (the fastest measurements of a case).
type comparison struct {
	t float64
	// difference is the difference of the means, class 0 less class 1, relative to the mean of class 1.
	difference float64
	// kept is the number of measurements in the crop.
	kept int
}

// compare tests all crops, and all measurements, and returns the comparison with the largest |t|. ok is false if every crop has too few measurements.
// compare sorts the samples.
func compare(samples []sample) (worst comparison, ok bool) {
	slices.SortFunc(samples, func(a, b sample) int {
		switch {
		case a.time < b.time:
			return -1
		case a.time > b.time:
			return 1
		}
		return 0
	})
	var classes [2]moments
	crop := 0
	for i, s := range samples {
		classes[s.class].add(float64(s.time))
		// A crop must contain all equal times or none of them, because sorting leaves equal times in arbitrary order.
		if i+1 < len(samples) && samples[i+1].time == s.time {
			continue
		}
		kept := i + 1
		isLimit := kept == len(samples)
		for crop < crops && float64(kept) >= percentile(crop)*float64(len(samples)) {
			crop++
			isLimit = true
		}
		if !isLimit || classes[0].n < fewest || classes[1].n < fewest {
			continue
		}
		ok = true
		if t := welch(&classes[0], &classes[1]); math.Abs(t) > math.Abs(worst.t) {
			worst = comparison{t, classes[0].mean/classes[1].mean - 1, kept}
		}
	}
	return worst, ok
}
