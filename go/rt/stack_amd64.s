#include "textflag.h"

#define PATTERN $0x5a

// func paintStack(room uintptr) (low, missing uintptr)
TEXT ·paintStack(SB), NOSPLIT|NOFRAME, $0-24
	MOVQ $0, low+8(FP)
	MOVQ $0, missing+16(FP)
	MOVQ (TLS), R8
	MOVQ 0(R8), DX // g.stack.lo
	MOVQ 8(R8), R8 // g.stack.hi
	MOVQ R8, R9
	SUBQ DX, R9
	SHRQ $2, R9    // a quarter of the stack
	SUBQ SP, R8    // the part in use
	SUBQ R8, R9
	JGT  more
	MOVQ room+0(FP), CX
	MOVQ SP, DI
	SUBQ CX, DI
	CMPQ DI, DX
	JLS  small
	MOVL PATTERN, AX
	CLD
	REP; STOSB
	MOVQ DX, low+8(FP)
	RET
more:
	MOVQ R9, missing+16(FP)
small:
	RET

// func searchStack(room, low uintptr) uintptr
TEXT ·searchStack(SB), NOSPLIT|NOFRAME, $0-24
	MOVQ room+0(FP), CX
	MOVQ SP, DI
	SUBQ CX, DI
	MOVQ (TLS), DX
	MOVQ 0(DX), DX // g.stack.lo
	CMPQ DX, low+8(FP)
	JNE  moved
	CMPQ DI, DX
	JLS  moved
	MOVL PATTERN, AX
	CLD
	REP; SCASB
	MOVQ SP, AX
	SUBQ DI, AX
	INCQ AX // DI points one byte beyond the changed byte
	MOVQ AX, ret+16(FP)
	RET
moved:
	MOVQ CX, ret+16(FP)
	RET
