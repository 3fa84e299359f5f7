#include "textflag.h"

#define PATTERN $0x5a

// func paintStack(room uintptr) (low, missing uintptr)
TEXT ·paintStack(SB), NOSPLIT|NOFRAME, $0-24
	MOVD ZR, low+8(FP)
	MOVD ZR, missing+16(FP)
	MOVD 0(g), R4 // g.stack.lo
	MOVD 8(g), R5 // g.stack.hi
	MOVD RSP, R2
	SUB  R4, R5, R6
	LSR  $2, R6   // a quarter of the stack
	SUB  R2, R5   // the part in use
	SUBS R5, R6, R6
	BGT  more
	MOVD room+0(FP), R1
	SUB  R1, R2, R0
	CMP  R4, R0
	BLS  small
	MOVD PATTERN, R3
loop:
	MOVB R3, (R0)
	ADD  $1, R0
	CMP  R2, R0
	BLO  loop
	MOVD R4, low+8(FP)
	RET
more:
	MOVD R6, missing+16(FP)
small:
	RET

// func searchStack(room, low uintptr) uintptr
TEXT ·searchStack(SB), NOSPLIT|NOFRAME, $0-24
	MOVD room+0(FP), R1
	MOVD low+8(FP), R5
	MOVD RSP, R2
	SUB  R1, R2, R0
	MOVD 0(g), R4 // g.stack.lo
	CMP  R4, R5
	BNE  moved
	CMP  R4, R0
	BLS  moved
loop:
	MOVBU (R0), R3
	CMP   PATTERN, R3
	BNE   found
	ADD   $1, R0
	CMP   R2, R0
	BLO   loop
found:
	SUB  R0, R2, R0
	MOVD R0, ret+16(FP)
	RET
moved:
	MOVD R1, ret+16(FP)
	RET
