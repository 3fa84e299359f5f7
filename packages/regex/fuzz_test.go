//go:build amd64 || arm64

package regex_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"rustgo.dev/packages/regex"
)

// choices makes the decisions of a generator. Its only method returns a number from 0 to n-1.
type choices interface{ below(n int) int }

// fuzzed takes the decisions from a fuzzer's bytes. After the last byte each decision is 0. So a fuzzer can make the generated input shorter or
// longer in small steps.
type fuzzed []byte

func (f *fuzzed) below(n int) int {
	if len(*f) == 0 {
		return 0
	}
	first := (*f)[0]
	*f = (*f)[1:]
	return int(first) % n
}

type random struct{ *rand.Rand }

func (r random) below(n int) int { return r.IntN(n) }

func pick(c choices, from []string) string { return from[c.below(len(from))] }

var (
	// The first atoms end the recursion of the function expression, because only these atoms are chosen after the end of a fuzzer's bytes.
	atoms = []string{
		"a", "b", "é", ".", "😀", `\B`, `\b`, "", "^", "$", `\A`, `\z`, "(?m:^)", "(?m:$)", "(?s:.)", `\w`, `\W`, `\s`, `\S`, `\pL`, `\PL`, "ab", "aé", "éa", `\n`,
		// These atoms contain U+FFFD, which Go's package reads for each invalid byte.
		`\x{fffd}`, `[\x{fffd}-\x{10ffff}]`, `[^\x{fffd}]`,
		// These expressions match nothing: empty classes, surrogates, contradictions.
		`[^\s\S]`, `[^\x00-\x{10ffff}]`, `\x{d800}`, `[\x{d800}-\x{dfff}]`, `a\x{dc00}`, `\b\B`, `$a`, `a^`,
		`[\x{d7ff}-\x{e000}]`, `\x{10ffff}`, `[é-ü]`, `[^a]`, `[^é]`, `[a\n]`, `[^\w]`, `\Qé.\E`,
	}
	repetitions = []string{"", "", "*", "+", "?", "*?", "+?", "??", "{0}", "{2}", "{0,2}", "{1,2}?", "{2,}"}
	pieces      = []string{
		"a", "b", "é", "", "😀", "\n", " ", "ab", "aé", "éa", "ü", "\u0301", "K", "\u212a", "ſ", "_", "0", "\x00", "\ufffd", "\ud7ff\ue000", "\U0010ffff",
		// These texts are not UTF-8: lone continuation bytes, truncated characters, surrogates, overlong forms, bytes that occur in no character.
		"\x80", "\xbf", "\xa9", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xf0\x9f", "\xf0", "\x9f\x98\x80", "\xed\xa0\x80", "\xc0\x80", "\xe0\x80\x80", "\xf4\x90\x80\x80", "\xff", "\xfe",
	}
)

func expression(c choices, depth int) string {
	kind := 0
	if depth > 0 {
		kind = c.below(12)
	}
	switch kind {
	case 1, 2:
		return expression(c, depth-1) + expression(c, depth-1)
	case 3, 4:
		return expression(c, depth-1) + "|" + expression(c, depth-1)
	case 5:
		return "(?:" + expression(c, depth-1) + "|" + expression(c, depth-1) + "|" + expression(c, depth-1) + ")" + pick(c, repetitions)
	case 6, 7:
		return "(?:" + expression(c, depth-1) + ")" + pick(c, repetitions)
	case 8, 9:
		return "(" + expression(c, depth-1) + ")" + pick(c, repetitions)
	case 10:
		return pick(c, []string{"(?i)", "(?s)", "(?m)", "(?U)"}) + expression(c, depth-1)
	}
	return pick(c, atoms) + pick(c, repetitions)
}

func subject(c choices) string {
	var text strings.Builder
	for range c.below(12) {
		text.WriteString(pick(c, pieces))
	}
	// The text is repeated, because searches in long texts do not use the automata for short texts.
	return strings.Repeat(text.String(), 1+c.below(3)*c.below(12))
}

// compare generates expressions and a text, and compares the package with Go's.
func compare(t testing.TB, c choices) {
	expr, other := expression(c, 4), expression(c, 2)
	text := subject(c)
	template, n := pick(c, []string{"", "<$0$1>", "x", "é$2"}), c.below(5)-1
	same(t, expr, text, template, n)
	sameSet(t, text, expr, other, `\B`)
	sameSet(t, text, other, expr)
}

// same compares all functions with Go's package. This package builds its automata for short texts only after some searches, so the functions are
// compared before and after that.
func same(t testing.TB, expr, text, template string, n int) {
	t.Helper()
	theirs, err := regexp.Compile(expr)
	ours, e := regex.Compile(expr)
	if err != nil {
		if e == nil || e.Error() != err.Error() {
			t.Fatalf("%#q: error %v, want %v", expr, e, err)
		}
		return
	}
	var size *regex.SizeError
	if errors.As(e, &size) {
		return
	}
	if e != nil {
		t.Fatalf("%#q: error %v", expr, e)
	}
	agree(t, ours, theirs, text, template, n)
	for range 20 {
		ours.MatchString(text)
	}
	agree(t, ours, theirs, text, template, n)
}

// sameSet compares a set with Go's package, before and after this package builds the automata for short texts.
func sameSet(t testing.TB, text string, exprs ...string) {
	t.Helper()
	var want []int
	for i, expr := range exprs {
		theirs, err := regexp.Compile(expr)
		if err != nil {
			return
		}
		if theirs.MatchString(text) {
			want = append(want, i)
		}
	}
	set, err := regex.CompileSet(exprs...)
	var size *regex.SizeError
	if errors.As(err, &size) {
		return
	}
	if err != nil {
		t.Fatalf("%#q: error %v", exprs, err)
	}
	for range 20 {
		if got := set.MatchString(text); got != (want != nil) {
			t.Fatalf("set %#q, %q: MatchString %v, want %v", exprs, text, got, want != nil)
		}
		if got := set.MatchesString(text); !reflect.DeepEqual(got, want) {
			t.Fatalf("set %#q, %q: MatchesString %v, want %v", exprs, text, got, want)
		}
	}
}

// FuzzGenerated compares generated expressions and texts with Go's package. Run it with: go test -run '^$' -fuzz '^FuzzGenerated$' -fuzztime 1m ./regex
func FuzzGenerated(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for length := range 60 {
		seed := make([]byte, length)
		for i := range seed {
			seed[i] = byte(r.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, decisions []byte) {
		if len(decisions) > 200 {
			return
		}
		compare(t, (*fuzzed)(&decisions))
	})
}

var cases = flag.Int("cases", 5000, "how many cases TestGenerated generates")

// TestGenerated does the same as FuzzGenerated, with random numbers that are the same in each run.
func TestGenerated(t *testing.T) {
	number := *cases
	if testing.Short() {
		number /= 5
	}
	for seed := range number {
		compare(t, random{rand.New(rand.NewPCG(uint64(seed), 0))})
		if t.Failed() {
			t.Fatalf("case %d", seed)
		}
	}
}

// FuzzLikeGo compares arbitrary expressions and texts with Go's package.
func FuzzLikeGo(f *testing.F) {
	for i, expr := range exprs {
		f.Add(expr, texts[i%len(texts)], "<$0$1>", i%5-1)
	}
	f.Fuzz(func(t *testing.T, expr, text, template string, n int) {
		if len(expr) > 200 || len(text) > 1000 || len(template) > 100 {
			return
		}
		same(t, expr, text, template, n)
		sameSet(t, text, expr, `\B`)
		sameSet(t, text, expr)
	})
}

// An empty match is never inside a character, whatever else an expression can match.
func TestEmptyMatchesInsideCharacters(t *testing.T) {
	exprs := []string{
		`\B|é`, `é|\B`, `\B`, `\Bx*`, `(?:\B|é)+`, `(\B)|(é)`, `\B(?:é|)`, `\b|\B`, `\B|\b`, `a*`, `a*|é`, `(?m)^|\B`, `\B|ü`, `\B$`, `^\B`, `\B|é$`,
		`a*|[^\x00-\x{10FFFF}]`, `\B|[^\s\S]`, `[^\s\S]|\B`, `\B|\x{D800}`, `a*|\x{D800}b`, `(?:[^\s\S])*`, `(?:[^\s\S]|\B)+`, `([^\s\S])|\B`, `([^\s\S])*(é)`, `[^\s\S]{0,3}é|\B`,
		`[^\s\S]`, `a[^\s\S]|b[^\s\S]`, `([^\s\S])+`, `\b\B`, `\b\B|\B`,
	}
	texts := []string{"aéb", "aé", "é", "éé", "😀", "a😀b", "\xf0\x9f\x98", "a\xf0\x9f\x98b", "é\xa9", "\xc3", "", "aüüb é", strings.Repeat("é", 60), "ab" + strings.Repeat("é", 60) + "ü"}
	for _, expr := range exprs {
		for _, text := range texts {
			same(t, expr, text, "<$0>", -1)
			sameSet(t, text, expr)
			sameSet(t, text, "q", expr)
			sameSet(t, text, expr, "é", `\Bé`)
		}
	}
}
