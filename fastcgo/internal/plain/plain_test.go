//go:build cgo && !((darwin || windows) && (amd64 || arm64))

package plain

import (
	"fmt"
	"runtime"
	"testing"
	"unsafe"

	"rustgo.dev/fastcgo/internal/ccall"
)

// size returns the number of bytes of a type of ccall.Shapes.
func size(letter byte) int {
	return map[byte]int{'b': 1, 'c': 1, 'C': 1, 's': 2, 'S': 2, 'i': 4, 'I': 4, 'l': 8, 'L': 8, 'p': int(unsafe.Sizeof(uintptr(0))), 'f': 4, 'd': 8}[letter]
}

// kind returns the letter that a Call uses for a type of ccall.Shapes.
func kind(letter byte) byte {
	switch {
	case letter == 'f' || letter == 'd':
		return letter
	case size(letter) == 8:
		return 'l'
	}
	return 'i'
}

// extended returns the value v extended to 64 bits, as a type of ccall.Shapes requires.
func extended(letter byte, v uint64) uint64 {
	switch letter {
	case 'b':
		return v & 1
	case 'c':
		return uint64(int8(v))
	case 's':
		return uint64(int16(v))
	case 'i':
		return uint64(int32(v))
	}
	return v & (1<<(8*size(letter)) - 1)
}

// memory returns the value of a type stored in the first bytes at p.
func memory(letter byte, p *uint64) uint64 {
	switch size(letter) {
	case 1:
		return uint64(*(*uint8)(unsafe.Pointer(p)))
	case 2:
		return uint64(*(*uint16)(unsafe.Pointer(p)))
	case 4:
		return uint64(*(*uint32)(unsafe.Pointer(p)))
	}
	return *p
}

// The test compares the places of arguments in package plain with the places that the C compiler uses, for a hundred types of functions.
func TestAgainstCCompiler(t *testing.T) {
	if !Known() {
		t.Fatal("plain.c does not support the calling convention")
	}
	for _, shape := range ccall.Shapes() {
		for round := range uint64(4) {
			c := Call{Fn: uint64(uintptr(shape.Fn))}
			c.Kinds[0] = kind(shape.Type[0])
			// The values are numbers of all kinds: small, negative, quiet NaNs and signalling NaNs.
			value := func(i int) uint64 {
				bits := (uint64(i)*4 + round + 1) * 0x9e3779b97f4a7c15
				switch {
				case round == 1:
					return ^uint64(i)
				case round == 2 && runtime.GOARCH == "386" && kind(shape.Type[i]) != 'i' && kind(shape.Type[i]) != 'l':
					return 0x7ff800007fc00001 // on 386 C makes signalling NaNs quiet when it loads them
				case round == 2 && shape.Type[i] == 'f':
					return 0x7fa00001 + uint64(i) // signalling NaN
				case round == 2 && shape.Type[i] == 'd':
					return 0x7ff4000000000001 + uint64(i)
				}
				return bits
			}
			for i := 2; i < len(shape.Type); i++ {
				c.Add(kind(shape.Type[i]), extended(shape.Type[i], value(i)))
				ccall.ShapeArgs[i-2] = 0x5555555555555555
			}
			result := shape.Type[0]
			want := value(0)
			if round == 2 && (result == 'f' || result == 'd') {
				want = 0x3ff8000000000001 // on 386 C converts the result, which changes the NaN
			}
			want = extended(result, want)
			*ccall.ShapeResult = toMemory(result, want)
			c.Make()
			for i := 2; i < len(shape.Type); i++ {
				letter := shape.Type[i]
				mask := uint64(1)<<(8*size(letter)) - 1
				if got, want := memory(letter, &ccall.ShapeArgs[i-2]), extended(letter, value(i))&mask; got != want {
					t.Errorf("%s: argument %d is %#x, want %#x", shape.Type, i-1, got, want)
				}
				if got, want := ccall.ShapeWide[i-2], extended(letter, value(i)); got != want && letter != 'f' && letter != 'd' {
					t.Errorf("%s: argument %d is extended to %#x, want %#x", shape.Type, i-1, got, want)
				}
			}
			mask := uint64(1)<<(8*size(result)) - 1
			if result == 'b' {
				mask = 1
			}
			if got := c.Result & mask; got != want&mask && !nan(result, want) {
				t.Errorf("%s: the result is %#x, want %#x", shape.Type, got, want&mask)
			}
		}
	}
}

// toMemory returns a word whose first bytes hold a value of a type.
func toMemory(letter byte, v uint64) (word uint64) {
	switch size(letter) {
	case 1:
		*(*uint8)(unsafe.Pointer(&word)) = uint8(v)
	case 2:
		*(*uint16)(unsafe.Pointer(&word)) = uint16(v)
	case 4:
		*(*uint32)(unsafe.Pointer(&word)) = uint32(v)
	default:
		word = v
	}
	return word
}

// nan reports whether the bits are a NaN.
func nan(letter byte, bits uint64) bool {
	return letter == 'f' && bits&0x7f800000 == 0x7f800000 || letter == 'd' && bits&0x7ff0000000000000 == 0x7ff0000000000000
}

func TestAdd(t *testing.T) {
	var c Call
	c.Add('f', 1)
	c.Add('i', 2)
	if got := fmt.Sprintf("%d %s %d", c.Count, c.Kinds[1:3], c.Args[:2]); got != "2 fi [1 2]" {
		t.Error(got)
	}
}
