package analysis

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"sort"
	"strings"
	"testing"

	"rustgo.dev/check/internal/insn"
	"rustgo.dev/check/internal/object"
)

// load returns the object file of a package of ../packages.
func load(t *testing.T, name, arch string) *object.File {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-f", "{{.Export}}", "./"+name)
	cmd.Dir = "../../../packages"
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	archive, err := os.ReadFile(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	files, err := object.Assembled(archive)
	if err != nil {
		t.Fatal(err)
	}
	f, err := object.Read(files["rustgo_"+arch+".o"])
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// copyOf copies a file, so that a mutation leaves the original alone.
func copyOf(f *object.File) *object.File {
	c := &object.File{Arch: f.Arch}
	for _, s := range f.Symbols {
		d := *s
		c.Symbols = append(c.Symbols, &d)
	}
	return c
}

// site is an instruction that some path reaches.
type site struct {
	sym int
	in  insn.Insn
	sp  int64 // number of bytes by which SP is below its value on entry
	fn  *function
}

// sites lists the reached instructions of a confirmed file.
func sites(p *Program) []site {
	var list []site
	for _, f := range p.order {
		for at, m := range f.marks {
			if m != started {
				continue
			}
			in, err := p.mach.decode(f.sym.Data, at, nil)
			if err != nil {
				panic(err)
			}
			w := walk{function: f}
			list = append(list, site{sym: f.index, in: in, sp: w.depthAt(at), fn: f})
		}
	}
	return list
}

// mutation makes mutants of a file. make returns nil if the mutation is not possible at the site.
type mutation struct {
	name string
	arch string // empty: both
	make func(f *object.File, p *Program, s site, r *rand.Rand) *object.File
}

// bytesAt returns a copy with other bytes at an offset of a symbol.
func bytesAt(f *object.File, sym, at int, b ...byte) *object.File {
	c := copyOf(f)
	d := slices.Clone(c.Symbols[sym].Data)
	copy(d[at:], b)
	c.Symbols[sym].Data = d
	return c
}

// replace writes an instruction over reached instructions without relocations, and fills the remaining bytes with instructions that do nothing.
func replace(f *object.File, p *Program, s site, b ...byte) *object.File {
	end := s.in.Off
	for end < s.in.Off+len(b) {
		if end >= len(s.fn.marks) || s.fn.marks[end] != started || s.fn.reloc(end, end+1) != nil {
			return nil
		}
		in, err := p.mach.decode(s.fn.sym.Data, end, nil)
		if err != nil || s.fn.reloc(end, end+in.Len) != nil || s.fn.reloc(end-4, end) != nil {
			return nil
		}
		end += in.Len
	}
	fill := slices.Clone(b)
	for len(fill) < end-s.in.Off {
		fill = append(fill, 0x90)
	}
	if bytes.Equal(fill, s.fn.sym.Data[s.in.Off:end]) {
		return nil
	}
	return bytesAt(f, s.sym, s.in.Off, fill...)
}

func word(w uint32) []byte { return binary.LittleEndian.AppendUint32(nil, w) }

// relocation returns a copy of f whose first relocation at the site was modified by the function change, or nil if there is no relocation or change
// returns false.
func relocation(f *object.File, s site, change func(c *object.File, r *object.Reloc) bool) *object.File {
	for i, r := range s.fn.sym.Relocs {
		if r.Off >= s.in.Off && r.Off < s.in.Off+s.in.Len {
			c := copyOf(f)
			sym := c.Symbols[s.sym]
			sym.Relocs = slices.Clone(sym.Relocs)
			if !change(c, &sym.Relocs[i]) {
				return nil
			}
			return c
		}
	}
	return nil
}

func always(name, arch string, b ...byte) mutation {
	return mutation{name, arch, func(f *object.File, p *Program, s site, _ *rand.Rand) *object.File { return replace(f, p, s, b...) }}
}

// inFrame restricts a mutation to sites where SP is below its value on entry.
func inFrame(m mutation) mutation {
	inner := m.make
	m.make = func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		if s.sp <= 0 {
			return nil
		}
		return inner(f, p, s, r)
	}
	return m
}

func foreign(c *object.File, name string) int {
	c.Symbols = append(c.Symbols, &object.Symbol{Name: name})
	return len(c.Symbols) - 1
}

func anyOf(c *object.File, kind object.Kind, size int) int {
	for i, s := range c.Symbols {
		if s.Kind == kind && s.Size >= size {
			return i
		}
	}
	return -1
}

var mutations = []mutation{
	always("syscall", "amd64", 0x0F, 0x05),
	always("sysenter", "amd64", 0x0F, 0x34),
	always("int 0x80", "amd64", 0xCD, 0x80),
	always("in", "amd64", 0xEC),
	always("out", "amd64", 0xEE),
	always("hlt", "amd64", 0xF4),
	always("cli", "amd64", 0xFA),
	always("std", "amd64", 0xFD),
	always("rdmsr", "amd64", 0x0F, 0x32),
	always("wrmsr", "amd64", 0x0F, 0x30),
	always("wrfsbase", "amd64", 0xF3, 0x48, 0x0F, 0xAE, 0xD0),
	always("ldmxcsr", "amd64", 0x0F, 0xAE, 0x10),
	always("mov cr0", "amd64", 0x0F, 0x22, 0xC0),
	always("lgdt", "amd64", 0x0F, 0x01, 0x10),
	always("xbegin", "amd64", 0xC7, 0xF8, 0, 0, 0, 0),
	always("mov gs:", "amd64", 0x65, 0x48, 0x8B, 0x00),
	always("mov fs:", "amd64", 0x64, 0x48, 0x8B, 0x04, 0x25, 0x10, 0, 0, 0),
	always("store to an absolute address", "amd64", 0x89, 0x04, 0x25, 0, 0x10, 0x40, 0),
	always("store to code", "amd64", 0x89, 0x05, 0, 0, 0, 0),
	always("mov rsp, rax", "amd64", 0x48, 0x89, 0xC4),
	always("and rsp, -32", "amd64", 0x48, 0x83, 0xE4, 0xE0),
	always("add rsp, 8", "amd64", 0x48, 0x83, 0xC4, 0x08),
	always("push rax", "amd64", 0x50),
	always("pop rsp", "amd64", 0x5C),
	always("enter", "amd64", 0xC8, 8, 0, 0),
	always("popfq", "amd64", 0x9D),
	always("call without a relocation", "amd64", 0xE8, 0, 0, 0, 0),
	always("far return", "amd64", 0xCB),
	always("iretq", "amd64", 0x48, 0xCF),
	always("EVEX with a reserved bit", "amd64", 0x62, 0xF9, 0x7C, 0x48, 0x58, 0xC0),
	always("XOP", "amd64", 0x8F, 0xE8, 0x78, 0xC0, 0xC0, 0x01),
	inFrame(always("ret in a frame", "amd64", 0xC3)),
	inFrame(mutation{"overwritten return address", "amd64", func(f *object.File, p *Program, s site, _ *rand.Rand) *object.File {
		return replace(f, p, s, append([]byte{0x48, 0x89, 0x84, 0x24}, word(uint32(s.sp))...)...)
	}}),

	always("svc", "arm64", word(0xD4000001)...),
	always("hvc", "arm64", word(0xD4000002)...),
	always("smc", "arm64", word(0xD4000003)...),
	always("hlt", "arm64", word(0xD4400000)...),
	always("eret", "arm64", word(0xD69F03E0)...),
	always("msr tpidr_el0", "arm64", word(0xD51BD040)...),
	always("mrs tpidr_el0", "arm64", word(0xD53BD040)...),
	always("msr daifset", "arm64", word(0xD50342DF)...),
	always("msr ttbr0_el1", "arm64", word(0xD5182000)...),
	always("ic ialluis", "arm64", word(0xD508711F)...),
	always("msr fpcr", "arm64", word(0xD51B4400)...),
	always("paciasp", "arm64", word(0xD503233F)...),
	always("sve", "arm64", word(0x04200000)...),
	always("unallocated", "arm64", word(0xFFFFFFFF)...),
	always("mov x28, x0", "arm64", word(0xAA0003FC)...),
	always("ldr x28, [x0]", "arm64", word(0xF940001C)...),
	always("mov x18, x0", "arm64", word(0xAA0003F2)...),
	always("str x0, [x28]", "arm64", word(0xF9000380)...),
	always("str x0, [x28, 16]", "arm64", word(0xF9000B80)...),
	always("ldr x0, [x28, 48]", "arm64", word(0xF9401B80)...),
	always("mov sp, x0", "arm64", word(0x9100001F)...),
	always("sub sp, sp, 16", "arm64", word(0xD10043FF)...),
	always("add sp, sp, 16", "arm64", word(0x910043FF)...),
	always("and sp, x0, -32", "arm64", word(0x927BE81F)...),
	always("adrp", "arm64", word(0x90000000)...),
	always("bl without a relocation", "arm64", word(0x94000001)...),
	inFrame(always("ret in a frame", "arm64", word(0xD65F03C0)...)),
	inFrame(always("overwritten return address", "arm64", word(0xF90003E0)...)),
	{"b out of the function", "arm64", func(f *object.File, p *Program, s site, _ *rand.Rand) *object.File {
		return replace(f, p, s, word(0x14000000|uint32(len(s.fn.sym.Data)/4+8))...)
	}},

	{"jump displaced", "amd64", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		if s.in.Flow != insn.Jump && s.in.Flow != insn.Branch || s.fn.reloc(s.in.Off, s.in.Off+s.in.Len) != nil {
			return nil
		}
		to := s.in.Target
		if to+1 >= len(s.fn.marks) || s.fn.marks[to+1] != inside {
			return nil
		}
		size := 1
		if s.in.Len > 4 {
			size = 4
		}
		at := s.in.Off + s.in.Len - size
		if s.fn.sym.Data[at] == 0x7F && size == 1 || s.fn.sym.Data[at] == 0xFF {
			return nil
		}
		return bytesAt(f, s.sym, at, s.fn.sym.Data[at]+1)
	}},
	{"call or jump to the middle of a function", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		return relocation(f, s, func(c *object.File, r *object.Reloc) bool {
			r.Add += int64(p.mach.step)
			return r.Kind == object.Call && p.functions[r.Sym] != nil
		})
	}},
	{"call of a dead prologue", "amd64", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		return relocation(f, s, func(c *object.File, r *object.Reloc) bool {
			old := r.Add
			r.Add = 0
			return r.Kind == object.Call && old >= 32 && r.Sym != s.sym
		})
	}},
	{"call of the runtime", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		return relocation(f, s, func(c *object.File, r *object.Reloc) bool {
			r.Sym = foreign(c, "runtime.gogo")
			r.Add = 0
			return r.Kind == object.Call
		})
	}},
	{"call of a function of rt that is not allowed", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		return relocation(f, s, func(c *object.File, r *object.Reloc) bool {
			r.Sym = foreign(c, "rustgo.dev/go/rt.systemCall")
			r.Add = 0
			return r.Kind == object.Call
		})
	}},
	{"address of a symbol of another package", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		return relocation(f, s, func(c *object.File, r *object.Reloc) bool {
			r.Sym = foreign(c, "runtime.allgs")
			return r.Kind == object.PCRel || r.Kind == object.PageAddr
		})
	}},
	{"relocation at another place of the instruction", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		return relocation(f, s, func(c *object.File, r *object.Reloc) bool {
			r.Off -= p.mach.step
			return r.Off >= 0
		})
	}},
	{"relocation at a conditional jump", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		if s.in.Flow != insn.Branch || s.in.Len < 4 {
			return nil
		}
		c := copyOf(f)
		sym := c.Symbols[s.sym]
		sym.Relocs = append(slices.Clone(sym.Relocs), object.Reloc{Off: s.in.Off + s.in.Len - 4, Size: 4, Kind: object.Call, Sym: s.sym, Add: 0})
		return c
	}},
	{"call of morestack", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		if s.sp == 0 {
			return nil
		}
		return relocation(f, s, func(c *object.File, r *object.Reloc) bool {
			r.Sym = foreign(c, "runtime.morestack_noctxt")
			r.Add = 0
			return r.Kind == object.Call
		})
	}},
	{"call of a function that Go alone may enter", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		if s.in.Flow != insn.Call || !s.fn.sym.Local || s.fn.grows {
			return nil
		}
		return relocation(f, s, func(c *object.File, reloc *object.Reloc) bool {
			g := p.order[r.IntN(len(p.order))]
			kind := reloc.Kind
			reloc.Sym, reloc.Add = g.index, 0
			return kind == object.Call && (g.grows || !g.sym.Local)
		})
	}},
	{"call of data", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		return relocation(f, s, func(c *object.File, r *object.Reloc) bool {
			kind := r.Kind
			r.Sym, r.Add = anyOf(c, object.ReadOnly, 1), 0
			return kind == object.Call && r.Sym >= 0
		})
	}},
	{"call without its relocation", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		if s.in.Flow != insn.Call {
			return nil
		}
		c := copyOf(f)
		sym := c.Symbols[s.sym]
		sym.Relocs = slices.DeleteFunc(slices.Clone(sym.Relocs), func(r object.Reloc) bool { return r.Off >= s.in.Off && r.Off < s.in.Off+s.in.Len })
		return c
	}},
	{"SP moved by another number", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		for _, e := range s.in.Effects {
			if e.Op == insn.AddImm && int(e.Dst) == p.mach.sp && int(e.Src) == p.mach.sp && len(s.in.Effects) == 1 {
				if f.Arch == "arm64" {
					w := binary.LittleEndian.Uint32(s.fn.sym.Data[s.in.Off:])
					return bytesAt(f, s.sym, s.in.Off, word(w^1<<14)...)
				}
				at := s.in.Off + 3
				return bytesAt(f, s.sym, at, s.fn.sym.Data[at]^8)
			}
		}
		return nil
	}},
	{"SP not moved", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		for _, e := range s.in.Effects {
			if e.Op == insn.AddImm && int(e.Dst) == p.mach.sp && int(e.Src) == p.mach.sp && len(s.in.Effects) == 1 {
				if f.Arch == "arm64" {
					return bytesAt(f, s.sym, s.in.Off, word(0xD503201F)...)
				}
				return bytesAt(f, s.sym, s.in.Off, slices.Repeat([]byte{0x90}, s.in.Len)...)
			}
		}
		return nil
	}},
	{"return address not kept", "arm64", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		for _, e := range s.in.Effects {
			if e.Op == insn.Store && e.Src == 30 && len(s.in.Effects) == 1 && s.in.Off < 8 {
				return bytesAt(f, s.sym, s.in.Off, word(0xD503201F)...)
			}
		}
		return nil
	}},
	{"truncated function", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		if s.in.Flow == insn.Return || s.in.Flow == insn.Jump || s.in.Flow == insn.JumpReg || s.in.Flow == insn.Trap || s.in.Off < 40 {
			return nil
		}
		if s.in.Flow == insn.Call && !s.fn.continues(s.in.Off+s.in.Len) {
			return nil
		}
		c := copyOf(f)
		sym := c.Symbols[s.sym]
		sym.Size = s.in.Off + s.in.Len
		sym.Data = sym.Data[:sym.Size]
		sym.Relocs = slices.DeleteFunc(slices.Clone(sym.Relocs), func(r object.Reloc) bool { return r.Off+r.Size > sym.Size })
		return c
	}},
	{"thread-local variable other than g", "amd64", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		for _, e := range s.in.Effects {
			if e.TLS {
				c := copyOf(f)
				sym := c.Symbols[s.sym]
				sym.Relocs = slices.DeleteFunc(slices.Clone(sym.Relocs), func(r object.Reloc) bool { return r.Kind == object.ThreadLocal })
				return c
			}
		}
		return nil
	}},
	{"field of g written", "amd64", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		d := s.fn.sym.Data[s.in.Off : s.in.Off+s.in.Len]
		if s.in.Len == 3 && d[1] == 0x8B && s.in.Off >= 9 && d[2]>>6 == 0 && s.fn.marks[s.in.Off-9] == started && s.fn.sym.Data[s.in.Off-9] == 0x64 {
			return bytesAt(f, s.sym, s.in.Off+1, 0x89)
		}
		return nil
	}},
	{"another field of g read", "amd64", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		d := s.fn.sym.Data[s.in.Off : s.in.Off+s.in.Len]
		if s.in.Len == 4 && d[1] == 0x3B && d[2] == 0x66 && d[3] == 0x10 {
			return bytesAt(f, s.sym, s.in.Off+3, 0x30)
		}
		return nil
	}},
	{"stack check that grants less", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		need := int64(0)
		for e := range s.fn.edges {
			if e.checked.by == unknown || e.to < 0 {
				continue
			}
			g := p.functions[e.to]
			for u := range g.edges {
				if u.checked.by == unknown {
					need = max(need, u.depth)
				}
			}
		}
		if need < 24 || s.in.Off > 60 {
			return nil
		}
		d := s.fn.sym.Data[s.in.Off : s.in.Off+s.in.Len]
		if f.Arch == "amd64" && s.in.Len == 7 && d[1] == 0x8D && d[2] == 0x9A { // lea r11, [r10+bound]
			return bytesAt(f, s.sym, s.in.Off+3, word(808)...)
		}
		if f.Arch == "amd64" && s.in.Len == 7 && d[1] == 0x8D && d[2] == 0x9B { // lea r11, [r11+need]
			return bytesAt(f, s.sym, s.in.Off+3, word(8)...)
		}
		if f.Arch == "arm64" && binary.LittleEndian.Uint32(d)&0xFFE0001F == 0xD2800011 && s.fn.sym.Local { // mov x17, need
			return bytesAt(f, s.sym, s.in.Off, word(0xD2800011)...)
		}
		return nil
	}},
	{"damaged record of a call that may unwind", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		if !s.in.Record {
			return nil
		}
		at := s.in.Target + []int{0, 1, 2}[r.IntN(3)]
		return bytesAt(f, s.sym, at, s.fn.sym.Data[at]^8)
	}},
	{"record of a register that is elsewhere", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		if !s.in.Record || binary.LittleEndian.Uint32(s.fn.sym.Data[s.in.Target+4:]) != 0 {
			return nil
		}
		at := s.in.Target + 8 + r.IntN(6)
		return bytesAt(f, s.sym, at, s.fn.sym.Data[at]+17)
	}},
	{"landing pad displaced", "", func(f *object.File, p *Program, s site, r *rand.Rand) *object.File {
		if !s.in.Record {
			return nil
		}
		at := s.in.Target + 4
		pad := binary.LittleEndian.Uint32(s.fn.sym.Data[at:])
		if to := s.in.Target + int(int32(pad)) + 1; pad == 0 || s.fn.marks[to] != inside {
			return nil
		}
		return bytesAt(f, s.sym, at, word(pad+1)...)
	}},
}

// continues reports whether some path reaches the instruction at this offset.
func (f *function) continues(at int) bool { return at < len(f.marks) && f.marks[at] == started }

// dataMutants makes mutants that each change one pointer in data, one symbol, or one entry of a jump table. There are at most six mutants of a kind;
// of a kind that changes jump tables, there are at most six for each table.
func dataMutants(f *object.File, p *Program, add func(name string, c *object.File)) {
	kinds := map[string]int{}
	more := func(name string) bool { kinds[name]++; return kinds[name] <= 6 }
	for i, s := range f.Symbols {
		if s.Kind != object.ReadOnly && s.Kind != object.Writable {
			continue
		}
		for j, r := range s.Relocs {
			change := func(name string, do func(c *object.File, r *object.Reloc)) {
				if !more(name) {
					return
				}
				c := copyOf(f)
				c.Symbols[i].Relocs = slices.Clone(s.Relocs)
				do(c, &c.Symbols[i].Relocs[j])
				add(name, c)
			}
			if g := p.functions[r.Sym]; g != nil && !g.isData {
				change("pointer to the middle of a function", func(_ *object.File, r *object.Reloc) { r.Add += int64(p.mach.step) })
				change("pointer to a function of another package", func(c *object.File, r *object.Reloc) { r.Sym = foreign(c, "syscall.Syscall") })
			} else {
				change("pointer past a symbol", func(_ *object.File, r *object.Reloc) { r.Add += 1 << 30 })
			}
		}
	}
	for i, s := range f.Symbols {
		if s.Kind == object.Text && !s.Local && more("definition in the name of another package") {
			c := copyOf(f)
			c.Symbols[i].Name = "runtime.mallocgc"
			add("definition in the name of another package", c)
		}
	}
	written := []int{}
	for s := range p.cells.written {
		written = append(written, s)
	}
	sort.Ints(written)
	for _, s := range written {
		if more("store to read-only data") {
			c := copyOf(f)
			c.Symbols[s].Kind = object.ReadOnly
			add("store to read-only data", c)
		}
		if more("store to another package") {
			c := copyOf(f)
			c.Symbols[s].Kind = object.Undefined
			add("store to another package", c)
		}
	}
	for _, g := range p.order {
		for at := range g.facts.tables {
			n := 0
			for ; at+4*n+4 <= g.constantEnd(at); n++ {
				v := binary.LittleEndian.Uint32(g.sym.Data[at+4*n:])
				to := at + int(int32(v))
				if v == 0xCCCCCCCC {
					break
				}
				if to+1 < len(g.marks) && g.marks[to+1] == inside && more(fmt.Sprint("entry of a jump table displaced", at)) {
					add("entry of a jump table displaced", bytesAt(f, g.index, at+4*n, word(v+1)...))
				}
				if more(fmt.Sprint("entry of a jump table outside", at)) {
					add("entry of a jump table outside of the function", bytesAt(f, g.index, at+4*n, word(v+1<<20)...))
				}
			}
		}
	}
}

// TestMutants makes mutants that each differ from a confirmed file in one place, and requires that check refuses each mutant.
func TestMutants(t *testing.T) {
	const each = 1
	total, byName := 0, map[string]int{}
	for _, arch := range []string{"amd64", "arm64"} {
		for _, name := range []string{"xxh3", "edwards25519", "x25519", "blake3"} {
			file := load(t, name, arch)
			path := "rustgo.dev/packages/" + name
			p, _, faults := analyze(file, path)
			if len(faults) > 0 {
				t.Fatalf("%s %s: %v", name, arch, faults[0])
			}
			try := func(mutant string, c *object.File) {
				total++
				byName[mutant]++
				if _, _, faults := analyze(c, path); len(faults) == 0 {
					t.Errorf("%s %s: %s: not refused", name, arch, mutant)
				}
			}
			all := sites(p)
			r := rand.New(rand.NewPCG(1, uint64(len(all))))
			for _, m := range mutations {
				if m.arch != "" && m.arch != arch {
					continue
				}
				for n, tries := 0, 0; n < each && tries < 3*len(all); tries++ {
					s := all[r.IntN(len(all))]
					c := m.make(file, p, s, r)
					if c == nil {
						continue
					}
					n++
					try(fmt.Sprintf("%s at %s+%d", m.name, s.fn.sym.Name, s.in.Off), c)
					byName[m.name]++
				}
			}
			dataMutants(file, p, func(name string, c *object.File) { byName[name]++; try(name, c) })
		}
	}
	for _, m := range mutations {
		if byName[m.name] == 0 {
			t.Errorf("no mutant %q", m.name)
		}
	}
	t.Logf("%d mutants", total)
	if total < 100 {
		t.Error("fewer than 100 mutants")
	}
}
