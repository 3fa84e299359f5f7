//go:build amd64 || arm64

// Dudect searches for secrets that influence the running time of the cryptography packages. It is a statistical test after the method dudect
// (Reparaz, Balasch and Verbauwhede: Dude, is my code constant time? DATE 2017).
//
//	go run ./internal/dudect [-time 7s] [-run REGEXP] [-seed N]
//
// Each case has two classes of inputs. Each timed call gets an input of a random class, at the same address for both classes. Welch's test decides
// whether the means of the two classes differ: once for all calls, and again without the slowest calls. A difference is a leak if |t| is above 10,
// and suspicious if |t| is above 4.5. The controls are cases whose time does depend on the class. RUSTGO_CPU selects the code of a lower level.
//
// A case with a leak is measured again with other inputs. The verdict is a leak if each measurement finds the leak, in the same direction. A quiet
// machine has few suspicious cases; the last bits of the clock and other programs cause some.
//
// The table lists the number of measurements, the calls in each measurement, and the largest |t|. For suspicious cases it also lists the relative
// difference of the means, first class less second class, for the comparison with the largest |t|. The exit code is 1 if a case leaks, if the test
// does not find the leak of a control, or if there are too few measurements.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"regexp"
	"runtime"
	"time"

	"rustgo.dev/go/rt"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("dudect: ")
	budget := flag.Duration("time", 7*time.Second, "time for each case")
	run := flag.String("run", "", "only cases whose name matches this regular expression")
	seed := flag.Uint64("seed", 0, "what inputs and classes are drawn from; 0 is one by chance")
	flag.Parse()
	selected, err := regexp.Compile(*run)
	if err != nil {
		log.Fatal(err)
	}
	if *seed == 0 {
		*seed = rand.Uint64()
	}

	step := clockStep()
	fmt.Printf("seed %d, %s for each case, clock step %d %s\n", *seed, *budget, step, clockUnit)
	const row = "%-48s %-20s %12v %6v %9v %12v  %s\n"
	fmt.Printf(row, "case", "level", "measurements", "calls", "max |t|", "difference", "verdict")
	failed, ran := 0, 0
	for _, c := range cases() {
		if !selected.MatchString(c.name) {
			continue
		}
		ran++
		random := rand.New(rand.NewPCG(*seed, uint64(ran)))
		samples, batch := measure(c, random, *budget, step)
		worst, enough := compare(samples)
		for again := 1; again < rounds && enough && !c.control && math.Abs(worst.t) > certain; again++ {
			samples, batch = measure(c, random, *budget, step)
			next, isMuch := compare(samples)
			if enough = isMuch; next.t*worst.t < 0 || math.Abs(next.t) < math.Abs(worst.t) {
				worst = next
			}
		}
		verdict, ok := judge(c.control, worst.t, enough)
		if !ok {
			failed++
		}
		difference := "-"
		if math.Abs(worst.t) > suspicious {
			difference = fmt.Sprintf("%+.3f %%", 100*worst.difference)
		}
		fmt.Printf(row, c.name, rt.CPULevel(), len(samples), batch, fmt.Sprintf("%.1f", math.Abs(worst.t)), difference, verdict)
	}
	if ran == 0 {
		log.Fatalf("no case matches %q", *run)
	}
	if failed > 0 {
		log.Fatalf("%d of %d cases have an unexpected verdict", failed, ran)
	}
	runtime.KeepAlive(sink)
}

const (
	suspicious = 4.5
	certain    = 10
	rounds     = 3 // number of measurements of a case that seems to leak
)

// judge returns the verdict on a case with the given t, and whether the verdict is the expected one.
func judge(control bool, t float64, enough bool) (verdict string, ok bool) {
	found := math.Abs(t) > certain
	switch {
	case !enough:
		return "TOO FEW measurements", false
	case control && found:
		return "control: found", true
	case control:
		return "control: NOT FOUND", false
	case found:
		return "LEAK", false
	case math.Abs(t) > suspicious:
		return "suspicious", true
	}
	return "no difference", true
}
