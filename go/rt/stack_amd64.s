#include "textflag.h"

#define PATTERN $0x5a

// func paintStack(room uintptr)
TEXT ·paintStack(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ room+0(FP), CX
	MOVQ SP, DI
	SUBQ CX, DI
	MOVL PATTERN, AX
	CLD
	REP; STOSB
	RET

// func searchStack(room uintptr) uintptr
TEXT ·searchStack(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ room+0(FP), CX
	MOVQ SP, DI
	SUBQ CX, DI
	MOVL PATTERN, AX
	CLD
	REP; SCASB
	MOVQ SP, AX
	SUBQ DI, AX
	INCQ AX // DI points one byte beyond the changed byte
	MOVQ AX, ret+8(FP)
	RET
