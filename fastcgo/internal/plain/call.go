// Package plain calls C functions of any type by cgo, on platforms for which fastcgo has no assembly. On linux/amd64 and linux/arm64 it is built only
// for its test.
package plain

// Call is a call of a C function. Its layout equals the layout of the struct call in plain.c. Call contains no pointers, so cgo's pointer checks
// skip it.
//
// The first element of Kinds describes the result, and the next elements describe the arguments: i for an integer of up to 32 bits or no result, l
// for an integer of 64 bits, f for a float and d for a double.
type Call struct {
	Args   [20]uint64 // integers are extended to 64 bits as their type requires, floats are stored as their bits
	Result uint64     // valid only in the bits of its type
	Fn     uint64
	Count  uint64
	Kinds  [24]byte

	ErrnoFunc uint64 // 0 or the address of a C function that returns the address of errno
	Errno     uint64 // errno after the call, which sets it to zero before; on windows the result of GetLastError if ErrnoFunc is 0
}

// Add appends an argument. kind is its letter in Kinds.
func (c *Call) Add(kind byte, value uint64) {
	c.Args[c.Count] = value
	c.Count++
	c.Kinds[c.Count] = kind
}
