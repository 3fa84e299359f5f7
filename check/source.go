package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/scanner"
	"unicode"
)

// directives are the lines for the assembler's preprocessor in files by rustgo. A condition on another macro could hide code from check, because
// macros depend on the operating system, on GOAMD64 and on the kind of the program.
var directives = []string{
	`include "textflag.h"`, `include "funcdata.h"`,
	"ifdef GOOS_windows", "define RUSTGO_STACK_SYSTEM 4096", "else", "define RUSTGO_STACK_SYSTEM 0", "endif",
}

var (
	constraint = regexp.MustCompile(`(?m)^//go:build (.*)$`)
	macro      = regexp.MustCompile(`^GO[A-Z0-9]+_`)
	linked     = regexp.MustCompile(`\.(s|S|sx|syso|c|cc|cpp|cxx|m|f|F|for|f90|swig|swigcxx|h|hh|hpp|hxx)$`)
)

// others returns the files of a package that Go's linker may get in some build and that rustgo has not made.
func (p listed) others() (names []string) {
	for _, name := range slices.Concat(p.SFiles, p.SysoFiles, p.IgnoredOtherFiles, p.HFiles) {
		if linked.MatchString(name) && name != "rustgo_amd64.s" && name != "rustgo_arm64.s" {
			names = append(names, name)
		}
	}
	return names
}

// cgo returns the name of a Go file of the package that imports "C" in some build, or an empty text.
func (p listed) cgo() (string, error) {
	for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ImportsOnly)
		if err != nil {
			return "", err
		}
		for _, i := range f.Imports {
			if i.Path.Value == `"C"` || i.Path.Value == "`C`" {
				return name, nil
			}
		}
	}
	return "", nil
}

// configurations returns the reason why a package's assembly may differ between builds for one architecture. If it returns an empty text, all builds
// for linux use the code that check examines.
func (p listed) configurations(arch string, text []byte) string {
	if c := constraint.FindAllSubmatch(text, -1); len(c) != 1 || string(c[0][1]) != arch && string(c[0][1]) != arch+" && !purego" {
		return "a build constraint that rustgo does not write"
	}
	if others := p.others(); len(others) > 0 {
		return "rustgo has not made " + strings.Join(others, ", ") + ", which some builds use"
	}
	return conditions(text)
}

// conditions returns the reason why the assembler may read a file differently in another build, or an empty text if there is no reason.
func conditions(text []byte) string {
	var s scanner.Scanner
	s.Init(bytes.NewReader(text))
	// The settings are the settings of the assembler's scanner (cmd/asm/internal/lex).
	s.Mode = scanner.ScanChars | scanner.ScanFloats | scanner.ScanIdents | scanner.ScanInts | scanner.ScanStrings | scanner.ScanComments | scanner.SkipComments
	s.Whitespace = 1<<'\t' | 1<<'\r' | 1<<' '
	s.IsIdentRune = func(r rune, i int) bool {
		return unicode.IsLetter(r) || r == '_' || r == '·' || r == '∕' || i > 0 && unicode.IsDigit(r)
	}
	s.Error = func(*scanner.Scanner, string) {}
	inside := false
	for t := s.Scan(); t != scanner.EOF; t = s.Scan() {
		line := s.Line
		switch {
		case t == '#':
			var words []string
			for t = s.Scan(); t != scanner.EOF && t != '\n'; t = s.Scan() {
				words = append(words, s.TokenText())
			}
			directive := strings.Join(words, " ")
			if !strings.HasPrefix(directive, "line ") && !slices.Contains(directives, directive) {
				return fmt.Sprintf("line %d, for the preprocessor, is none that rustgo writes: #%s", line, directive)
			}
			inside = directive != "endif" && (inside || directive == "ifdef GOOS_windows")
		case inside && t != '\n':
			return fmt.Sprintf("line %d is code for Windows only", line)
		case t == scanner.Ident && macro.MatchString(s.TokenText()):
			return fmt.Sprintf("line %d has the name of a macro: %s", line, s.TokenText())
		}
	}
	return ""
}
