#include "textflag.h"

// func Step(on bool)
TEXT ·Step(SB), NOSPLIT, $0-1
	MOVBLZX on+0(FP), AX
	SHLQ $8, AX // the trap flag
	PUSHFQ
	ANDQ $~0x100, 0(SP)
	ORQ  AX, 0(SP)
	POPFQ
	RET
