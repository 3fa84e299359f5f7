//go:build amd64 || arm64

package regex

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// These are the operators of the code by which Go passes a pattern to Rust. The code is the syntax tree of Go's parser, with operands before their
// operators. Each word of the code has an operator in its low 8 bits and a number in the other bits. rust/src/code.rs has the same list, and the
// meaning of the numbers.
const (
	codeEmpty = iota
	codeFail
	codeLiteral
	codeClass
	codeLook
	codeRepeat
	codeCapture
	codeConcat
	codeAlternate
	codeEnd

	codeNoLimit = 1<<32 - 1
)

// The number in a word with the operator codeLook is one of these.
const (
	lookBeginText = iota
	lookEndText
	lookBeginLine
	lookEndLine
	lookWordBoundary
	lookNoWordBoundary
)

// encode returns the code of several expressions, with or without their groups.
func encode(groups bool, exprs ...*syntax.Regexp) []uint32 {
	e := encoder{groups: groups}
	code := make([]uint32, 0, 64)
	for _, re := range exprs {
		code = append(e.encode(code, re), codeEnd)
	}
	return code
}

type encoder struct {
	groups bool
	sizes  map[*syntax.Regexp]size
}

// encode appends the code of re.
func (e *encoder) encode(code []uint32, re *syntax.Regexp) []uint32 {
	switch re.Op {
	case syntax.OpNoMatch:
		return append(code, codeFail)
	case syntax.OpEmptyMatch:
		return append(code, codeEmpty)
	case syntax.OpLiteral:
		return encodeLiteral(code, re)
	case syntax.OpCharClass:
		code = append(code, codeClass|uint32(len(re.Rune)/2)<<8)
		return appendRunes(code, re.Rune)
	case syntax.OpAnyCharNotNL:
		return append(code, codeClass|2<<8, 0, '\n'-1, '\n'+1, unicode.MaxRune)
	case syntax.OpAnyChar:
		return append(code, codeClass|1<<8, 0, unicode.MaxRune)
	case syntax.OpBeginText:
		return append(code, codeLook|lookBeginText<<8)
	case syntax.OpEndText:
		return append(code, codeLook|lookEndText<<8)
	case syntax.OpBeginLine:
		return append(code, codeLook|lookBeginLine<<8)
	case syntax.OpEndLine:
		return append(code, codeLook|lookEndLine<<8)
	case syntax.OpWordBoundary:
		return append(code, codeLook|lookWordBoundary<<8)
	case syntax.OpNoWordBoundary:
		return append(code, codeLook|lookNoWordBoundary<<8)
	case syntax.OpCapture:
		code = e.encode(code, re.Sub[0])
		if e.groups {
			code = append(code, codeCapture|uint32(re.Cap)<<8)
		}
		return code
	case syntax.OpStar:
		return e.encodeRepeat(code, re, 0, codeNoLimit)
	case syntax.OpPlus:
		return e.encodeRepeat(code, re, 1, codeNoLimit)
	case syntax.OpQuest:
		return e.encodeRepeat(code, re, 0, 1)
	case syntax.OpRepeat:
		most := uint32(codeNoLimit)
		if re.Max >= 0 {
			most = uint32(re.Max)
		}
		return e.encodeRepeat(code, re, uint32(re.Min), most)
	case syntax.OpConcat:
		return e.encodeSubs(code, re, codeConcat)
	case syntax.OpAlternate:
		// The parser has factored out common prefixes of words, but the engines for lists of words need whole words.
		if e.size(re).words > 0 {
			words := words(re)
			for _, word := range words {
				code = append(code, codeLiteral|uint32(len(word))<<8)
				code = appendRunes(code, word)
			}
			return append(code, codeAlternate|uint32(len(words))<<8)
		}
		return e.encodeSubs(code, re, codeAlternate)
	}
	panic("regex: unknown operator " + re.Op.String())
}

func (e *encoder) encodeSubs(code []uint32, re *syntax.Regexp, operator uint32) []uint32 {
	for _, sub := range re.Sub {
		code = e.encode(code, sub)
	}
	return append(code, operator|uint32(len(re.Sub))<<8)
}

func (e *encoder) encodeRepeat(code []uint32, re *syntax.Regexp, least, most uint32) []uint32 {
	greedy := uint32(1 << 8)
	if re.Flags&syntax.NonGreedy != 0 {
		greedy = 0
	}
	return append(e.encode(code, re.Sub[0]), codeRepeat|greedy, least, most)
}

// encodeLiteral appends the code of a literal. A character that matches in upper and lower case becomes a class.
func encodeLiteral(code []uint32, re *syntax.Regexp) []uint32 {
	if re.Flags&syntax.FoldCase == 0 {
		return appendRunes(append(code, codeLiteral|uint32(len(re.Rune))<<8), re.Rune)
	}
	for _, r := range re.Rune {
		forms := []rune{r}
		for form := unicode.SimpleFold(r); form != r; form = unicode.SimpleFold(form) {
			forms = append(forms, form)
		}
		if len(forms) == 1 {
			code = append(code, codeLiteral|1<<8, uint32(r))
			continue
		}
		code = append(code, codeClass|uint32(len(forms))<<8)
		for _, form := range forms {
			code = append(code, uint32(form), uint32(form))
		}
	}
	return append(code, codeConcat|uint32(len(re.Rune))<<8)
}

func appendRunes(code []uint32, runes []rune) []uint32 {
	for _, r := range runes {
		code = append(code, uint32(r))
	}
	return code
}

// The largest number of words in a list, and the largest number of characters in all words of a list.
const (
	mostWords      = 10000
	mostWordsRunes = 200000
)

// size describes the list of words that an expression is equivalent to: the number of words, and the number of characters in all words. Both are
// negative if the expression is not equivalent to a list of words, or if the list is too long.
type size struct{ words, runes int }

var noWords = size{-1, -1}

// size returns the size of re. It computes the size only once for each part of an expression.
func (e *encoder) size(re *syntax.Regexp) size {
	known, ok := e.sizes[re]
	if !ok {
		known = e.sizeOf(re)
		if known.words > mostWords || known.runes > mostWordsRunes {
			known = noWords
		}
		if e.sizes == nil {
			e.sizes = map[*syntax.Regexp]size{}
		}
		e.sizes[re] = known
	}
	return known
}

func (e *encoder) sizeOf(re *syntax.Regexp) size {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return size{1, 0}
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return size{1, len(re.Rune)}
		}
	case syntax.OpCharClass:
		sum := 0
		for i := 0; i < len(re.Rune) && sum <= mostWords; i += 2 {
			sum += int(re.Rune[i+1]-re.Rune[i]) + 1
		}
		if sum <= 16 {
			return size{sum, sum}
		}
	case syntax.OpCapture:
		if !e.groups {
			return e.size(re.Sub[0])
		}
	case syntax.OpQuest:
		if sub := e.size(re.Sub[0]); sub.words >= 0 {
			return size{sub.words + 1, sub.runes}
		}
	case syntax.OpConcat:
		all := size{1, 0}
		for _, part := range re.Sub {
			sub := e.size(part)
			if sub.words < 0 || all.words > mostWords || all.runes > mostWordsRunes {
				return noWords
			}
			all = size{all.words * sub.words, all.runes*sub.words + sub.runes*all.words}
		}
		return all
	case syntax.OpAlternate:
		var all size
		for _, part := range re.Sub {
			sub := e.size(part)
			if sub.words < 0 {
				return noWords
			}
			all = size{all.words + sub.words, all.runes + sub.runes}
		}
		return all
	}
	return noWords
}

// words returns the texts that re matches, in the order of preference. re must be equivalent to a list of words.
func words(re *syntax.Regexp) [][]rune {
	switch re.Op {
	case syntax.OpLiteral:
		return [][]rune{re.Rune}
	case syntax.OpCharClass:
		// Two different characters never match at the same place, so the order of the characters does not matter.
		var all [][]rune
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				all = append(all, []rune{r})
			}
		}
		return all
	case syntax.OpCapture:
		return words(re.Sub[0])
	case syntax.OpQuest:
		if re.Flags&syntax.NonGreedy != 0 {
			return append([][]rune{nil}, words(re.Sub[0])...)
		}
		return append(slices.Clip(words(re.Sub[0])), nil)
	case syntax.OpConcat:
		all := [][]rune{nil}
		for _, sub := range re.Sub {
			ends := words(sub)
			longer := make([][]rune, 0, len(all)*len(ends))
			for _, word := range all {
				for _, end := range ends {
					longer = append(longer, slices.Concat(word, end))
				}
			}
			all = longer
		}
		return all
	case syntax.OpAlternate:
		var all [][]rune
		for _, sub := range re.Sub {
			all = append(all, words(sub)...)
		}
		return all
	}
	return [][]rune{nil} // syntax.OpEmptyMatch
}
