//go:build amd64 || arm64

package regex_test

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rustgo.dev/packages/regex"
)

// goroot returns the folder of the sources of Go's package regexp.
func goroot(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	folder := filepath.Join(strings.TrimSpace(string(out)), "src", "regexp")
	if _, missing := os.Stat(filepath.Join(folder, "all_test.go")); err != nil || missing != nil {
		t.Skip("Go's sources are not there")
	}
	return folder
}

// This package has all functions and methods of Go's package, with the same types.
func TestInterface(t *testing.T) {
	ours, theirs := reflect.TypeFor[*regex.Regexp](), reflect.TypeFor[*regexp.Regexp]()
	name := func(m reflect.Method) string {
		text := m.Type.String()
		return m.Name + strings.ReplaceAll(text, "*regexp.Regexp", "*regex.Regexp")
	}
	for i := range theirs.NumMethod() {
		method := theirs.Method(i)
		own, ok := ours.MethodByName(method.Name)
		if !ok || name(own) != name(method) {
			t.Errorf("%s: we have %s", name(method), name(own))
		}
	}
	for _, pair := range [][2]any{
		{regex.Compile, regexp.Compile}, {regex.CompilePOSIX, regexp.CompilePOSIX}, {regex.MustCompile, regexp.MustCompile},
		{regex.MustCompilePOSIX, regexp.MustCompilePOSIX}, {regex.Match, regexp.Match}, {regex.MatchReader, regexp.MatchReader},
		{regex.MatchString, regexp.MatchString}, {regex.QuoteMeta, regexp.QuoteMeta},
	} {
		if ours, theirs := fmt.Sprintf("%T", pair[0]), fmt.Sprintf("%T", pair[1]); ours != strings.ReplaceAll(theirs, "*regexp.", "*regex.") {
			t.Errorf("%s: we have %s", theirs, ours)
		}
	}
}

// internals lists the tests that use internals of Go's package, with the names of the internals. TestGoTests leaves these tests out.
var internals = map[string]string{
	"TestOnePassCutoff":   "which of Go's engines runs",
	"TestMinInputLen":     "a field",
	"TestParseAndCompile": "a function that is not exported",
	"TestDeepEqual":       "reflect.DeepEqual of two Regexps: ours hold addresses",
	"TestSwitchBacktrack": "a constant of one of Go's engines",
}

// TestGoTests runs the tests of Go's package against this package.
func TestGoTests(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	source := goroot(t)
	dir := t.TempDir()
	_, here, _, _ := runtime.Caller(0)
	packages := filepath.Dir(filepath.Dir(here))
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module regexp.test\n\ngo 1.24\n\nrequire (\n\trustgo.dev/go v0.1.0\n\trustgo.dev/packages v0.0.0\n)\n\n"+
		"replace (\n\trustgo.dev/go => "+filepath.Join(filepath.Dir(packages), "go")+"\n\trustgo.dev/packages => "+packages+"\n)\n")
	write("regexp.go", `package regexp

import "rustgo.dev/packages/regex"

type Regexp = regex.Regexp

var (
	Compile          = regex.Compile
	CompilePOSIX     = regex.CompilePOSIX
	MustCompile      = regex.MustCompile
	MustCompilePOSIX = regex.MustCompilePOSIX
	Match            = regex.Match
	MatchReader      = regex.MatchReader
	MatchString      = regex.MatchString
	QuoteMeta        = regex.QuoteMeta
)
`)
	for _, name := range []string{"all_test.go", "find_test.go", "example_test.go"} {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(source, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		file.Decls = slices.DeleteFunc(file.Decls, func(decl ast.Decl) bool {
			function, ok := decl.(*ast.FuncDecl)
			if !ok {
				return false
			}
			_, skip := internals[function.Name.Name]
			return skip || strings.HasPrefix(function.Name.Name, "Benchmark")
		})
		dropUnused(file)
		var text bytes.Buffer
		if err := format.Node(&text, files, file); err != nil {
			t.Fatal(err)
		}
		used := strings.NewReplacer(`"regexp"`, `"regexp.test"`).Replace(text.String())
		write(name, used)
	}
	command := exec.Command("go", "test", "-vet=off", "-mod=mod", "./...")
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// dropUnused removes the imports that the file does not use.
func dropUnused(file *ast.File) {
	used := map[string]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if from, ok := selector.X.(*ast.Ident); ok {
				used[from.Name] = true
			}
		}
		return true
	})
	for _, decl := range file.Decls {
		if imports, ok := decl.(*ast.GenDecl); ok && imports.Tok == token.IMPORT {
			imports.Specs = slices.DeleteFunc(imports.Specs, func(spec ast.Spec) bool {
				name, _ := strconv.Unquote(spec.(*ast.ImportSpec).Path.Value)
				return !used[path.Base(name)]
			})
		}
	}
}

// TestRE2 runs the tests of RE2 that are in Go's source tree: matches of the whole text and of parts of the text, leftmost-first.
func TestRE2(t *testing.T) {
	folder := filepath.Join(goroot(t), "testdata")
	for _, name := range []string{"re2-search.txt", "re2-exhaustive.txt.bz2"} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && strings.HasSuffix(name, "bz2") {
				t.Skip("takes long")
			}
			file, err := os.Open(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			var text io.Reader = file
			if strings.HasSuffix(name, ".bz2") {
				text = bzip2.NewReader(file)
			}
			re2(t, text)
		})
	}
}

func re2(t *testing.T, text io.Reader) {
	var texts, rest []string
	var inTexts bool
	var part, full *regex.Regexp
	cases, refused := 0, 0
	lines := bufio.NewScanner(text)
	for number := 1; lines.Scan() && !t.Failed(); number++ {
		line := lines.Text()
		switch {
		case line == "" || line[0] == '#' || 'A' <= line[0] && line[0] <= 'Z':
		case line == "strings":
			texts, inTexts = nil, true
		case line == "regexps":
			inTexts = false
		case line[0] == '"':
			quoted, err := strconv.Unquote(line)
			if err != nil {
				t.Fatal(err)
			}
			if inTexts {
				texts = append(texts, quoted)
				continue
			}
			rest = texts
			if part, err = regex.Compile(quoted); err != nil {
				// Go's package must refuse this expression too, because of \C, which matches a single byte.
				if _, theirs := regexp.Compile(quoted); theirs == nil || theirs.Error() != err.Error() {
					t.Errorf("line %d: %v, of Go %v", number, err, theirs)
				}
				refused++
				continue
			}
			full = regex.MustCompile(`\A(?:` + quoted + `)\z`)
		default:
			if part == nil {
				continue
			}
			input := rest[0]
			rest = rest[1:]
			results := strings.Split(line, ";")
			if strings.Contains(part.String(), `\B`) && strings.ContainsFunc(input, func(r rune) bool { return r >= 0x80 }) {
				continue // RE2's \B matches within characters; Go's does not.
			}
			for i, re := range []*regex.Regexp{full, part} {
				cases++
				want := numbers(results[i])
				got := re.FindStringSubmatchIndex(input)
				if !slices.Equal(got, want) {
					t.Errorf("line %d: %#q in %q: %v, want %v", number, re, input, got, want)
				}
				if re.MatchString(input) != (want != nil) {
					t.Errorf("line %d: %#q in %q: MatchString", number, re, input)
				}
				if loc := re.FindStringIndex(input); len(want) == 0 != (loc == nil) || want != nil && !slices.Equal(loc, want[:2]) {
					t.Errorf("line %d: %#q in %q: FindStringIndex %v", number, re, input, loc)
				}
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases, %d expressions refused", cases, refused)
}

// numbers parses texts such as "0-3 1-2 -": the positions of a match and of its groups. A "-" after the first field is a group that took no part;
// "-" alone is no match.
func numbers(text string) (all []int) {
	if text == "-" {
		return nil
	}
	for _, pair := range strings.Fields(text) {
		begin, end := -1, -1
		fmt.Sscanf(pair, "%d-%d", &begin, &end)
		all = append(all, begin, end)
	}
	return all
}
