// serveTask lets Rust code call Go functions; see heap_callbacks.go and tasks_amd64.s.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// func serveTask(t *task, why uintptr, s *server, call callee) (ended uintptr)
//
// The processor predicts the target of each RET from the preceding CALLs. In this loop the predictions are right: callGo jumps to "left" by JMP
// instead of RET, so the return address of callGo is still the latest prediction when goOn returns to Rust code.
TEXT ·serveTask(SB), 0, $16-40
	NO_LOCAL_POINTERS
	MOVQ why+8(FP), AX
	MOVQ t+0(FP), R12
	MOVQ $0, task_goPC(R12)
	CMPQ AX, $const_taskStarts
	JNE  left
	MOVQ (task_words+0)(R12), R11
	MOVQ (task_words+8)(R12), DI
	MOVQ (task_words+16)(R12), SI
	CALL ·runTask(SB)
left:
	LEAQ 16(SP), BP // the frame pointer, which Rust code has changed
	CMPQ AX, $const_taskCalls
	JEQ  call
	MOVQ AX, ended+32(FP)
	RET
call:
	MOVQ s+16(FP), AX
	MOVQ call+24(FP), CX
	MOVQ AX, 0(SP)
	MOVQ CX, 8(SP)
	CALL ·callFunction(SB)
	MOVQ t+0(FP), R12
	XORL R11, R11
	MOVQ task_goPC(R12), AX
	TESTQ AX, AX
	JEQ  first
	PUSHQ AX
	JMP  ·goOn(SB)
	ADJSP $-8 // not executed: tells the assembler the SP of the code below
first:
	CALL ·goOn(SB)
	JMP  left
