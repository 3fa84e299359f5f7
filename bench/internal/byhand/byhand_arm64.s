#include "textflag.h"

// func Increment(x uint64) uint64
TEXT ·Increment(SB), NOSPLIT, $0-16
	MOVD x+0(FP), R0
	ADD  $1, R0
	MOVD R0, ret+8(FP)
	RET
