package nativetest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"unsafe"
)

// mode selects the kind of values that a call gets.
type mode int

// The first calls of an export without objects use these modes, one after another. All other calls use mixed.
const (
	zeros mode = iota // 0, nil, empty
	ones              // the number 1, one element
	largest
	smallest
	odd // NaN, invalid texts and runes
	mixed
)

func modeOf(call int) mode { return min(mode(call), mixed) }

type generator struct {
	*rand.Rand
	mode mode
	// invalid is true if the arguments of this call may be invalid in Rust. It is true only for some calls: otherwise almost every slice of runes
	// would contain an invalid rune.
	invalid bool
	words   []string
	word    int // index of the next word
	// cut is the number of times that sizes were halved. It grows after a call that the native program did not answer in time, or that exceeded a
	// limit.
	cut int
}

// smaller halves the sizes of later values.
func (g *generator) smaller() { g.cut++ }

// isInvalid decides whether the next value is invalid in Rust.
func (g *generator) isInvalid() bool {
	return g.mode == odd || g.mode == mixed && g.invalid && g.IntN(4) == 0
}

type argument struct {
	value   reflect.Value
	encoded []byte
	// guards are the parts of memory around a slice. Rust must not write to them.
	guards []guard
	object *object
	// unusual is true if the object is unusable: nil, zero or closed.
	unusual bool
}

// guard is memory that must not change, and its original content.
type guard struct {
	memory []byte
	before string
}

func (g *generator) argument(p field, ty reflect.Type, earlier []field, args []argument) argument {
	a := argument{value: reflect.New(ty).Elem()}
	switch p.Type.Kind {
	case "pointer":
		if i := g.partner(p.Type, earlier, args); i >= 0 {
			shared := args[i].value
			index := 0
			if shared.Kind() == reflect.Slice {
				index = g.IntN(shared.Len())
				shared = shared.Index(index).Addr()
			}
			a.value.Set(shared)
			a.encoded = binary.LittleEndian.AppendUint32(append(a.encoded, placeShared, byte(i)), uint32(index))
			break
		}
		if g.mode == zeros || g.mode == mixed && g.IntN(16) == 0 {
			a.encoded = append(a.encoded, placeNil)
			break
		}
		a.encoded = append(a.encoded, placeFresh)
		memory := reflect.New(ty.Elem())
		g.value(p.Type.Elem, memory.Elem(), &a.encoded, 0)
		a.value.Set(memory)
	case "slice":
		if i := g.partner(p.Type, earlier, args); i >= 0 && args[i].value.Kind() == reflect.Slice {
			shared := args[i].value
			start := g.IntN(shared.Len() + 1)
			n := g.IntN(shared.Len() - start + 1)
			a.value.Set(shared.Slice3(start, start+n, start+n))
			a.encoded = append(a.encoded, placeShared, byte(i))
			a.encoded = binary.LittleEndian.AppendUint32(a.encoded, uint32(start))
			a.encoded = binary.LittleEndian.AppendUint32(a.encoded, uint32(n))
			break
		}
		g.slice(p.Type.Elem, &a, 0, false)
	case "append":
		g.slice(p.Type.Elem, &a, 0, true)
	default:
		g.value(p.Type, a.value, &a.encoded, 0)
	}
	return a
}

// partner occasionally returns the index of an earlier argument. The next argument then shares the memory of this argument. Otherwise it returns -1.
// A call must refuse overlapping arguments if Rust may write to one of them.
func (g *generator) partner(t *typ, earlier []field, args []argument) int {
	if g.mode != mixed || g.IntN(8) != 0 || t.Elem.Kind == "object" {
		return -1
	}
	var found []int
	for i := range args {
		kind := earlier[i].Type.Kind
		if kind != "slice" && kind != "pointer" || args[i].value.IsNil() || args[i].encoded[0] != placeFresh {
			continue
		}
		if earlier[i].Type.Elem.Kind == "object" || args[i].value.Type().Elem() != t.elemOf(args[i].value) {
			continue
		}
		if !sameType(earlier[i].Type.Elem, t.Elem) {
			continue
		}
		if kind == "slice" && args[i].value.Len() == 0 || kind == "pointer" && t.Kind == "slice" {
			continue
		}
		found = append(found, i)
	}
	if len(found) == 0 {
		return -1
	}
	return found[g.IntN(len(found))]
}

// elemOf returns the element type of v.
func (*typ) elemOf(v reflect.Value) reflect.Type { return v.Type().Elem() }

func sameType(a, b *typ) bool {
	if a.Kind != b.Kind || a.Name != b.Name || a.Len != b.Len {
		return false
	}
	return a.Elem == nil || b.Elem != nil && sameType(a.Elem, b.Elem)
}

// slice makes a slice at a random offset in memory, with guards around it. If room is set, the slice has spare capacity.
func (g *generator) slice(elem *typ, a *argument, depth int, room bool) {
	ty := a.value.Type()
	n := g.length(depth)
	spare := 0
	if room {
		spare = g.length(depth)
	}
	if n == 0 && spare == 0 && (g.mode == zeros || g.IntN(2) == 0) {
		a.encoded = append(a.encoded, placeNil)
		return
	}
	before := g.IntN(17)
	all := reflect.MakeSlice(ty, before+n+spare+16, before+n+spare+16)
	if elem.isPlain() {
		a.guards = append(a.guards, guardOf(all.Slice(0, before)), guardOf(all.Slice(before+n+spare, all.Len())))
	}
	slice := all.Slice3(before, before+n, before+n+spare)
	a.value.Set(slice)
	a.encoded = binary.LittleEndian.AppendUint32(append(a.encoded, placeFresh), uint32(n))
	for i := range n {
		g.value(elem, slice.Index(i), &a.encoded, depth+1)
	}
	if room {
		a.encoded = binary.LittleEndian.AppendUint32(a.encoded, uint32(spare))
	}
}

// isPlain reports whether values of the type contain no pointers.
func (t *typ) isPlain() bool {
	switch t.Kind {
	case "string", "slice", "pointer":
		return false
	case "array":
		return t.Elem.isPlain()
	}
	return true
}

func guardOf(v reflect.Value) guard {
	size := v.Len() * int(v.Type().Elem().Size())
	if size == 0 {
		return guard{}
	}
	memory := unsafe.Slice((*byte)(v.UnsafePointer()), size)
	for i := range memory {
		memory[i] = 0xa5
	}
	return guard{memory, string(memory)}
}

// isWhole reports whether the guard's memory is unchanged.
func (g guard) isWhole() bool { return string(g.memory) == g.before }

// value sets v to a generated value and appends its encoding to buf.
func (g *generator) value(t *typ, v reflect.Value, buf *[]byte, depth int) {
	v = settable(v)
	switch t.Kind {
	case "bool":
		x := g.mode == ones || g.mode == largest || g.mode >= odd && g.IntN(2) == 0
		v.SetBool(x)
		*buf = append(*buf, btoi(x))
	case "int", "int8", "int16", "int32", "int64":
		size := int(v.Type().Size())
		v.SetInt(g.signed(8 * size))
		*buf = appendNumber(*buf, uint64(v.Int()), size)
	case "uint", "uint8", "uint16", "uint32", "uint64":
		size := int(v.Type().Size())
		v.SetUint(g.unsigned(8 * size))
		*buf = appendNumber(*buf, v.Uint(), size)
	case "rune":
		v.SetInt(int64(g.rune()))
		*buf = appendNumber(*buf, uint64(v.Int()), 4)
	case "float32":
		x := g.float32()
		v.Set(reflect.ValueOf(x).Convert(v.Type()))
		*(*uint32)(v.Addr().UnsafePointer()) = math.Float32bits(x)
		*buf = appendNumber(*buf, uint64(math.Float32bits(x)), 4)
	case "float64":
		x := g.float64()
		v.SetFloat(x)
		*buf = appendNumber(*buf, math.Float64bits(x), 8)
	case "string":
		x := g.text(depth)
		v.SetString(x)
		*buf = append(binary.LittleEndian.AppendUint32(*buf, uint32(len(x))), x...)
	case "array":
		for i := range v.Len() {
			g.value(t.Elem, v.Index(i), buf, depth+1)
		}
	case "struct":
		for _, f := range t.Fields {
			g.value(f.Type, v.FieldByName(f.Name), buf, depth)
		}
	case "enum":
		g.enum(t, v)
		size := int(v.Type().Size())
		if v.CanInt() {
			*buf = appendNumber(*buf, uint64(v.Int()), size)
		} else {
			*buf = appendNumber(*buf, v.Uint(), size)
		}
	case "handle":
		x := g.Uint64()>>g.IntN(64) | 1
		if g.mode == zeros || g.isInvalid() {
			x = 0
		}
		v.SetUint(x)
		*buf = appendNumber(*buf, x, 8)
	case "slice":
		a := argument{value: v}
		g.slice(t.Elem, &a, depth, false)
		*buf = append(*buf, a.encoded...)
	}
}

func (g *generator) enum(t *typ, v reflect.Value) {
	x := g.Uint64()
	if len(t.Values) > 0 && !g.isInvalid() {
		text := t.Values[g.IntN(len(t.Values))]
		x, _ = strconv.ParseUint(text, 10, 64)
	}
	shift := 64 - 8*v.Type().Size()
	if v.CanInt() {
		v.SetInt(int64(x<<shift) >> shift)
	} else {
		v.SetUint(x << shift >> shift)
	}
}

func btoi(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func appendNumber(buf []byte, x uint64, size int) []byte {
	return append(buf, binary.LittleEndian.AppendUint64(nil, x)[:size]...)
}

// width returns the number of bits that generated numbers may have.
func (g *generator) width(bits int) int { return max(1, bits>>g.cut) }

func (g *generator) unsigned(bits int) uint64 {
	bits = g.width(bits)
	most := uint64(math.MaxUint64) >> (64 - bits)
	var x uint64
	switch g.mode {
	case zeros, smallest:
		x = 0
	case ones:
		x = 1
	case largest:
		x = most
	default:
		switch k := g.IntN(16); {
		case k < 5:
			x = g.Uint64N(18)
		case k < 8: // around a power of two
			x = 1<<g.IntN(bits) + g.Uint64N(3) - 1
		case k == 8:
			x = most - g.Uint64N(3)
		case k == 9 && len(g.words) > 0:
			x, _ = strconv.ParseUint(g.words[g.IntN(len(g.words))], 0, 64)
		default:
			x = g.Uint64() >> (64 - 1 - g.IntN(bits))
		}
	}
	return x & most
}

func (g *generator) signed(bits int) int64 {
	bits = g.width(bits)
	most := int64(math.MaxInt64) >> (64 - bits)
	switch g.mode {
	case largest:
		return most
	case smallest:
		return -most - 1
	}
	x := int64(g.unsigned(64)) & most
	if g.mode >= odd && g.IntN(2) == 0 {
		x = -x - int64(g.IntN(2))
	}
	return x
}

func (g *generator) rune() rune {
	edges := []rune{0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff, 'ß', 'İ', 'é', '字'}
	wrong := []rune{-1, 0xd800, 0xdfff, 0x110000, math.MaxInt32, math.MinInt32}
	switch g.mode {
	case zeros:
		return 0
	case ones:
		return 'a'
	case largest:
		return 0x10ffff
	case odd:
		return wrong[g.IntN(len(wrong))]
	}
	if g.isInvalid() {
		return wrong[g.IntN(len(wrong))]
	}
	switch k := g.IntN(32); {
	case k < 10:
		return edges[g.IntN(len(edges))]
	case k < 26:
		return ' ' + rune(g.IntN(95))
	default:
		r := rune(g.IntN(0x110000))
		if 0xd800 <= r && r < 0xe000 {
			r -= 0x800
		}
		return r
	}
}

func (g *generator) float64() float64 {
	edges := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64, math.MaxFloat64, 0x1p-1022,
		0.1, 0.5, 1.5, 2.5, 1 << 53, 1<<53 + 2, 1 << 63, 1 << 64, 1e22, 1e23, 5e-324}
	switch g.mode {
	case zeros:
		return 0
	case ones:
		return 1
	case largest:
		return math.MaxFloat64
	case smallest:
		return math.Copysign(0, -1)
	case odd:
		// These are the bits of a signalling NaN with a random payload and a random sign.
		return math.Float64frombits(0x7ff0000000000001 | g.Uint64()<<63 | g.Uint64()>>13)
	}
	switch g.IntN(4) {
	case 0:
		return edges[g.IntN(len(edges))]
	case 1:
		return math.Float64frombits(g.Uint64())
	case 2:
		return float64(g.signed(64))
	default:
		return (g.Float64() - 0.5) * 2000
	}
}

func (g *generator) float32() float32 {
	edges := []float32{math.SmallestNonzeroFloat32, math.MaxFloat32, 0x1p-126, 1 << 24, 1<<24 + 2, 0.1}
	switch {
	case g.mode == odd:
		// The number is made from bits, because Go's conversions of floats would make the NaN quiet.
		return math.Float32frombits(0x7f800001 | g.Uint32()<<31 | g.Uint32()>>10)
	case g.mode == largest:
		return math.MaxFloat32
	case g.mode != mixed || g.IntN(2) == 0:
		return float32(g.float64())
	case g.IntN(3) == 0:
		return edges[g.IntN(len(edges))]
	}
	return math.Float32frombits(g.Uint32())
}

// length returns a length for a slice or text.
func (g *generator) length(depth int) int {
	switch {
	case g.mode == zeros:
		return 0
	case g.mode == ones || depth > 2:
		return 1
	case g.mode == largest && depth == 0:
		return 4096 >> g.cut
	}
	most := []int{4096, 64, 8}[min(depth, 2)] >> g.cut
	n := 0
	switch k := g.IntN(20); {
	case k < 9:
		n = g.IntN(9)
	case k < 18: // around a power of two
		n = 1<<g.IntN(9) + g.IntN(3) - 1
	default:
		n = g.IntN(4096)
	}
	return min(n, max(most, 1))
}

var samples = []string{"", "0", "-1", "1", "+7", "42", "3.14", "-0", "1e308", "NaN", "inf", "true", "null", " ", "\n", "\x00", "a b c", "a,b,,c", "1,2,3", "{}", `{"a":[1,2]}`, "[]",
	"\"", "\\", "ß", "İ", "e\u0301", "日本語", "\U0001f600", "\ufeff", "../..", "18446744073709551615", "-9223372036854775808", "99999999999999999999999"}

func (g *generator) text(depth int) string {
	switch g.mode {
	case zeros:
		return ""
	case ones:
		return "a"
	case largest:
		return strings.Repeat("xyz ", 1024>>(3*depth))
	case smallest:
		return "\x00"
	case odd:
		return []string{"\xff", "a\xc3", "\xed\xa0\x80", "ok\xf4\x90\x80\x80", "\xc0\x80"}[g.IntN(5)]
	}
	k := g.IntN(23)
	if g.isInvalid() {
		k = 23
	}
	switch {
	case k < 5:
		return samples[g.IntN(len(samples))]
	case k < 11 && len(g.words) > 0:
		// The test uses the words one after another, because a parser may accept only one word of many.
		if g.word == 0 {
			g.word = g.IntN(len(g.words))
		}
		g.word++
		word := g.words[g.word%len(g.words)]
		if g.IntN(4) == 0 {
			return word + g.text(depth+1)
		}
		return strings.ToValidUTF8(word, "")
	}
	var b strings.Builder
	for n := g.length(depth); b.Len() < n; {
		switch {
		case k < 12:
			b.WriteByte('0' + byte(g.IntN(10)))
		case k < 17:
			b.WriteByte("aab bc\n,.;A"[g.IntN(11)])
		case k < 20:
			b.WriteByte(' ' + byte(g.IntN(95)))
		case k < 23:
			b.WriteRune(max(0, g.validRune()))
		default:
			b.WriteByte(byte(g.Uint32()))
		}
	}
	return b.String()
}

func (g *generator) validRune() rune {
	r := g.rune()
	if r < 0 || r > 0x10ffff || 0xd800 <= r && r < 0xe000 {
		return 'ü'
	}
	return r
}
