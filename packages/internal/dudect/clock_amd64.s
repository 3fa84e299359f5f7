#include "textflag.h"

// func now() uint64
//
// LFENCE waits for the instructions before it, on AMD's processors because Linux has set it so (Intel SDM, RDTSC; AMD64 APM, LFENCE).
// RDTSC: low half in AX, high half in DX.
TEXT ·now(SB), NOSPLIT, $0-8
	LFENCE
	RDTSC
	LFENCE
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET
