//go:build amd64

package stackpaint_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/internal/stackpaint"
)

// nosplitBytes is what a function without a check of the stack may use: Go keeps 800 bytes free (internal/abi.StackNosplitBase), and
// rustgo lets such functions have 512 of them.
const nosplitBytes = 512

// bound is what the generated assembly says of an export.
type bound struct {
	bytes  int
	budget bool // stated by the author, where there is recursion
}

// methods are those of objects, and functions that make them: their arguments are more than memory that can be filled with anything.
var methods = regexp.MustCompile(`\.(New\w*|\w+_\w+)$`)

// bounds reads the generated assembly: the frame by which each export makes the stack grow, or nosplitBytes. Blocking exports call Go's
// runtime from their entry, on what Go keeps free for NOSPLIT functions: they are left out, and so are methods. Of levels that in use counts, or the next
// below that the package has.
func bounds(t *testing.T) map[string]bound {
	files, err := filepath.Glob("../../*/rustgo_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated assembly: %v", err)
	}
	entry := regexp.MustCompile(`(?m)^// .*; (?:its body stands here|stack (budget )?).*\n(?:(?://|#line).*\n)*TEXT ·(?:rust_)?([A-Z]\w*)(?:·(v\d(?:crypto)?)<>)?\(SB\)`)
	told := regexp.MustCompile(`(?m)^// .*; blocking\n(?:(?://|#line).*\n)*TEXT ·(?:rust_)?([A-Z]\w*)(?:·(v\d(?:crypto)?)<>)?\(SB\)`)
	twin := regexp.MustCompile(`(?m)^TEXT ·(?:rust_)?([A-Z]\w*)·grow(?:·(v\d(?:crypto)?))?<>\(SB\), 0, \$(\d+)-\d+$`)
	all := map[string]bound{}
	for _, file := range files {
		if strings.Contains(file, "bordercost") {
			continue // conversions for benchmarks: what is behind them is measured in the other packages
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(file)) + "."
		for _, m := range entry.FindAllStringSubmatch(string(text), -1) {
			if isUsed(m[3]) {
				all[name+m[2]] = bound{nosplitBytes, m[1] != ""}
			}
		}
		blocking := map[string]bool{}
		for _, m := range told.FindAllStringSubmatch(string(text), -1) {
			blocking[m[1]] = true
			delete(all, name+m[1])
		}
		for _, m := range twin.FindAllStringSubmatch(string(text), -1) {
			if blocking[m[1]] || !isUsed(m[2]) {
				continue
			}
			bytes, err := strconv.Atoi(m[3])
			if err != nil {
				t.Fatal(err)
			}
			// What is higher comes later in the file.
			all[name+m[1]] = bound{bytes, all[name+m[1]].budget}
		}
	}
	maps.DeleteFunc(all, func(name string, _ bound) bool { return methods.MatchString(name) })
	return all
}

// isUsed says whether the level of the processor is at least that of which functions' names end so.
func isUsed(suffix string) bool {
	levels := []string{"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v3+crypto", "x86-64-v4", "x86-64-v4+crypto"}
	suffixes := []string{"v1", "v2", "v3", "v3crypto", "v4", "v4crypto"}
	return suffix == "" || slices.Index(suffixes, suffix) <= slices.Index(levels, rt.CPULevel())
}

// area is the argument area of a call, and what it points to.
type area struct {
	*rand.Rand // for what is in it
	words      stackpaint.Words
	n          int
	keep       []any
}

func (a *area) word(w uint64) *area {
	a.words[a.n] = w
	a.n++
	return a
}

func (a *area) array(b [32]byte) *area {
	p := new([32]byte)
	*p = b
	a.keep = append(a.keep, p)
	return a.word(stackpaint.Word(p))
}

func (a *area) slice(b []byte) *area {
	b = append(make([]byte, 0, len(b)+1), b...)
	a.keep = append(a.keep, b)
	return a.word(stackpaint.Word(&b[:1][0])).word(uint64(len(b))).word(uint64(cap(b)))
}

func (a *area) str(s string) *area {
	b := []byte(s + "\x00")
	a.keep = append(a.keep, b)
	return a.word(stackpaint.Word(&b[0])).word(uint64(len(s)))
}

func (a *area) random(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(a.Uint32())
	}
	return b
}

// letters is text of few letters, in which there is much to find.
func (a *area) letters(n int) []byte {
	b := a.random(n)
	for i := range b {
		b[i] = "aaaaaaab"[b[i]%8]
	}
	return b
}

func (a *area) key() [32]byte { return [32]byte(a.random(32)) }

// lengths are those about which algorithms change.
func (a *area) length() int {
	return []int{0, 1, 7, 16, 31, 32, 63, 64, 65, 100, 255, 256, 1000, 1024, 1025, 2048, 5000, 16 << 10, 100_000, 1 << 20}[a.IntN(20)]
}

// decimal is a number with many digits, often one half way between two numbers, for which all digits count.
func (a *area) decimal() []byte {
	if a.IntN(2) == 0 {
		odd := a.Uint64N(1<<20)*2 + 1
		return fmt.Appendf(nil, "%d.%0*d", []uint64{1<<24 + odd, 1<<53 + odd}[a.IntN(2)], 1+a.IntN(50), a.IntN(2))
	}
	return fmt.Appendf(nil, "%d.%d%de%d", a.Uint64(), a.Uint64(), a.Uint64(), a.IntN(600)-300)
}

// calls makes arguments for each export.
var calls = map[string]func(*area){
	"blake3.DeriveKey":    func(a *area) { a.array(a.key()).str("a context").slice(a.random(a.length())) },
	"blake3.KeyedSum256":  func(a *area) { a.array(a.key()).array(a.key()).slice(a.random(a.length())) },
	"blake3.Sum256":       func(a *area) { a.array(a.key()).slice(a.random(a.length())) },
	"blake3.XOF":          func(a *area) { a.slice(a.random(a.length())).slice(a.random(a.length())) },
	"callcost.At":         func(a *area) { a.slice(a.random(64)); a.words[1], a.words[2] = 8, 8; a.word(a.Uint64N(8)) },
	"callcost.CopyBytes":  func(a *area) { a.slice(a.random(a.length())).slice(a.random(a.length())) },
	"callcost.AddLevel":   func(a *area) { a.word(a.Uint64()) },
	"callcost.Divmod":     func(a *area) { a.word(a.Uint64()).word(a.Uint64() | 1) },
	"callcost.Nothing":    func(*area) {},
	"callcost.Spin":       func(a *area) { a.word(a.Uint64N(1000)) },
	"callcost.Increment":  func(a *area) { a.word(a.Uint64()) },
	"callcost.Sum":        func(a *area) { a.slice(a.random(8 * 40)); a.words[1] = a.Uint64N(40); a.words[2] = a.words[1] },
	"float.Format":        func(a *area) { a.slice(a.random(24)).word(a.Uint64()) },
	"float.Format32":      func(a *area) { a.slice(a.random(24)).word(uint64(a.Uint32())) },
	"float.Parse":         func(a *area) { a.slice(a.decimal()) },
	"float.Parse32":       func(a *area) { a.slice(a.decimal()) },
	"strsearch.Count":     func(a *area) { a.slice(a.letters(a.length())).slice(a.letters(a.IntN(20))) },
	"strsearch.Index":     func(a *area) { a.slice(a.letters(a.length())).slice(a.letters(a.IntN(300))) },
	"strsearch.LastIndex": func(a *area) { a.slice(a.letters(a.length())).slice(a.letters(a.IntN(300))) },
	"strsearch.IndexByte": func(a *area) { a.slice(a.random(a.length())).word(a.Uint64() & 255) },
	"strsearch.IndexByte3": func(a *area) {
		a.slice(a.random(a.length())).word(a.Uint64() & 0xffffff)
	},
	"strsearch.LastIndexByte":           func(a *area) { a.slice(a.random(a.length())).word(a.Uint64() & 255) },
	"callcost.FramedIncrement":          func(a *area) { a.word(a.Uint64()) },
	"edwards25519.DoubleScalarBaseMult": func(a *area) { a.array(a.key()).array(a.key()).array(a.key()).array(a.key()) },
	"edwards25519.ScalarBaseMult":       func(a *area) { a.array(a.key()).array(a.key()) },
	"edwards25519.X25519":               func(a *area) { a.array(a.key()).array(a.key()).array(a.key()) },
	"x25519.Exchange":                   func(a *area) { a.array(a.key()).array(a.key()).array(a.key()) },
	"x25519.ExchangeBase":               func(a *area) { a.array(a.key()).array(a.key()) },
}

// loose is what a bound may exceed the observed depth by, in bytes: the way to a panic (through the functions of core
// that prepare its message, and 96 bytes that reach Go), which the calls here do not take; the worst alignment of
// the stack; and what a processor with fewer vector extensions does not use.
const loose = 512

// unwritten are the exports that reserve stack on purpose without writing to it.
var unwritten = map[string]bool{"callcost.FramedIncrement": true}

// shifted calls f below some frames, so that SP has another alignment.
//
//go:noinline
func shifted(frames int, f func()) {
	if frames > 0 {
		var pad [1]int
		shifted(frames-1, f)
		runtime.KeepAlive(&pad)
		return
	}
	f()
}

// TestBounds observes how deep the exports go, for arguments that make their algorithms change. None may exceed its
// bound, and no bound that is not a stated budget may be far from what is observed.
func TestBounds(t *testing.T) {
	all := bounds(t)
	rounds := 300
	if testing.Short() {
		rounds = 60
	}
	for name, bound := range all {
		arguments := calls[name]
		if arguments == nil {
			t.Errorf("no call of %s here", name)
			continue
		}
		deepest := 0
		for round := range rounds {
			a := &area{Rand: rand.New(rand.NewPCG(uint64(round), 1))} // the same in each run
			arguments(a)
			shifted(round%8, func() { deepest = max(deepest, stackpaint.Depth(name, &a.words)) })
			runtime.KeepAlive(a)
		}
		t.Logf("%s: %d bytes at most, bound %d", name, deepest, bound.bytes)
		if deepest > bound.bytes {
			t.Errorf("%s wrote %d bytes deep, its bound is %d", name, deepest, bound.bytes)
		}
		if deepest+loose < bound.bytes && !bound.budget && !unwritten[name] {
			t.Errorf("%s wrote no more than %d bytes deep, its bound is %d", name, deepest, bound.bytes)
		}
	}
	for name := range calls {
		if all[name].bytes == 0 {
			t.Errorf("there is no export %s", name)
		}
	}
}

// TestDepth holds the measurement itself to a function that touches no stack, and to one that writes a return address,
// below one word more where SP has to be aligned for that.
func TestDepth(t *testing.T) {
	for name, least := range map[string]int{"callcost.Increment": 0, "callcost.FramedIncrement": 8} {
		words := stackpaint.Words{41, 0}
		if got := stackpaint.Depth(name, &words); got != least && (least == 0 || got != least+8) || words[1] != 42 {
			t.Errorf("%s wrote %d bytes deep, want %d; 41 + 1 = %d", name, got, least, words[1])
		}
	}
}
