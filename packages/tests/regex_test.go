package tests

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"rustgo.dev/packages/regex"
)

// A rustTest is one test case of the crate regex.
type rustTest struct {
	Name            string
	Regex           any // a string, or several for a set
	Haystack        string
	Matches         []any
	Unescape        bool
	Compiles        *bool
	Anchored        bool
	Bounds          any
	Unicode         *bool
	UTF8            *bool
	CaseInsensitive bool   `toml:"case-insensitive"`
	LineTerminator  string `toml:"line-terminator"`
	MatchKind       string `toml:"match-kind"`
	SearchKind      string `toml:"search-kind"`
	MatchLimit      *int   `toml:"match-limit"`
}

// TestRegexCrate runs the test cases of the crate regex, with expressions in Go's syntax. If the crate and Go differ, this package follows Go. The
// list differences must explain each such case.
func TestRegexCrate(t *testing.T) {
	out, err := exec.Command("cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", "../regex/rust/Cargo.toml").Output()
	if err != nil {
		t.Skip("cargo does not say where the crate is")
	}
	var metadata struct {
		Packages []struct {
			Name     string
			Manifest string `json:"manifest_path"`
		}
	}
	if err := json.Unmarshal(out, &metadata); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, p := range metadata.Packages {
		if p.Name == "regex" {
			files, _ = filepath.Glob(filepath.Join(filepath.Dir(p.Manifest), "testdata", "*.toml"))
			more, _ := filepath.Glob(filepath.Join(filepath.Dir(p.Manifest), "testdata", "fowler", "*.toml"))
			files = append(files, more...)
		}
	}
	if len(files) == 0 {
		t.Skip("the crate's tests are not there")
	}
	counts := map[string]int{}
	for _, file := range files {
		var tests struct{ Test []rustTest }
		if _, err := toml.DecodeFile(file, &tests); err != nil {
			t.Fatal(err)
		}
		group := strings.TrimSuffix(filepath.Base(file), ".toml")
		for _, test := range tests.Test {
			name := group + "/" + test.Name
			said := test.run(t, name)
			if said == "differs" {
				reason := test.why()
				if reason == "" {
					t.Errorf("%s: %#q in %q differs, and nothing explains it", name, test.Regex, test.Haystack)
				}
				said += ": " + reason
			}
			counts[said]++
		}
	}
	for _, said := range slices.Sorted(keys(counts)) {
		t.Logf("%4d %s", counts[said], said)
	}
	if counts["agrees"] < 800 {
		t.Errorf("%d tests agree", counts["agrees"])
	}
}

func keys(counts map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range counts {
			if !yield(key) {
				return
			}
		}
	}
}

// run compares the package's result with the test case. It returns a description of the difference, or "".
func (test *rustTest) run(t *testing.T, name string) string {
	switch {
	case test.Bounds != nil:
		return "not done: a search in a part of the text"
	case test.Anchored && (isSet(test.Regex) || test.MatchLimit == nil || *test.MatchLimit != 1):
		return "not done: several matches, each at the end of the one before"
	case strings.HasPrefix(name, "regex-lite/"):
		return "not done: of another crate"
	case test.LineTerminator != "":
		return "not done: another line terminator"
	case test.SearchKind == "earliest":
		return "not done: the earliest end of a match"
	case test.SearchKind == "overlapping" && !isSet(test.Regex):
		return "not done: overlapping matches"
	case test.MatchKind == "all" && !isSet(test.Regex):
		return "not done: all matches of an expression at once"
	}
	if test.Unescape {
		text, err := strconv.Unquote(`"` + strings.NewReplacer(`"`, `\"`, `\'`, `'`, `\0`, `\x00`).Replace(test.Haystack) + `"`)
		if err != nil {
			t.Fatalf("%s: %q: %v", name, test.Haystack, err)
		}
		test.Haystack = text
	}
	if isSet(test.Regex) {
		return test.runSet(t, name)
	}
	expr := test.Regex.(string)
	if test.CaseInsensitive {
		expr = "(?i)" + expr
	}
	if test.Anchored {
		expr = `\A(?:` + expr + `)`
	}
	ours, err := regex.Compile(expr)
	theirs, e := regexp.Compile(expr)
	if fmt.Sprint(err) != fmt.Sprint(e) {
		t.Errorf("%s: error %v, of Go %v", name, err, e)
	}
	compiles := test.Compiles == nil || *test.Compiles
	if err != nil || !compiles {
		if compiles == (err == nil) {
			return "agrees"
		}
		return "differs"
	}
	limit := -1
	if test.MatchLimit != nil {
		limit = *test.MatchLimit
	}
	got := ours.FindAllStringSubmatchIndex(test.Haystack, limit)
	if want := theirs.FindAllStringSubmatchIndex(test.Haystack, limit); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %#q in %q: %v, of Go %v", name, expr, test.Haystack, got, want)
	}
	if len(got) != len(test.Matches) {
		return "differs"
	}
	for i, match := range test.Matches {
		_, want := numbersOf(match)
		if !slices.Equal(got[i][:min(len(want), len(got[i]))], want) {
			return "differs"
		}
	}
	return "agrees"
}

func isSet(expr any) bool {
	_, ok := expr.([]any)
	return ok
}

func (test *rustTest) runSet(t *testing.T, name string) string {
	if test.MatchKind != "all" || test.SearchKind != "overlapping" {
		return "not done: where the expressions of a set match"
	}
	var exprs []string
	for _, expr := range test.Regex.([]any) {
		exprs = append(exprs, expr.(string))
	}
	set, err := regex.CompileSet(exprs...)
	if err != nil {
		return "differs"
	}
	var want []int
	for _, match := range test.Matches {
		id, _ := numbersOf(match)
		want = append(want, id)
	}
	slices.Sort(want)
	if got := set.MatchesString(test.Haystack); !slices.Equal(got, slices.Compact(want)) {
		return "differs"
	}
	return "agrees"
}

// numbersOf reads a match in the test data. A match is a span such as [0, 1], or a list with a span for each group, such as [[0, 1], []], or a
// table with such a span or list and the id of the expression that matched. An empty span is a group that did not match.
func numbersOf(match any) (id int, all []int) {
	switch match := match.(type) {
	case map[string]any:
		number, _ := match["id"].(int64)
		for _, key := range []string{"span", "spans"} {
			if match[key] != nil {
				_, all = numbersOf(match[key])
			}
		}
		return int(number), all
	case []any:
		if len(match) == 0 {
			return 0, []int{-1, -1}
		}
		for _, part := range match {
			if number, ok := part.(int64); ok {
				all = append(all, int(number))
			} else {
				_, pair := numbersOf(part)
				all = append(all, pair...)
			}
		}
	}
	return 0, all
}

// differences lists reasons for different results: syntax that Go does not have, or that has another meaning in Go. The first reason that applies
// counts.
var differences = []struct {
	expr   string // a regular expression that must match the test's expression
	text   string // a regular expression that must match the test's text; "" for any text
	reason string
}{
	{`\(\?[a-zA-Z]*R`, "", "Go has no flag R: lines end in \\n alone"},
	{`\(\?[a-zA-Z-]*u[a-zA-Z-]*[:)]`, "", "Go has no flag u: classes are those of Unicode, and \\w, \\d, \\s and \\b of ASCII"},
	{`\(\?[a-zA-Z]*x`, "", "Go has no flag x"},
	{`\\[bB]\{|\\[<>]`, "", "Go has no \\b{start} and the like; \\< is a character"},
	{`\\[wWdDsSbB]`, `[^\x00-\x7f]`, "\\w, \\d, \\s and \\b know ASCII alone in Go"},
	{`\\p`, "", "Go has categories and scripts, but no other properties of Unicode, and other names for them"},
	{`\{1,2500\}`, "", "Go allows 1000 repetitions"},
	{`^\(\?\)$`, "", "(?) is no error in Go"},
	{`\[.*(&&|--|~~|\[[^:])`, "", "Go has no operators between classes, and no classes in classes"},
}

// why returns the reason why the result differs from the crate's, or "" if there is no reason.
func (test *rustTest) why() string {
	expr, _ := test.Regex.(string)
	for _, d := range differences {
		if regexp.MustCompile(d.expr).MatchString(expr) && regexp.MustCompile(d.text).MatchString(test.Haystack) {
			return d.reason
		}
	}
	if test.Unicode != nil && !*test.Unicode || test.UTF8 != nil && !*test.UTF8 {
		return "Go always matches whole characters; a byte that is not UTF-8 is one, U+FFFD"
	}
	return ""
}
