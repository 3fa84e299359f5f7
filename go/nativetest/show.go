package nativetest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unsafe"
)

// counter numbers the objects.
type counter struct {
	last  uint32
	found []*object
}

// shower writes values in the format of the native program: crates/native/src/show.rs.
type shower struct {
	strings.Builder
	counter *counter
	// most is the number of items at which an iterator is stopped.
	most int
}

func (s *shower) value(t *typ, v reflect.Value) {
	switch t.Kind {
	case "bool":
		s.WriteString(strconv.FormatBool(v.Bool()))
	case "int", "int8", "int16", "int32", "int64", "rune":
		s.WriteString(strconv.FormatInt(v.Int(), 10))
	case "uint", "uint8", "uint16", "uint32", "uint64":
		s.WriteString(strconv.FormatUint(v.Uint(), 10))
	case "float32":
		s.float(v.Float(), fmt.Sprintf("0x%08x", math.Float32bits(float32(v.Float()))))
	case "float64":
		s.float(v.Float(), fmt.Sprintf("0x%016x", math.Float64bits(v.Float())))
	case "string", "text":
		s.quote(v.String())
	case "array", "slice", "list", "append":
		s.elements(t.Elem, v)
	case "pointer":
		if v.IsNil() {
			s.WriteString("nil")
			return
		}
		s.WriteByte('&')
		s.value(t.Elem, v.Elem())
	case "struct":
		s.WriteString(t.Name)
		s.fields(t.Fields, v)
	case "enum":
		s.WriteString(t.Name + "(")
		s.value(t.Elem, v)
		s.WriteByte(')')
	case "handle":
		_, _ = fmt.Fprintf(s, "handle(%d)", v.Uint())
	case "object":
		s.object(t, v)
	case "failure", "error":
		s.err(t, v)
	case "iterator":
		s.iterator(t, v)
	default:
		s.WriteByte('?')
	}
}

func (s *shower) float(x float64, bits string) {
	if math.IsNaN(x) {
		bits = "NaN"
	}
	s.WriteString(bits)
}

func (s *shower) quote(text string) {
	s.WriteByte('"')
	for i := range len(text) {
		if c := text[i]; c == '"' || c == '\\' || c < ' ' || c > '~' {
			_, _ = fmt.Fprintf(s, `\x%02x`, c)
		} else {
			s.WriteByte(c)
		}
	}
	s.WriteByte('"')
}

func (s *shower) elements(elem *typ, v reflect.Value) {
	if elem.Kind == "uint8" {
		bytes := make([]byte, v.Len())
		for i := range bytes {
			bytes[i] = byte(v.Index(i).Uint())
		}
		s.WriteByte('b')
		s.quote(string(bytes))
		return
	}
	s.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			s.WriteByte(' ')
		}
		s.value(elem, v.Index(i))
	}
	s.WriteByte(']')
}

func (s *shower) fields(fields []field, v reflect.Value) {
	s.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(f.Name + ":")
		if value := v.FieldByName(f.Name); value.IsValid() {
			s.value(f.Type, value)
		} else {
			s.WriteString("(no such field)")
		}
	}
	s.WriteByte('}')
}

func (s *shower) object(t *typ, v reflect.Value) {
	if v.IsNil() || t.Len > 0 && v.Elem().IsZero() {
		s.WriteString("nil")
		return
	}
	s.counter.last++
	s.counter.found = append(s.counter.found, &object{number: s.counter.last, of: t, value: v})
	_, _ = fmt.Fprintf(s, "*%s#%d", t.Name, s.counter.last)
}

func (s *shower) err(t *typ, v reflect.Value) {
	if v.IsNil() {
		s.WriteString("nil")
		return
	}
	if t.Kind == "failure" {
		s.WriteString("error")
	} else {
		s.typed(t, v.Elem())
	}
	before := " "
	for err := v.Interface().(error); err != nil; err = errors.Unwrap(err) {
		s.WriteString(before)
		s.quote(err.Error())
		before = " <- "
	}
}

// typed writes the type and fields of an error, but not its text.
func (s *shower) typed(t *typ, value reflect.Value) {
	for value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	name := value.Type().Name()
	s.WriteString(name)
	if t.Plain && value.CanUint() {
		_, _ = fmt.Fprintf(s, "(%d)", value.Uint())
		return
	}
	for _, c := range t.Cases {
		if t.Single && name == t.Name || c.Name == name {
			s.fields(c.Fields, value)
			return
		}
	}
}

func (s *shower) iterator(t *typ, v reflect.Value) {
	s.WriteByte('<')
	seen := 0
	item := func(values ...reflect.Value) bool {
		if seen == s.most {
			s.WriteString(" …")
			return false
		}
		if seen > 0 {
			s.WriteByte(' ')
		}
		for i, value := range values {
			if i > 0 {
				s.WriteByte(':')
			}
			s.value(t.Items[i], value)
		}
		seen++
		return true
	}
	if len(t.Items) == 2 {
		for key, value := range v.Seq2() {
			if !item(key, value) {
				break
			}
		}
	} else {
		for value := range v.Seq() {
			if !item(value) {
				break
			}
		}
	}
	s.WriteByte('>')
}

var bits = regexp.MustCompile(`0x(?:[0-9a-f]{16}|[0-9a-f]{8})\b`)

// legible adds decimal values to the bits of floats, and shortens a long text.
func legible(text string) string {
	text = bits.ReplaceAllStringFunc(text, func(hex string) string {
		n, _ := strconv.ParseUint(hex[2:], 16, 64)
		if len(hex) == 10 {
			return fmt.Sprintf("%s(%v)", hex, math.Float32frombits(uint32(n)))
		}
		return fmt.Sprintf("%s(%v)", hex, math.Float64frombits(n))
	})
	return shorten(text)
}

func shorten(text string) string {
	if len(text) > 2000 {
		text = text[:1000] + fmt.Sprintf(" … %d bytes … ", len(text)-2000) + text[len(text)-1000:]
	}
	return text
}

// settable returns v in a form that can be set, even if v is an unexported field.
func settable(v reflect.Value) reflect.Value {
	if v.CanSet() {
		return v
	}
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}
