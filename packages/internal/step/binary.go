package step

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// instructionSize is the size of every instruction of arm64, and the unit of code addresses in Go's tables.
const instructionSize = 4

// Function is one TEXT symbol that rustgo wrote.
type Function struct {
	Name       string // as in the ELF symbol table
	Entry, End uint64
	Export     bool
	followed   bool    // a walk begins here: at exports, and at the formatter of panic messages, which runs on a stack of rt's
	deltas     []int32 // what Go's SP table says, for each instruction: SP at entry minus SP
}

// Contains says whether the address lies in the function.
func (f *Function) Contains(pc uint64) bool { return f.Entry <= pc && pc < f.End }

// Delta is what Go's unwinder adds to SP at the instruction to find SP at entry of the function.
func (f *Function) Delta(pc uint64) int32 { return f.deltas[(pc-f.Entry)/instructionSize] }

func (f *Function) at(pc uint64) string { return fmt.Sprintf("%s+%d", f.Name, pc-f.Entry) }

// Binary is what is read of a linux/arm64 executable: generated functions with their SP tables, and code.
type Binary struct {
	Path      string
	Functions []*Function // sorted by address
	symbols   map[string]elf.Symbol
	text      []byte
	textStart uint64
}

// Open reads an executable that links the package with that import path and that generated assembly.
func Open(path, importPath, assembly string) (*Binary, error) {
	names, err := textSymbols(assembly, importPath)
	if err != nil {
		return nil, err
	}
	file, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return nil, err
	}
	text, table := file.Section(".text"), file.Section(".gopclntab")
	if text == nil || table == nil {
		return nil, errors.New("no section .text or .gopclntab")
	}
	b := &Binary{Path: path, symbols: map[string]elf.Symbol{}, textStart: text.Addr}
	if b.text, err = text.Data(); err != nil {
		return nil, err
	}
	data, err := table.Data()
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		b.symbols[s.Name] = s
		if export, generated := names[s.Name]; generated && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			followed := export || s.Name == "rust.rustgo_format_panic"
			b.Functions = append(b.Functions, &Function{Name: s.Name, Entry: s.Value, End: s.Value + s.Size, Export: export, followed: followed})
		}
	}
	slices.SortFunc(b.Functions, func(f, g *Function) int { return int(int64(f.Entry - g.Entry)) })
	tables, err := newPCLineTable(data, b.symbols["runtime.text"].Value)
	if err != nil {
		return nil, err
	}
	for _, f := range b.Functions {
		if f.deltas, err = tables.spDeltas(f.Entry, f.End); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return b, nil
}

// textSymbols gives the linker's names of the functions in an assembly file, and whether each is exported.
func textSymbols(assembly, importPath string) (map[string]bool, error) {
	source, err := os.ReadFile(assembly)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^TEXT (\S+?)(<>)?\(SB\)`).FindAllStringSubmatch(string(source), -1) {
		name := strings.NewReplacer("·", ".", "∕", "/").Replace(m[1])
		switch inPackage, isExport := strings.HasPrefix(name, "."), m[2] == ""; {
		case inPackage && isExport:
			names[importPath+name+".abi0"] = true // without the suffix it is Go's wrapper
		case inPackage: // an entry of one level
			names[importPath+name] = false
		default:
			names[name] = false
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no TEXT", assembly)
	}
	return names, nil
}

// Function finds the generated function that holds the address, or nil.
func (b *Binary) Function(pc uint64) *Function {
	i := sort.Search(len(b.Functions), func(i int) bool { return pc < b.Functions[i].End })
	if i < len(b.Functions) && b.Functions[i].Contains(pc) {
		return b.Functions[i]
	}
	return nil
}

func (b *Binary) instruction(pc uint64) uint32 {
	return binary.LittleEndian.Uint32(b.text[pc-b.textStart:])
}

// isCall knows BL and BLR, isReturn RET (Arm ARM, C4.1.65). Signed forms are not in armv8-a.
func isCall(op uint32) bool   { return op&0xfc000000 == 0x94000000 || op&0xfffffc1f == 0xd63f0000 }
func isReturn(op uint32) bool { return op&0xfffffc1f == 0xd65f0000 }
