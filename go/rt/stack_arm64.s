#include "textflag.h"

#define PATTERN $0x5a

// func paintStack(room uintptr)
TEXT ·paintStack(SB), NOSPLIT|NOFRAME, $0-8
	MOVD room+0(FP), R1
	MOVD RSP, R2
	SUB  R1, R2, R0
	MOVD PATTERN, R3
loop:
	MOVB R3, (R0)
	ADD  $1, R0
	CMP  R2, R0
	BLO  loop
	RET

// func searchStack(room uintptr) uintptr
TEXT ·searchStack(SB), NOSPLIT|NOFRAME, $0-16
	MOVD room+0(FP), R1
	MOVD RSP, R2
	SUB  R1, R2, R0
loop:
	MOVBU (R0), R3
	CMP   PATTERN, R3
	BNE   found
	ADD   $1, R0
	CMP   R2, R0
	BLO   loop
found:
	SUB  R0, R2, R0
	MOVD R0, ret+8(FP)
	RET
