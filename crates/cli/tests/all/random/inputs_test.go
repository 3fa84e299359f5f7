package random

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"rustgo.dev/go/rt"
)

// This file makes the same inputs and result lines as the native program (inputs.rs).

type source uint64

func mix(x uint64) uint64 {
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}

func (s *source) word() uint64 {
	*s += 0x9e3779b97f4a7c15
	return mix(uint64(*s))
}

func (s *source) value() uint64 {
	kind, word := s.word(), s.word()
	switch kind % 10 {
	case 0:
		return 0
	case 1:
		return math.MaxUint64
	case 2, 3:
		return word % 20
	case 4:
		return 1 << (word % 64)
	case 5:
		return 1<<(word%64) - 1
	}
	return word
}

func (s *source) text() string {
	length := s.word() % 30
	pieces := [8]string{"7", "a", " ", "é", "42", "-", "日", "z"}
	some := uint64(8)
	if length < 5 {
		some = 1
	}
	var text strings.Builder
	for range length {
		text.WriteString(pieces[s.word()%some])
	}
	return text.String()
}

type crossing interface {
	bool | int8 | int16 | int32 | int64 | int | uint8 | uint16 | uint32 | uint64 | uint | float32 | float64
}

func toBool(w uint64) bool { return w&1 == 1 }
func toRune(w uint64) rune { return rune(w % 0xd800) }

func toFloat64(w uint64) float64 {
	switch w {
	case math.MaxUint64:
		return math.NaN()
	case 0x7f:
		return math.Inf(-1)
	case 0x3f:
		return math.Copysign(0, -1)
	}
	return float64(int64(w)) / 1024
}

func toFloat32(w uint64) float32 {
	switch w {
	case math.MaxUint64:
		return float32(math.NaN())
	case 0x7f:
		return float32(math.Inf(-1))
	case 0x3f:
		return float32(math.Copysign(0, -1))
	}
	return float32(int32(w)) / 8
}

// fill is not inlined and lets nothing escape, so the caller's arrays stay on the goroutine's stack.
//
//go:noinline
func fill[T crossing](s *source, of func(uint64) T, values []T) {
	for i := range values {
		values[i] = of(s.value())
	}
}

func slice[T crossing](s *source, of func(uint64) T) []T {
	values := make([]T, s.word()%70)
	fill(s, of, values)
	return values
}

type sum uint64

func (h *sum) word(word uint64) { *h = sum(mix(uint64(*h)^word) + 1) }

func add[T crossing](h *sum, value T) {
	switch v := any(value).(type) {
	case bool:
		word := uint64(0)
		if v {
			word = 1
		}
		h.word(word)
	case int8:
		h.word(uint64(v))
	case int16:
		h.word(uint64(v))
	case int32:
		h.word(uint64(v))
	case int64:
		h.word(uint64(v))
	case int:
		h.word(uint64(v))
	case uint8:
		h.word(uint64(v))
	case uint16:
		h.word(uint64(v))
	case uint32:
		h.word(uint64(v))
	case uint64:
		h.word(v)
	case uint:
		h.word(uint64(v))
	case float32:
		if v != v {
			h.word(0x7fc00000)
		} else {
			h.word(uint64(math.Float32bits(v)))
		}
	case float64:
		if v != v {
			h.word(0x7ff8000000000000)
		} else {
			h.word(math.Float64bits(v))
		}
	}
}

func all[T crossing](h *sum, values []T) {
	for _, value := range values {
		add(h, value)
	}
}

type function struct {
	name  string
	seed  string
	start uint64
	call  func(*source) uint64
	// exhausts means that the function may exhaust its stack budget. The native program always has enough stack.
	exhausts bool
}

// result returns the line that the native program prints for the same call.
func (f *function) result(call uint64, grow bool) (line string) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *rt.Panic:
			line = fmt.Sprintf("panic %d:%d %s", v.Line, v.Column, strings.ReplaceAll(v.Message, "\n", `\n`))
		case runtime.Error:
			line = fmt.Sprintf("panic in Go: %v", v)
			if strings.Contains(v.Error(), "nil pointer dereference") {
				line = "fault"
			}
		default:
			line = fmt.Sprintf("panic in Go: %v", v)
		}
	}()
	if grow {
		// If the call panics, the deferred function makes the stack grow, and so move, while Rust frames are on the stack.
		defer func() { deep(60) }()
	}
	s := source(mix(f.start + call))
	return fmt.Sprintf("%016x", f.call(&s))
}

//go:noinline
func deep(n int) (sum byte) {
	var room [512]byte
	room[n] = byte(n)
	if n > 0 {
		sum = deep(n - 1)
	}
	return sum + room[n]
}

// at calls f in the n-th nested frame, so that the calls find different amounts of free stack.
//
//go:noinline
func at(n int, f func()) byte {
	var room [104]byte
	if n == 0 {
		f()
	} else {
		room[n] = at(n-1, f)
	}
	return room[n/2]
}

// wanted returns the native program's results of each function, by call.
func wanted(t *testing.T) map[string][]string {
	file, err := os.Open(os.Getenv("WANT"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	want := map[string][]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		name, rest, _ := strings.Cut(lines.Text(), " ")
		call, result, _ := strings.Cut(rest, " ")
		if n, err := strconv.Atoi(call); err != nil || n != len(want[name]) {
			t.Fatal(lines.Text(), err)
		}
		want[name] = append(want[name], result)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(want) != len(functions) {
		t.Fatalf("native results of %d functions, there are %d", len(want), len(functions))
	}
	return want
}

// is reports whether got is a correct result in Go, if the native result is want.
func (f *function) is(got, want string) bool {
	return got == want || f.exhausts && isExhausted(got) || unwinds && isWithoutPlace(got, want)
}

// isWithoutPlace reports whether got is the panic want without its place. The place of a panic is lost if several other panics start and end before
// this one is resumed, or while its destructors run.
func isWithoutPlace(got, want string) bool {
	message, lacks := strings.CutPrefix(got, "panic 0:0 ")
	return lacks && strings.HasPrefix(want, "panic ") && strings.HasSuffix(want, " "+message)
}

func isExhausted(line string) bool {
	// The message contains the budget only if all exports of the package have the same budget.
	line = strings.Replace(line, " of 256 KiB", "", 1)
	return strings.HasPrefix(line, "panic 0:0 rust stack budget exhausted in random.s")
}

func (f *function) differs(t *testing.T, call uint64, got, want string) {
	t.Helper()
	t.Errorf("%s, call %d: %s, natively %s\n\trun again: scripts/random --seeds %s", f.name, call, got, want, f.seed)
}

func TestResults(t *testing.T) {
	want := wanted(t)
	panics, results, faults, exhausted := 0, 0, 0, 0
	for _, f := range functions {
		wrong := 0
		for call, want := range want[f.name] {
			results++
			if strings.HasPrefix(want, "panic") {
				panics++
			}
			if want == "fault" {
				faults++
			}
			if got := f.result(uint64(call), false); !f.is(got, want) && wrong < 2 {
				wrong++
				f.differs(t, uint64(call), got, want)
			} else if isExhausted(got) {
				exhausted++
			}
		}
	}
	t.Logf("%d functions, %d results, %d of them panics, %d faults, %d budgets used up", len(functions), results, panics, faults, exhausted)
}

// Each call runs in a new goroutine, at one of many depths of its small stack, so that stacks grow at different places. Panics are recovered after
// the stack has moved. Meanwhile the collector scans and frees stacks.
func TestOnFreshStacks(t *testing.T) {
	want := wanted(t)
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(200 * time.Microsecond):
				runtime.GC()
			}
		}
	}()
	for _, f := range functions {
		wrong := 0
		for depth := range 24 {
			call := uint64(depth*7) % uint64(len(want[f.name]))
			got := make(chan string)
			go func() {
				var line string
				at(depth, func() { line = f.result(call, depth%3 == 0) })
				got <- line
			}()
			if got, want := <-got, want[f.name][call]; !f.is(got, want) && wrong < 2 {
				wrong++
				f.differs(t, call, got, want+fmt.Sprintf(" (%d frames deep on a fresh stack)", depth))
			}
		}
	}
	close(stop)
	<-stopped
}
