// Package plain calls C functions of any type by cgo, for the platforms for which fastcgo has no assembly. On linux/amd64 and
// linux/arm64 it is there for its test.
package plain

// Call is a call of a C function. Its layout is that of call in plain.c. It has no pointers, so that cgo need not look at it.
//
// The kinds are those of the result and behind it of the arguments: i for an integer of up to 32 bits and for no result, l for one of 64
// bits, f for a float and d for a double.
type Call struct {
	Args   [20]uint64 // integers extended to 64 bits as their type wants it, floats as their bits
	Result uint64     // only as many bits count as its type has
	Fn     uint64
	Count  uint64
	Kinds  [24]byte
}

// Add adds an argument.
func (c *Call) Add(kind byte, value uint64) {
	c.Args[c.Count] = value
	c.Count++
	c.Kinds[c.Count] = kind
}
