//go:build cgo && linux && amd64

package bench

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"text/tabwriter"
	"time"
)

var compareTime = flag.Duration("compare", 0, "how long TestCompare measures; not at all if 0")

// measured holds the measured times of a way to call C.
type measured struct {
	way
	rounds int       // number of rounds in a piece
	ns     []float64 // nanoseconds per call, one element per piece
}

func (m *measured) quantile(q float64) float64 { return m.ns[int(q*float64(len(m.ns)-1))] }

// The test prints the comparison as ratios. It runs each way to call C in turn, for pieces of some 50 µs. So a disturbance of the machine affects all
// ways alike, and most pieces are not disturbed. The result of a way is the median of its pieces.
func TestCompare(t *testing.T) {
	if *compareTime == 0 {
		t.Skip("nothing is measured: go test -run Compare ./fastcgo -compare 30s")
	}
	groups := groups(t)
	all := make([][]*measured, len(groups))
	for i, g := range groups {
		for _, w := range g.ways {
			all[i] = append(all[i], &measured{way: w, rounds: piece(w.loop)})
		}
	}
	for start := time.Now(); time.Since(start) < *compareTime; {
		for i := range all {
			for _, m := range all[i] {
				m.loop(m.rounds/4 + 1) // warms up caches and predictors after the other ways
				began := time.Now()
				right := m.loop(m.rounds)
				m.ns = append(m.ns, float64(time.Since(began).Nanoseconds())/float64(m.rounds*callsPerRound))
				if !right {
					t.Fatalf("%s by %s: a wrong result", groups[i].name, m.name)
				}
			}
		}
	}
	for _, ways := range all {
		for _, m := range ways {
			slices.Sort(m.ns)
		}
	}
	fmt.Printf("%s, %s/%s, %d pieces each; × is the time relative to the best of fastcgo's\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, len(all[0][0].ns))
	for i, g := range groups {
		best := least(all[i], ours)
		fmt.Printf("\n%s\n", g.name)
		out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
		slices.SortStableFunc(all[i], func(a, b *measured) int { return int(1000 * (a.quantile(0.5) - b.quantile(0.5))) })
		for _, m := range all[i] {
			fmt.Fprintf(out, "%s\t%.2f ns\t± %.0f %%\t%.2f ×\t\n", m.name, m.quantile(0.5),
				100*(m.quantile(0.75)-m.quantile(0.25))/2/m.quantile(0.5), m.quantile(0.5)/best)
		}
		out.Flush()
	}
	call := all[0]
	fmt.Printf("\nof cgo's call: %.3f; of the best peer's: %.3f\n", least(call, ours)/least(call, cgo), least(call, ours)/least(call, peer))
	if ratio := least(call, ours) / least(call, cgo); ratio > 0.1 {
		t.Errorf("a call takes %.3f of cgo's, more than a tenth", ratio)
	}
	if ratio := least(call, ours) / least(call, peer); ratio > 1.03 { // a smaller difference does not count
		t.Errorf("a call takes %.3f of the best peer's", ratio)
	}
}

// least returns the smallest of the medians of all ways of a kind.
func least(ways []*measured, k kind) float64 {
	best := 0.0
	for _, m := range ways {
		if x := m.quantile(0.5); m.kind == k && (best == 0 || x < best) {
			best = x
		}
	}
	return best
}

// piece returns the number of rounds that takes some 50 µs.
func piece(loop func(n int) bool) int {
	for n := 1; ; n *= 2 {
		if began := time.Now(); !loop(n) || time.Since(began) > 25*time.Microsecond {
			return 2 * n
		}
	}
}
