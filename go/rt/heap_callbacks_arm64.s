// serveTask lets Rust code call Go functions; see heap_callbacks.go, heap_callbacks_amd64.s and tasks_arm64.s.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// func serveTask(t *task, why uintptr, s *server, call callee) (ended uintptr)
//
// See heap_callbacks_amd64.s.
TEXT ·serveTask(SB), 0, $24-40
	NO_LOCAL_POINTERS
	MOVD why+8(FP), R2
	MOVD t+0(FP), R9
	MOVD ZR, task_goPC(R9)
	CMP  $const_taskStarts, R2
	BNE  left
	LDP  (task_words+0)(R9), (R10, R0)
	MOVD (task_words+16)(R9), R1
	CALL ·runTask(SB)
left:
	SUB  $8, RSP, R29 // the frame pointer, which Rust code has changed
	CMP  $const_taskCalls, R2
	BEQ  call
	MOVD R2, ended+32(FP)
	RET
call:
	MOVD s+16(FP), R0
	MOVD call+24(FP), R1
	STP  (R0, R1), 8(RSP)
	CALL ·callFunction(SB)
	MOVD t+0(FP), R9
	MOVD ZR, R0
	MOVD task_goPC(R9), R30
	CBZ  R30, first
	JMP  ·goOn(SB)
first:
	CALL ·goOn(SB)
	JMP  left
