#include "textflag.h"

#define PATTERN $0x5a

// func paintStack(room uintptr) (low uintptr)
TEXT ·paintStack(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ room+0(FP), CX
	MOVQ SP, DI
	SUBQ CX, DI
	MOVQ (TLS), DX
	MOVQ 0(DX), DX // g.stack.lo
	CMPQ DI, DX
	JLS  small
	MOVL PATTERN, AX
	CLD
	REP; STOSB
	MOVQ DX, low+8(FP)
	RET
small:
	MOVQ $0, low+8(FP)
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
