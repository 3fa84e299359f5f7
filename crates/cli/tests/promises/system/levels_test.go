package promises

import (
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"strings"
	"testing"

	"rustgo.dev/go/rt"
	"scratch/levels"
)

// number returns the number of the CPU level in use, as the Rust code states it.
func number(t *testing.T) uint64 {
	switch level := rt.CPULevel(); level {
	case "x86-64", "armv8-a":
		return 1
	case "x86-64-v2", "armv8-a+lse":
		return 2
	case "x86-64-v3", "armv8-a+lse+crypto":
		return 3
	case "x86-64-v3+crypto":
		return 4
	case "x86-64-v4":
		return 5
	case "x86-64-v4+crypto":
		return 6
	default:
		t.Fatalf("level %s", level)
		return 0
	}
}

func TestLevelIsTheProcessors(t *testing.T) {
	want := number(t)
	if got := levels.Level(); got != want {
		t.Errorf("the code is of level %d, and %s is in use", got, rt.CPULevel())
	}
	most := uint64(6)
	if name := os.Getenv("RUSTGO_CPU"); name == "x86-64" || name == "armv8-a" {
		most = 1
	}
	if strings.Contains(os.Getenv("GODEBUG"), "cpu.avx2=off") {
		most = 2
	}
	if want > most {
		t.Errorf("level %d, and %d is the highest that the settings leave", want, most)
	}
}

func TestLevelsShareStatics(t *testing.T) {
	ones, calls, _, second := levels.Counted()
	if second != 7 {
		t.Errorf("second is %d", second)
	}
	for x := range uint64(1000) {
		levels.Count(x)
		ones += uint64(bits.OnesCount64(x))
	}
	first := uint64(999 | bits.LeadingZeros64(999))
	if a, b, c, d := levels.Counted(); a != ones || b != calls+1000 || c != first || d != 7 {
		t.Errorf("counted %d, %d, %d, %d, not %d, %d, %d, 7", a, b, c, d, ones, calls+1000, first)
	}
	for i, want := range []uint64{2, 5} {
		levels.Choose(uint(i))
		if index, result := levels.Chosen(0x60); index != int64(i) || result != want {
			t.Errorf("function %d is found as %d and gives %d", i, index, result)
		}
	}
}

// Two functions with equal code have different addresses, and the code of each level uses the same addresses.
func TestLevelsKnowFunctions(t *testing.T) {
	for i, second := range []bool{false, true} {
		levels.ChooseLoader(second)
		plain := levels.LoaderIs()
		here, ones := levels.LoaderHere(7)
		if here != plain || !plain[i] || ones != 3 {
			t.Errorf("function %d is %t to shared code, and %t to the level's; %d", i, plain, here, ones)
		}
	}
}

func TestLevelsPanic(t *testing.T) {
	message := func(call func()) (message string) {
		defer func() { message = fmt.Sprint(recover()) }()
		call()
		return ""
	}
	want := fmt.Sprintf("3 ones in 0x15, at level %d", number(t))
	for range 100 {
		if said := message(func() { levels.Refuse(0x15) }); !strings.HasPrefix(said, want) {
			t.Fatalf("%q, not %q", said, want)
		}
	}
	if said := message(func() { levels.Deeper(100_000) }); !strings.Contains(said, "stack") {
		t.Errorf("%q", said)
	}
	if got := levels.Deeper(100); got == 0 {
		t.Error("nothing was counted")
	}
	// The names of functions whose code differs between levels end with the level.
	var names []string
	func() {
		defer func() {
			recover()
			pcs := make([]uintptr, 100)
			for frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)]); ; {
				frame, more := frames.Next()
				names = append(names, frame.Function)
				if !more {
					return
				}
			}
		}()
		levels.Refuse(1)
	}()
	if text := strings.Join(names, "\n"); !strings.Contains(text, "levels.Refuse.") {
		t.Error(text)
	}
}

func TestLevelsInManyGoroutines(t *testing.T) {
	values := make([]uint32, 1000)
	want := uint64(0)
	for i := range values {
		values[i] = uint32(i)
		want += uint64(bits.OnesCount32(uint32(i)))
	}
	done := make(chan uint64)
	for range 20 {
		go func() {
			sum := levels.Sum(values[:10]) * 0
			for range 50 {
				sum = levels.Sum(values)
			}
			done <- sum
		}()
	}
	for range 20 {
		if sum := <-done; sum != want {
			t.Errorf("%d, not %d", sum, want)
		}
	}
}
