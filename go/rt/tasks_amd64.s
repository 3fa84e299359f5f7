// These functions run Rust code on stacks of its own; see tasks.go.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// TASK loads the address of the task whose stack has the lower bound low, or jumps to none if low is not in ·taskArena. It uses AX and CX.
#define TASK(low, task, none) \
	LEAQ ·taskArena(SB), CX \
	MOVQ low, AX            \
	SUBQ 0(CX), AX          \
	CMPQ AX, 8(CX)          \
	JCC  none               \
	MOVQ 8(low), task

// func startTask(t *task, body uintptr, arguments, results unsafe.Pointer) (why uintptr)
//
// Rust code changes BP, so the function has a frame, in which the assembler saves BP.
TEXT ·startTask(SB), NOSPLIT, $8-40
	NO_LOCAL_POINTERS
	MOVQ t+0(FP), R12
	MOVQ body+8(FP), R11
	MOVQ arguments+16(FP), DI
	MOVQ results+24(FP), SI
	CALL ·runTask(SB)
	MOVQ AX, why+32(FP)
	RET

// func resumeTask(t *task, answer uintptr) (why uintptr)
TEXT ·resumeTask(SB), NOSPLIT, $8-24
	NO_LOCAL_POINTERS
	MOVQ t+0(FP), R12
	MOVQ answer+8(FP), R11
	CALL ·goOn(SB)
	MOVQ AX, why+16(FP)
	RET

// func repeatFault(signal, address uintptr)
//
// repeatFault repeats the access or the division that has faulted on a task's stack, so that Go raises its own panic for the fault.
TEXT ·repeatFault(SB), NOSPLIT, $0-16
	NO_LOCAL_POINTERS
	MOVQ signal+0(FP), CX
	MOVQ address+8(FP), DX
	CMPQ CX, $8 // SIGFPE
	JEQ  divide
	MOVB (DX), AL
	RET
divide:
	XORL CX, CX
	XORL DX, DX
	DIVL CX
	RET

// SWITCH saves the state of the goroutine in the task R12, and sets SP to high and the bounds in g to the task's. It uses AX, CX, and R8 to R10. The upper
// bound is 8 bytes above the stack, because Windows' profiler looks for a goroutine whose upper bound is above SP (gFromSP, runtime/os_windows.go).
#define SWITCH(high) \
	MOVQ    (TLS), R8                \
	MOVQ    SP, task_goSP(R12)       \
	MOVQ    0(R8), R9                \
	MOVQ    8(R8), R10               \
	MOVQ    R9, task_goLow(R12)      \
	MOVQ    R10, task_goHigh(R12)    \
	MOVQ    task_low(R12), AX        \
	MOVQ    task_high(R12), CX       \
	ADDQ    $8, CX                   \
	CMPQ    AX, R9                   \
	CMOVQCS AX, R9                   \
	CMPQ    CX, R10                  \
	CMOVQHI CX, R10                  \
	MOVQ    R9, task_bothLow(R12)    \
	MOVQ    R10, task_bothHigh(R12)  \
	MOVQ    R9, 0(R8)                \
	MOVQ    R10, 8(R8)               \
	MOVQ    high, SP                 \
	MOVQ    AX, 0(R8)                \
	MOVQ    CX, 8(R8)

// EMPTY_X87 empties the x87 stack of this thread if the code of the task R12 uses the x87 stack. A fault may have left values there. EMMS takes
// longer than the rest of goOn.
#define EMPTY_X87 \
	CMPQ task_x87(R12), $0 \
	JEQ  2(PC)             \
	EMMS

// func runTask()
//
// runTask calls the body R11 with DI and SI on the stack of the task R12. It returns AX, the reason for which Rust code has left the stack.
TEXT ·runTask(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ task_high(R12), DX
	SWITCH(DX)
	EMPTY_X87
	JMP  ·taskBase(SB)

// LOAD_KEPT loads the callee-saved registers of callGo's caller. (go vet reports writes of BP, but not in a macro. Here BP holds a value of Rust
// code.)
#define LOAD_KEPT \
	MOVQ 0(SP), BX   \
	MOVQ 8(SP), BP   \
	MOVQ 16(SP), R13 \
	MOVQ 24(SP), R14 \
	MOVQ 32(SP), R15 \
	MOVQ 40(SP), R12

// func goOn()
//
// goOn makes callGo return R11 to Rust code on the stack of the task R12. When Rust code leaves the task's stack again, goOn returns AX as runTask
// does.
TEXT ·goOn(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ task_sp(R12), DX
	SWITCH(DX)
	EMPTY_X87 // C's convention leaves nothing on the x87 stack at a call
	LOAD_KEPT
	MOVQ R11, AX
	ADDQ $48, SP
	RET

// LEAVE goes back to the goroutine's stack: it restores SP at the CALL of runTask or goOn. R12 is the task. It uses R8 to R10.
#define LEAVE \
	MOVQ (TLS), R8               \
	MOVQ task_bothLow(R12), R9   \
	MOVQ task_bothHigh(R12), R10 \
	MOVQ R9, 0(R8)               \
	MOVQ R10, 8(R8)              \
	MOVQ task_goLow(R12), R9     \
	MOVQ task_goHigh(R12), R10   \
	MOVQ task_goSP(R12), SP      \
	MOVQ R9, 0(R8)               \
	MOVQ R10, 8(R8)

// func callGo()
//
// Rust code calls callGo by C's convention: DI is the number of a Go function, SI the address of its arguments, DX the address of its result, CX is
// not 0 while the thread panics. Out: AX is 0 if the Go function has returned, 1 plus 256 times the number of the panic if the Go function has
// panicked or ended its goroutine, and 2 if the caller is not on a task's stack. AX is goForgets or goForgetsNoMore (heap_tasks.go) if the caller is
// a destructor that may not call Go.
//
// The function needs 48 bytes of stack below SP at entry.
TEXT ·callGo(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ (TLS), R8
	MOVQ 0(R8), R9
	MOVQ CX, R10
	TASK(R9, R11, none)
	SUBQ $48, SP
	MOVQ BX, 0(SP)
	MOVQ BP, 8(SP)
	MOVQ R13, 16(SP)
	MOVQ R14, 24(SP)
	MOVQ R15, 32(SP)
	MOVQ R12, 40(SP)
	MOVQ R11, R12
	MOVQ SP, task_sp(R12)
	MOVQ DI, (task_words+0)(R12)
	MOVQ SI, (task_words+8)(R12)
	MOVQ DX, (task_words+16)(R12)
	MOVQ R10, (task_words+24)(R12)
	MOVQ $const_taskCalls, AX
	LEAVE
	POPQ R9
	MOVQ R9, task_goPC(R12)
	JMP  R9
	ADJSP $8 // not reached, as above
none:
	MOVQ $2, AX
	RET

// func giveWay()
//
// Rust code that waits for a lock calls giveWay by C's convention: DI is the number of calls already made while waiting for this lock. After many
// calls giveWay lets other goroutines run, if the caller is a task that may call Go. Otherwise giveWay does the same as relax. (The heap calls relax
// instead of giveWay, because a goroutine that has begun an allocation must not give up its processor.)
//
// The function needs 160 bytes of stack below SP at entry, or less.
TEXT ·giveWay(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	CMPQ DI, $64
	JCS  none
	MOVQ (TLS), R8
	MOVQ 0(R8), R9
	TASK(R9, R11, none)
	CMPQ task_yields(R11), $0
	JEQ  none
	MOVQ $const_yields, DI
	XORL SI, SI // there are no arguments and no results
	XORL DX, DX
	XORL CX, CX // whether the thread panics is not known here
	JMP  ·callGo(SB)
none:
	JMP ·relax(SB)

// func taskBase()
TEXT ·taskBase(SB), NOSPLIT|NOFRAME|TOPFRAME, $0-0
	NO_LOCAL_POINTERS
	CALL R11
	MOVQ (TLS), R8
	MOVQ 0(R8), R12
	MOVQ 8(R12), R12
	XORL AX, AX
	JMP  leave<>(SB)

// leave returns AX from runTask or goOn. R12 is the task.
TEXT leave<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LEAVE
	RET

// func leaveTask()
//
// In: AX is the reason for leaving the task's stack. The caller's frame begins with the arguments of the Go function that panics. On a task's stack,
// leaveTask ends the task and does not return. On the stack of a goroutine it does nothing. It changes AX, CX, DX, R8, R9 and R12.
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
// After a fault on a task's stack, the signal handler makes the thread continue here. The handler has set the task's words.
TEXT ·leaveTaskFault(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ (TLS), R8
	MOVQ 0(R8), R12
	MOVQ 8(R12), R12
	MOVQ $const_taskFaulted, AX
	JMP  leave<>(SB)

// func thread()
//
// Out: the address of the task if Rust code runs on a task's stack, otherwise the address of the runtime's m, which identifies the thread that runs
// the goroutine. While a message is formatted, the bounds in g are the bounds of the static stack, and savedBounds has the bounds of the stack that
// panicked.
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
