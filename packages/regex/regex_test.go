//go:build amd64 || arm64

package regex_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"regexp/syntax"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"rustgo.dev/go/rt"

	"rustgo.dev/packages/internal/buildinfo"
	"rustgo.dev/packages/regex"
)

// agree compares the results of all functions of this package with the results of Go's package.
func agree(t testing.TB, ours *regex.Regexp, theirs *regexp.Regexp, text, template string, n int) {
	check := func(what string, got, want any) {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%#q, %q, template %q, n %d: %s: %#v, want %#v", theirs, text, template, n, what, got, want)
		}
	}
	b := []byte(text)
	mark := func(s string) string { return "<" + s + ">" }
	markBytes := func(s []byte) []byte { return []byte("<" + string(s) + ">") }
	check("String", ours.String(), theirs.String())
	check("NumSubexp", ours.NumSubexp(), theirs.NumSubexp())
	check("SubexpNames", ours.SubexpNames(), theirs.SubexpNames())
	check("MatchString", ours.MatchString(text), theirs.MatchString(text))
	check("Match", ours.Match(b), theirs.Match(b))
	check("MatchReader", ours.MatchReader(strings.NewReader(text)), theirs.MatchReader(strings.NewReader(text)))
	check("Find", ours.Find(b), theirs.Find(b))
	check("FindIndex", ours.FindIndex(b), theirs.FindIndex(b))
	check("FindString", ours.FindString(text), theirs.FindString(text))
	check("FindStringIndex", ours.FindStringIndex(text), theirs.FindStringIndex(text))
	check("FindSubmatch", ours.FindSubmatch(b), theirs.FindSubmatch(b))
	check("FindSubmatchIndex", ours.FindSubmatchIndex(b), theirs.FindSubmatchIndex(b))
	check("FindStringSubmatch", ours.FindStringSubmatch(text), theirs.FindStringSubmatch(text))
	check("FindStringSubmatchIndex", ours.FindStringSubmatchIndex(text), theirs.FindStringSubmatchIndex(text))
	check("FindAll", ours.FindAll(b, n), theirs.FindAll(b, n))
	check("FindAllIndex", ours.FindAllIndex(b, n), theirs.FindAllIndex(b, n))
	check("FindAllString", ours.FindAllString(text, n), theirs.FindAllString(text, n))
	check("FindAllStringIndex", ours.FindAllStringIndex(text, n), theirs.FindAllStringIndex(text, n))
	check("FindAllSubmatch", ours.FindAllSubmatch(b, n), theirs.FindAllSubmatch(b, n))
	check("FindAllSubmatchIndex", ours.FindAllSubmatchIndex(b, n), theirs.FindAllSubmatchIndex(b, n))
	check("FindAllStringSubmatch", ours.FindAllStringSubmatch(text, n), theirs.FindAllStringSubmatch(text, n))
	check("FindAllStringSubmatchIndex", ours.FindAllStringSubmatchIndex(text, n), theirs.FindAllStringSubmatchIndex(text, n))
	var flat []int
	for _, loc := range theirs.FindAllIndex(b, n) {
		flat = append(flat, loc...)
	}
	check("AppendAllIndex", ours.AppendAllIndex(nil, b, n), flat)
	check("Split", ours.Split(text, n), theirs.Split(text, n))
	check("ReplaceAll", ours.ReplaceAll(b, []byte(template)), theirs.ReplaceAll(b, []byte(template)))
	check("ReplaceAllString", ours.ReplaceAllString(text, template), theirs.ReplaceAllString(text, template))
	check("ReplaceAllLiteral", ours.ReplaceAllLiteral(b, []byte(template)), theirs.ReplaceAllLiteral(b, []byte(template)))
	check("ReplaceAllLiteralString", ours.ReplaceAllLiteralString(text, template), theirs.ReplaceAllLiteralString(text, template))
	check("ReplaceAllFunc", ours.ReplaceAllFunc(b, markBytes), theirs.ReplaceAllFunc(b, markBytes))
	check("ReplaceAllStringFunc", ours.ReplaceAllStringFunc(text, mark), theirs.ReplaceAllStringFunc(text, mark))
	prefix, complete := ours.LiteralPrefix()
	wantPrefix, wantComplete := theirs.LiteralPrefix()
	check("LiteralPrefix", prefix, wantPrefix)
	check("LiteralPrefix", complete, wantComplete)
	check("the text", string(b), text)
}

var exprs = []string{
	``, `a`, `ab`, `a*`, `a+?`, `(a*)*`, `(a|b)*`, `(a*|b)*`, `(|a)*`, `(|a)+`, `x*`, `(x*)*y`, `a??`, `(a??)*b`, `(a)|(b)`, `(?:(a)|b)*`, `(a){0}`, `(a){0}b`,
	`^`, `$`, `^$`, `(?m)^`, `(?m)$`, `(?m)^a*$`, `\b`, `\B`, `\bfoo\b`, `.`, `.*`, `(?s).`, `(?s).*`, `..`, `[^a]`, `[^a]*`, `\w+`, `\W+`, `\d+`, `\S+`, `\s`, `é`, `[é-ü]`,
	`(?i)k`, `(?i)straße`, `(?i)ſ`, `(?i)foo|bar`, `(?i:a)b`, `\pL+`, `\p{Greek}+`, `\PN`, `[[:alpha:]]+`, `[[:^space:]]+`, `\Qa.b\E`, `a{2}`, `a{2,}`, `a{1,3}?`, `a{,2}`, `a{`,
	`foo|foobar`, `foobar|foo`, `(?P<year>\d{4})-(?P<month>\d\d)`, `(\w+)\s+(\w+)`, `(\w+)@(\w+)\.com`, `abc|abd|xyz|x`, `a|ab|abc`, `(?U)a+`, `\x{fffd}`, `[\x{fffd}]`,
	`[a-z&&b]+`, `[[a]+`, `\<`, `a**`, `(?x)a b`, `(`, `\pX`, `(?P<n>a)(?P<n>b)`, `\z`, `\A`, `a\z`, `(?m:^)b`, `\x{10ffff}`, `\x{d800}`, `[\x{d7ff}-\x{e000}]`, `[^\x00-\x{10ffff}]`,
	`((((((((((((((((((a))))))))))))))))))`, `(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)`, `é*`, `(?:é|\xff)*`, `"[^"]*"`, `^(?:[^,]*,)*$`, `foo$`, `\bx`, `x\B`, `(?:)`, `a|`, `|a`, `(?:a|)+`,
	`\B|é`, `a*|[^\x00-\x{10FFFF}]`, `\B|[^\s\S]`, `a*|\x{D800}`,
}

var texts = []string{
	"", "a", "b", "ab", "aaa", "baaab", "abab", "xyz", "aéb", "é", "éé", "ééx", "foo", "foobar foo", "Foo BAR kK\u212a sſS STRASSE straße", "2024-05 1999-12x", "a\nb\n\nc\n", "\n", "ΑΒΓ αβγ x",
	"\xff", "a\xffb", "\x80\x80", "\xe2\x82", "é\x80é", "\xe2\x82a", "\xf0\x9f\x98", "😀", "\ufffd", "hello\xffworld", "\xc3\xa9\xc3", "\xed\xa0\x80", `say "hi" and "bye`, "a,b,,c", "user@example.com me@x.com",
	"aab aab aaaab", "{a{ a{,2} a.b a&b [a", "abcdefghijklmnopqrstuvwxyz", "\u07ff\ud7ff\ue000\U0010ffff", strings.Repeat("ab ", 100), strings.Repeat("é", 70),
}

func TestResultsEqualGo(t *testing.T) {
	for _, expr := range exprs {
		theirs, err := regexp.Compile(expr)
		ours, e := regex.Compile(expr)
		if err != nil || e != nil {
			if fmt.Sprint(e) != fmt.Sprint(err) {
				t.Errorf("%#q: error %v, want %v", expr, e, err)
			}
			continue
		}
		for i, text := range texts {
			agree(t, ours, theirs, text, []string{"", "x", "<$0>", "$1x${1}x", "$$ $ ${", "${n}$year"}[i%6], []int{-1, 0, 1, 2, 3, 100}[(i+len(expr))%6])
		}
		agree(t, ours.Copy(), theirs, "foo bar", "", -1)
		ours.Longest()
		theirs.Longest()
		for _, text := range texts[:12] {
			agree(t, ours, theirs, text, "[$0]", -1)
		}
		ours.Longest()
		ours, e = regex.CompilePOSIX(expr)
		theirs, err = regexp.CompilePOSIX(expr)
		if fmt.Sprint(e) != fmt.Sprint(err) {
			t.Errorf("%#q: error %v, want %v", expr, e, err)
		}
		if e == nil {
			ours.Longest()
			agree(t, ours, theirs, "aaa foobar", "[$0]", -1)
		}
	}
}

// An invalid byte makes a difference if the search reads the byte, even after the end of the match.
func TestInvalidUTF8AfterMatch(t *testing.T) {
	long := strings.Repeat("x", 10000)
	for _, expr := range []string{`a[^"]*"|a`, `(?s)a.*z|a`, `^a.*z|^a`, `a\S`, `^b`, `^[^b]b`, `a*`, `\B`, `(a)[^"]*"|(a)`} {
		for _, text := range []string{
			"a" + long + "\xff\"z", "a" + long + "\xffz", "a\"" + long + "\xff\"", "a\xffz", "\xff" + long, long + "\xff", "\xffb" + long, "a" + strings.Repeat("\n", 5000) + "\xff",
			"a" + long + "\xe2\x82\xac\"", "a" + long[:9997] + "\xe2\x82", long[:600] + "\xe2\"" + long,
		} {
			ours, theirs := regex.MustCompile(expr), regexp.MustCompile(expr)
			if got, want := ours.FindStringIndex(text), theirs.FindStringIndex(text); !reflect.DeepEqual(got, want) {
				t.Errorf("%#q in %.20q…: %v, want %v", expr, text, got, want)
			}
			if got, want := ours.FindStringSubmatchIndex(text), theirs.FindStringSubmatchIndex(text); !reflect.DeepEqual(got, want) {
				t.Errorf("%#q in %.20q…: %v, want %v", expr, text, got, want)
			}
			if got, want := ours.MatchString(text), theirs.MatchString(text); got != want {
				t.Errorf("%#q in %.20q…: %v, want %v", expr, text, got, want)
			}
			if got, want := ours.FindAllStringIndex(text, 3), theirs.FindAllStringIndex(text, 3); !reflect.DeepEqual(got, want) {
				t.Errorf("%#q in %.20q…: %v, want %v", expr, text, got, want)
			}
		}
	}
}

// A loop that searches the rest of the text again and again takes time in proportion to the length of the text.
func TestLoopIsLinear(t *testing.T) {
	if buildinfo.Race() {
		t.Skip("each step reports the whole rest of the text to the race detector")
	}
	lexer := regex.MustCompile(`^(?:"[^"]*"|\w+|\S|\s+)`)
	// perToken returns the time per token in a text with the given number of lines, the shortest of several measurements. It searches short texts
	// repeatedly, because the clocks of some systems count in half milliseconds.
	perToken := func(lines int) time.Duration {
		text := strings.Repeat(`"a string" word 123 `, lines)
		least := time.Duration(math.MaxInt64)
		for range 5 {
			start, tokens := time.Now(), 0
			for range 64 * 500 / lines {
				for rest := text; rest != ""; tokens++ {
					rest = rest[lexer.FindStringIndex(rest)[1]:]
				}
			}
			if tokens != 6*64*500 {
				t.Fatalf("%d tokens in texts of %d lines", tokens, lines)
			}
			least = min(least, time.Since(start)/time.Duration(tokens))
		}
		return least
	}
	// The larger text is 64 times as long. If the total time were quadratic in the length, each of its tokens would also take 64 times as long. Each
	// attempt measures both texts anew, because the machine may be busy.
	var small, large time.Duration
	for range 5 {
		if small, large = perToken(500), perToken(64*500); large <= 16*small {
			return
		}
	}
	t.Errorf("a token takes %v in a text of 10 KB, and %v in one of 640 KB", small, large)
}

// The random expressions consist of parts that are frequent in tests of regular expressions.
func TestRandomExpressions(t *testing.T) {
	parts := []string{"a", "b", "ab", ".", "[ab]", "[^a]", "(?:a|b)", "(a|ab)", "(b*)", "^", "$", `\b`, `\B`, "é", `\w`, `\W`, "(?i:b)", "", "(?m:^)", "(?m:$)", "(|a)", "x"}
	after := []string{"", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}?", "|", "|"}
	alphabet := []string{"a", "b", "B", "x", "é", "\n", " ", "\xff", "\xc3", "\u212a"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		expr := ""
		for range 1 + r.IntN(5) {
			expr += parts[r.IntN(len(parts))] + after[r.IntN(len(after))]
		}
		if r.IntN(3) == 0 {
			expr = "(" + expr + ")" + after[r.IntN(len(after))]
		}
		text := ""
		for range r.IntN(12) {
			text += alphabet[r.IntN(len(alphabet)-2*r.IntN(2))]
		}
		same(t, expr, text, "<$1>", r.IntN(5)-1)
	}
}

func TestLimits(t *testing.T) {
	for _, expr := range []string{
		`(?:\pL{1000}){1}\pL{1000}\pL{1000}`, strings.Repeat(`\pL{500}`, 20), `(?i)` + strings.Repeat(`[^x]{900}\pL`, 30),
	} {
		_, err := regex.Compile(expr)
		var size *regex.SizeError
		if !errors.As(err, &size) || size.Expr != expr || !strings.Contains(err.Error(), "10 MiB") {
			t.Errorf("%.30s: %v", expr, err)
		}
	}
	for _, expr := range []string{
		strings.Repeat("(", 1001) + strings.Repeat(")", 1001), `a{1001}`, `((a{100}){100}){100}`, `(?:a{1000}){1000}`,
	} {
		_, err := regex.Compile(expr)
		var e *syntax.Error
		if _, want := regexp.Compile(expr); !errors.As(err, &e) || err.Error() != want.Error() {
			t.Errorf("%.30s: %v, want %v", expr, err, want)
		}
	}
	// These expressions are as deep as Go's parser allows.
	for _, expr := range []string{
		strings.Repeat("(", 990) + "a" + strings.Repeat(")", 990),
		strings.Repeat("(?:a|b(?:", 490) + "x" + strings.Repeat(")c)", 490),
		strings.Repeat("(?:", 450) + "a" + strings.Repeat("b)*", 450),
	} {
		re, err := regex.Compile(expr)
		if err != nil {
			t.Errorf("%.30s…: %v", expr, err)
			continue
		}
		same := regexp.MustCompile(expr)
		// The package builds more automata after some searches, and for long texts. So the test searches many times, and in a long text.
		for _, text := range append(slices.Repeat([]string{"bababa"}, 20), strings.Repeat("ba", 5000), strings.Repeat("ba", 5000)+"\xff") {
			if got, want := re.FindStringSubmatchIndex(text), same.FindStringSubmatchIndex(text); !reflect.DeepEqual(got, want) {
				t.Errorf("%.30s… in %.10s…: another match", expr, text)
			}
			if got, want := re.FindStringIndex(text), same.FindStringIndex(text); !reflect.DeepEqual(got, want) {
				t.Errorf("%.30s… in %.10s…: another match", expr, text)
			}
		}
	}
	// A backtracking search takes exponential time for these expressions and would not end.
	text := strings.Repeat("a", 50000)
	for _, expr := range []string{`(a*)*b`, `(a|a)*b`, `(a|aa)+$`, `(?:a?){500}a{500}b`, `(.*)(.*)(.*)(.*)b`, `^(([a-z])+.)+[A-Z]([a-z])+$`} {
		regex.MustCompile(expr).FindStringSubmatch(text)
	}
}

// The automaton of this expression exceeds the size limit only if it reports groups.
func TestTooLargeOnlyWithGroups(t *testing.T) {
	largest := sort.Search(1000, func(n int) bool {
		_, err := regex.Compile(fmt.Sprintf(`(?:(\pL)){%d}`, n))
		return err != nil
	}) - 1
	expr := fmt.Sprintf(`(?:(\pL)){%d}`, largest)
	text := strings.Repeat("aé", largest)
	ours, theirs := regex.MustCompile(expr), regexp.MustCompile(expr)
	if got, want := ours.FindStringSubmatchIndex(text), theirs.FindStringSubmatchIndex(text); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := ours.FindAllStringSubmatchIndex(text, -1), theirs.FindAllStringSubmatchIndex(text, -1); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	t.Log(expr)
}

func TestAppendAllIndex(t *testing.T) {
	re := regex.MustCompile(`a|`)
	text := strings.Repeat("ba", 100)
	var want []int
	for _, loc := range re.FindAllStringIndex(text, -1) {
		want = append(want, loc...)
	}
	for _, room := range []int{0, 1, 3, 64, 1000} {
		if got := re.AppendAllIndex(append(make([]int, 0, room+1), 7), []byte(text), -1); got[0] != 7 || !slices.Equal(got[1:], want) {
			t.Errorf("with room for %d: %v", room, got)
		}
		if got := re.AppendAllIndex(make([]int, 0, room), []byte(text), 35); !slices.Equal(got, want[:70]) {
			t.Errorf("with room for %d: %v", room, got)
		}
	}
	room, b := make([]int, 0, 1000), []byte(text)
	if allocations := testing.AllocsPerRun(10, func() { re.AppendAllIndex(room, b, -1) }); allocations > 0 && buildinfo.Optimised() {
		t.Errorf("%v allocations", allocations)
	}
}

func TestMustCompilePanics(t *testing.T) {
	for _, must := range []func(){func() { regex.MustCompile("(") }, func() { regex.MustCompilePOSIX(`\d`) }, func() { regex.MustCompileSet("a", "(") }} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "regex: Compile") {
					t.Errorf("panic value %q", text)
				}
			}()
			must()
		}()
	}
}

func TestMarshalText(t *testing.T) {
	type config struct{ Expr *regex.Regexp }
	var c config
	if err := json.Unmarshal([]byte(`{"Expr":"a(b+)"}`), &c); err != nil || c.Expr.FindString("xabbc") != "abb" {
		t.Fatalf("%v, %v", c.Expr, err)
	}
	if out, err := json.Marshal(c); err != nil || string(out) != `{"Expr":"a(b+)"}` {
		t.Errorf("%s, %v", out, err)
	}
	if err := c.Expr.UnmarshalText([]byte("(")); err == nil || c.Expr.String() != "a(b+)" {
		t.Errorf("%v, %v", c.Expr, err)
	}
}

func TestSet(t *testing.T) {
	exprs := []string{`foo`, `^bar`, `\d+`, `(?i)FOO\b`, `[^a-z]`, ``, `x$`, `\bé`, `foo`}
	set := regex.MustCompileSet(exprs...)
	none := regex.MustCompileSet()
	for _, text := range append(texts, "foo", "foobar", "bar 12 x", "Foo x") {
		var want []int
		for i, expr := range exprs {
			if regexp.MustCompile(expr).MatchString(text) {
				want = append(want, i)
			}
		}
		if got := set.MatchesString(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		if got := set.AppendMatches([]int{7}, []byte(text)); !reflect.DeepEqual(got[1:], want) || got[0] != 7 {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		if set.MatchString(text) != (want != nil) || set.Match([]byte(text)) != (want != nil) {
			t.Errorf("%q: Match or MatchString disagrees with MatchesString", text)
		}
		if none.MatchString(text) || none.MatchesString(text) != nil {
			t.Errorf("%q matches an empty set", text)
		}
	}
	if set.Len() != len(exprs) || set.Expr(3) != exprs[3] || none.Len() != 0 {
		t.Error("Len or Expr is wrong")
	}
	if _, err := regex.CompileSet("a", "(b"); err == nil || !strings.Contains(err.Error(), "(b") {
		t.Errorf("%v", err)
	}
	many := make([]string, 300)
	for i := range many {
		many[i] = fmt.Sprintf("w%d[a-f]", i)
	}
	if got := regex.MustCompileSet(many...).MatchesString("w7a w123f w299x w29b"); !reflect.DeepEqual(got, []int{7, 29, 123}) {
		t.Errorf("%v", got)
	}
}

func TestGoroutinesShareRegexp(t *testing.T) {
	re := regex.MustCompile(`(\w+)@(\w+)\.(com|org)|\bx\d+`)
	want := fmt.Sprint(re.FindAllStringSubmatchIndex(parallelText, -1))
	var all sync.WaitGroup
	for range 50 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 200 {
				if got := fmt.Sprint(re.FindAllStringSubmatchIndex(parallelText, -1)); got != want {
					t.Errorf("%s", got)
					return
				}
				if !re.MatchString(parallelText) || re.FindString(parallelText) != "me@example.org" {
					t.Error("another match")
					return
				}
				runtime.Gosched()
			}
		}()
	}
	all.Wait()
}

const parallelText = "to me@example.org, you@example.com; x12 and xx12 at nobody@nowhere.net"

func TestUnreachableExpressionsAreFreed(t *testing.T) {
	// collect returns the live bytes after some collections. Cleanups run on a separate goroutine, which may be late on a busy machine.
	collect := func(enough uint64) (live uint64) {
		for range 200 {
			runtime.GC()
			time.Sleep(10 * time.Millisecond)
			if live = rt.HeapLive(); live <= enough {
				break
			}
		}
		return live
	}
	use := func() {
		for i := range 100 {
			re := regex.MustCompile(fmt.Sprintf(`(\w+) %d|x`, i))
			re.FindStringSubmatch("abc 7 x")
			re.FindString("abc 7 x")
		}
		regex.Compile(strings.Repeat(`\pL{500}`, 20))
		regex.MustCompileSet("a", "b").MatchesString("ab")
	}
	use()
	before := collect(4 << 20)
	for range 5 {
		use()
	}
	enough := before + before/4 + 1<<16
	if after := collect(enough); after > enough {
		t.Errorf("%d bytes of Rust's heap after one round, %d after five more", before, after)
	}
}

func TestAllocations(t *testing.T) {
	if !buildinfo.Optimised() {
		t.Skip("without inlining more escapes")
	}
	re, word := regex.MustCompile(`\d+`), regex.MustCompile(`\w+ (\w+)`)
	text := []byte("one two 3 four 55")
	for _, test := range []struct {
		name string
		want float64
		call func()
	}{
		{"Match", 0, func() { re.Match(text) }},
		{"Find", 0, func() { re.Find(text) }},
		{"FindIndex", 1, func() { re.FindIndex(text) }},
		{"FindSubmatch", 1, func() { word.FindSubmatch(text) }},
		{"FindSubmatchIndex", 1, func() { word.FindSubmatchIndex(text) }},
		{"FindAllIndex", 2, func() { re.FindAllIndex(text, -1) }},
		{"ReplaceAllLiteral", 1, func() { re.ReplaceAllLiteral(text, text[:1]) }},
	} {
		if got := testing.AllocsPerRun(100, test.call); got > test.want {
			t.Errorf("%s: %v allocations, want %v", test.name, got, test.want)
		}
	}
	if !bytes.Equal(text, []byte("one two 3 four 55")) {
		t.Error("the text has changed")
	}
}
