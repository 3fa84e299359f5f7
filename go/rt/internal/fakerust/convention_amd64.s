#include "textflag.h"
#include "funcdata.h"

// func Convention(function int, a, b, c uintptr) (result uintptr, kept bool)
TEXT ·Convention(SB), 0, $8-41
	NO_LOCAL_POINTERS
	MOVQ function+0(FP), AX
	MOVQ a+8(FP), DI
	MOVQ b+16(FP), SI
	MOVQ c+24(FP), DX
	MOVQ $0x1010101010101010, BX
	MOVQ $0x1010101010101111, BP
	MOVQ $0x1010101010101212, R12
	MOVQ $0x1010101010101313, R13
	MOVQ $0x1010101010101414, R14
	MOVQ $0x1010101010101515, R15
	CMPQ AX, $0
	JEQ  thread
	CMPQ AX, $1
	JEQ  processor
	CMPQ AX, $2
	JEQ  relax
	CMPQ AX, $3
	JEQ  clock
	CMPQ AX, $4
	JEQ  auxiliary
	CMPQ AX, $5
	JEQ  random
	CMPQ AX, $6
	JEQ  writeOut
	CMPQ AX, $7
	JEQ  commit
	CMPQ AX, $8
	JEQ  release
	UNDEF
thread:
	CALL rustgo·dev∕go∕rt·thread(SB)
	JMP  called
processor:
	CALL rustgo·dev∕go∕rt·processor(SB)
	JMP  called
relax:
	CALL rustgo·dev∕go∕rt·relax(SB)
	JMP  called
clock:
	CALL rustgo·dev∕go∕rt·clock(SB)
	JMP  called
auxiliary:
	CALL rustgo·dev∕go∕rt·auxiliary(SB)
	JMP  called
random:
	CALL rustgo·dev∕go∕rt·random(SB)
	JMP  called
writeOut:
	CALL rustgo·dev∕go∕rt·writeOut(SB)
	JMP  called
commit:
	CALL rustgo·dev∕go∕rt·commit(SB)
	JMP  called
release:
	CALL rustgo·dev∕go∕rt·release(SB)
	JMP  called
called:
	MOVQ AX, result+32(FP)
	MOVB $0, kept+40(FP)
	MOVQ $0x1010101010101010, CX
	CMPQ CX, BX
	JNE  lost
	MOVQ $0x1010101010101111, CX
	CMPQ CX, BP
	JNE  lost
	MOVQ $0x1010101010101212, CX
	CMPQ CX, R12
	JNE  lost
	MOVQ $0x1010101010101313, CX
	CMPQ CX, R13
	JNE  lost
	MOVQ $0x1010101010101414, CX
	CMPQ CX, R14
	JNE  lost
	MOVQ $0x1010101010101515, CX
	CMPQ CX, R15
	JNE  lost
	MOVB $1, kept+40(FP)
lost:
	XORPS X15, X15 // zero in Go code
	RET

// func ProcessorInCall() int
TEXT ·ProcessorInCall(SB), 0, $16-8
	NO_LOCAL_POINTERS
	CALL rustgo·dev∕go∕rt·enterCall(SB)
	CALL rustgo·dev∕go∕rt·processor(SB)
	MOVQ AX, 8(SP)
	CALL rustgo·dev∕go∕rt·leaveCall(SB)
	MOVQ 8(SP), AX
	MOVQ AX, ret+0(FP)
	RET
