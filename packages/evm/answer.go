package evm

import "encoding/binary"

// answer is a result of the Rust code that has lists in lists. rust/src/answer.rs describes its form.
type answer []byte

// number removes and returns a number.
func (a *answer) number() int {
	n := binary.LittleEndian.Uint32(*a)
	*a = (*a)[4:]
	return int(n)
}

// bytes removes and returns bytes.
func (a *answer) bytes() []byte {
	n := a.number()
	taken := (*a)[:n:n]
	*a = (*a)[n:]
	return taken
}

func (a *answer) text() string { return string(a.bytes()) }

func (a *answer) selector() Selector { return Selector(a.bytes()) }

// list removes and returns a list, with a function for an element. The list is nil if it is empty.
func list[T any](a *answer, element func(*answer) T) []T {
	n := a.number()
	if n == 0 {
		return nil
	}
	elements := make([]T, n)
	for i := range elements {
		elements[i] = element(a)
	}
	return elements
}
