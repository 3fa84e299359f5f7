package analysis

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rustgo.dev/check/internal/object"
)

// small lists packages of a few instructions. The checker must refuse a package with a fault that contains reason. If reason is empty, the checker
// must confirm the package.
var small = []struct {
	name, arch, reason, text string
}{
	{"an argument is returned", "amd64", "", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ a+0(FP), AX
	MOVQ AX, ret+8(FP)
	RET`},
	{"an argument is returned", "arm64", "", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVD a+0(FP), R0
	MOVD R0, ret+8(FP)
	RET`},
	{"an exported function jumps into an instruction of its prologue", "amd64", "not an allowed instruction", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVL $231, AX
	MOVL $42, DI
	CMPQ SP, $0
	JHI  grow
	PCALIGN $32
	MOVQ a+0(FP), AX
	MOVQ AX, ret+8(FP)
	RET
grow:
	BYTE $0xEB; BYTE $0x07 // jmp +7: the immediate below
	CALL runtime·morestack_noctxt(SB)
	MOVQ $0x90C3050F90909090, AX // syscall
	RET`},
	{"a relocation of dead bytes changes the immediate of a reached instruction", "amd64", "a relocation of bytes that nothing reaches", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVL $231, AX
	MOVL $42, DI
	BYTE $0xEB; BYTE $0x05 // jmp +5: over the next byte and half of the LEAQ
	BYTE $0xB8
	LEAQ ·F+(0x30050F00+20)(SB), AX
	BYTE $0xC0
	RET`},
	{"the relocation of a skipped adrp changes a reached add", "arm64", "a relocation changes the instruction", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVD $d<>(SB), R0
	WORD $0x14000002 // b +8
	MOVD $d<>+8(SB), R0
	MOVD R1, (R0)
	RET
GLOBL d<>(SB), NOPTR, $8`},
	{"the relocation of a skipped instruction changes a record", "amd64", "a relocation of bytes that nothing reaches", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	CALL h<>(SB)
	BYTE $0x0F; BYTE $0x1F; BYTE $0x82; LONG $7 // nopl 7(dx): the record lies at 5+7+7
	RET
	LEAQ d<>(SB), AX // at 13, its relocation at 16
	QUAD $0; QUAD $0
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	RET
GLOBL d<>(SB), NOPTR, $8`},
	{"read-only data in the name of another package", "amd64", "net.testHookDialTCP: a definition in the name of another package", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	RET
DATA net·testHookDialTCP(SB)/8, $f<>(SB)
GLOBL net·testHookDialTCP(SB), RODATA|NOPTR, $8
DATA f<>(SB)/8, $hook<>(SB)
GLOBL f<>(SB), RODATA|NOPTR, $8
TEXT hook<>(SB), NOSPLIT|NOFRAME, $0-0
	UNDEF`},
	{"a constant that the assembler names", "amd64", "", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVSD $2.5, X0
	MOVSD X0, ret+8(FP)
	RET`},
	{"a store to code, whose address is the index", "amd64", "a store to code", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	LEAQ h<>(SB), BX
	MOVB $0xC3, (BX*1)
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	RET`},
	{"a store to code, whose address is the index of a constant", "arm64", "a store to code", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVD $h<>(SB), R0
	MOVD $5, R1
	MOVD R2, (R1)(R0)
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	RET`},
	{"a store to g, which is the index of an unknown number", "arm64", "a store to a field of g", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVD R2, (R1)(g)
	RET`},
	{"a store to g, which is the index", "amd64", "a store to a field of g", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ TLS, R10
	MOVQ 0(R10)(TLS*1), R10
	MOVQ $0, 24(R10*1)
	RET`},
	{"a store to the return address, whose address is the index", "amd64", "a store to the return address", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	LEAQ 0(SP), BX
	MOVQ AX, (BX*1)
	RET`},
	{"a store to an absolute address", "amd64", "an operand at an absolute address", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ $0x401000, AX
	MOVQ $0, (AX)
	RET`},
	{"a load from an absolute address", "arm64", "an operand at an absolute address", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVD $0x401000, R0
	MOVD (R0), R1
	RET`},
	{"a call of an absolute address", "amd64", "a jump or call to an address that is not code", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ $0x401000, AX
	CALL AX
	RET`},
	{"a store above the results", "amd64", "a store to the caller's frame, above the arguments and results", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ a+0(FP), AX
	MOVQ AX, 20(SP) // the results end at 24
	RET`},
	{"a store above the results", "arm64", "a store to the caller's frame, above the arguments and results", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVD R2, 24(RSP)
	RET`},
	{"a result in a function whose arguments the assembler does not know", "amd64", "a store to the caller's frame, above the arguments and results", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0
	MOVQ AX, 8(SP)
	RET`},
	{"code that counts as a constant is called through data", "amd64", "not an allowed instruction", `
TEXT evil<>(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	SYSCALL
	RET
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ t<>(SB), CX
	CALL CX
	RET
DATA t<>(SB)/8, $evil<>(SB)
GLOBL t<>(SB), RODATA|NOPTR, $8`},
	{"code that counts as a constant is stored and called", "amd64", "a constant in text, is kept", `
TEXT evil<>(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	SYSCALL
	RET
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	LEAQ evil<>(SB), AX
	MOVQ AX, p<>(SB)
	MOVQ p<>(SB), AX
	CALL AX
	RET
GLOBL p<>(SB), NOPTR, $8`},
	{"code that counts as a constant is stored and called", "arm64", "a constant in text, is kept", `
TEXT evil<>(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	SVC
	RET
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVD $evil<>(SB), R0
	MOVD R0, p<>(SB)
	MOVD p<>(SB), R0
	JMP (R0)
GLOBL p<>(SB), NOPTR, $8`},
	{"code that counts as a constant is returned and called", "amd64", "a constant in text, is kept", `
TEXT evil<>(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	SYSCALL
	RET
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	CALL h<>(SB)
	CALL AX
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ evil<>(SB), AX
	RET`},
	{"a constant in text is read", "amd64", "", `
TEXT c<>(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	SYSCALL
	RET
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	LEAQ c<>(SB), AX
	MOVQ (AX), AX
	CALL CX
	RET`},
	{"a store to code on one of two paths", "amd64", "a store to code", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ a+0(FP), AX
	TESTQ AX, AX
	JEQ  L
	LEAQ h<>(SB), AX
L:
	MOVB $0xC3, (AX)
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	RET`},
	{"a store to code on one of two paths", "arm64", "a store to code", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVD a+0(FP), R0
	CBZ  R0, L
	MOVD $h<>(SB), R0
L:
	MOVW R1, (R0)
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	RET`},
	{"a store to g on one of two paths, from a word of the frame", "arm64", "a store to a field of g", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVD a+0(FP), R0
	MOVD R0, ret+8(FP)
	CBZ  R0, L
	MOVD g, ret+8(FP)
L:
	MOVD ret+8(FP), R0
	MOVD R1, (R0)
	RET`},
	{"an indexed address of a table is no base of its entries", "amd64", "an address that is not code", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	BYTE $0x48; BYTE $0x8D; BYTE $0x05; LONG $34 // leaq table, AX
	MOVL $1, CX
	LEAQ (AX)(CX*4), BX
	BYTE $0xBA; LONG $0 // movl $0, DX
	MOVLQSX (AX)(DX*4), DX
	ADDQ BX, DX
	JMP DX
	MOVQ $0x909090C3050F9090, AX // syscall
	RET
	LONG $-11`},
	{"a displaced target of a table", "amd64", "an address that is not code", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	BYTE $0x48; BYTE $0x8D; BYTE $0x05; LONG $33 // leaq table, AX
	MOVLQSX (AX)(CX*4), DX
	ADDQ AX, DX
	LEAQ 2(DX), DX
	JMP DX
	NOP
	MOVQ $0x909090C3050F9090, AX // syscall
	RET
	BYTE $0x90; BYTE $0x90; BYTE $0x90; BYTE $0x90; BYTE $0x90
	LONG $-16`},
	{"a displaced address of one of two functions", "amd64", "an address that is not code", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	LEAQ h<>(SB), AX
	MOVQ a+0(FP), CX
	TESTQ CX, CX
	JEQ  L
	LEAQ i<>(SB), AX
L:
	LEAQ 2(AX), AX
	CALL AX
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVL $0xC3050F, AX
	RET
TEXT i<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVL $0xC3050F, AX
	RET`},
	{"a callee-saved register is moved by LEAQ", "amd64", "Go's frame pointer is not restored", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ 8(BP), BP
	RET`},
	{"flags of two bytes move SP by two", "amd64", "not an allowed instruction", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	BYTE $0x66
	PUSHFQ
	ADJSP $-8
	RET`},
	{"a call at the end of its symbol", "amd64", "a call at the end of the symbol", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	CALL h<>(SB)
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	XORL AX, AX
	CALL i<>(SB)
TEXT i<>(SB), NOSPLIT|NOFRAME, $0-0
	UNDEF`},
	{"a call at the end of its symbol", "arm64", "a call at the end of the symbol", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	WORD $0xd10043f1 // sub x17, sp, #16
	WORD $0xf900023e // str x30, [x17]
	SUB  $16, RSP, RSP
	CALL h<>(SB)
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	UNDEF`},
	{"an instruction that names a record and follows no call", "amd64", "no call before it", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	BYTE $0x0F; BYTE $0x1F; BYTE $0x82; LONG $1 // nopl: the record lies after the RET
	RET
	QUAD $0; QUAD $0`},
	{"a field of g in a register of the caller", "amd64", "the value that a register of the caller has on entry", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ 48(R14), AX
	MOVQ AX, ret+8(FP)
	RET`},
	{"a store to a field of g in a register of the caller", "amd64", "the value that a register of the caller has on entry", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	LEAQ 8(R14), AX
	MOVQ $0, 8(AX)
	RET`},
	{"a store to the frame of the caller", "amd64", "the value that a register of the caller has on entry", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ AX, 8(BP)
	RET`},
	{"a store to the frame of the caller", "arm64", "the value that a register of the caller has on entry", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVD R0, 8(R29)
	RET`},
	{"a store of a vector with a short displacement", "amd64", "the return address, or above it", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	ADJSP $16
	VMOVDQU64 X16, 16(SP)
	ADJSP $-16
	RET`},
	{"a store of a vector with a short displacement in the frame", "amd64", "", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	ADJSP $128
	VMOVDQU64 Z16, 64(SP)
	VMOVDQU64 X16, 112(SP)
	ADJSP $-128
	RET`},
	{"a store with a constant index", "amd64", "a store to the return address", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	MOVL $0, CX
	MOVQ AX, (SP)(CX*8)
	RET`},
	{"a store outside of its symbol with a constant index", "amd64", "a store to memory outside of", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ d<>(SB), AX
	MOVL $0x1000, CX
	MOVQ AX, (AX)(CX*8)
	RET
GLOBL d<>(SB), NOPTR, $8`},
	{"a block of zeros at SP", "arm64", "a store to the frame, in an unknown block", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	WORD $0x910003E0 // mov x0, sp
	WORD $0xD50B7420 // dc zva, x0
	RET`},
	{"a wrapped comparison with the bound of the stack", "amd64", "stack", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ TLS, R10
	MOVQ 0(R10)(TLS*1), R10
	MOVQ 0(R10), R10
	MOVQ $-0x7fffffffffff, CX
	LEAQ (SP)(CX*1), AX
	CMPQ AX, R10
	JLS  L
	MOVQ AX, -1000000(SP)
L:
	RET`},
	{"an operand whose address the instruction changes", "amd64", "a read of the field of g at 48", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ TLS, R10
	MOVQ 0(R10)(TLS*1), AX
	MULQ 48(AX)
	RET`},
	{"an exchange whose address the instruction changes", "amd64", "a store to the return address", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ 0(SP), AX
	CMPXCHGB CX, 0(AX)
	RET`},
	{"a conversion to an MMX register", "amd64", "not an allowed instruction", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	BYTE $0x66; BYTE $0x0F; BYTE $0x2D; BYTE $0xC0
	RET`},
	{"a privileged instruction of Key Locker", "amd64", "not an allowed instruction", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	BYTE $0xF3; BYTE $0x0F; BYTE $0x38; BYTE $0xDC; BYTE $0xC1
	RET`},
	{"a word below SP is saved across a call", "amd64", "Go's frame pointer is not restored", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ BP, -16(SP)
	CALL h<>(SB)
	MOVQ -16(SP), BP
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	XORL BP, BP
	RET`},
	{"a word below SP is saved across a call", "arm64", "Go's frame pointer is not restored", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	WORD $0xd10043f1 // sub x17, sp, #16
	WORD $0xf900023e // str x30, [x17]
	SUB  $16, RSP, RSP
	MOVD R29, -8(RSP)
	CALL h<>(SB)
	MOVD -8(RSP), R29
	MOVD (RSP), R30
	ADD  $16, RSP, RSP
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVD ZR, R29
	RET`},
	{"a jump in a frame to a function that never returns", "amd64", "jumps away with SP 8 bytes below", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	ADJSP $8
	JMP h<>(SB)
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	UNDEF`},
	{"a jump without a return address to a function that never returns", "arm64", "jumps away while R30 does not hold its return address", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	MOVD ZR, R30
	JMP h<>(SB)
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	UNDEF`},
	{"a jump to a function that changes the frame pointer", "amd64", "Go's frame pointer is not restored", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	JMP h<>(SB)
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	XORL BP, BP
	RET`},
	{"a landing pad after a jump to a function that never returns", "amd64", "Go's frame pointer is not restored", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	CALL i<>(SB)
	BYTE $0x0F; BYTE $0x1F; BYTE $0x82; LONG $1 // nopl 1(dx): the record lies after the RET
	RET // the landing pad
	QUAD $0xFFFFFFFF00000000; QUAD $0
TEXT i<>(SB), NOSPLIT|NOFRAME, $0-0
	XORL BP, BP
	JMP h<>(SB)
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	UNDEF`},
	{"a thread-local word that is not g", "amd64", "an access to thread-local memory that is not g", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ TLS, R10
	MOVQ 8(R10)(TLS*1), R10
	MOVQ 0(R10), AX
	RET`},
	{"an address of the stack that may have moved", "amd64", "the value that a register of the caller has on entry", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	LEAQ 8(SP), BX
	CALL runtime·morestack_noctxt(SB)
	MOVQ AX, (BX)
	RET`},
	{"an address of the stack that may have moved", "arm64", "the value that a register of the caller has on entry", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	ADD  $8, RSP, R19
	MOVD R30, R3
	CALL runtime·morestack_noctxt(SB)
	MOVD R0, (R19)
	RET`},
	{"a constant of the function is stored and called", "amd64", "a place inside of a function is kept", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	BYTE $0x48; BYTE $0x8D; BYTE $0x05; LONG $17 // leaq constant, AX
	MOVQ AX, p<>(SB)
	MOVQ p<>(SB), AX
	CALL AX
	RET
	QUAD $0x90909090C3050F90 // syscall
GLOBL p<>(SB), NOPTR, $8`},
	{"a constant of the function is returned and called", "amd64", "a place inside of a function is kept", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	CALL h<>(SB)
	CALL AX
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	BYTE $0x48; BYTE $0x8D; BYTE $0x05; LONG $1 // leaq constant, AX
	RET
	QUAD $0x90909090C3050F90 // syscall`},
	{"a displaced address of a function is stored and called", "amd64", "a place inside of a function is kept", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ h<>(SB), AX
	ADDQ $1, AX
	MOVQ AX, (CX)
	MOVQ (CX), AX
	CALL AX
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVL $0xC3050F, AX
	RET`},
	{"a displaced address of a function is stored and called", "arm64", "a place inside of a function is kept", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	MOVD $h<>(SB), R0
	ADD  $4, R0
	MOVD R0, (R1)
	MOVD (R1), R0
	JMP  (R0)
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	NOP
	RET`},
	{"a displaced address in a word of the frame", "amd64", "which is not the start of a function", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ h<>(SB), AX
	MOVQ AX, -8(SP)
	INCQ -8(SP)
	MOVQ -8(SP), AX
	INCQ AX
	JMP AX
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVL $0xC3050F, AX
	RET`},
	{"a displaced address of a function on one of two paths", "amd64", "an address that is not code", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ a+0(FP), AX
	TESTQ AX, AX
	JEQ  L
	LEAQ h<>(SB), AX
	ADDQ $1, AX
L:
	CALL AX
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVL $0xC3050F, AX
	RET`},
	{"a function that a register passes to itself", "amd64", "calls recurse here", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ h<>(SB), AX
	JMP AX
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	CALL CX
	RET`},
	{"the register of a jump is stored", "amd64", "a use of the scratch register", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ h<>(SB), R11
	JMP R11
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ R11, p<>(SB)
	RET
GLOBL p<>(SB), NOPTR, $8`},
	{"the register of a jump is called", "amd64", "a use of the scratch register", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ h<>(SB), R11
	JMP R11
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	CALL R11
	RET`},
	{"the register of a jump is passed on by a load", "amd64", "a use of the scratch register", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ h<>(SB), R11
	JMP R11
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	PUSHQ R11
	POPQ AX
	RET`},
	{"the register of a jump is saved", "amd64", "", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ h<>(SB), R11
	JMP R11
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	PUSHQ R11
	POPQ R11
	RET`},
	{"the page of an address is an index", "arm64", "the address of a page is used without its relocation", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0
	MOVD d<>(SB), R1 // by way of R27
	MOVD R2, (R3)(R27)
	RET
GLOBL d<>(SB), NOPTR, $8`},
	{"a call of a function or of an argument", "amd64", "", `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ a+0(FP), AX
	TESTQ AX, AX
	JEQ  L
	LEAQ h<>(SB), AX
L:
	CALL AX
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	RET`},
}

// assemble returns the object file of assembly in the package example.com/h.v2.
func assemble(t *testing.T, arch, text string) *object.File {
	t.Helper()
	folder := t.TempDir()
	source, result := filepath.Join(folder, "rustgo_"+arch+".s"), filepath.Join(folder, "rustgo.o")
	if err := os.WriteFile(source, []byte("#include \"textflag.h\"\n"+text+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	include := filepath.Join(strings.TrimSpace(string(root)), "pkg", "include")
	cmd := exec.Command("go", "tool", "asm", "-p", "example.com/h.v2", "-I", include, "-o", result, source)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go tool asm: %v\n%s", err, out)
	}
	data, err := os.ReadFile(result)
	if err != nil {
		t.Fatal(err)
	}
	f, err := object.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestNames defines data under names that begin like those of the package, and requires that only the package's own names are allowed.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		path, name string
		own        bool
	}{
		{"example.com/h", "example.com/h.Hook", true},
		{"example.com/h", "example.com/h.v2/sub.Hook", false},
		{"example.com/h", "example.com/h.v2.Hook", true}, // the names of the package example.com/h.v2 begin with example.com/h%2ev2
		{"example.com/h.v2", "example.com/h.v2.Hook", false},
		{"example.com/h.v2", "example.com/h%2ev2.Hook", true},
	} {
		f := assemble(t, "amd64", "GLOBL ·Hook(SB), NOPTR, $8")
		for _, s := range f.Symbols {
			if s.Name == "example.com/h%2ev2.Hook" {
				s.Name = c.name
			}
		}
		if _, faults := Check(f, c.path); (len(faults) == 0) != c.own || !c.own && !strings.Contains(fmt.Sprint(faults), "in the name of another package") {
			t.Errorf("%s in %s: %v", c.name, c.path, faults)
		}
	}
}

func TestSmall(t *testing.T) {
	for _, c := range small {
		t.Run(c.arch+" "+c.name, func(t *testing.T) {
			_, faults := Check(assemble(t, c.arch, c.text), "example.com/h.v2")
			if got := fmt.Sprint(faults); c.reason == "" && len(faults) > 0 || !strings.Contains(got, c.reason) {
				t.Errorf("faults: %s; want: %q", got, c.reason)
			}
		})
	}
}

// TestWaysToStore stores the address of a constant in text by instructions that also read memory.
func TestWaysToStore(t *testing.T) {
	texts := map[string]string{
		"amd64": "\tLEAQ evil<>(SB), SI\n\t%s\n\tXORL SI, SI\n\tXORL AX, AX\n\tXORL CX, CX\n\tCALL R8\n\tRET\n",
		"arm64": "\tMOVD $evil<>(SB), R1\n\t%s\n\tMOVD ZR, R1\n\tMOVD ZR, R4\n\tJMP (R3)\n",
	}
	for arch, instructions := range map[string][]string{
		"amd64": {
			"XCHGQ SI, (DX)", "LOCK; CMPXCHGQ SI, (DX)", "LOCK; XADDQ SI, (DX)", "ADDQ SI, (DX)", "MOVNTIQ SI, (DX)", "MOVQ SI, AX; STOSQ",
			"MOVQ SI, CX; CMPXCHG16B (DX)", "MOVQ SI, BX; CMPXCHG16B (DX)", "MOVQ SI, -8(SP); LEAQ -8(SP), SI; MOVSQ",
		},
		"arm64": {
			"SWPD R1, (R2), R4", "LDADDD R1, (R2), R4", "CASD R4, (R2), R1", "CASPD (R4, R5), (R2), (R0, R1)", "STXR R1, (R2), R4",
			"STLXR R1, (R2), R4", "STXP (R5, R1), (R2), R4",
		},
	} {
		for _, i := range instructions {
			text := "TEXT evil<>(SB), NOSPLIT|NOFRAME, $0-0\n\tPCALIGN $64\n\tNOP\n\tRET\nTEXT ·F(SB), NOSPLIT|NOFRAME, $0-0\n" + fmt.Sprintf(texts[arch], i)
			_, faults := Check(assemble(t, arch, text), "example.com/h.v2")
			if !strings.Contains(fmt.Sprint(faults), "a constant in text, is kept") {
				t.Errorf("%s: faults: %v", i, faults)
			}
		}
	}
}

// TestStringsReadMemory reads a field of g by each instruction for strings.
func TestStringsReadMemory(t *testing.T) {
	for _, i := range []string{"LODSQ", "MOVSQ", "CMPSQ", "SCASQ", "REP; MOVSQ"} {
		text := "TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0\n\tMOVQ TLS, R10\n\tMOVQ 0(R10)(TLS*1), SI\n\tADDQ $48, SI\n"
		if i == "SCASQ" {
			text += "\tMOVQ SI, DI\n"
		}
		_, faults := Check(assemble(t, "amd64", text+"\t"+i+"\n\tRET\n"), "example.com/h.v2")
		if got := fmt.Sprint(faults); !strings.Contains(got, "a read of the field of g at 48") && !strings.Contains(got, "a read of an unknown field of g") {
			t.Errorf("%s: faults: %v", i, faults)
		}
	}
}

// A call through a word that may hold a number counts as a call of an unknown function.
func TestCellsWithNumbers(t *testing.T) {
	for text, unknown := range map[string]int{"": 0, "DATA p<>(SB)/8, $0x401004\n": 1, "DATA p<>+4(SB)/4, $1\n": 1} {
		facts, faults := Check(assemble(t, "amd64", cellText+text+"GLOBL p<>(SB), NOPTR, $8"), "example.com/h.v2")
		if len(faults) > 0 || facts.Unknown != unknown {
			t.Errorf("%q: %d calls of unknown functions, faults: %v", text, facts.Unknown, faults)
		}
	}
}

// A call through a word counts as a call of an unknown function if an instruction writes at an unknown distance from a neighbour of the word.
func TestCellsNearBits(t *testing.T) {
	text := strings.Replace(cellText, "L:", "L:\n\tBTSQ CX, p<>+8(SB)", 1) + "GLOBL p<>(SB), NOPTR, $16"
	if facts, faults := Check(assemble(t, "amd64", text), "example.com/h.v2"); len(faults) > 0 || facts.Unknown != 1 {
		t.Errorf("%d calls of unknown functions, faults: %v", facts.Unknown, faults)
	}
}

const cellText = `
TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ a+0(FP), CX
	TESTQ CX, CX
	JEQ  L
	LEAQ h<>(SB), AX
	MOVQ AX, p<>(SB)
L:
	MOVQ p<>(SB), AX
	CALL AX
	RET
TEXT h<>(SB), NOSPLIT|NOFRAME, $0-0
	RET
`
