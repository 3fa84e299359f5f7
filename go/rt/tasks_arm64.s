// These functions run Rust code on stacks of its own; see tasks.go and tasks_amd64.s.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// TASK loads the address of the task whose stack has the lower bound low, or jumps to none if low is not in ·taskArena. It uses R3 and R4. (A load
// from a named variable would use R27, which is callee-saved in C. In a plugin, the MOVD of the address of a variable uses R27, too.)
#define TASK(low, task, none) \
	MOVD R27, R4             \
	MOVD $·taskArena(SB), R3 \
	MOVD R4, R27             \
	LDP  (R3), (R3, R4)      \
	SUB  R3, low, R3         \
	CMP  R4, R3              \
	BHS  none                \
	MOVD 8(low), task

// func startTask(t *task, body uintptr, arguments, results unsafe.Pointer) (why uintptr)
TEXT ·startTask(SB), NOSPLIT, $8-40
	NO_LOCAL_POINTERS
	MOVD t+0(FP), R9
	MOVD body+8(FP), R10
	MOVD arguments+16(FP), R0
	MOVD results+24(FP), R1
	CALL ·runTask(SB)
	MOVD R2, why+32(FP)
	RET

// func resumeTask(t *task, answer uintptr) (why uintptr)
TEXT ·resumeTask(SB), NOSPLIT, $8-24
	NO_LOCAL_POINTERS
	MOVD t+0(FP), R9
	MOVD answer+8(FP), R0
	CALL ·goOn(SB)
	MOVD R2, why+16(FP)
	RET

// func repeatFault(signal, address uintptr)
TEXT ·repeatFault(SB), NOSPLIT, $0-16
	NO_LOCAL_POINTERS
	MOVD  address+8(FP), R4
	MOVBU (R4), R3
	RET

// SWITCH saves the state of the goroutine in the task R9, and sets SP to high and the bounds in g to the task's. It uses R4 to R8.
#define SWITCH(high) \
	LDP  (g), (R4, R5)               \
	STP  (R4, R5), task_goLow(R9)    \
	MOVD RSP, R6                     \
	STP  (R6, R30), task_goSP(R9)    \
	LDP  task_low(R9), (R7, R8)      \
	ADD  $8, R8, R8                  \
	CMP  R4, R7                      \
	CSEL LO, R7, R4, R4              \
	CMP  R5, R8                      \
	CSEL HI, R8, R5, R5              \
	STP  (R4, R5), task_bothLow(R9)  \
	STP  (R4, R5), (g)               \
	MOVD high, RSP                   \
	STP  (R7, R8), (g)

// func runTask()
//
// runTask calls the body R10 with R0 and R1 on the stack of the task R9. It returns R2, the reason for which Rust code has left the stack.
TEXT ·runTask(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD task_high(R9), R11
	SWITCH(R11)
	JMP  ·taskBase(SB)

// LOAD_KEPT loads the callee-saved registers of callGo's caller. (go vet reports writes of R29, but not in a macro. Here R29 holds a value of Rust
// code.)
#define LOAD_KEPT \
	LDP   0(R10), (R19, R20)   \
	LDP   16(R10), (R21, R22)  \
	LDP   32(R10), (R23, R24)  \
	LDP   48(R10), (R25, R26)  \
	LDP   64(R10), (R27, R29)  \
	FLDPD 80(R10), (F8, F9)    \
	FLDPD 96(R10), (F10, F11)  \
	FLDPD 112(R10), (F12, F13) \
	FLDPD 128(R10), (F14, F15)

// func goOn()
//
// goOn makes callGo return R0 to Rust code on the stack of the task R9. When Rust code leaves the task's stack again, goOn returns R2 as runTask
// does.
TEXT ·goOn(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD  task_sp(R9), R10
	SWITCH(R10)
	LOAD_KEPT
	MOVD  144(R10), R30
	ADD   $160, R10, R10
	MOVD  R10, RSP
	RET

// LEAVE goes back to the goroutine's stack. R9 is the task. It uses R4 to R6, and loads the return address of runTask or goOn to R30.
#define LEAVE \
	LDP  task_bothLow(R9), (R4, R5) \
	STP  (R4, R5), (g)              \
	LDP  task_goSP(R9), (R6, R30)   \
	LDP  task_goLow(R9), (R4, R5)   \
	MOVD R6, RSP                    \
	STP  (R4, R5), (g)

// func callGo()
//
// callGo is as on amd64, with the arguments in R0 to R3 and the result in R0. It saves the caller's registers below SP at entry, in 160 bytes.
TEXT ·callGo(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD  0(g), R5
	MOVD  R3, R11
	TASK(R5, R9, none)
	MOVD  RSP, R10
	SUB   $160, R10, R10
	MOVD  R10, RSP
	STP   (R19, R20), 0(R10)
	STP   (R21, R22), 16(R10)
	STP   (R23, R24), 32(R10)
	STP   (R25, R26), 48(R10)
	STP   (R27, R29), 64(R10)
	FSTPD (F8, F9), 80(R10)
	FSTPD (F10, F11), 96(R10)
	FSTPD (F12, F13), 112(R10)
	FSTPD (F14, F15), 128(R10)
	MOVD  R30, 144(R10)
	MOVD  R10, task_sp(R9)
	STP   (R0, R1), (task_words+0)(R9)
	MOVD  R2, (task_words+16)(R9)
	MOVD  R11, (task_words+24)(R9)
	MOVD  $const_taskCalls, R2
	LEAVE
	JMP   (R30)
none:
	MOVD $2, R0
	RET

// func giveWay()
TEXT ·giveWay(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	CMP  $64, R0
	BCC  none
	MOVD 0(g), R5
	TASK(R5, R9, none)
	MOVD task_yields(R9), R3
	CBZ  R3, none
	MOVD $const_yields, R0
	MOVD ZR, R1 // there are no arguments and no results
	MOVD ZR, R2
	MOVD ZR, R3 // whether the thread panics is not known here
	JMP  ·callGo(SB)
none:
	JMP ·relax(SB)

// func taskBase()
TEXT ·taskBase(SB), NOSPLIT|NOFRAME|TOPFRAME, $0-0
	NO_LOCAL_POINTERS
	CALL (R10)
	MOVD 0(g), R9
	MOVD 8(R9), R9
	MOVD ZR, R2
	JMP  leave<>(SB)

// leave returns R2 from runTask or goOn. R9 is the task.
TEXT leave<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LEAVE
	RET

// func leaveTask()
//
// In: R2 is the reason for leaving the task's stack. The arguments of the Go function that panics are at 8(RSP). leaveTask changes R3 to R9.
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
// The function changes R0 and R2 to R5.
TEXT ·thread(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD 0(g), R5
	MOVD R27, R3
	MOVD $·savedBounds(SB), R2 // in a plugin, this changes R27
	MOVD R3, R27
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
