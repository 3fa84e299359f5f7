// Package object reads the object files of Go's assembler.
//
// The format is the format of cmd/internal/goobj since Go 1.20. This package is an independent reader: it uses neither Go's own reader nor rustgo's.
// An index that points outside of the file, an unknown kind of symbol and an unknown relocation are errors.
package object

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Kind is the kind of memory in which a symbol lies.
type Kind uint8

// The kinds of symbols that packages by rustgo define.
const (
	Undefined Kind = iota
	Text
	ReadOnly
	Writable
	Other
)

// RelocKind is the kind of a relocation: which address the linker stores, and in which form.
type RelocKind uint8

// The relocations that packages by rustgo contain.
const (
	Addr        RelocKind = iota // the absolute address, 4 or 8 bytes
	PCRel                        // the distance from the end of the field, amd64
	Call                         // the distance of a call or jump
	ThreadLocal                  // the offset of g in thread-local storage
	PageAddr                     // the immediates of adrp and of the instruction after it, arm64
	Marker                       // no bytes
)

// Symbol is a definition, or the name of a symbol of another file.
type Symbol struct {
	Name   string
	Kind   Kind
	Local  bool // visible in its file only
	Size   int
	Align  int
	Data   []byte // may be shorter than Size: then zeros follow
	Relocs []Reloc
	// Depths is the assembler's table of SP: by code offset, the number of bytes by which SP is below its value at the function's start.
	Depths []Depth
	Args   int // the size of the arguments and results of a function in bytes; negative if it is not known
}

// Depth is a row of a function's table of SP. In code from the End of the previous row up to this End, SP is Bytes below its value at the function's
// start.
type Depth struct{ End, Bytes int }

// Reloc is a place in a symbol's data that the linker completes.
type Reloc struct {
	Off, Size int
	Kind      RelocKind
	Add       int64
	Sym       int // an index of File.Symbols
}

// File is an object file.
type File struct {
	Arch    string // GOARCH
	Symbols []*Symbol
}

// These constants belong to the format: the sizes of records, the numbers of blocks and of pseudo packages, and the numbers of two kinds of auxiliary
// symbols, function information and tables of SP.
const (
	magic                                                         = "\x00go120ld"
	blocks, symSize, relocSize, auxSize, nameSize                 = 19, 21, 23, 9, 16
	auxInfo, auxDepths                                            = 1, 7
	pkgNone, pkgHash64, pkgHash, pkgBuiltin, pkgSelf              = 1<<31 - 1, 1<<31 - 2, 1<<31 - 3, 1<<31 - 4, 1<<31 - 5
	blkSymdef, blkHash64, blkHash, blkNonpkg, blkNonref           = 3, 4, 5, 6, 7
	blkRelocIdx, blkAuxIdx, blkDataIdx, blkReloc, blkAux, blkData = 11, 12, 13, 14, 15, 16
	blkRefName, blkEnd                                            = 17, 18
)

// Assembled returns the objects that the assembler made, by file name, from the archive of a package.
func Assembled(archive []byte) (map[string][]byte, error) {
	const start = "!<arch>\n"
	if !bytes.HasPrefix(archive, []byte(start)) {
		return nil, errors.New("not an archive")
	}
	files := map[string][]byte{}
	for rest := archive[len(start):]; len(rest) > 0; {
		if len(rest) < 60 {
			return nil, errors.New("the archive is truncated")
		}
		name := strings.TrimRight(string(rest[:16]), " /")
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || size < 0 || 60+size > len(rest) {
			return nil, errors.New("the archive is truncated")
		}
		if name != "__.PKGDEF" && name != "_go_.o" {
			if files[name] != nil {
				return nil, fmt.Errorf("the archive has two files %s", name)
			}
			files[name] = rest[60 : 60+size]
		}
		rest = rest[min(60+size+size&1, len(rest)):]
	}
	return files, nil
}

// reader returns parts of the file. A read outside of the file returns zeros. The first such read sets the reader's error.
type reader struct {
	data []byte
	off  [blocks]int
	err  error
}

func (r *reader) at(off, size int) []byte {
	if off < 0 || size < 0 || off > len(r.data) || size > len(r.data)-off {
		if r.err == nil {
			r.err = fmt.Errorf("an index of the object file leads outside of the file, to offset %d", off)
		}
		return make([]byte, min(max(size, 0), 1<<16))
	}
	return r.data[off : off+size]
}
func (r *reader) u32(off int) int           { return int(binary.LittleEndian.Uint32(r.at(off, 4))) }
func (r *reader) text(off int) string       { return string(r.at(r.u32(off+4), r.u32(off))) }
func (r *reader) count(block, size int) int { return (r.off[block+1] - r.off[block]) / size }

// Read reads an object file.
func Read(file []byte) (*File, error) {
	head, body, found := bytes.Cut(file, []byte("\n!\n"))
	words := strings.Fields(string(bytes.SplitN(head, []byte("\n"), 2)[0]))
	if !found || len(words) < 5 || words[0] != "go" || words[1] != "object" || !bytes.HasPrefix(body, []byte(magic)) {
		return nil, errors.New("not an object file of Go 1.24 to 1.27")
	}
	f := &File{Arch: words[3]}
	// The assembler refers to this function by its number in cmd/internal/goobj/builtinlist.go.
	morestack, ok := map[string]int{"go1.24": 227, "go1.25": 228, "go1.26": 229, "go1.27": 246}[words[4][:min(6, len(words[4]))]]
	if !ok {
		return nil, fmt.Errorf("an object file of %s; this checker knows Go 1.24 to 1.27", words[4])
	}
	r := &reader{data: body}
	for i := range r.off {
		r.off[i] = r.u32(20 + 4*i)
		if i > 0 && r.off[i] < r.off[i-1] {
			return nil, errors.New("the blocks of the object file overlap")
		}
	}
	if r.off[blkEnd] > len(body) {
		return nil, errors.New("the object file is truncated")
	}
	// Symbol numbers first count the symbols of four blocks, in the order of the blocks, and then the names of symbols of other files.
	first := map[int]int{}
	defined := 0
	for _, block := range []struct{ pkg, block int }{{pkgSelf, blkSymdef}, {pkgHash64, blkHash64}, {pkgHash, blkHash}, {pkgNone, blkNonpkg}, {-1, blkNonref}} {
		first[block.pkg] = len(f.Symbols)
		for i := range r.count(block.block, symSize) {
			s, err := r.symbol(r.off[block.block]+i*symSize, block.block == blkNonref)
			if err != nil {
				return nil, err
			}
			f.Symbols = append(f.Symbols, s)
		}
		if block.block == blkNonpkg {
			defined = len(f.Symbols)
		}
	}
	names := map[[2]int]string{}
	for i := range r.count(blkRefName, nameSize) {
		at := r.off[blkRefName] + i*nameSize
		names[[2]int{r.u32(at), r.u32(at + 4)}] = r.text(at + 8)
	}
	names[[2]int{pkgBuiltin, morestack}] = "runtime.morestack_noctxt"
	foreign := map[[2]int]int{}
	find := func(at int) int {
		pkg, sym := r.u32(at), r.u32(at+4)
		if base, ok := first[pkg]; ok && base+sym < len(f.Symbols) {
			return base + sym
		}
		if pkg == 0 && sym == 0 {
			return -1
		}
		key := [2]int{pkg, sym}
		if _, ok := foreign[key]; !ok {
			foreign[key] = len(f.Symbols)
			f.Symbols = append(f.Symbols, &Symbol{Name: names[key]})
		}
		return foreign[key]
	}
	// span returns the part of a block that belongs to symbol i.
	span := func(index, i, limit int) (from, to int) {
		from, to = r.u32(r.off[index]+4*i), r.u32(r.off[index]+4*i+4)
		if to < from || to > limit {
			r.err, from, to = errors.New("an index of the object file leads outside of its block"), 0, 0
		}
		return from, to
	}
	bytesOf := func(i int) []byte {
		from, to := span(blkDataIdx, i, r.count(blkData, 1))
		return r.at(r.off[blkData]+from, to-from)
	}
	for i, s := range f.Symbols[:defined] {
		s.Data = bytesOf(i)
		from, to := span(blkRelocIdx, i, r.count(blkReloc, relocSize))
		for j := from; j < to && s.Kind != Other; j++ { // symbols of the kind Other are debug information and tables
			at := r.off[blkReloc] + j*relocSize
			kind, err := relocKind(words[4], int(binary.LittleEndian.Uint16(r.at(at+5, 2))))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
			rel := Reloc{Off: r.u32(at), Size: int(r.at(at+4, 1)[0]), Kind: kind, Add: int64(binary.LittleEndian.Uint64(r.at(at+7, 8))), Sym: find(at + 15)}
			if rel.Kind != Marker && (rel.Off+rel.Size > s.Size || rel.Sym < 0 && rel.Kind != ThreadLocal) {
				return nil, fmt.Errorf("%s: a relocation at %d, outside of the symbol", s.Name, rel.Off)
			}
			if rel.Kind != Marker {
				s.Relocs = append(s.Relocs, rel)
			}
		}
		from, to = span(blkAuxIdx, i, r.count(blkAux, auxSize))
		for j := from; j < to; j++ {
			at := r.off[blkAux] + j*auxSize
			table := find(at + 1)
			if table < 0 || table >= defined {
				continue
			}
			switch b := bytesOf(table); r.at(at, 1)[0] {
			case auxDepths:
				s.Depths = depths(b, map[string]int{"amd64": 1, "arm64": 4}[f.Arch])
			case auxInfo: // begins with the size of the arguments: cmd/internal/goobj/funcinfo.go
				if len(b) >= 4 {
					s.Args = int(int32(binary.LittleEndian.Uint32(b)))
				}
			}
		}
	}
	return f, r.err
}

func (r *reader) symbol(at int, reference bool) (*Symbol, error) {
	s := &Symbol{Name: r.text(at), Size: r.u32(at + 13), Align: r.u32(at + 17)}
	b := r.at(at, symSize)
	s.Local = binary.LittleEndian.Uint16(b[8:]) == 1<<16-1
	if reference {
		return s, nil
	}
	// cmd/internal/objabi/symkind.go, the same from Go 1.24 to 1.27.
	switch kind := b[10]; kind {
	case 1, 2:
		s.Kind = Text
	case 3, 4:
		s.Kind = ReadOnly
	case 5, 6, 10:
		s.Kind = Writable
	case 7, 8, 9:
		// Tables of functions have this kind and no name.
		s.Kind = Other
		if s.Name != "" {
			return nil, fmt.Errorf("%s: data with pointers, which the collector scans", s.Name)
		}
	default:
		s.Kind = Other
	}
	return s, nil
}

// relocKind converts a number of cmd/internal/objabi/reloctype.go.
func relocKind(version string, number int) (RelocKind, error) {
	kinds := map[int]RelocKind{1: Addr, 7: Call, 9: Call, 10: Marker, 21: Marker, 27: Marker, 14: PCRel, 15: ThreadLocal}
	if kind, ok := kinds[number]; ok {
		return kind, nil
	}
	first := 36 // R_ARM64_PCREL, and then loads and stores of 1 to 8 bytes
	if strings.HasPrefix(version, "go1.24") {
		first = 37
	}
	if number == 3 || number >= first && number <= first+4 {
		return PageAddr, nil
	}
	return Marker, fmt.Errorf("a relocation of the unknown kind %d", number)
}

// depths decodes a function's table of SP. Each row consists of two varints: the change of Depth.Bytes since the previous row (zigzag; the first
// change is from -1), and the length of the row's code in multiples of unit bytes.
func depths(table []byte, unit int) []Depth {
	var rows []Depth
	value, at := -1, 0
	for len(table) > 0 {
		change, n := binary.Uvarint(table)
		if n <= 0 || change == 0 && len(rows) > 0 {
			break
		}
		length, m := binary.Uvarint(table[n:])
		if m <= 0 {
			break
		}
		value += int(int64(change>>1) ^ -int64(change&1))
		at += int(length) * unit
		rows = append(rows, Depth{at, value})
		table = table[n+m:]
	}
	return rows
}
