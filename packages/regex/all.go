//go:build amd64 || arm64

package regex

import (
	"math"
	"slices"
	"strings"
)

// A scan finds the matches in a text. It fetches several matches from Rust at a time.
type scan struct {
	program  *program
	re       *Regexp
	std      [][]int // the remaining matches, if Go's package searches
	text     []byte
	width    int // the number of positions of a match
	left     uint
	at       uint
	previous int
}

// batch is the number of positions that are fetched at a time.
const batch = 64

// scan starts a scan for the matches in b, with or without groups. It finds at most n matches, or all if n is negative.
func (re *Regexp) scan(b []byte, n int, groups bool) scan {
	s := scan{program: re.program, re: re, text: b, width: 2, left: math.MaxUint, previous: -1}
	if n >= 0 {
		s.left = uint(n)
	}
	if groups && len(re.names) > 1 {
		s.width = re.width()
	}
	if s.width > 2 {
		s.program = re.groups()
	}
	if s.program == nil {
		s.useStdlib()
	}
	return s
}

// next returns the positions of the next matches. It uses the memory of numbers if there is room for a match. The result is empty after the last
// match.
func (s *scan) next(numbers []int) []int {
	if s.program == nil {
		return s.nextOfStdlib()
	}
	if s.left == 0 || s.at > uint(len(s.text)) {
		return nil
	}
	if len(numbers) < s.width { // numbers is too short for a match with many groups
		numbers = make([]int, 8*s.width)
	}
	var count uint
	for {
		var previous int
		count, s.at, previous = s.program.findAll(s.text, s.at, s.previous, s.left, numbers)
		if previous == allLossy {
			s.useStdlib()
			return s.nextOfStdlib()
		}
		if previous != allUnprepared {
			s.previous = previous
			break
		}
		s.program.prepare()
	}
	s.left -= count
	return numbers[:int(count)*s.width]
}

// useStdlib continues the scan with Go's package.
func (s *scan) useStdlib() {
	n := -1
	if s.left != math.MaxUint {
		n = int(s.left)
	}
	s.program, s.std = nil, s.re.stdlib().FindAllSubmatchIndex(s.text, n)
}

func (s *scan) nextOfStdlib() []int {
	if len(s.std) == 0 {
		return nil
	}
	first := s.std[0]
	s.std = s.std[1:]
	return first[:s.width]
}

// FindAll returns the matches in b: at most n matches, or all if n is negative. It returns nil if there is no match. An empty match directly after
// another match does not count.
func (re *Regexp) FindAll(b []byte, n int) [][]byte {
	var numbers [batch]int
	var all [][]byte
	s := re.scan(b, n, false)
	for found := s.next(numbers[:]); len(found) > 0; found = s.next(numbers[:]) {
		if len(found)/2 > cap(all)-len(all) {
			all = slices.Grow(all, len(found)/2+s.more(2*len(all)+len(found))/2)
		}
		for i := 0; i < len(found); i += 2 {
			all = append(all, b[found[i]:found[i+1]:found[i+1]])
		}
	}
	return all
}

// FindAllString is [Regexp.FindAll] for a string.
func (re *Regexp) FindAllString(s string, n int) []string {
	var numbers [batch]int
	var all []string
	scan := re.scan(view(s), n, false)
	for found := scan.next(numbers[:]); len(found) > 0; found = scan.next(numbers[:]) {
		if len(found)/2 > cap(all)-len(all) {
			all = slices.Grow(all, len(found)/2+scan.more(2*len(all)+len(found))/2)
		}
		for i := 0; i < len(found); i += 2 {
			all = append(all, s[found[i]:found[i+1]])
		}
	}
	return all
}

// FindAllIndex returns the positions of the matches in b: at most n matches, or all if n is negative. It returns nil if there is no match. See
// [Regexp.FindAll].
func (re *Regexp) FindAllIndex(b []byte, n int) [][]int { return re.indexes(b, n, false) }

// FindAllStringIndex is [Regexp.FindAllIndex] for a string.
func (re *Regexp) FindAllStringIndex(s string, n int) [][]int { return re.indexes(view(s), n, false) }

// FindAllSubmatchIndex returns the positions of the matches in b and of their groups: at most n matches, or all if n is negative. It returns nil if
// there is no match. See [Regexp.FindAll] and [Regexp.FindSubmatchIndex].
func (re *Regexp) FindAllSubmatchIndex(b []byte, n int) [][]int { return re.indexes(b, n, true) }

// FindAllStringSubmatchIndex is [Regexp.FindAllSubmatchIndex] for a string.
func (re *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return re.indexes(view(s), n, true)
}

func (re *Regexp) indexes(b []byte, n int, groups bool) [][]int {
	var numbers [batch]int
	s := re.scan(b, n, groups)
	first := s.next(numbers[:])
	if len(first) == 0 {
		return nil
	}
	flat := s.append(nil, first)
	all := make([][]int, len(flat)/s.width)
	for i := range all {
		all[i] = flat[:s.width:s.width]
		flat = flat[s.width:]
	}
	return all
}

// more estimates how many positions will follow, to reserve memory. numbers is the number of positions found so far. The estimate is at most eight
// times this number, because the matches may be dense only at the beginning of the text.
func (s *scan) more(numbers int) int {
	if s.left == 0 || s.at == 0 || s.at >= uint(len(s.text)) || s.program == nil {
		return 0
	}
	rest := float64(numbers) / float64(s.at) * float64(uint(len(s.text))-s.at)
	return int(min(rest*1.05+float64(s.width), float64(s.left)*float64(s.width), 8*float64(numbers)))
}

// append appends the positions in first, and then all remaining positions, to dst.
func (s *scan) append(dst, first []int) []int {
	var numbers [batch]int
	had := len(dst)
	for found := first; ; {
		if len(found) > cap(dst)-len(dst) {
			dst = slices.Grow(dst, len(found)+s.more(len(dst)-had+len(found)))
		}
		// The slice found may already lie in the spare capacity of dst.
		dst = append(dst, found...)
		room := dst[len(dst):cap(dst)]
		if len(room) < s.width {
			// The scan uses a separate array first, so that dst grows only after another match is found.
			room = numbers[:]
		}
		if found = s.next(room); len(found) == 0 {
			return dst
		}
	}
}

// AppendAllIndex appends the positions of the matches in b to dst, two numbers for each match. It appends at most n matches, or all if n is
// negative. It finds the same matches as [Regexp.FindAllIndex], but allocates nothing if dst has room. Go's package does not have this method.
func (re *Regexp) AppendAllIndex(dst []int, b []byte, n int) []int {
	s := re.scan(b, n, false)
	return s.append(dst, nil)
}

// FindAllSubmatch returns the matches in b and their groups: at most n matches, or all if n is negative. It returns nil if there is no match. See
// [Regexp.FindAll] and [Regexp.FindSubmatch].
func (re *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	var numbers [batch]int
	var all [][][]byte
	s := re.scan(b, n, true)
	for found := s.next(numbers[:]); len(found) > 0; found = s.next(numbers[:]) {
		for ; len(found) > 0; found = found[s.width:] {
			all = append(all, cut(b, found[:s.width]))
		}
	}
	return all
}

// FindAllStringSubmatch is [Regexp.FindAllSubmatch] for a string; a group that took no part is "".
func (re *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	var numbers [batch]int
	var all [][]string
	scan := re.scan(view(s), n, true)
	for found := scan.next(numbers[:]); len(found) > 0; found = scan.next(numbers[:]) {
		for ; len(found) > 0; found = found[scan.width:] {
			all = append(all, cutString(s, found[:scan.width]))
		}
	}
	return all
}

// Split cuts s at the matches and returns the parts: at most n parts, or all if n is negative. The last part is the rest of s. For n = 0 Split
// returns nil.
//
//	s := regex.MustCompile("a*").Split("abaabaccadaaae", 5)
//	// s: ["", "b", "b", "c", "cadaaae"]
func (re *Regexp) Split(s string, n int) []string {
	if n == 0 {
		return nil
	}
	if re.expr != "" && s == "" {
		return []string{""}
	}
	var numbers [batch]int
	parts := make([]string, 0, min(uint(n), 8))
	begin, end := 0, 0
	scan := re.scan(view(s), n, false)
	for found := scan.next(numbers[:]); len(found) > 0; found = scan.next(numbers[:]) {
		for i := 0; i < len(found) && (n < 0 || len(parts) < n-1); i += 2 {
			end = found[i]
			// An empty match at the beginning of s separates nothing.
			if found[i+1] != 0 {
				parts = append(parts, s[begin:end])
			}
			begin = found[i+1]
		}
	}
	if end != len(s) {
		parts = append(parts, s[begin:])
	}
	return parts
}

// A replacement states how a match is replaced: by a template, by a literal text, or by the result of a function.
type replacement struct {
	parts    []part
	literal  string
	function func([]byte) []byte
	strings  func(string) string
}

// replace returns b with each match replaced.
func (re *Regexp) replace(b []byte, r *replacement) []byte {
	var numbers [batch]int
	var to []byte
	done := 0
	s := re.scan(b, -1, len(r.parts) > 0)
	for found := s.next(numbers[:]); len(found) > 0; found = s.next(numbers[:]) {
		if to == nil {
			to = make([]byte, 0, len(b)+len(b)/8+16)
		}
		for ; len(found) > 0; found = found[s.width:] {
			to = append(to, b[done:found[0]]...)
			done = found[1]
			switch {
			case r.function != nil:
				to = append(to, r.function(b[found[0]:found[1]])...)
			case r.strings != nil:
				to = append(to, r.strings(text(b[found[0]:found[1]]))...)
			default:
				for _, part := range r.parts {
					to = re.append(to, part, b, found[:s.width])
				}
				to = append(to, r.literal...)
			}
		}
	}
	if to = append(to, b[done:]...); len(to) == 0 {
		return nil // as Go's package does
	}
	return to
}

// ReplaceAll returns a copy of src in which each match is replaced by the template, expanded as by [Regexp.Expand].
func (re *Regexp) ReplaceAll(src, template []byte) []byte {
	return re.replaceAll(src, text(template))
}

// ReplaceAllString is [Regexp.ReplaceAll] for strings.
func (re *Regexp) ReplaceAllString(src, template string) string {
	return text(re.replaceAll(view(src), template))
}

func (re *Regexp) replaceAll(src []byte, template string) []byte {
	if strings.IndexByte(template, '$') < 0 {
		return re.replace(src, &replacement{literal: template})
	}
	var parts []part
	for rest := template; rest != ""; {
		var next part
		next, rest = nextPart(rest)
		parts = append(parts, next)
	}
	return re.replace(src, &replacement{parts: parts})
}

// ReplaceAllLiteral returns a copy of src in which each match is replaced by the replacement text. A $ in this text has no meaning.
func (re *Regexp) ReplaceAllLiteral(src, by []byte) []byte {
	return re.replace(src, &replacement{literal: text(by)})
}

// ReplaceAllLiteralString is [Regexp.ReplaceAllLiteral] for strings.
func (re *Regexp) ReplaceAllLiteralString(src, by string) string {
	return text(re.replace(view(src), &replacement{literal: by}))
}

// ReplaceAllFunc returns a copy of src in which each match m is replaced by the result of by(m).
func (re *Regexp) ReplaceAllFunc(src []byte, by func([]byte) []byte) []byte {
	return re.replace(src, &replacement{function: by})
}

// ReplaceAllStringFunc is [Regexp.ReplaceAllFunc] for strings.
func (re *Regexp) ReplaceAllStringFunc(src string, by func(string) string) string {
	return text(re.replace(view(src), &replacement{strings: by}))
}
