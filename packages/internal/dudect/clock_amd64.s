#include "textflag.h"

// func now() uint64
//
// LFENCE waits for all earlier instructions. On AMD processors it does so because Linux has enabled this (Intel SDM, RDTSC; AMD64 APM, LFENCE).
// RDTSC returns the low half of the counter in AX and the high half in DX.
TEXT ·now(SB), NOSPLIT, $0-8
	LFENCE
	RDTSC
	LFENCE
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET
