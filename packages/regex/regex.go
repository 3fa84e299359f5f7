//go:build amd64 || arm64

package regex

import (
	"io"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// A Regexp is a compiled regular expression. Any number of goroutines may use it at a time, but not during [Regexp.Longest] and
// [Regexp.UnmarshalText].
type Regexp struct {
	expr    string
	program *program // without groups; nil if Go's package searches
	names   []string // names of the groups; the first name is "", for the whole match
	literal string   // the only text that the expression matches, or ""
	lazy    *lazy
	std     *regexp.Regexp // the expression as compiled by Go's package, after Longest or CompilePOSIX
}

// lazy holds programs that only some methods need. They are made at the first use.
type lazy struct {
	once   sync.Once
	groups *program

	stdOnce sync.Once
	std     *regexp.Regexp
}

// Compile parses a regular expression in the syntax of Go's package [regexp] and returns a Regexp. A search finds the leftmost match. If several
// matches begin at the same place, the search finds the match that a backtracking search would find first.
//
// If Go's package refuses an expression, Compile returns the same error, a [*syntax.Error]. If the automaton of an expression exceeds 10 MiB, it
// returns a [*SizeError].
func Compile(expr string) (*Regexp, error) {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := newProgram(encode(false, tree), 0, false)
	if err != nil {
		return nil, &SizeError{expr, err.Error()}
	}
	re := &Regexp{expr: expr, program: program, names: tree.CapNames(), lazy: new(lazy)}
	for tree.Op == syntax.OpCapture {
		tree = tree.Sub[0]
	}
	if tree.Op == syntax.OpLiteral && tree.Flags&syntax.FoldCase == 0 && !slices.ContainsFunc(tree.Rune, isSpecial) {
		re.literal = string(tree.Rune)
	}
	return re, nil
}

// isSpecial reports whether a literal r does not match exactly the UTF-8 bytes of r: U+FFFD matches invalid bytes too, and a surrogate matches
// nothing.
func isSpecial(r rune) bool { return r == utf8.RuneError || 0xd800 <= r && r < 0xe000 }

// A SizeError is the error for an expression, or a [Set], that needs too much memory.
type SizeError struct {
	Expr string // "" for a set
	text string
}

func (e *SizeError) Error() string {
	if e.Expr == "" {
		return "error compiling regexps: " + e.text
	}
	return "error compiling regexp: " + e.text + ": `" + e.Expr + "`"
}

// MustCompile is like [Compile], but panics if there is an error.
func MustCompile(expr string) *Regexp {
	re, err := Compile(expr)
	if err != nil {
		panic(`regex: Compile(` + quote(expr) + `): ` + err.Error())
	}
	return re
}

// CompilePOSIX is like [Compile] with the syntax of POSIX and the leftmost-longest match. Go's package [regexp] searches, because the engines of
// Rust find other matches.
func CompilePOSIX(expr string) (*Regexp, error) {
	std, err := regexp.CompilePOSIX(expr)
	if err != nil {
		return nil, err
	}
	return &Regexp{expr: expr, names: std.SubexpNames(), std: std}, nil
}

// MustCompilePOSIX is like [CompilePOSIX], but panics if there is an error.
func MustCompilePOSIX(expr string) *Regexp {
	re, err := CompilePOSIX(expr)
	if err != nil {
		panic(`regex: CompilePOSIX(` + quote(expr) + `): ` + err.Error())
	}
	return re
}

func quote(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// QuoteMeta returns an expression that matches s and nothing else.
func QuoteMeta(s string) string { return regexp.QuoteMeta(s) }

// Match reports whether the expression matches anywhere in b.
func Match(pattern string, b []byte) (matched bool, err error) {
	re, err := Compile(pattern)
	if err != nil {
		return false, err
	}
	return re.Match(b), nil
}

// MatchString reports whether the expression matches anywhere in s.
func MatchString(pattern, s string) (matched bool, err error) {
	re, err := Compile(pattern)
	if err != nil {
		return false, err
	}
	return re.MatchString(s), nil
}

// MatchReader reports whether the expression matches anywhere in the text of r. It calls Go's [regexp.MatchReader].
func MatchReader(pattern string, r io.RuneReader) (matched bool, err error) {
	return regexp.MatchReader(pattern, r)
}

// String returns the expression.
func (re *Regexp) String() string { return re.expr }

// Copy returns a copy of re. It exists for compatibility: a copy is not faster.
func (re *Regexp) Copy() *Regexp {
	copied := *re
	return &copied
}

// Longest makes later searches find the leftmost-longest match. Go's package [regexp] searches then, because the engines of Rust find other
// matches. No other goroutine may use re during the call.
func (re *Regexp) Longest() {
	if re.program != nil {
		// The programs that re shares with its copies must not become leftmost-longest.
		re.std, re.program, re.literal = regexp.MustCompile(re.expr), nil, ""
	}
	re.std.Longest()
}

// NumSubexp returns the number of groups.
func (re *Regexp) NumSubexp() int { return len(re.names) - 1 }

// SubexpNames returns the names of the groups, "" for a group without a name. The first name is "", for the whole expression. The slice must not
// be changed.
func (re *Regexp) SubexpNames() []string { return re.names }

// SubexpIndex returns the number of the first group with the name, or -1.
func (re *Regexp) SubexpIndex(name string) int {
	if name == "" {
		return -1
	}
	return slices.Index(re.names, name)
}

// LiteralPrefix returns a text with which each match begins. complete reports whether each match consists of this text alone.
func (re *Regexp) LiteralPrefix() (prefix string, complete bool) { return re.stdlib().LiteralPrefix() }

// AppendText implements [encoding.TextAppender]: it appends the expression.
func (re *Regexp) AppendText(b []byte) ([]byte, error) { return append(b, re.expr...), nil }

// MarshalText implements [encoding.TextMarshaler]: the text is the expression. It does not include the effect of [Regexp.Longest].
func (re *Regexp) MarshalText() ([]byte, error) { return re.AppendText(nil) }

// UnmarshalText implements [encoding.TextUnmarshaler] by [Compile].
func (re *Regexp) UnmarshalText(text []byte) error {
	compiled, err := Compile(string(text))
	if err != nil {
		return err
	}
	*re = *compiled
	return nil
}

// stdlib returns the same expression compiled by Go's package, for searches that Rust cannot do.
func (re *Regexp) stdlib() *regexp.Regexp {
	if re.program == nil {
		return re.std
	}
	re.lazy.stdOnce.Do(func() { re.lazy.std = regexp.MustCompile(re.expr) })
	return re.lazy.std
}

// groups returns the program that reports groups. Its automaton has more states; if it is too large, groups returns nil and Go's package searches.
func (re *Regexp) groups() *program {
	if re.program == nil || len(re.names) == 1 {
		return re.program
	}
	re.lazy.once.Do(func() {
		if tree, err := syntax.Parse(re.expr, syntax.Perl); err == nil {
			re.lazy.groups, _ = newProgram(encode(true, tree), uint(len(re.names)-1), false)
		}
	})
	return re.lazy.groups
}

// width returns the number of positions of a match and its groups.
func (re *Regexp) width() int { return 2 * len(re.names) }

// view returns the bytes of s, which must not be changed.
func view(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// text returns b as a string. b must not be changed afterwards.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// shortLiteral is the length of the longest text in which Go code searches for a literal. In such a text, a call of Rust would take longer.
const shortLiteral = 64

// Results of a search in Rust.
const (
	none       = iota
	found      // there is a match
	lossy      // the text is not UTF-8, so Go's package must search: it may find another match than the engines of Rust
	unprepared // prepare must be called before the search
)

// program.findAll returns one of these values as its last result if it has not searched. If it has searched, that result is the end of the last
// match, or -1 without a match. program.matches returns allUnprepared too, instead of its count.
const (
	allLossy      = -2
	allUnprepared = -3
)

// Match reports whether there is a match in b.
func (re *Regexp) Match(b []byte) bool {
	if re.program == nil || re.literal != "" && len(b) <= shortLiteral {
		return re.matchWithout(text(b))
	}
	if answer := re.program.isMatch(b); answer <= found {
		return answer == found
	}
	return re.matchAgain(b)
}

// MatchString reports whether there is a match in s.
func (re *Regexp) MatchString(s string) bool {
	if re.program == nil || re.literal != "" && len(s) <= shortLiteral {
		return re.matchWithout(s)
	}
	if answer := re.program.isMatch(view(s)); answer <= found {
		return answer == found
	}
	return re.matchAgain(view(s))
}

// matchAgain does the work of Match if Rust could not decide.
func (re *Regexp) matchAgain(b []byte) bool {
	answer := re.program.anyMatch(b)
	return answer == found || answer == lossy && re.stdlib().Match(b)
}

// anyMatch calls isMatch. If the program is not prepared for the search, anyMatch prepares it first.
func (p *program) anyMatch(b []byte) uint8 {
	answer := p.isMatch(b)
	for answer == unprepared {
		p.prepare()
		answer = p.isMatch(b)
	}
	return answer
}

// matchWithout does the work of Match without Rust.
func (re *Regexp) matchWithout(s string) bool {
	if re.program == nil {
		return re.std.MatchString(s)
	}
	return strings.Contains(s, re.literal)
}

// MatchReader reports whether there is a match in the text of r. Go's package [regexp] searches, because the engines of Rust need the whole text.
func (re *Regexp) MatchReader(r io.RuneReader) bool { return re.stdlib().MatchReader(r) }

// FindReaderIndex returns the position of the first match in the text of r, or nil. See [Regexp.MatchReader].
func (re *Regexp) FindReaderIndex(r io.RuneReader) (loc []int) {
	return re.stdlib().FindReaderIndex(r)
}

// FindReaderSubmatchIndex returns the positions of the first match in the text of r and of its groups, or nil. See [Regexp.MatchReader].
func (re *Regexp) FindReaderSubmatchIndex(r io.RuneReader) []int {
	return re.stdlib().FindReaderSubmatchIndex(r)
}

// first returns the position of the first match. start is negative if there is no match.
func (re *Regexp) first(s string) (start, end int) {
	switch {
	case re.program == nil:
		return firstOf(re.std, s)
	case re.literal != "" && len(s) <= shortLiteral:
		start = strings.Index(s, re.literal)
		return start, start + len(re.literal)
	}
	for {
		from, to, answer := re.program.find(view(s))
		switch answer {
		case found:
			return int(from), int(to)
		case lossy:
			return firstOf(re.stdlib(), s)
		case unprepared:
			re.program.prepare()
		default:
			return -1, -1
		}
	}
}

// firstBytes calls first for bytes. It is not inlined, so that its callers stay small enough to be inlined themselves. When a caller is inlined, its
// result need not escape to the heap.
//
//go:noinline
func (re *Regexp) firstBytes(b []byte) (start, end int) { return re.first(text(b)) }

func firstOf(std *regexp.Regexp, s string) (start, end int) {
	loc := std.FindStringIndex(s)
	if loc == nil {
		return -1, -1
	}
	return loc[0], loc[1]
}

// firstGroups finds the first match and its groups, and writes them to loc, which has the length re.width().
func (re *Regexp) firstGroups(b []byte, loc []int) bool {
	if len(re.names) == 1 {
		loc[0], loc[1] = re.first(text(b))
		return loc[0] >= 0
	}
	answer := uint8(lossy)
	if program := re.groups(); program != nil {
		for answer = program.findGroups(b, loc); answer == unprepared; answer = program.findGroups(b, loc) {
			program.prepare()
		}
	}
	if answer == lossy {
		return copy(loc, re.stdlib().FindSubmatchIndex(b)) > 0
	}
	return answer == found
}

// Find returns the first match in b, or nil.
func (re *Regexp) Find(b []byte) []byte {
	start, end := re.firstBytes(b)
	if start < 0 {
		return nil
	}
	return b[start:end:end]
}

// FindIndex returns the position of the first match in b: the match is b[loc[0]:loc[1]]. It returns nil if there is no match.
func (re *Regexp) FindIndex(b []byte) (loc []int) {
	start, end := re.firstBytes(b)
	if start < 0 {
		return nil
	}
	return []int{start, end}
}

// FindString returns the first match in s, or "" if there is no match.
func (re *Regexp) FindString(s string) string {
	start, end := re.first(s)
	if start < 0 {
		return ""
	}
	return s[start:end]
}

// FindStringIndex returns the position of the first match in s: the match is s[loc[0]:loc[1]]. It returns nil if there is no match.
func (re *Regexp) FindStringIndex(s string) (loc []int) {
	start, end := re.first(s)
	if start < 0 {
		return nil
	}
	return []int{start, end}
}

// FindSubmatch returns the first match in b and its groups, or nil if there is no match. A group that took no part is nil.
func (re *Regexp) FindSubmatch(b []byte) [][]byte {
	var few [16]int
	loc := room(few[:], re.width())
	if !re.firstGroups(b, loc) {
		return nil
	}
	return cut(b, loc)
}

// FindSubmatchIndex returns the positions of the first match in b and of its groups, or nil if there is no match. The positions of a group that
// took no part are -1.
func (re *Regexp) FindSubmatchIndex(b []byte) []int {
	loc := make([]int, re.width())
	if !re.firstGroups(b, loc) {
		return nil
	}
	return loc
}

// FindStringSubmatch returns the first match in s and its groups, or nil if there is no match. A group that took no part is "".
func (re *Regexp) FindStringSubmatch(s string) []string {
	var few [16]int
	loc := room(few[:], re.width())
	if !re.firstGroups(view(s), loc) {
		return nil
	}
	return cutString(s, loc)
}

// FindStringSubmatchIndex is [Regexp.FindSubmatchIndex] for a string.
func (re *Regexp) FindStringSubmatchIndex(s string) []int { return re.FindSubmatchIndex(view(s)) }

// room returns a slice of the given length: the beginning of few, or new memory if few is too short.
func room(few []int, length int) []int {
	if length <= len(few) {
		return few[:length]
	}
	return make([]int, length)
}

func cut(b []byte, loc []int) [][]byte {
	parts := make([][]byte, len(loc)/2)
	for i := range parts {
		if start, end := loc[2*i], loc[2*i+1]; start >= 0 {
			parts[i] = b[start:end:end]
		}
	}
	return parts
}

func cutString(s string, loc []int) []string {
	parts := make([]string, len(loc)/2)
	for i := range parts {
		if start, end := loc[2*i], loc[2*i+1]; start >= 0 {
			parts[i] = s[start:end]
		}
	}
	return parts
}
