#include "textflag.h"
#include "funcdata.h"

DATA file<>+0(SB)/8, $"src/lib."
DATA file<>+8(SB)/2, $"rs"
GLOBL file<>(SB), RODATA|NOPTR, $10

DATA name<>+0(SB)/8, $"fakecrat"
DATA name<>+8(SB)/8, $"e.recurs"
DATA name<>+16(SB)/1, $"e"
GLOBL name<>(SB), RODATA|NOPTR, $17

GLOBL formatted<>(SB), NOPTR, $8

// recurse builds the PanicInfo of this package. The offsets of its fields: message 0, length 8, kind 16. The offsets of the fields of rt's report:
// message 0, capacity 8, length 16, file 24, fileLen 32, line 40, column 44.

// func Panic(message string, depth int, kind Kind)
TEXT ·Panic(SB), 0, $6144-32
	NO_LOCAL_POINTERS
	MOVQ message_base+0(FP), DI
	MOVQ message_len+8(FP), SI
	MOVQ depth+16(FP), DX
	MOVQ kind+24(FP), R8
	MOVQ $-1, BP
	MOVQ BP, R14
	MOVQ BP, X15
	ADJSP $-6128
	CALL fakecrate·recurse<>+32(SB)
	ADJSP $6128
	RET

// recurse(message DI, length SI, depth DX, kind R8). Frames of 40 bytes change the parity of SP/8 at each level.
TEXT fakecrate·recurse<>(SB), NOFRAME, $0-0
	NO_LOCAL_POINTERS
	PCALIGN $32
#line 7 "src/lib.rs"
	PUSHQ BP
	PUSHQ BX
	ADJSP $16
	DECQ  DX
	JLT   fail
	CALL  fakecrate·recurse<>+32(SB)
	ADJSP $-16
	POPQ  BX
	POPQ  BP
	RET
	ADJSP $32 // never executed: tells the assembler the SP of the code below
#line 12 "src/lib.rs"
fail:
	ADJSP $16
	CMPQ R8, $5
	JEQ  exhausts
	CMPQ R8, $6
	JEQ  misses
	MOVQ DI, 0(SP)
	MOVQ SI, 8(SP)
	MOVQ R8, 16(SP)
	MOVQ SP, DI
	CALL fakecrate·panic_handler<>+32(SB)
	UNDEF
exhausts:
	LEAQ name<>(SB), DI
	MOVQ $17, SI
	MOVQ $65536, DX
	CALL rustgo·dev∕go∕rt·exhausted(SB)
	UNDEF
misses:
	CALL unavailable<>(SB)
	UNDEF

#line 20 "src/panic.rs"
TEXT fakecrate·panic_handler<>(SB), NOFRAME, $0-0
	NO_LOCAL_POINTERS
	PCALIGN $32
	PUSHQ AX
	CALL rustgo_panic<>(SB)
	UNDEF

TEXT rustgo_panic<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LEAQ fakecrate·format<>+32(SB), SI
	JMP  rustgo·dev∕go∕rt·enter(SB)

TEXT unavailable<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	JMP rustgo·dev∕go∕rt·missing(SB)

#line 30 "src/panic.rs"
// format(info DI, report SI)
TEXT fakecrate·format<>(SB), NOFRAME, $0-0
	NO_LOCAL_POINTERS
	PCALIGN $32
	INCQ formatted<>(SB)
	MOVQ 16(DI), AX
	CMPQ AX, $3
	JEQ  text
	LEAQ file<>(SB), CX
	MOVQ CX, 24(SI)
	MOVQ $10, 32(SI)
	MOVL $12, 40(SI)
	MOVL $5, 44(SI)
	CMPQ AX, $1
	JEQ  fail
	CMPQ AX, $2
	JEQ  overrun
	CMPQ AX, $4
	JEQ  incomplete
	CMPQ AX, $7
	JEQ  deep
	CMPQ AX, $8
	JEQ  nameless
	CMPQ AX, $9
	JEQ  nil
	CMPQ AX, $10
	JEQ  high
	CMPQ AX, $11
	JEQ  divide
	CMPQ AX, $12
	JEQ  bounds
text:
	MOVQ SI, DX
	MOVQ 8(DI), CX
	MOVQ 8(DX), R8
	CMPQ CX, R8
	CMOVQGT R8, CX
	MOVQ CX, 16(DX)
	MOVQ 0(DI), SI
	MOVQ 0(DX), DI
	REP; MOVSB
	RET
fail:
	CALL fakecrate·panic_handler<>+32(SB)
overrun:
	MOVQ $8192, CX
	LEAQ -(65536+4096)(SP), AX
deeper:
	MOVQ CX, -64(AX)
	RET
nameless:
	MOVQ $1, 24(SI)
	MOVQ $0, 32(SI)
	JMP  text
nil:
	MOVQ $-1, BP
	XORL AX, AX
	MOVQ (AX), AX
	INT  $3
high:
	MOVQ $-1, BP
	MOVQ $0x7000000000, AX
	MOVQ (AX), AX
	INT  $3
divide:
	MOVQ $-1, BP
	XORL CX, CX
	DIVQ CX
	INT  $3
bounds:
	MOVQ $32, 16(SI)
	MOVQ 0(SI), DX
	MOVQ TLS, R8
	MOVQ 0(R8)(TLS*1), R8
	MOVQ 0(R8), R9
	MOVQ R9, 0(DX)
	MOVQ 8(R8), R10
	MOVQ R10, 8(DX)
	MOVQ 0(R9), R9
	MOVQ R9, 16(DX)
	MOVQ SP, 24(DX)
	RET
incomplete:
	CALL unavailable<>(SB)
deep:
	CALL rustgo·dev∕go∕rt·exhausted(SB)
	CALL fakecrate·panic_handler<>+32(SB) // never executed: with a CALL, format is not a leaf function

// func Formatted() uint64
TEXT ·Formatted(SB), NOSPLIT, $0-8
	MOVQ formatted<>(SB), AX
	MOVQ AX, ret+0(FP)
	RET

// func Fault(pointer Pointer, number uintptr, way Way)
TEXT ·Fault(SB), 0, $128-24
	NO_LOCAL_POINTERS
	MOVQ pointer+0(FP), DI
	MOVQ number+8(FP), SI
	MOVQ way+16(FP), DX
	CALL fakecrate·fault<>+32(SB)
	RET

#line 50 "src/lib.rs"
// fault(pointer DI, number SI, way DX)
TEXT fakecrate·fault<>(SB), NOFRAME, $0-0
	NO_LOCAL_POINTERS
	PCALIGN $32
	ADJSP $40
	LEAQ  8(SP), AX
	CMPQ  DI, $1
	JLT   number
	JEQ   words
	CMPQ  DI, $3
	JLT   cycle
	JEQ   record
	CMPQ  DI, $4
	JEQ   top
	JMP   faults
top:
	MOVQ  TLS, R8
	MOVQ  0(R8)(TLS*1), R8
	MOVQ  8(R8), BP
	SUBQ  SI, BP
	JMP   faults
number:
	MOVQ SI, BP
	JMP  faults
cycle:
	MOVQ AX, SI
words:
	MOVQ SI, 8(SP)
	MOVQ SI, 16(SP)
	MOVQ AX, BP
	JMP  faults
record:
	MOVQ 0(BP), CX
	MOVQ CX, 8(SP)
	MOVQ 8(BP), CX
	MOVQ CX, 16(SP)
	MOVQ AX, BP
faults:
	XORL  AX, AX
	CMPQ  DX, $1
	JEQ   calls
	JGT   elsewhere
	MOVQ  (AX), AX
	UNDEF
elsewhere:
	MOVQ $0x7000000000, AX
	CMPQ DX, $2
	JEQ  calls
	MOVQ $0x8000000000000000, AX
calls:
	CALL AX
	CALL fakecrate·fault<>+32(SB) // never executed: with a CALL, fault is not a leaf function
