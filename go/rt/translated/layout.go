package translated

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// crateLayout returns the size and the alignment of an element of type t in the crate's memory. Types there have the layout of repr(C), as in Go on
// processors with 64 bits.
func crateLayout(t reflect.Type) (size, align uint64) {
	switch t.Kind() {
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		return 8, 8
	case reflect.Array:
		size, align = crateLayout(t.Elem())
		return size * uint64(t.Len()), align
	case reflect.Struct:
		align = 1
		for i := range t.NumField() {
			fieldSize, fieldAlign := crateLayout(t.Field(i).Type)
			size = alignUp(size, fieldAlign) + fieldSize
			align = max(align, fieldAlign)
		}
		return alignUp(size, align), align
	default:
		size = uint64(t.Size())
		return size, max(size, 1)
	}
}

func alignUp(n, align uint64) uint64 { return (n + align - 1) / align * align }

// flat returns the type of the elements of an array of arrays, and their number. For another type it returns the type and 1.
func flat(t reflect.Type) (elem reflect.Type, count uint64) {
	count = 1
	for t.Kind() == reflect.Array {
		count *= uint64(t.Len())
		t = t.Elem()
	}
	return t, count
}

// interchangeable reports whether values of both types have the same representation: the types are equal, or both are numbers of the same kind.
func interchangeable(t, u reflect.Type) bool {
	return t == u || t.Kind() == u.Kind() && t.Kind() != reflect.Struct
}

// goOffset translates an offset in the crate's copy of an argument to the offset in Go's memory. The argument has count elements, whose type is from.
// At the offset the caller expects elements whose type is to and whose number is wanted: elements of the argument, or parts of one element. If there
// are no such elements at the offset, ok is false: the code has read the memory as if it had another type.
func goOffset(from reflect.Type, count, offset uint64, to reflect.Type, wanted uint64) (at uintptr, ok bool) {
	from, each := flat(from)
	count *= each
	to, each = flat(to)
	wanted *= each
	size, _ := crateLayout(from)
	if size == 0 || offset/size >= count {
		return 0, false
	}
	index := offset / size
	at = uintptr(index) * from.Size()
	offset -= index * size
	if interchangeable(from, to) {
		return at, offset == 0 && wanted <= count-index
	}
	if from.Kind() != reflect.Struct {
		return 0, false
	}
	start := uint64(0)
	for i := range from.NumField() {
		field := from.Field(i)
		fieldSize, fieldAlign := crateLayout(field.Type)
		start = alignUp(start, fieldAlign)
		if offset >= start && offset-start < fieldSize {
			inside, ok := goOffset(field.Type, 1, offset-start, to, wanted)
			return at + field.Offset + inside, ok
		}
		start += fieldSize
	}
	return 0, false
}

// littleEndian is true on processors with the byte order of the crate's memory.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// inGo returns the address in Go's memory of wanted elements of the type to. In the crate's copy of the region they lie at the offset. inGo returns
// nil if the elements have another representation in Go's memory than in the crate's memory.
func (r *region) inGo(offset uint64, to reflect.Type, wanted uint64) unsafe.Pointer {
	size, _ := crateLayout(r.elem)
	if size == 0 {
		return nil
	}
	if at, ok := goOffset(r.elem, r.length/size, offset, to, wanted); ok {
		return unsafe.Add(r.start, at)
	}
	// With the crate's byte order and sizes, each byte of Go's memory is the same as in the copy, whatever the types are. Equal sizes mean equal
	// layouts: on a 32-bit processor an int is smaller and no number has a larger alignment than in the crate, so a type with another layout is
	// always smaller.
	toSize, _ := crateLayout(to)
	if littleEndian && uint64(r.elem.Size()) == size && uint64(to.Size()) == toSize {
		return unsafe.Add(r.start, uintptr(offset))
	}
	return nil
}
