//go:build amd64 || arm64

package rt

import "unsafe"

// Area is memory that a parameter of an export refers to. The functions WithSlice to WithSpare append areas to a list, and skip empty memory.
type Area struct {
	at      unsafe.Pointer
	size    uintptr
	written bool // Rust writes to it
}

// WithSlice adds the elements of a slice.
func WithSlice[T any](areas []Area, slice []T, written bool) []Area {
	var element T
	return with(areas, unsafe.Pointer(unsafe.SliceData(slice)), uintptr(len(slice))*unsafe.Sizeof(element), written)
}

// WithSlices adds the elements of slices that Rust reads, and the slices' headers.
func WithSlices[T any](areas []Area, slices [][]T) []Area {
	areas = WithSlice(areas, slices, false)
	for _, slice := range slices {
		areas = WithSlice(areas, slice, false)
	}
	return areas
}

// WithText adds the bytes of a string.
func WithText(areas []Area, text string) []Area {
	return with(areas, unsafe.Pointer(unsafe.StringData(text)), uintptr(len(text)), false)
}

// WithTexts adds the bytes of strings that Rust reads, and the strings' headers.
func WithTexts(areas []Area, texts []string) []Area {
	areas = WithSlice(areas, texts, false)
	for _, text := range texts {
		areas = WithText(areas, text)
	}
	return areas
}

// WithValue adds the value that a pointer points to, if it is not nil.
func WithValue[T any](areas []Area, value *T, written bool) []Area {
	if value == nil {
		return areas
	}
	return with(areas, unsafe.Pointer(value), unsafe.Sizeof(*value), written)
}

// WithSpare adds the spare capacity of a slice to which Rust appends.
func WithSpare[T any](areas []Area, slice []T) []Area {
	return WithSlice(areas, slice[len(slice):cap(slice)], true)
}

func with(areas []Area, at unsafe.Pointer, size uintptr, written bool) []Area {
	if size == 0 {
		return areas
	}
	return append(areas, Area{at, size, written})
}

// Overlap reports whether two areas have a byte in common and Rust writes to at least one of them. Rust refuses such parameters.
func Overlap(areas []Area) bool {
	// Few areas are written, but a parameter with texts or slices adds an area for each of them.
	for i, a := range areas {
		if !a.written {
			continue
		}
		for j, b := range areas {
			// If b begins within a, the difference of the addresses is less than a.size. If b begins before a, the difference is negative, which is a
			// very large unsigned number.
			if i != j && (uintptr(b.at)-uintptr(a.at) < a.size || uintptr(a.at)-uintptr(b.at) < b.size) {
				return true
			}
		}
	}
	return false
}
