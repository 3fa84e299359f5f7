// Package insn describes an instruction by its effects. The decoders of both machines produce this form, and the analysis reads it.
package insn

// Register numbers. 0 to 31 are the general registers, as the machine numbers them.
const (
	Temp      = 32 // the word that an indirect jump or call loads
	Registers = 33
	None      = -1
	Vector    = -2 // an index in a vector register
)

// Flow is how control continues after an instruction.
type Flow uint8

// The kinds of instructions, by control flow.
const (
	Next    Flow = iota
	Jump         // to Target
	Branch       // to Target, or to the next instruction
	Call         // to Target, and after the return to the next instruction
	Return       // to the return address
	JumpReg      // to the address in Reg
	CallReg      // to the address in Reg, and after the return to the next instruction
	Trap         // nowhere: the processor raises an exception
)

// Op is the kind of an effect.
type Op uint8

// The kinds of effects. General registers and memory that no effect of an instruction names keep their values.
const (
	Unknown Op = iota // Dst gets a value that is not followed
	Const             // Dst = Disp
	Move              // Dst = Src
	AddImm            // Dst = Src + Disp
	AddReg            // Dst = Src + Index
	SubReg            // Dst = Src - Index
	Lea               // Dst = the address
	Load              // Dst = Size bytes at the address
	Store             // Size bytes at the address = Src
	Insert            // Dst = Src with the 16 bits at bit Scale replaced by Disp
	Select            // Dst = Src or Index
	Compare           // compares Src with Index, or with Disp
	Flags             // Dst = the processor's flags
	Page              // Dst = the page of the relocation's address, arm64
)

// Effect is one change of a register or of memory. An address is Base + Index×Scale + Disp, or, if Rel, Disp from the start of the symbol.
type Effect struct {
	Op       Op
	Dst, Src int8 // None if the effect has no such register, or if the register is not a general one
	Base     int8
	Index    int8
	Scale    uint8
	Size     int16 // bytes; 0 if the size is known only at run time
	Rel      bool
	TLS      bool // relative to the thread pointer
	Signed   bool // Load: extends a signed number to 8 bytes
	Inexact  bool // the address has a part that the decoder does not compute
	Unit     int8 // Inexact: if not 0, the address is Base + Disp × U, where U is a power of 2 and at most Unit
	Disp     int64
}

// Insn is a decoded instruction.
type Insn struct {
	Off, Len int
	Flow     Flow
	Target   int  // Jump, Branch, Call: an offset in the symbol, unless a relocation names the target
	Field    int  // amd64: the offset in the instruction of the displacement of an operand relative to RIP
	Reg      int8 // JumpReg, CallReg: the register that holds the address
	Below    bool // Branch: taken if the left side of the comparison is below the right side, as unsigned numbers
	Equal    bool // Branch: with Below, also taken if both sides are equal
	Nop      bool
	Feature  string // not empty if the result does not depend on the operands alone: "CPUID", "clock", "random"
	PopFlags bool   // sets the flags from Temp
	Record   bool   // an instruction whose target is the record of a call that may unwind
	Effects  []Effect
}
