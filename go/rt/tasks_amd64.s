// Calls of Rust code on stacks of their own: see tasks.go.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// TASK loads the address of the task whose stack has the lower bound low, or jumps to none if no task has it. It uses AX and CX.
#define TASK(low, task, none) \
	LEAQ ·taskArena(SB), CX \
	MOVQ low, AX            \
	SUBQ 0(CX), AX          \
	CMPQ AX, 8(CX)          \
	JCC  none               \
	MOVQ 8(low), task

// func startTask(t *task, body uintptr, arguments, results unsafe.Pointer)
//
// Frame: 0–55(SP) the arguments of a function that raises a Go panic.
TEXT ·startTask(SB), NOSPLIT, $56-32
	NO_LOCAL_POINTERS
	MOVQ t+0(FP), R12
	MOVQ body+8(FP), R11
	MOVQ arguments+16(FP), DI
	MOVQ results+24(FP), SI
	CALL runTask<>(SB)
	TESTQ AX, AX
	JNE  left
	RET

left:
	// The task ends with a panic. AX says which, R12 is the task.
	XORL BP, BP
	MOVQ (task_words+0)(R12), CX
	MOVQ CX, 0(SP)
	MOVQ (task_words+8)(R12), DX
	MOVQ DX, 8(SP)
	MOVQ (task_words+16)(R12), R8
	MOVQ R8, 16(SP)
	MOVQ (task_words+24)(R12), R8
	MOVQ R8, 24(SP)
	MOVQ (task_words+32)(R12), R8
	MOVQ R8, 32(SP)
	MOVQ (task_words+40)(R12), R8
	MOVQ R8, 40(SP)
	MOVQ (task_words+48)(R12), R8
	MOVQ R8, 48(SP)
	CMPQ AX, $const_taskUnwound
	JEQ  unwound
	CMPQ AX, $const_taskRaise
	JEQ  raise
	CMPQ AX, $const_taskExhausted
	JEQ  exhausted
	CMPQ AX, $const_taskMissing
	JEQ  missing
	CMPQ AX, $const_taskLost
	JEQ  lost
	CMPQ AX, $const_taskCorrupt
	JEQ  corrupt
	CMPQ AX, $const_taskFaulted
	JEQ  fault
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
	// The fault is repeated on the goroutine's stack, so that Go makes its own panic of it. CX is the signal, DX the address.
	CMPQ CX, $8 // SIGFPE
	JEQ  divide
	MOVB (DX), AL
	JMP  repeated
divide:
	XORL CX, CX
	XORL DX, DX
	DIVL CX
repeated:
	CALL ·raiseFault(SB)
	UNDEF

// runTask calls the body R11 with DI and SI on the stack of the task R12. It returns AX and R12 as startTask expects them.
TEXT runTask<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ (TLS), R8
	MOVQ SP, task_goSP(R12)
	MOVQ 0(R8), R9
	MOVQ 8(R8), R10
	MOVQ R9, task_goLow(R12)
	MOVQ R10, task_goHigh(R12)
	MOVQ task_low(R12), AX
	MOVQ task_high(R12), CX
	CMPQ AX, R9
	CMOVQCS AX, R9
	CMPQ CX, R10
	CMOVQHI CX, R10
	MOVQ R9, task_bothLow(R12)
	MOVQ R10, task_bothHigh(R12)
	MOVQ R9, 0(R8)
	MOVQ R10, 8(R8)
	MOVQ CX, SP
	MOVQ AX, 0(R8)
	MOVQ CX, 8(R8)
	EMMS // a fault on this thread may have left values on the x87 stack
	JMP  ·taskBase(SB)

// func taskBase()
TEXT ·taskBase(SB), NOSPLIT|NOFRAME|TOPFRAME, $0-0
	NO_LOCAL_POINTERS
	CALL R11
	MOVQ (TLS), R8
	MOVQ 0(R8), R12
	MOVQ 8(R12), R12
	XORL AX, AX
	JMP  leave<>(SB)

// leave returns AX from runTask. R12 is the task.
TEXT leave<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ (TLS), R8
	MOVQ task_bothLow(R12), R9
	MOVQ task_bothHigh(R12), R10
	MOVQ R9, 0(R8)
	MOVQ R10, 8(R8)
	MOVQ task_goLow(R12), R9
	MOVQ task_goHigh(R12), R10
	MOVQ task_goSP(R12), SP
	MOVQ R9, 0(R8)
	MOVQ R10, 8(R8)
	RET

// func leaveTask()
//
// In: AX says what startTask must call, and the caller's frame begins with the arguments. On a task's stack, leaveTask ends the task and does not return.
// On the stack of a goroutine it does nothing. It changes AX, CX, DX, R8, R9 and R12.
TEXT ·leaveTask(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ AX, DX
	MOVQ (TLS), R8
	MOVQ 0(R8), R9
	TASK(R9, R12, none)
	MOVQ DX, AX
	MOVQ 8(SP), CX
	MOVQ CX, (task_words+0)(R12)
	MOVQ 16(SP), CX
	MOVQ CX, (task_words+8)(R12)
	MOVQ 24(SP), CX
	MOVQ CX, (task_words+16)(R12)
	MOVQ 32(SP), CX
	MOVQ CX, (task_words+24)(R12)
	MOVQ 40(SP), CX
	MOVQ CX, (task_words+32)(R12)
	MOVQ 48(SP), CX
	MOVQ CX, (task_words+40)(R12)
	MOVQ 56(SP), CX
	MOVQ CX, (task_words+48)(R12)
	JMP  leave<>(SB)
none:
	RET

// func leaveTaskFault()
//
// The signal handler makes a task that has faulted go on here. The task's words are set.
TEXT ·leaveTaskFault(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ (TLS), R8
	MOVQ 0(R8), R12
	MOVQ 8(R12), R12
	MOVQ $const_taskFaulted, AX
	JMP  leave<>(SB)

// func thread()
//
// Out: the address of the task whose stack the Rust code is on. Otherwise the address of the runtime's m, which identifies the thread that runs the
// goroutine. While a message is formatted, the bounds in g are those of the static stack, and savedBounds has the other ones.
//
// The function needs no stack below SP at entry. It changes AX, CX, DX and SI.
TEXT ·thread(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ (TLS), SI
	MOVQ 0(SI), DX
	LEAQ ·savedBounds(SB), AX
	CMPQ DX, 16(AX)
	JNE  bounds
	MOVQ 0(AX), DX
bounds:
	TASK(DX, AX, none)
	RET
none:
	MOVQ 48(SI), AX // g.m
	RET
