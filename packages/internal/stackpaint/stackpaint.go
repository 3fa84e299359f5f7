//go:build amd64

// Package stackpaint measures how much stack the exported functions of the packages use: it fills the stack with a pattern,
// calls, and looks for the lowest byte that has changed.
package stackpaint

import (
	"slices"
	"unsafe"

	_ "rustgo.dev/packages/blake3"
	_ "rustgo.dev/packages/callcost"
	_ "rustgo.dev/packages/edwards25519"
	_ "rustgo.dev/packages/float"
	_ "rustgo.dev/packages/strsearch"
	_ "rustgo.dev/packages/x25519"
)

// Size is how much stack is painted, in bytes: no function may need more.
const Size = 256 << 10

// Words is the argument and result area of a call, as ABI0 has it. What it points to must lie on the heap or be static:
// nothing adjusts it if the stack moves.
type Words [16]uint64

// Depth calls the export with a copy of words, and stores in words what it leaves there. It returns how many bytes below
// its return address the function has written, up to Size; that is less than it needed, if it did not write all it had reserved.
func Depth(export string, words *Words) int {
	i := slices.Index(names[:], export)
	if i < 0 {
		panic("stackpaint: no export " + export)
	}
	pc := entry(i)
	// Nothing runs on this stack between the painting and the look at it but the function, and handlers of signals have
	// a stack of their own.
	return depth(pc, words)
}

// Word is a pointer as a word of Words. The caller keeps alive what it points to.
func Word[T any](p *T) uint64 { return uint64(uintptr(unsafe.Pointer(p))) }

// names are functions of the packages, in the order of the table that entry reads: their names in Go behind the package's. Methods,
// constructors and blocking exports are not among them.
var names = [...]string{
	"blake3.DeriveKey",
	"blake3.KeyedSum256",
	"blake3.Sum256",
	"blake3.XOF",
	"callcost.AddLevel",
	"callcost.At",
	"callcost.CopyBytes",
	"callcost.Divmod",
	"callcost.FramedIncrement",
	"callcost.Increment",
	"callcost.Nothing",
	"callcost.Spin",
	"callcost.Sum",
	"edwards25519.DoubleScalarBaseMult",
	"edwards25519.ScalarBaseMult",
	"edwards25519.X25519",
	"float.Format",
	"float.Format32",
	"float.Parse",
	"float.Parse32",
	"strsearch.Count",
	"strsearch.Index",
	"strsearch.IndexByte",
	"strsearch.IndexByte3",
	"strsearch.LastIndex",
	"strsearch.LastIndexByte",
	"x25519.Exchange",
	"x25519.ExchangeBase",
}

// entry returns the address of the function of that index, as assembly calls it.
func entry(i int) uintptr

// depth paints, calls the function at pc with a copy of words, and looks for the lowest byte that has changed.
func depth(pc uintptr, words *Words) int
