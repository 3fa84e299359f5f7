//go:build amd64 || arm64

package regex

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
)

// A Set is a list of regular expressions for a simultaneous search. It reports which expressions match, but not where. Any number of goroutines may
// use it at the same time.
type Set struct {
	exprs   []string
	program *program

	once sync.Once
	std  []*regexp.Regexp
}

// CompileSet makes a set of expressions in the syntax of [Compile]. For an invalid expression it returns a [*syntax.Error]. If the expressions are
// too many or too large, it returns a [*SizeError]. A set may be empty.
func CompileSet(exprs ...string) (*Set, error) {
	trees := make([]*syntax.Regexp, 0, len(exprs))
	for _, expr := range exprs {
		tree, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
	}
	program, err := newProgram(encode(false, trees...), 0, true)
	if err != nil {
		return nil, &SizeError{"", err.Error()}
	}
	return &Set{exprs: slices.Clone(exprs), program: program}, nil
}

// MustCompileSet is like [CompileSet], but panics if there is an error.
func MustCompileSet(exprs ...string) *Set {
	set, err := CompileSet(exprs...)
	if err != nil {
		panic("regex: CompileSet: " + err.Error())
	}
	return set
}

// Len returns the number of expressions.
func (s *Set) Len() int { return len(s.exprs) }

// Expr returns the expression with this number, counted from 0. It panics if there is no such expression.
func (s *Set) Expr(number int) string { return s.exprs[number] }

// Match reports whether any of the expressions matches in b.
func (s *Set) Match(b []byte) bool {
	if len(s.exprs) == 0 {
		return false
	}
	answer := s.program.anyMatch(b)
	return answer == found || answer == lossy && slices.ContainsFunc(s.stdlib(), func(std *regexp.Regexp) bool { return std.Match(b) })
}

// stdlib returns the same expressions compiled by Go's package.
func (s *Set) stdlib() []*regexp.Regexp {
	s.once.Do(func() {
		for _, expr := range s.exprs {
			s.std = append(s.std, regexp.MustCompile(expr))
		}
	})
	return s.std
}

// MatchString reports whether any of the expressions matches in s.
func (s *Set) MatchString(text string) bool { return s.Match(view(text)) }

// Matches returns the numbers of the expressions that match anywhere in b, in ascending order, or nil.
func (s *Set) Matches(b []byte) []int { return s.AppendMatches(nil, b) }

// MatchesString returns the numbers of the expressions that match anywhere in text, in ascending order, or nil.
func (s *Set) MatchesString(text string) []int { return s.AppendMatches(nil, view(text)) }

// AppendMatches appends the result of [Set.Matches] to dst.
func (s *Set) AppendMatches(dst []int, b []byte) []int {
	var few [64]bool
	matched := few[:]
	if len(s.exprs) > len(few) {
		matched = make([]bool, len(s.exprs))
	}
	if len(s.exprs) == 0 {
		return dst
	}
	count := s.program.matches(b, matched)
	for count == allUnprepared {
		s.program.prepare()
		count = s.program.matches(b, matched)
	}
	if count < 0 {
		for number, std := range s.stdlib() {
			matched[number] = std.Match(b)
		}
	}
	for number, yes := range matched {
		if yes {
			dst = append(dst, number)
		}
	}
	return dst
}
