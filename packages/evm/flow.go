package evm

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// An Instruction is an instruction in the code of a contract.
type Instruction struct {
	Offset int
	// Name is the name of the instruction, such as "PUSH1", or "?" for a byte that is no instruction.
	Name string
	// Argument has the bytes after the instruction that belong to it, as a part of the code. Only instructions from PUSH1 to PUSH32 have some.
	Argument []byte
}

// String returns the instruction in the form PUSH1 0x80.
func (i Instruction) String() string {
	if len(i.Argument) == 0 {
		return i.Name
	}
	return i.Name + " 0x" + hex.EncodeToString(i.Argument)
}

// Disassemble returns the instructions in the code, one after the other from offset 0. Code ends where a PUSH has fewer bytes than it needs, although the
// virtual machine would run it with zeros. Data after the code, such as metadata, look like instructions too.
func Disassemble(code []byte) (instructions []Instruction, err error) {
	defer guard(&err)
	if err := checkLength(code); err != nil {
		return nil, err
	}
	offsets, texts := disassemble(code)
	if len(offsets) == 0 {
		return nil, nil
	}
	instructions = make([]Instruction, len(offsets))
	for i, offset := range offsets {
		var text string
		text, texts, _ = strings.Cut(texts, "\n")
		name, digits, _ := strings.Cut(text, " ")
		instructions[i] = Instruction{Offset: int(offset), Name: name}
		if n := len(digits) / 2; n > 0 {
			begin := int(offset) + 1
			instructions[i].Argument = code[begin : begin+n : begin+n]
		}
	}
	return instructions, nil
}

// A Range is a part of the code: instructions that run one after the other. Start and End are the offsets of the first and of the last one.
type Range struct{ Start, End int }

// BasicBlocks returns the basic blocks of the code in the order of their offsets, also those that nothing leads to. It ends at the first byte that is no
// instruction if this is in the block at offset 0. Code after a jump, or after the end of a run, belongs to no block if it has no JUMPDEST.
func BasicBlocks(code []byte) (blocks []Range, err error) {
	defer guard(&err)
	if err := checkLength(code); err != nil {
		return nil, err
	}
	for _, b := range basicBlocks(code) {
		blocks = append(blocks, Range{int(b.Start), int(b.End)})
	}
	return blocks, nil
}

// Exit is how a block ends.
type Exit uint8

const (
	// ExitSuccess is STOP, RETURN or SELFDESTRUCT.
	ExitSuccess Exit = iota
	// ExitFailure is REVERT, INVALID, a byte that is no instruction, a jump to no JUMPDEST, or the end of the code.
	ExitFailure
	// ExitJump is a jump to one place, also one that the block only runs into.
	ExitJump
	// ExitBranch is a conditional jump to one place.
	ExitBranch
	// ExitDynamicJump is a jump to a place that depends on the way to the block, as a function's return does.
	ExitDynamicJump
	// ExitDynamicBranch is a conditional jump to such a place.
	ExitDynamicBranch
)

var exits = [...]string{"success", "failure", "jump", "branch", "dynamic jump", "dynamic branch"}

func (e Exit) String() string {
	if int(e) < len(exits) {
		return exits[e]
	}
	return fmt.Sprintf("Exit(%d)", uint8(e))
}

// A Block is a node of a control flow graph.
type Block struct {
	Range
	Exit Exit
	// To has the offsets to which the block jumps, in ascending order, each once: one for ExitJump and ExitBranch, those that the crate has found for
	// ExitDynamicJump and ExitDynamicBranch. An offset that begins no block of the graph is one to which a dynamic branch leads, or a place in the argument of a PUSH.
	To []int
	// Else is the offset that follows if the condition of ExitBranch or ExitDynamicBranch is false, and -1 in all other blocks. For ExitBranch a block of the
	// graph begins there.
	Else int
	// Paths has the ways on which the crate has found the offsets in To, for ExitDynamicJump and ExitDynamicBranch.
	Paths []Path
}

// A Path is a way to a dynamic jump, and the place to which it jumps then.
type Path struct {
	// Blocks has the starts of the blocks on the way, from the block that jumps back to the one that has determined the place.
	Blocks []int
	// To is the offset, or -1 if the crate could not find it.
	To int
}

// ControlFlow returns the control flow graph of the code: the blocks that can be reached from offset 0, in the order of their offsets.
func ControlFlow(code []byte) (graph []Block, err error) {
	defer guard(&err)
	if err := checkLength(code); err != nil {
		return nil, err
	}
	a := answer(controlFlow(code))
	return list(&a, func(a *answer) Block {
		b := Block{Range: Range{a.number(), a.number()}, Exit: Exit(a.number()), Else: -1}
		switch b.Exit {
		case ExitJump, ExitBranch:
			b.To = []int{a.number()}
		case ExitDynamicJump, ExitDynamicBranch:
			b.Paths = list(a, func(a *answer) Path { return Path{Blocks: list(a, (*answer).number), To: a.number() - 1} })
			for _, p := range b.Paths {
				if p.To >= 0 {
					b.To = append(b.To, p.To)
				}
			}
			slices.Sort(b.To)
			b.To = slices.Compact(b.To)
		}
		if b.Exit == ExitBranch || b.Exit == ExitDynamicBranch {
			b.Else = a.number()
		}
		return b
	}), nil
}
