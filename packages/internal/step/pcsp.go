package step

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
)

// pcLineTable is the section .gopclntab since Go 1.20 (pcHeader, functab and _func in runtime/symtab.go and runtime2.go):
//
//	pcHeader  magic u32, 0 u16, instruction size u8, pointer size u8, then words: number of functions, of files, start of
//	          text or 0, and the offsets of names, compilation units, files, pctab, functab
//	functab   entry u32 from the start of text, offset of the _func u32 from functab; once for each function, by address
//	_func     u32 each: entry, name, args, deferreturn, offset of the SP table in pctab, …
//
// debug/gosym reads names and lines of it, but not SP tables.
type pcLineTable struct {
	functab, pctab []byte
	functions      int
	textStart      uint64
}

const pcHeaderMagic, pcHeaderSize = 0xfffffff1, 72

func newPCLineTable(data []byte, textStart uint64) (*pcLineTable, error) {
	if len(data) < pcHeaderSize {
		return nil, errors.New("pclntab is too short")
	}
	if magic := binary.LittleEndian.Uint32(data); magic != pcHeaderMagic {
		return nil, fmt.Errorf("pclntab has an unknown format, magic %#x", magic)
	}
	if data[6] != instructionSize || data[7] != 8 {
		return nil, errors.New("pclntab is not that of arm64")
	}
	word := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
	pctab, functab := word(56), word(64)
	if textStart == 0 || pctab > uint64(len(data)) || functab+8*word(8) > uint64(len(data)) {
		return nil, errors.New("pclntab is cut short, or runtime.text is missing")
	}
	return &pcLineTable{data[functab:], data[pctab:], int(word(8)), textStart}, nil
}

// spDeltas gives the SP delta of each instruction of the function that begins at entry.
func (t *pcLineTable) spDeltas(entry, end uint64) ([]int32, error) {
	field := func(at uint32) uint32 { return binary.LittleEndian.Uint32(t.functab[at:]) }
	i := sort.Search(t.functions, func(i int) bool { return t.textStart+uint64(field(uint32(8*i))) >= entry })
	if i == t.functions || t.textStart+uint64(field(uint32(8*i))) != entry {
		return nil, errors.New("not in pclntab")
	}
	const pcspInFunc = 16
	offset := field(field(uint32(8*i+4)) + pcspInFunc)
	if offset == 0 {
		return nil, errors.New("no SP table")
	}
	return decodeDeltas(t.pctab[offset:], int(end-entry)/instructionSize)
}

// decodeDeltas reads a table as runtime.pcvalue does: pairs of a value's change (zigzag) and the number of instructions it holds for,
// both as varints. The value begins at -1; a change of 0 ends the table, except in the first pair.
func decodeDeltas(table []byte, instructions int) ([]int32, error) {
	deltas := make([]int32, 0, instructions)
	value := int32(-1)
	for first := true; len(deltas) < instructions; first = false {
		change, n := binary.Uvarint(table)
		if n <= 0 || change == 0 && !first {
			return nil, fmt.Errorf("the SP table ends after %d of %d instructions", len(deltas), instructions)
		}
		length, m := binary.Uvarint(table[n:])
		if m <= 0 {
			return nil, errors.New("the SP table ends in a pair")
		}
		table = table[n+m:]
		value += int32(-(change & 1) ^ change>>1)
		for ; length > 0 && len(deltas) < instructions; length-- {
			deltas = append(deltas, value)
		}
	}
	return deltas, nil
}
