//go:build amd64 || arm64

package htmlrewrite

import (
	"strings"
	"unicode/utf8"
)

const (
	// mostNesting is the depth of parentheses that a selector may have. Rust's parser recurses, and its stack is limited.
	mostNesting = 64

	// mostCompounds is the number of compound selectors that combinators may join. Rust's compiler of selectors recurses for each.
	mostCompounds = 500
)

// The reasons to refuse a selector that the crate would not refuse.
const (
	notUTF8  = "it is not UTF-8"
	tooDeep  = "it is nested too deeply"
	tooLong  = "it has too many combinators"
	compound = "a compound selector in :not() is not supported"
	listed   = "a list in a :not() within :not() is not supported"
)

// A level is the text between a pair of brackets in a selector. The first level is the selector itself.
type level struct {
	negated int  // number of :not() around it
	opaque  bool // it is not a list of selectors
	simple  int  // number of simple selectors of the current item of the list
}

// selectorFault returns the reason to refuse a selector, or "". It need not find faults that the crate's parser finds.
//
// The crate negates each simple selector in a :not() on its own, and adds the results to the selectors around the :not(). For a list of simple
// selectors this is right. For a compound selector it is wrong: :not(.a.b) would exclude elements that have only one of the classes. In a :not()
// within :not(), this is right for a compound selector and wrong for a list.
func selectorFault(selector string) string {
	if !utf8.ValidString(selector) {
		return notUTF8
	}
	levels := []level{{}}
	compounds, joined := 0, true // joined is true at the beginning and directly after a combinator
	fault := ""
	for i := 0; i < len(selector); i++ {
		top := &levels[len(levels)-1]
		c := selector[i]
		switch c {
		case ' ', '\t', '\n', '\r', '\f', '>':
			joined = joined || len(levels) == 1
			continue
		case ',':
			top.simple = 0
			if len(levels) == 1 {
				compounds, joined = 0, true
			} else if !top.opaque && top.negated%2 == 0 && fault == "" {
				fault = listed
			}
			continue
		case ')', ']', '}':
			if len(levels) > 1 {
				levels = levels[:len(levels)-1]
			}
			continue
		case '/':
			if strings.HasPrefix(selector[i:], "/*") {
				end := strings.Index(selector[i+2:], "*/")
				if end < 0 {
					return fault
				}
				i += 2 + end + 1
				continue
			}
		}
		if joined && len(levels) == 1 {
			joined = false
			if compounds++; compounds > mostCompounds {
				return tooLong
			}
		}
		switch c {
		case '.', '#', ':', '[':
			top.simple++
		default:
			top.simple = max(1, top.simple)
		}
		if top.simple > 1 && !top.opaque && top.negated%2 == 1 && fault == "" {
			fault = compound
		}
		switch c {
		case '(', '[', '{':
			inner := level{negated: top.negated, opaque: true}
			if c == '(' && !top.opaque && isNot(selector[:i]) {
				inner = level{negated: top.negated + 1}
			}
			if levels = append(levels, inner); len(levels) > 1+mostNesting {
				return tooDeep
			}
		case '\\':
			i++
		case '"', '\'':
			for i++; i < len(selector) && selector[i] != c; i++ {
				if selector[i] == '\\' {
					i++
				}
			}
		}
	}
	return fault
}

// isNot reports whether the text ends with the name of the pseudo-class :not. It also returns true for a name with escapes, which may be another
// name.
func isNot(text string) bool {
	name := text[strings.LastIndexByte(text, ':')+1:]
	return strings.EqualFold(name, "not") || strings.Contains(name, "\\")
}
