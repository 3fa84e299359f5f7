package translated

import (
	"encoding/binary"
	"math"
	"reflect"
	"strconv"
	"unsafe"

	"rustgo.dev/go/rt"
)

var byteType = reflect.TypeFor[byte]()

// The Put functions store a value at an address, and the Get functions load one.

func PutBool[T ~bool](c *Call, at uint64, v T) {
	if v {
		c.bytes(at, 1)[0] = 1
	}
}

func GetBool[T ~bool](c *Call, at uint64) T { return c.bytes(at, 1)[0] != 0 }

func Put8[T ~uint8 | ~int8](c *Call, at uint64, v T) { c.bytes(at, 1)[0] = byte(v) }

func Get8[T ~uint8 | ~int8](c *Call, at uint64) T { return T(c.bytes(at, 1)[0]) }

func Put16[T ~uint16 | ~int16](c *Call, at uint64, v T) {
	binary.LittleEndian.PutUint16(c.bytes(at, 2), uint16(v))
}

func Get16[T ~uint16 | ~int16](c *Call, at uint64) T {
	return T(binary.LittleEndian.Uint16(c.bytes(at, 2)))
}

func Put32[T ~uint32 | ~int32](c *Call, at uint64, v T) { c.store32(at, uint32(v)) }

func Get32[T ~uint32 | ~int32](c *Call, at uint64) T { return T(c.load32(at)) }

func Put64[T ~uint64 | ~int64](c *Call, at uint64, v T) { c.store64(at, uint64(v)) }

func Get64[T ~uint64 | ~int64](c *Call, at uint64) T { return T(c.load64(at)) }

func PutInt[T ~int](c *Call, at uint64, v T) { c.store64(at, uint64(int64(v))) }

// GetInt panics if an int of this processor, which may have 32 bits, cannot hold the value.
func GetInt[T ~int](c *Call, at uint64) T {
	v := int64(c.load64(at))
	if int64(T(v)) != v {
		panic(&rt.Panic{Message: "a result is too large for Go's int (" + strconv.FormatInt(v, 10) + ")"})
	}
	return T(v)
}

func PutUint[T ~uint](c *Call, at uint64, v T) { c.store64(at, uint64(v)) }

// GetUint panics if a uint of this processor, which may have 32 bits, cannot hold the value.
func GetUint[T ~uint](c *Call, at uint64) T {
	v := c.load64(at)
	if uint64(T(v)) != v {
		panic(&rt.Panic{Message: "a result is too large for Go's uint (" + strconv.FormatUint(v, 10) + ")"})
	}
	return T(v)
}

func PutFloat32[T ~float32](c *Call, at uint64, v T) { c.store32(at, math.Float32bits(float32(v))) }

func GetFloat32[T ~float32](c *Call, at uint64) T { return T(math.Float32frombits(c.load32(at))) }

func PutFloat64[T ~float64](c *Call, at uint64, v T) { c.store64(at, math.Float64bits(float64(v))) }

func GetFloat64[T ~float64](c *Call, at uint64) T { return T(math.Float64frombits(c.load64(at))) }

// PutElements stores elements of this size, one after another.
func PutElements[T any](c *Call, at uint64, elems []T, size uint64, put func(*Call, uint64, T)) {
	// Without elements, at may be no address in the crate's memory.
	if len(elems) == 0 {
		return
	}
	if bytes, ok := any(elems).([]byte); ok {
		copy(c.bytes(at, uint64(len(bytes))), bytes)
		return
	}
	for i := range elems {
		put(c, at+uint64(i)*size, elems[i])
	}
}

// GetElements loads elements of this size.
func GetElements[T any](c *Call, at uint64, elems []T, size uint64, get func(*Call, uint64) T) {
	// Without elements, at may be no address in the crate's memory.
	if len(elems) == 0 {
		return
	}
	if bytes, ok := any(elems).([]byte); ok {
		copy(bytes, c.bytes(at, uint64(len(bytes))))
		return
	}
	for i := range elems {
		elems[i] = get(c, at+uint64(i)*size)
	}
}

// PutString stores the address and the length of a copy of s.
func PutString(c *Call, at uint64, s string) {
	c.store64(at+8, uint64(len(s)))
	if len(s) == 0 {
		return
	}
	length := uint64(len(s))
	address := c.place(at, 0, unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)), length, 1, false, byteType)
	c.store64(at, address)
	copy(c.bytes(address, length), s)
}

// GetString loads a string that Rust has borrowed. If the string is a part of an argument, the result is in the argument's memory. Otherwise it is a
// copy.
func GetString(c *Call, at uint64) string {
	address, length := c.load64(at), c.load64(at+8)
	if length == 0 {
		return ""
	}
	if start := c.goMemory(address, length, 1, byteType); start != nil {
		return unsafe.String((*byte)(start), length)
	}
	return string(c.bytes(address, length))
}

// PutSlice stores the address, the length and the capacity of a copy of s, whose elements have this size and alignment. If get is not nil, Rust may
// write to the elements.
func PutSlice[T any](c *Call, at uint64, s []T, size, align uint64, put func(*Call, uint64, T), get func(*Call, uint64) T) {
	c.store64(at+8, uint64(len(s)))
	c.store64(at+16, uint64(cap(s)))
	if uint64(len(s))*size == 0 {
		return
	}
	var elem T
	goSize := uintptr(len(s)) * unsafe.Sizeof(elem)
	address := c.place(at, 0, unsafe.Pointer(unsafe.SliceData(s)), goSize, uint64(len(s))*size, align, get != nil, reflect.TypeFor[T]())
	c.store64(at, address)
	if put != nil {
		PutElements(c, address, s, size, put)
	}
	if get != nil {
		c.back = append(c.back, func() { GetElements(c, address, s, size, get) })
	}
}

// GetSlice loads a slice that Rust has borrowed from an argument. Its elements have this size. An empty slice is nil, as from machine code.
func GetSlice[T any](c *Call, at, size uint64) []T {
	address, length, capacity := c.load64(at), c.load64(at+8), c.load64(at+16)
	if length == 0 {
		return nil
	}
	if size == 0 {
		return make([]T, length)
	}
	start := c.goMemory(address, length, size, reflect.TypeFor[T]())
	if start == nil {
		panic(&rt.Panic{Message: "rustgo: a result lies in no argument"})
	}
	return unsafe.Slice((*T)(start), max(length, capacity))[:length]
}

// PutPointer stores the address of a copy of *p. If get is not nil, Rust may write to the copy, and get copies it back to *p after the call. If put
// is nil, Rust only writes, so *p is not copied.
func PutPointer[T any](c *Call, at uint64, p *T, size, align uint64, put func(*Call, uint64, T), get func(*Call, uint64) T) {
	if p == nil {
		return
	}
	address := c.place(at, 0, unsafe.Pointer(p), unsafe.Sizeof(*p), max(size, 1), align, get != nil, reflect.TypeFor[T]())
	c.store64(at, address)
	if put != nil {
		put(c, address, *p)
	}
	if get != nil {
		c.back = append(c.back, func() { *p = get(c, address) })
	}
}

// PutAppend stores the address of a struct that describes a slice to which Rust appends. After the call, set receives the elements that did not fit
// into the slice's capacity.
func PutAppend[T any](c *Call, at uint64, dst *[]T, size, align uint64, get func(*Call, uint64) T, set func(elems unsafe.Pointer, length uint)) {
	const spill = 24
	s := *dst
	address := c.allocate(spill+24, 8)
	c.store64(at, address)
	elems := align
	if uint64(cap(s)-len(s))*size > 0 {
		// Rust does not write to the existing elements, and other arguments may refer to them. So only the unused capacity gets memory here. The
		// slice's address is the address of this memory, less the size of the existing elements.
		var elem T
		rest := s[len(s):cap(s)]
		bias := uint64(len(s)) * size
		goSize := uintptr(cap(rest)) * unsafe.Sizeof(elem)
		elems = c.place(address, bias, unsafe.Pointer(unsafe.SliceData(rest)), goSize, uint64(cap(rest))*size, align, true, reflect.TypeFor[T]()) - bias
	}
	c.store64(address, elems)
	c.store64(address+8, uint64(len(s)))
	c.store64(address+16, uint64(cap(s)))
	c.back = append(c.back, func() {
		length := c.load64(address + 8)
		if length < uint64(len(s)) || length > uint64(cap(s)) {
			return
		}
		whole := s[:length]
		GetElements(c, elems+uint64(len(s))*size, whole[len(s):], size, get)
		*dst = whole
		set(GetList(c, address+spill, size, align, get, true))
	})
}

// GetText loads a text. If isOwned is true, its memory is freed.
func GetText(c *Call, at uint64, isOwned bool) (text unsafe.Pointer, length uint) {
	return GetList(c, at, 1, 1, Get8[uint8], isOwned)
}

// GetFailure loads the texts of an error, or nil if there is no error. Their memory is freed.
func GetFailure(c *Call, at uint64) (texts unsafe.Pointer, length uint) {
	address, size, capacity := c.load64(at), c.load64(at+8), c.load64(at+16)
	if address == 0 {
		return nil, 0
	}
	copied := make([]byte, size+1)
	copy(copied, c.bytes(address, size))
	c.in.module.Xrustgo_free(int64(address), int64(capacity), 1)
	return unsafe.Pointer(&copied[0]), uint(size)
}

// GetList loads a list of elements with this size and alignment. If isOwned is true, its memory is freed.
func GetList[T any](c *Call, at, size, align uint64, get func(*Call, uint64) T, isOwned bool) (elems unsafe.Pointer, length uint) {
	address, count := c.load64(at), c.load64(at+8)
	if address == 0 {
		return nil, 0
	}
	made := make([]T, count)
	GetElements(c, address, made, size, get)
	if isOwned {
		if capacity := c.load64(at + 16); capacity*size != 0 {
			c.in.module.Xrustgo_free(int64(address), int64(capacity*size), int64(align))
		}
	}
	return unsafe.Pointer(unsafe.SliceData(made)), uint(count)
}
