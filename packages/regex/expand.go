//go:build amd64 || arm64

package regex

import (
	"strings"
	"unicode"
)

// Expand appends template to dst and returns the result. match is a result of [Regexp.FindSubmatchIndex] for src. Expand replaces $name and ${name}
// in the template by the text of the group with that name or number, or by "" if there is no such group or the group took no part. $name extends
// over all following letters, digits and underscores: $1x is ${1x}, not ${1}x. $$ is replaced by a dollar sign.
func (re *Regexp) Expand(dst, template, src []byte, match []int) []byte {
	for rest := text(template); rest != ""; {
		var next part
		next, rest = nextPart(rest)
		dst = re.append(dst, next, src, match)
	}
	return dst
}

// ExpandString is [Regexp.Expand] for strings.
func (re *Regexp) ExpandString(dst []byte, template, src string, match []int) []byte {
	return re.Expand(dst, view(template), view(src), match)
}

// A part of a template is a text and the group after it, given by number or by name.
type part struct {
	text   string
	number int // -1 for no number
	name   string
}

// append appends the text of the part and of its group.
func (re *Regexp) append(to []byte, p part, src []byte, found []int) []byte {
	to = append(to, p.text...)
	if p.name == "" {
		to, _ = appendGroup(to, p.number, src, found)
		return to
	}
	// Several groups may have the name. The first group that took part in the match counts.
	for number, name := range re.names {
		if name == p.name {
			var ok bool
			if to, ok = appendGroup(to, number, src, found); ok {
				break
			}
		}
	}
	return to
}

func appendGroup(to []byte, number int, src []byte, found []int) ([]byte, bool) {
	if number < 0 || 2*number+1 >= len(found) || found[2*number] < 0 {
		return to, false
	}
	return append(to, src[found[2*number]:found[2*number+1]]...), true
}

// nextPart returns the first part of a template, and the rest of the template.
func nextPart(template string) (first part, rest string) {
	dollar := strings.IndexByte(template, '$')
	if dollar < 0 {
		return part{template, -1, ""}, ""
	}
	rest = template[dollar+1:]
	if strings.HasPrefix(rest, "$") {
		return part{template[:dollar+1], -1, ""}, rest[1:]
	}
	name, after, ok := name(rest)
	if !ok {
		// This dollar sign is an ordinary character.
		return part{template[:dollar+1], -1, ""}, rest
	}
	if number := number(name); number >= 0 {
		return part{template[:dollar], number, ""}, after
	}
	return part{template[:dollar], -1, name}, after
}

// name reads the name of a group, with or without braces, from the text after a dollar sign. It returns the name and the rest of the text.
func name(s string) (name, rest string, ok bool) {
	s, brace := strings.CutPrefix(s, "{")
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	if end < 0 {
		end = len(s)
	}
	name, rest = s[:end], s[end:]
	if brace {
		rest, brace = strings.CutPrefix(rest, "}")
		return name, rest, brace && name != ""
	}
	return name, rest, name != ""
}

// number converts a group's name to a number. It returns -1 if the name is not a number or has leading zeros.
func number(name string) int {
	number := 0
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' || number >= 1e8 || i > 0 && name[0] == '0' {
			return -1
		}
		number = 10*number + int(name[i]-'0')
	}
	return number
}
