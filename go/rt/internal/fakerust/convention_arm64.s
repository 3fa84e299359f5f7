#include "textflag.h"
#include "funcdata.h"

// func Convention(function int, a, b, c uintptr) (result uintptr, kept bool)
//
// Frame: 8(RSP) the frame pointer.
TEXT ·Convention(SB), 0, $24-41
	NO_LOCAL_POINTERS
	MOVD R29, 8(RSP)
	MOVD function+0(FP), R9
	MOVD a+8(FP), R0
	MOVD b+16(FP), R1
	MOVD c+24(FP), R2
	MOVD $100, R19
	MOVD $101, R20
	MOVD $102, R21
	MOVD $103, R22
	MOVD $104, R23
	MOVD $105, R24
	MOVD $106, R25
	MOVD $107, R26
	MOVD $108, R27
	MOVD $109, R29
	CMP  $0, R9
	BEQ  thread
	CMP  $1, R9
	BEQ  processor
	CMP  $2, R9
	BEQ  relax
	CMP  $3, R9
	BEQ  clock
	CMP  $4, R9
	BEQ  auxiliary
	CMP  $5, R9
	BEQ  random
	CMP  $6, R9
	BEQ  writeOut
	CMP  $7, R9
	BEQ  commit
	CMP  $8, R9
	BEQ  release
	UNDEF
thread:
	CALL rustgo·dev∕go∕rt·thread(SB)
	JMP  called
processor:
	CALL rustgo·dev∕go∕rt·processor(SB)
	JMP  called
relax:
	CALL rustgo·dev∕go∕rt·relax(SB)
	JMP  called
clock:
	CALL rustgo·dev∕go∕rt·clock(SB)
	JMP  called
auxiliary:
	CALL rustgo·dev∕go∕rt·auxiliary(SB)
	JMP  called
random:
	CALL rustgo·dev∕go∕rt·random(SB)
	JMP  called
writeOut:
	CALL rustgo·dev∕go∕rt·writeOut(SB)
	JMP  called
commit:
	CALL rustgo·dev∕go∕rt·commit(SB)
	JMP  called
release:
	CALL rustgo·dev∕go∕rt·release(SB)
	JMP  called
called:
	MOVD R0, result+32(FP)
	MOVB ZR, kept+40(FP)
	CMP  $100, R19
	BNE  lost
	CMP  $101, R20
	BNE  lost
	CMP  $102, R21
	BNE  lost
	CMP  $103, R22
	BNE  lost
	CMP  $104, R23
	BNE  lost
	CMP  $105, R24
	BNE  lost
	CMP  $106, R25
	BNE  lost
	CMP  $107, R26
	BNE  lost
	CMP  $108, R27
	BNE  lost
	CMP  $109, R29
	BNE  lost
	MOVD $1, R9
	MOVB R9, kept+40(FP)
lost:
	MOVD 8(RSP), R29
	RET

// func ProcessorInCall() int
TEXT ·ProcessorInCall(SB), 0, $24-8
	NO_LOCAL_POINTERS
	CALL rustgo·dev∕go∕rt·enterCall(SB)
	CALL rustgo·dev∕go∕rt·processor(SB)
	MOVD R0, 16(RSP)
	CALL rustgo·dev∕go∕rt·leaveCall(SB)
	MOVD 16(RSP), R0
	MOVD R0, ret+0(FP)
	RET
