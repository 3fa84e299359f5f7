// Calls of Rust code on stacks of their own: see tasks.go and tasks_amd64.s.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// TASK loads the address of the task whose stack has the lower bound low, or jumps to none if no task has it. It uses R3 and R4. (A load by name would
// use R27, which is callee-saved in C.)
#define TASK(low, task, none) \
	MOVD $·taskArena(SB), R3 \
	LDP  (R3), (R3, R4)      \
	SUB  R3, low, R3         \
	CMP  R4, R3              \
	BHS  none                \
	MOVD 8(low), task

// func startTask(t *task, body uintptr, arguments, results unsafe.Pointer)
//
// Frame: 0(SP) R30, 8–63(SP) the arguments of a function that raises a Go panic.
TEXT ·startTask(SB), NOSPLIT, $56-32
	NO_LOCAL_POINTERS
	MOVD t+0(FP), R9
	MOVD body+8(FP), R10
	MOVD arguments+16(FP), R0
	MOVD results+24(FP), R1
	CALL runTask<>(SB)
	CBNZ R2, left
	RET

left:
	// The task ends with a panic. R2 says which, R9 is the task.
	MOVD ZR, R29
	LDP  (task_words+0)(R9), (R3, R4)
	STP  (R3, R4), 8(RSP)
	LDP  (task_words+16)(R9), (R5, R6)
	STP  (R5, R6), 24(RSP)
	LDP  (task_words+32)(R9), (R5, R6)
	STP  (R5, R6), 40(RSP)
	MOVD (task_words+48)(R9), R5
	MOVD R5, 56(RSP)
	CMP  $const_taskUnwound, R2
	BEQ  unwound
	CMP  $const_taskRaise, R2
	BEQ  raise
	CMP  $const_taskExhausted, R2
	BEQ  exhausted
	CMP  $const_taskMissing, R2
	BEQ  missing
	CMP  $const_taskLost, R2
	BEQ  lost
	CMP  $const_taskCorrupt, R2
	BEQ  corrupt
	CMP  $const_taskFaulted, R2
	BEQ  fault
	CALL ·overflowed(SB)
	UNDEF
unwound:
	CALL ·raiseUnwound(SB)
	UNDEF
raise:
	CALL ·raise(SB)
	UNDEF
exhausted:
	CALL ·raiseExhausted(SB)
	UNDEF
missing:
	CALL ·raiseMissing(SB)
	UNDEF
lost:
	CALL ·raiseLost(SB)
	UNDEF
corrupt:
	CALL ·raiseCorrupt(SB)
	UNDEF
fault:
	// The fault is repeated on the goroutine's stack. R4 is the address. No division faults on arm64.
	MOVBU (R4), R3
	CALL  ·raiseFault(SB)
	UNDEF

// runTask calls the body R10 with R0 and R1 on the stack of the task R9. It returns R2 and R9 as startTask expects them.
TEXT runTask<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LDP  (g), (R4, R5)
	STP  (R4, R5), task_goLow(R9)
	MOVD RSP, R6
	MOVD R6, task_goSP(R9)
	MOVD R30, task_goPC(R9)
	LDP  task_low(R9), (R7, R8)
	CMP  R4, R7
	CSEL LO, R7, R4, R4
	CMP  R5, R8
	CSEL HI, R8, R5, R5
	STP  (R4, R5), task_bothLow(R9)
	STP  (R4, R5), (g)
	MOVD R8, RSP
	STP  (R7, R8), (g)
	JMP  ·taskBase(SB)

// func taskBase()
TEXT ·taskBase(SB), NOSPLIT|NOFRAME|TOPFRAME, $0-0
	NO_LOCAL_POINTERS
	CALL (R10)
	MOVD 0(g), R9
	MOVD 8(R9), R9
	MOVD ZR, R2
	JMP  leave<>(SB)

// leave returns R2 from runTask. R9 is the task.
TEXT leave<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LDP  task_bothLow(R9), (R4, R5)
	STP  (R4, R5), (g)
	MOVD task_goSP(R9), R6
	MOVD task_goPC(R9), R30
	LDP  task_goLow(R9), (R4, R5)
	MOVD R6, RSP
	STP  (R4, R5), (g)
	RET

// func leaveTask()
//
// In: R2 says what startTask must call, and the arguments are at 8(RSP). It changes R3 to R9.
TEXT ·leaveTask(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD 0(g), R5
	TASK(R5, R9, none)
	LDP  8(RSP), (R3, R4)
	STP  (R3, R4), (task_words+0)(R9)
	LDP  24(RSP), (R3, R4)
	STP  (R3, R4), (task_words+16)(R9)
	LDP  40(RSP), (R3, R4)
	STP  (R3, R4), (task_words+32)(R9)
	MOVD 56(RSP), R3
	MOVD R3, (task_words+48)(R9)
	JMP  leave<>(SB)
none:
	RET

// func leaveTaskFault()
TEXT ·leaveTaskFault(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD 0(g), R9
	MOVD 8(R9), R9
	MOVD $const_taskFaulted, R2
	JMP  leave<>(SB)

// func thread()
//
// It changes R0 and R2 to R5.
TEXT ·thread(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD 0(g), R5
	MOVD $·savedBounds(SB), R2
	MOVD 16(R2), R3
	CMP  R3, R5
	BNE  bounds
	MOVD (R2), R5
bounds:
	TASK(R5, R0, none)
	RET
none:
	MOVD 48(g), R0 // g.m
	RET
