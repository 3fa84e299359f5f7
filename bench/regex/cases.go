//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A testcase is an operation with an expression and a text.
type testcase struct {
	name      string
	operation string // match, find, groups, all, allgroups, append, compile, once
	expr      string
	rust      string // the expression in the syntax of the crate regex
	text      string
}

// compiles reports whether each run of the operation compiles the expression again.
func (c *testcase) compiles() bool { return c.operation == "compile" || c.operation == "once" }

// goroot returns the contents of a file of Go's source tree.
func goroot(name string) string {
	root := strings.TrimSpace(string(must(exec.Command("go", "env", "GOROOT").Output())))
	return string(must(os.ReadFile(filepath.Join(root, "src", name))))
}

// ascii changes an expression so that \w, \d, \s and \b mean the same in the crate as in Go.
func ascii(expr string) string {
	return strings.NewReplacer(`\w`, `[0-9A-Za-z_]`, `\d`, `[0-9]`, `\s`, `[\t\n\f\r ]`, `\S`, `[^\t\n\f\r ]`, `\b`, `(?-u:\b)`).Replace(expr)
}

// long returns cases with texts of half a megabyte or less: Newton's Opticks and source code, which come with Go, and lines and Russian words made by
// this program. Some expressions come from rebar (github.com/BurntSushi/rebar, "curated"), with words of these texts.
func long() (all []testcase) {
	prose := goroot("testdata/Isaac.Newton-Opticks.txt")[:500000]
	code := ""
	for _, name := range []string{"server.go", "transport.go", "h2_bundle.go", "request.go"} {
		code += goroot("net/http/" + name)
	}
	code = code[:min(len(code), 500000)]
	lines := logs(500000)
	russian := cyrillic(500000)
	add := func(name, expr, text string, more ...string) {
		c := testcase{name, "all", expr, ascii(expr), text}
		if len(more) > 0 && more[0] != "" {
			c.operation = more[0]
		}
		if len(more) > 1 {
			c.rust = more[1]
		}
		all = append(all, c)
	}
	// rebar's 01-literal and 02-literal-alternate
	add("literal", `Inflexions of the Rays`, prose)
	add("literal, frequent", `Colour`, prose)
	add("literal, any case", `(?i)refrangible`, prose)
	add("literal, Russian", `корова`, russian)
	add("literal, Russian, any case", `(?i)корова`, russian)
	add("words", `Telescope|Spectrum|Refrangible|Reflexion|Prismatick`, prose)
	add("words, any case", `(?i)Telescope|Spectrum|Refrangible|Reflexion|Prismatick`, prose)
	// rebar's 04-ruff-noqa, for Go source code
	add("comment with groups", `(\s*)((?:// [Tt][Oo][Dd][Oo])(?:\((([a-z]+[0-9]*(?:[,\s]+)?)+)\))?)`, code, "allgroups",
		`([\t\n\f\r ]*)((?:// [Tt][Oo][Dd][Oo])(?:\((([a-z]+[0-9]*(?:[,\t\n\f\r ]+)?)+)\))?)`)
	// rebar's 06-cloud-flare-redos
	add("backtracking", `(?:(?:"|'|\]|\}|\\|\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|`+"`"+`|-|\+)+[)]*;?((?:\s|-|~|!|\{\}|\|\||\+)*.*(?:.*=.*)))`, code[:20000], "all")
	add("backtracking, simplified", `.*.*=.*`, code)
	// rebar's 08-words
	add("all words", `\b[0-9A-Za-z_]+\b`, prose)
	add("long words", `\b[0-9A-Za-z_]{12,}\b`, prose)
	add("all words, Russian", `\pL+`, russian)
	// rebar's 09-aws-keys
	add("keys, quick", `((?:ASIA|AKIA|AROA|AIDA)([A-Z0-7]{16}))`, code, "allgroups")
	add("keys", `(('|")((?:ASIA|AKIA|AROA|AIDA)([A-Z0-7]{16}))('|").*?(\n^.*?){0,4}(('|")[a-zA-Z0-9+/]{40}('|"))+|('|")[a-zA-Z0-9+/]{40}('|").*?(\n^.*?){0,3}('|")((?:ASIA|AKIA|AROA|AIDA)([A-Z0-7]{16}))('|"))+`, code[:100000])
	// rebar's 10-bounded-repeat
	add("repeated letters", `[A-Za-z]{8,13}`, prose)
	add("repeated letters, Russian", `\pL{8,13}`, russian)
	add("repeated, context", `[A-Za-z]{10}\s+[\s\S]{0,100}Experiment[\s\S]{0,100}\s+[A-Za-z]{10}`, prose[:200000], "all", `[A-Za-z]{10}[\t\n\f\r ]+(?s:.){0,100}Experiment(?s:.){0,100}[\t\n\f\r ]+[A-Za-z]{10}`)
	add("repeated, capitals", `(?:[A-Z][a-z]+\s*){4,100}`, prose)
	// rebar's 12-dictionary
	add("dictionary", dictionary(prose), prose)
	// rebar's 14-quadratic
	add("quadratic", `.*[^A-Z]|[A-Z]`, strings.Repeat("A", 500))
	// These expressions are typical of searches in logs.
	add("log, address", `\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b`, lines)
	add("log, status 5xx", `" 5\d\d `, lines)
	add("log, line with error", `(?m)^.*\[error\].*$`, lines)
	add("log, line with groups", `(?m)^(\S+) \S+ (\S+) \[([^\]]+)\] "([A-Z]+) ([^ "]+)[^"]*" (\d{3}) (\d+)`, lines, "allgroups",
		`(?m)^([^\t\n\f\r ]+) [^\t\n\f\r ]+ ([^\t\n\f\r ]+) \[([^\]]+)\] "([A-Z]+) ([^ "]+)[^"]*" ([0-9]{3}) ([0-9]+)`)
	add("log, mail address", `[\w.+-]+@[\w-]+\.[\w.-]+`, lines, "all", `[0-9A-Za-z_.+-]+@[0-9A-Za-z_-]+\.[0-9A-Za-z_.-]+`)
	add("log, key=value", `(\w+)=("[^"]*"|\S+)`, lines, "allgroups")
	add("log, none", `panic: runtime error: (.*)`, lines, "match")
	return all
}

// appended returns cases for AppendAllIndex, which only packages/regex has. They measure the work of FindAllIndex on long texts, without memory for
// the result.
func appended() (all []testcase) {
	for _, c := range long() {
		if c.operation == "all" {
			c.operation = "append"
			all = append(all, c)
		}
	}
	return all
}

// short returns cases with texts of some 16 bytes, and a few longer texts. In such short texts, the cost of a call matters.
func short() (all []testcase) {
	for _, c := range [][3]string{
		{"literal", `foo`, "a line with foo."}, {"digits", `\d+`, "item 12345 costs"}, {"mail address", `^\w+@\w+\.com$`, "joe@example.com"},
		{"key=value", `(\w+)=(\w+)`, "key=value; x=yyy"}, {"date", `^(\d{4})-(\d\d)-(\d\d)$`, "2024-05-17"}, {"words, none", `(?i)error|warn`, "no problem here!"},
		{"at the end, none", `[a-z]+$`, "0123456789abcdeF"}, {"file name", `\.(?:jpg|png)$`, "image-000123.png"}, {"quoted", `"[^"]*"`, `say "hi" to them`},
		{"number", `^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$`, "-123.456e10"}, {"identifier", `^[A-Za-z_]\w*$`, "aVariable_123"}, {"path", `^/users/(\d+)/posts/(\d+)$`, "/users/1234/posts/567"},
		{"version", `^v(\d+)\.(\d+)\.(\d+)(?:-([\w.]+))?$`, "v1.24.3-rc.1"}, {"address, 60 bytes", `\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}`, "connection from 192.168.117.23 port 51234 accepted as user 7"},
	} {
		for _, operation := range []string{"match", "find", "groups", "all"} {
			if operation != "groups" || strings.Contains(strings.ReplaceAll(c[1], "(?", ""), "(") {
				all = append(all, testcase{c[0], operation, c[1], ascii(c[1]), c[2]})
			}
		}
	}
	return all
}

// logs returns lines like the log of a web server.
func logs(length int) string {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	var out strings.Builder
	for out.Len() < length {
		if r.IntN(40) == 0 {
			fmt.Fprintf(&out, "2024/05/%02d %02d:%02d:%02d [error] %d#0: *%d upstream timed out while reading from %s, client=%d.%d.%d.%d user=%s@example.com took=%dms\n", 1+r.IntN(28),
				r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(9999), r.IntN(99999), pick("upstream", "cache"), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), pick("joe", "ann.lee"), r.IntN(9999))
			continue
		}
		fmt.Fprintf(&out, "%d.%d.%d.%d - %s [%02d/May/2024:%02d:%02d:%02d +0000] \"%s /%s/%d%s HTTP/1.1\" %s %d \"https://example.com/%s\" \"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36\"\n",
			r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), pick("-", "joe", "ann"), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), pick("GET", "GET", "POST", "PUT"),
			pick("users", "static/img", "api/v1/items", "search"), r.IntN(100000), pick("", "", "?q=a&page=2", ".png"), pick("200", "200", "200", "304", "404", "500"), r.IntN(100000), pick("", "home", "cart"))
	}
	return out.String()[:length]
}

// cyrillic returns a text of words of Russian letters.
func cyrillic(length int) string {
	r := rand.New(rand.NewPCG(3, 4))
	letters := []rune("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэф")
	var out strings.Builder
	for out.Len() < length {
		if r.IntN(500) == 0 {
			out.WriteString([]string{"корова", "Корова"}[r.IntN(2)])
		}
		for range 1 + r.IntN(10) {
			out.WriteRune(letters[min(int(r.ExpFloat64()*7), len(letters)-1)])
		}
		out.WriteString([]string{" ", " ", " ", ", ", ". ", "\n"}[r.IntN(6)])
	}
	return strings.ToValidUTF8(out.String()[:length], "")
}

// dictionary returns an alternation of all long words of a text, and of as many words that the text does not contain.
func dictionary(text string) string {
	seen := map[string]bool{}
	var words []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) {
		if len(word) >= 10 && !seen[word] {
			seen[word] = true
			words = append(words, word, word[1:]+"q"+word[:1])
		}
	}
	slices.Sort(words)
	return strings.Join(words, "|")
}
