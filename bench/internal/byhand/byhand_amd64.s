#include "textflag.h"

// func Increment(x uint64) uint64
TEXT ·Increment(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), AX
	INCQ AX
	MOVQ AX, ret+8(FP)
	RET
