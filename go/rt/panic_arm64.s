// The functions in this file turn a Rust panic into a Go panic on arm64. panic_amd64.s describes the steps and the reasons. The differences are:
//
//   - The caller's return address is in R30. The prologue that the assembler adds to enter, missing and exhausted stores R30 at 0(SP), where the
//     unwinder looks for the return address.
//   - The frames of Rust functions also keep their return address at 0(SP); the generator ensures this.
//   - R29 is 0 when raise is called, as BP is on amd64, so the chain of frame pointers ends there.
//   - formatPanicMessage must save R30 as well as SP. It cannot keep them in registers: abandon may run in any function of the formatter, where
//     callee-saved registers may hold any value.
//   - SP is always a multiple of 16.
//   - R28 is g. Rust code does not use R28. It does not use R18 either, because R18 belongs to the platform on darwin and windows.
//
// enter needs 72 bytes of stack below SP at entry: 64 for its frame, 8 below it for R29.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// ·panicLock guards the report and the words below it.
GLOBL report<>(SB), NOPTR, $const_unwindingSize
// resume holds the SP and the return address of formatPanicMessage.
GLOBL resume<>(SB), NOPTR, $16
// bothBounds holds bounds that include the static stack and the stack on which the panic began.
GLOBL bothBounds<>(SB), NOPTR, $16
// savedLimit is the stack limit of a blocking call that panics. blocks is 1 while the formatter runs for a panic of a blocking call.
GLOBL savedLimit<>(SB), NOPTR, $8
GLOBL blocks<>(SB), NOPTR, $8
// saved holds the callee-saved registers of the function that panicked: R19 to R27, R29, F8 to F15.
GLOBL saved<>(SB), NOPTR, $144
// thrower holds SP and R30 of the function that panicked, and the address of the formatter.
GLOBL thrower<>(SB), NOPTR, $24
// thrown is the exception that the formatter has raised.
GLOBL thrown<>(SB), NOPTR, $8
GLOBL stack<>(SB), NOPTR, $(const_wholeSize+const_aboveSize)

// BOUNDS sets the stack bounds in g from two words. It uses R4 to R6.
#define BOUNDS(words) \
	MOVD $words(SB), R6  \
	LDP  (R6), (R4, R5)  \
	MOVD R4, 0(g)        \
	MOVD R5, 8(g)

// WHERE_SP compares SP with the bounds of the static stack: after it, BLS jumps if SP is on the static stack. It uses R2, R3 and R4.
#define WHERE_SP \
	MOVD $stack<>(SB), R2     \
	MOVD RSP, R3              \
	SUB  R2, R3, R3           \
	MOVD $const_wholeSize, R4 \
	CMP  R4, R3

// LOCK_PANICS takes ·panicLock, by spinning. It uses R2 to R5.
#define LOCK_PANICS(take, wait, taken) \
	MOVD $·panicLock(SB), R2 \
	MOVD $1, R3              \
take:                            \
	LDAXRW (R2), R4          \
	CBNZ   R4, wait          \
	STXRW  R3, (R2), R5      \
	CBNZ   R5, take          \
	JMP    taken             \
wait:                            \
	YIELD                    \
	MOVWU (R2), R4           \
	CBNZ  R4, wait           \
	JMP   take               \
taken:

// UNLOCK_PANICS releases ·panicLock. It uses R2.
#define UNLOCK_PANICS \
	MOVD  $·panicLock(SB), R2 \
	STLRW ZR, (R2)

// TAKE_SLOT puts the number of a free slot of ·messages into R3. It uses R2 and R4 to R7.
#define TAKE_SLOT(choose, chosen) \
	MOVD $·busy(SB), R2     \
choose:                         \
	MOVD  $const_noSlot, R3 \
	LDAXR (R2), R4          \
	MVN   R4, R5            \
	CBZ   R5, chosen        \
	RBIT  R5, R5            \
	CLZ   R5, R3            \
	MOVD  $1, R6            \
	LSL   R3, R6, R6        \
	ORR   R6, R4, R4        \
	STLXR R4, (R2), R7      \
	CBNZ  R7, choose        \
chosen:

// EMPTY_REPORT prepares the report for the formatter. In: R3 is the slot's number. Out: R2 is the address of the report. It uses R4 and R5.
#define EMPTY_REPORT \
	MOVD $report<>(SB), R2       \
	MOVD $·messages(SB), R4      \
	MOVD $const_slotSize, R5     \
	MADD R5, R4, R3, R4          \
	MOVD R4, report_message(R2)  \
	MOVD R5, report_capacity(R2) \
	MOVD ZR, report_length(R2)   \
	MOVD ZR, report_file(R2)     \
	MOVD ZR, report_fileLen(R2)  \
	MOVD ZR, report_line(R2)

// SAVE_BOUNDS copies the stack bounds in g to ·savedBounds, and stores bounds that include both stacks in bothBounds. It uses R2 and R4 to R6.
#define SAVE_BOUNDS \
	LDP  (g), (R4, R5)                        \
	MOVD $·savedBounds(SB), R2                \
	STP  (R4, R5), (R2)                       \
	MOVD $stack<>(SB), R6                     \
	MOVD R6, 16(R2)                           \
	CMP  R4, R6                               \
	CSEL LO, R6, R4, R4                       \
	MOVD $stack<>+(const_wholeSize+8)(SB), R6 \
	CMP  R5, R6                               \
	CSEL HI, R6, R5, R5                       \
	MOVD $bothBounds<>(SB), R2                \
	STP  (R4, R5), (R2)

// CHECK_GUARD jumps to corrupt unless the guard is still zero. It uses R2 to R5.
#define CHECK_GUARD(guard, corrupt) \
	MOVD $stack<>+8(SB), R2       \
	MOVD $(const_guardSize-8), R3 \
	MOVD ZR, R4                   \
guard:                                \
	MOVD.P 8(R2), R5              \
	ORR    R5, R4, R4             \
	SUB    $8, R3, R3             \
	CBNZ   R3, guard              \
	CBNZ   R4, corrupt

// RAISE_ARGUMENTS stores the arguments of raise that follow the slot. They come from the report. The address of an empty Rust string is not a valid
// pointer, so nil replaces it. RAISE_ARGUMENTS puts the report's address into R2, and uses R3 and R4.
#define RAISE_ARGUMENTS \
	MOVD $report<>(SB), R2      \
	MOVD report_length(R2), R3  \
	MOVD R3, 16(RSP)            \
	MOVD report_file(R2), R3    \
	MOVD report_fileLen(R2), R4 \
	CMP  $0, R4                 \
	CSEL EQ, ZR, R3, R3         \
	MOVD R3, 24(RSP)            \
	MOVD R4, 32(RSP)            \
	MOVD report_line(R2), R3    \
	MOVD R3, 40(RSP)

// func enter()
//
// In (not by a Go call: generated code jumps here from the place where Rust called the panic handler):
//
//	R0      *core::panic::PanicInfo, opaque
//	R1      the formatter of the Rust crate: extern "C" fn(*const PanicInfo, *mut Report)
//	R30     the return address into the Rust frame that panicked
//	others  any value, except R18 and R28; no register survives, because enter does not return
//
// Frame: 0(SP) R30, 8–47(SP) the arguments of raise, 48(SP) the slot.
TEXT ·enter(SB), NOSPLIT, $48-0
	NO_LOCAL_POINTERS

	// Checks whether SP is already on the static stack.
	WHERE_SP
	BLS  again

	// This ends a blocking call, as on amd64.
	MOVD R0, 8(RSP)
	MOVD R1, 16(RSP)
	MOVD 0(g), R2
	MOVD R2, 24(RSP)
	MOVD ZR, R29
	CALL ·leaveCall(SB)
	MOVD 8(RSP), R0
	MOVD 16(RSP), R1
	MOVD 24(RSP), R2
	MOVD 0(g), R3
	CMP  R2, R3
	BNE  gone

	LOCK_PANICS(take, wait, taken)
#ifdef GOOS_linux
	CALL watch<>(SB)
#endif
	TAKE_SLOT(choose, chosen)
	MOVD R3, 48(RSP)
	EMPTY_REPORT
	SAVE_BOUNDS
	CALL formatPanicMessage<>(SB)

	CHECK_GUARD(guard, corrupt)
	MOVD 48(RSP), R3
	MOVD R3, 8(RSP)
	RAISE_ARGUMENTS
	UNLOCK_PANICS
	MOVD $const_taskRaise, R2
	CALL ·leaveTask(SB)
	MOVD ZR, R29
	CALL ·raise(SB)
	UNDEF

gone:
	MOVD $const_noSlot, R2
	MOVD R2, 8(RSP)
	MOVD $const_moved, R2
	MOVD R2, 16(RSP)
	MOVD ZR, 24(RSP)
	MOVD ZR, 32(RSP)
	MOVD ZR, 40(RSP)
	MOVD ZR, R29
	CALL ·raise(SB)
	UNDEF

again:
	MOVD $const_unfinished, R0
	JMP  abandon<>(SB)

corrupt:
	MOVD $const_taskOverflowed, R2
	CALL ·leaveTask(SB)
	MOVD ZR, R29
	CALL ·overflowed(SB)
	UNDEF

// formatPanicMessage runs the formatter R1 for the panic R0 on the static stack. The formatter fills report<>.
TEXT formatPanicMessage<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD R1, R2
	MOVD $report<>(SB), R1
	MOVD $resume<>(SB), R3
	MOVD RSP, R4
	STP  (R4, R30), (R3)
	BOUNDS(bothBounds<>)
	MOVD $stack<>(SB), R3
	MOVD $const_wholeSize, R4
	ADD  R3, R4, R4
	ADD  $8, R4, R5
	AND  $~63, R4, R4
	MOVD R4, RSP
	MOVD $const_limit, R4
	ADD  R3, R4, R4
	MOVD R4, (R3)
	MOVD R3, 0(g)
	MOVD R5, 8(g)
	CALL (R2)
	JMP  back<>(SB)

// abandon gives up the message, for the reason R0. If the formatter has stored the location of the panic, the location is kept.
TEXT abandon<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD $report<>(SB), R2
	MOVD R0, report_length(R2)
	JMP  back<>(SB)

// func corrupt()
TEXT ·corrupt(SB), NOSPLIT, $24-0
	NO_LOCAL_POINTERS
	WHERE_SP
	BLS  formatting
	MOVD R0, 8(RSP)
	MOVD R1, 16(RSP)
	MOVD $const_taskCorrupt, R2
	CALL ·leaveTask(SB)
	MOVD ZR, R29
	CALL ·leaveCall(SB)
	CALL ·raiseCorrupt(SB)
	UNDEF
formatting:
	// No Go code may run on this stack; see panic_amd64.s.
	CMP  $const_corruptNoMemory, R0
	BEQ  lost
	MOVD $·corruption(SB), R2
	STP  (R0, R1), (R2)
	MOVD $stack<>+8(SB), R2
	MOVD $1, R3
	MOVD R3, (R2)
lost:
	MOVD $const_unfinished, R0
	JMP  abandon<>(SB)

// back returns from formatPanicMessage or runFormatter, on the goroutine's stack.
TEXT back<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD $blocks<>(SB), R3
	MOVD (R3), R4
	CBNZ R4, blocks
	BOUNDS(bothBounds<>)
	MOVD $resume<>(SB), R3
	LDP  (R3), (R4, R30)
	MOVD R4, RSP
	MOVD $·savedBounds(SB), R3
	LDP  (R3), (R4, R5)
	STP  (R4, R5), (g)
	RET
blocks:
	MOVD ZR, (R3)
	MOVD $savedLimit<>(SB), R3
	MOVD (R3), R3
	MOVD 0(g), R4
	MOVD R3, (R4)
	MOVD $resume<>(SB), R3
	LDP  (R3), (R4, R30)
	MOVD R4, RSP
	RET

#ifdef GOOS_linux
// abandonFault calls abandon for a formatter that faulted.
TEXT abandonFault<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD $const_faulted, R0
	JMP  abandon<>(SB)

// handlers holds the handlers that faulted calls, by signal number. A word is 0 until watch sets it, and never changes again.
GLOBL handlers<>(SB), NOPTR, $(12*8)
// action is the kernel's struct for a handler: address, flags, restorer, mask. ·panicLock guards action.
GLOBL action<>(SB), NOPTR, $32

// watch makes faulted the handler of SIGSEGV, SIGFPE and SIGBUS, as on amd64.
//
// watch preserves R0 and R1. It needs no stack below SP at entry.
TEXT watch<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD R0, R12
	MOVD R1, R13
	MOVD $handlers<>(SB), R14
	MOVD $action<>(SB), R15
	MOVD $faulted<>(SB), R10
	MOVD $11, R9 // SIGSEGV
look:
	MOVD R9, R0
	MOVD ZR, R1
	MOVD R15, R2
	MOVD $8, R3   // bytes of the mask
	MOVD $134, R8 // rt_sigaction; changes only R0
	SVC
	CBNZ R0, looked
	MOVD 0(R15), R4
	CMP  R10, R4
	BEQ  ours
	CMP  $1, R4 // SIG_DFL, SIG_IGN
	BLS  looked
	MOVWU 8(R15), R5
	MOVD $0x88000004, R6 // SA_RESETHAND, SA_ONSTACK, SA_SIGINFO
	AND  R6, R5, R5
	MOVD $0x08000004, R6
	CMP  R6, R5
	BNE  looked
	MOVD (R14)(R9<<3), R5
	CBZ  R5, put
	CMP  R4, R5
	BNE  looked
put:
	MOVD R4, (R14)(R9<<3)
	MOVD R10, 0(R15)
	MOVD R9, R0
	MOVD R15, R1
	MOVD ZR, R2
	MOVD $8, R3
	MOVD $134, R8
	SVC
looked:
	CMP  $8, R9 // SIGFPE
	BLT  watched
	BEQ  last
	MOVD $8, R9
	JMP  look
last:
	MOVD $7, R9 // SIGBUS
	JMP  look
ours:
	CMP  $11, R9
	BNE  looked
watched:
	MOVD R12, R0
	MOVD R13, R1
	RET

// READABLE sets R0 to 0 if the eight bytes at R1 cannot be read, and otherwise to another value. Its system call, rt_sigprocmask with an invalid
// argument, always fails, but the error is EFAULT only if the bytes cannot be read.
#define READABLE \
	MOVD $-1, R0  \
	MOVD ZR, R2   \
	MOVD $8, R3   \
	MOVD $135, R8 \
	SVC           \
	ADD  $14, R0 // EFAULT

// faulted is a signal handler, with the arguments of C: R0 is the signal, R1 the address of its siginfo, R2 the address of the ucontext.
// panic_amd64.s describes faulted. When Go's handler makes a goroutine call sigpanic, the handler moves SP down by two words, and stores R30 at SP
// and R29 in the word below SP.
//
// In C code R28 may have any value, so READABLE checks the address before faulted reads it as g.
//
// Frame: 8(RSP) the ucontext; 16–47(RSP) four words: SP, PC, R29 and R30 of the fault; 48(RSP) whether the fault was in a blocking call.
TEXT faulted<>(SB), NOSPLIT, $56-0
	NO_LOCAL_POINTERS
	MOVD 432(R2), R3 // SP
	MOVW 8(R1), R5 // si_code: if not positive, a process sent the signal
	MOVD $stack<>(SB), R4
	SUB  R4, R3, R4
	MOVD $const_wholeSize, R6
	CMP  R6, R4
	BHI  others
	CMPW $0, R5
	BLE  others
	MOVD $abandonFault<>(SB), R3
	MOVD R3, 440(R2) // PC
	RET
others:
	// The fault is on a task's stack if SP is in ·taskArena and the bounds in g include SP. Rust code does not change R28, so R28 is g.
	MOVD $·taskArena(SB), R6
	LDP  (R6), (R4, R6)
	SUB  R4, R3, R4
	CMP  R6, R4
	BHS  noTask
	CMPW $0, R5
	BLE  noTask
	MOVD 408(R2), R7 // R28
	LDP  (R7), (R4, R6)
	CMP  R4, R3
	BLO  noTask
	CMP  R6, R3
	BHI  noTask
	MOVD 8(R4), R4
	MOVD R0, (task_words+0)(R4)
	MOVD 16(R1), R6 // si_addr
	MOVD R6, (task_words+8)(R4)
	MOVD $·leaveTaskFault(SB), R4
	MOVD R4, 440(R2) // PC
	RET
noTask:
	CMPW $0, R5
	CSEL GT, R2, ZR, R4
	MOVD R4, 8(RSP)
	MOVD R3, 16(RSP)
	MOVD 440(R2), R4
	MOVD R4, 24(RSP)
	MOVD 416(R2), R4
	MOVD R4, 32(RSP)
	MOVD 424(R2), R4
	MOVD R4, 40(RSP)
	MOVD ZR, 48(RSP)
	CMPW $0, R5
	BLE  handle
	MOVD $·callSP(SB), R6
	MOVD (R6), R6
	CBZ  R6, handle
	MOVD 408(R2), R7 // R28
	AND  $7, R7, R9
	CBNZ R9, handle
	MOVD R0, R9
	MOVD R1, R10
	MOVD R2, R11
	MOVD R7, R1
	READABLE
	CBZ  R0, unknown
	ADD  $(const_gWords*8-8), R7, R1
	READABLE
	CBZ  R0, unknown
	// SP is between the lowest address of the goroutine's stack and g.syscallsp, so the fault is in Rust code.
	MOVD 16(RSP), R3
	MOVD 0(R7), R4
	CMP  R4, R3
	BLS  unknown
	MOVD (R7)(R6), R4
	CMP  R4, R3
	BHI  unknown
	MOVD $·callThrow(SB), R6
	MOVD (R6), R6
	MOVB ZR, (R7)(R6)
	MOVD $1, R4
	MOVD R4, 48(RSP)
unknown:
	MOVD R9, R0
	MOVD R10, R1
	MOVD R11, R2
handle:
	MOVD $handlers<>(SB), R3
	MOVD (R3)(R0<<3), R3
	CALL (R3)
	MOVD 8(RSP), R2
	CBZ  R2, done
	MOVD 440(R2), R3
	MOVD 24(RSP), R4
	CMP  R3, R4
	BEQ  done // the code continues, or is executed again
	MOVD 432(R2), R3
	MOVD 16(RSP), R4
	ADD  $16, R3, R5
	CMP  R4, R5
	BNE  done
	MOVD -8(R3), R4
	MOVD 32(RSP), R5
	CMP  R4, R5
	BNE  done
	MOVD 0(R3), R4
	MOVD 40(RSP), R5
	CMP  R4, R5
	BNE  done
	MOVD ZR, 416(R2) // R29
	MOVD 48(RSP), R3
	CBZ  R3, done
	MOVD 440(R2), R3
	MOVD $sigpanic<>(SB), R4
	MOVD R3, (R4) // always the same address
	MOVD $leaveFault<>(SB), R3
	MOVD R3, 440(R2)
done:
	RET

// sigpanic holds the address of the runtime's function sigpanic, which Go's handler stored in the context.
GLOBL sigpanic<>(SB), NOPTR, $8

// leaveFault ends the state of a system call, then jumps to sigpanic. It is entered as if the faulting code had called leaveFault. R29 is 0.
TEXT leaveFault<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD.W R30, -16(RSP)
	CALL   ·leaveCall(SB)
	MOVD.P 16(RSP), R30
	MOVD   $sigpanic<>(SB), R0
	MOVD   (R0), R0
	JMP    (R0)
#endif

// func watchFaults()
//
// watchFaults calls watch when the program starts, before any code can panic. So no other thread holds ·panicLock.
TEXT ·watchFaults(SB), NOSPLIT, $0-0
	NO_LOCAL_POINTERS
#ifdef GOOS_linux
	CALL watch<>(SB)
#endif
	RET

// func missing()
//
// missing replaces functions that Rust calls but the package does not include, because the generator proved that only the formatting of a panic message
// can reach them. During formatting, missing abandons the message. Otherwise the proof was wrong, and missing raises a panic.
//
// The function needs 24 bytes of stack below SP at entry: 16 for its frame, 8 below it for R29.
TEXT ·missing(SB), NOSPLIT, $0-0
	NO_LOCAL_POINTERS
	WHERE_SP
	BHI  elsewhere
	MOVD $const_notCarried, R0
	JMP  abandon<>(SB)
elsewhere:
	MOVD $const_taskMissing, R2
	CALL ·leaveTask(SB)
	MOVD ZR, R29
	CALL ·leaveCall(SB)
	CALL ·raiseMissing(SB)
	UNDEF

// func exhausted()
//
// exhausted is entered if the running call has no stack left for a Rust function. In, from the function's checked entry:
//
//	R0, R1  the function's name: address (read-only data) and length in bytes
//	R2      the stated budget in bytes, 0 if the package states several
//	R30     a return address, as for enter
//
// The function needs 56 bytes of stack below SP at entry: 48 for its frame, 8 below it for R29. The frames above belong to a call that does not
// continue, as for enter.
TEXT ·exhausted(SB), NOSPLIT, $24-0
	NO_LOCAL_POINTERS
	MOVD $stack<>(SB), R3
	MOVD RSP, R4
	SUB  R3, R4, R4
	MOVD $const_wholeSize, R5
	CMP  R5, R4
	BLS  formatting
	MOVD R0, 8(RSP)
	MOVD R1, 16(RSP)
	MOVD R2, 24(RSP)
	MOVD $const_taskExhausted, R2
	CALL ·leaveTask(SB)
	MOVD ZR, R29
	CALL ·leaveCall(SB)
	CALL ·raiseExhausted(SB)
	UNDEF
formatting:
	MOVD $const_tooDeep, R0
	JMP  abandon<>(SB)

// Panics that unwind. panic_amd64.s describes the steps and the reasons. The differences:
//
// The instruction after each call that may unwind is
//
//	ADR record, ZR
//
// It does nothing. No compiler emits it, and rustgo accepts it nowhere else. The distance to the record is relative to the instruction itself, whose
// address is the call's return address. The record has these fields:
//
//	0	u32	the distance from SP at the call up to SP on entry
//	4	i32	the distance from the record to the landing pad; 0 if the panic goes on in the caller
//	8	u8 × 18	for R19 to R27, R29 and F8 to F15: the distance in words from SP on entry down to the word where the function has saved the
//			register; 0 if the register still holds the caller's value. Callees preserve only the lower half of a vector register
//	26	u16	0
//
// SP at a landing pad is SP at the call. At each call the return address of the calling function is at 0(SP).
//
// Until all callee-saved registers are saved, and after they are restored, the code uses R2 to R17 only. The assembler uses R27 for large constants,
// and in plugins for the addresses of Go variables.

// RECORD loads the address of a call's record into R6, or jumps to none if there is no record. The argument from is the call's return address. It
// uses R6 and R7.
#define RECORD(from, none) \
	MOVWU (from), R7         \
	MOVD  $0x9F00001F, R6    \
	AND   R7, R6, R6         \
	EORW  $0x10000000, R6, R6 \
	CMPW  $31, R6            \
	BNE   none               \
	SBFX  $5, R7, $19, R6    \
	UBFX  $29, R7, $2, R7    \
	ADD   R6<<2, R7, R6      \
	ADD   from, R6, R6

// func throw()
//
// In, as for enter:
//
//	R0	*core::panic::PanicInfo, or the address of another panic plus 1; opaque
//	R1	the formatter of the Rust crate: extern "C" fn(*const u8, *mut Unwinding)
//	R30	the return address into the Rust frame that panicked
//	R19 to R27, R29, F8 to F15	values of the Rust function
//
// throw ends with a jump to a landing pad of a Rust function. If the panic must not unwind, throw raises a Go panic, as enter does.
//
// The function needs 88 bytes of stack below SP at entry.
TEXT ·throw(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	WHERE_SP
	BLS  again
	MOVD ZR, R10
	JMP  format<>(SB)
again:
	MOVD $const_unfinished, R0
	JMP  abandon<>(SB)

// func unwound()
//
// The shim of an export jumps here when it has caught a panic. In:
//
//	R0	the exception
//	R1	the formatter
//	R30	the return address into the shim
//
// unwound raises a Go panic.
TEXT ·unwound(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD $1, R10
	JMP  format<>(SB)

// stuck is entered if a frame cannot be unwound. R0 is the exception, R30 the return address into the frame.
TEXT stuck<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	WHERE_SP
	BHI  elsewhere
	MOVD $const_unfinished, R0
	JMP  abandon<>(SB)
elsewhere:
	MOVD 24(R0), R1
	MOVD $const_endsStuck, R10
	CBZ  R1, unknown
	JMP  format<>(SB)
unknown:
	JMP raiseStuck<>(SB)

// format takes the lock, and stores the registers of the function that R30 returns to. R10 is 0 at the start of a panic.
TEXT format<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD R27, R11
	LOCK_PANICS(take, wait, taken) // in a plugin, this changes R27
	MOVD R11, R27
	MOVD  $saved<>(SB), R2
	STP   (R19, R20), 0(R2)
	STP   (R21, R22), 16(R2)
	STP   (R23, R24), 32(R2)
	STP   (R25, R26), 48(R2)
	STP   (R27, R29), 64(R2)
	FSTPD (F8, F9), 80(R2)
	FSTPD (F10, F11), 96(R2)
	FSTPD (F12, F13), 112(R2)
	FSTPD (F14, F15), 128(R2)
	MOVD  $thrower<>(SB), R2
	MOVD  RSP, R3
	STP   (R3, R30), 0(R2)
	MOVD  R1, 16(R2)
	MOVD  $thrown<>(SB), R2
	MOVD  ZR, (R2)
	JMP   formatted<>(SB)

// formatted calls the formatter R1 for R0 on the static stack. R10 has the value of R10 in format.
//
// Frame: 0(SP) R30, 8–63(SP) the arguments of raiseUnwound. The first of them is the slot, the last one R10.
TEXT formatted<>(SB), NOSPLIT, $56-0
	NO_LOCAL_POINTERS
	MOVD R10, 56(RSP)
#ifdef GOOS_linux
	CALL watch<>(SB)
#endif
	TAKE_SLOT(choose, chosen)
	MOVD R3, 8(RSP)
	EMPTY_REPORT
	MOVD $·places(SB), R4
	MOVD $(const_maxPlaces*8), R5
	MADD R5, R4, R3, R4
	MOVD R4, unwinding_frames(R2)
	MOVD ZR, unwinding_count(R2)
	MOVD ZR, unwinding_fatal(R2)
	MOVD 56(RSP), R3
	CMP  $0, R3
	CSET NE, R3 // 1 for endsStuck too
	MOVD R3, unwinding_ends(R2)
	CBNZ R3, run

	// This stores the return addresses of the Rust frames, up to and including the first return address without a record.
	MOVD $thrower<>(SB), R3
	LDP  (R3), (R9, R8)
place:
	MOVD.P R8, 8(R4)
	MOVD   unwinding_count(R2), R3
	ADD    $1, R3
	MOVD   R3, unwinding_count(R2)
	CMP    $const_maxPlaces, R3
	BEQ    run
	RECORD(R8, run)
	MOVWU  (R6), R6
	MOVD   (R9), R8
	ADD    R6, R9
	JMP    place

run:
	CALL runFormatter<>(SB)

	CHECK_GUARD(guard, corrupt)
	MOVD $thrown<>(SB), R2
	MOVD (R2), R0
	CBZ  R0, raise

	// The panic unwinds, and its message is in the exception. So this code frees the slot.
	MOVD 8(RSP), R3
	CMP  $const_noSlot, R3
	BEQ  freed
	MOVD $1, R4
	LSL  R3, R4, R4
	MOVD $·busy(SB), R2
free:
	LDAXR (R2), R5
	BIC   R4, R5, R5
	STLXR R5, (R2), R6
	CBNZ  R6, free
freed:
	JMP start<>(SB)

raise:
	RAISE_ARGUMENTS
	MOVD unwinding_count(R2), R3
	MOVD R3, 48(RSP)
	MOVD unwinding_fatal(R2), R3
	MOVD 56(RSP), R4
	ORR  R3<<const_fatalShift, R4, R4
	MOVD R4, 56(RSP)
	UNLOCK_PANICS
	MOVD $const_taskUnwound, R2
	CALL ·leaveTask(SB)
	MOVD ZR, R29
	CALL ·leaveCall(SB)
	CALL ·raiseUnwound(SB)
	UNDEF

corrupt:
	MOVD $const_taskOverflowed, R2
	CALL ·leaveTask(SB)
	MOVD ZR, R29
	CALL ·overflowed(SB)
	UNDEF

// LOAD_SAVED loads the callee-saved registers that format has stored. (go vet reports writes of R29, but not in a macro. Here R29 holds a value of
// Rust code.)
#define LOAD_SAVED(from) \
	LDP   0(from), (R19, R20)   \
	LDP   16(from), (R21, R22)  \
	LDP   32(from), (R23, R24)  \
	LDP   48(from), (R25, R26)  \
	LDP   64(from), (R27, R29)  \
	FLDPD 80(from), (F8, F9)    \
	FLDPD 96(from), (F10, F11)  \
	FLDPD 112(from), (F12, F13) \
	FLDPD 128(from), (F14, F15)

// start unwinds the exception R0 from the function that panicked.
TEXT start<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD  $thrower<>(SB), R2
	MOVD  16(R2), R3
	MOVD  R3, 24(R0) // for stuck
	LDP   (R2), (R3, R30)
	MOVD  R3, RSP
	MOVD  $saved<>(SB), R2
	MOVD  $·panicLock(SB), R3 // in a plugin, this changes R27
	LOAD_SAVED(R2)
	STLRW ZR, (R3)
	MOVD  $unwind<>(SB), R2 // not JMP, which the linker would report as recursion without stack checks
	JMP   (R2)

// raiseStuck raises a Go panic without message. R0 is the exception.
TEXT raiseStuck<>(SB), NOSPLIT, $8-0
	NO_LOCAL_POINTERS
	MOVD 16(R0), R2
	MOVD R2, 8(RSP)
	MOVD $const_taskLost, R2
	CALL ·leaveTask(SB)
	MOVD ZR, R29
	CALL ·leaveCall(SB)
	CALL ·raiseLost(SB)
	UNDEF

// runFormatter calls the formatter R1 for R0 on the static stack. In a blocking call, it does not change the bounds of the goroutine's stack.
TEXT runFormatter<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD $·callSP(SB), R2
	MOVD (R2), R2
	CBZ  R2, plain
	MOVD (g)(R2), R2
	CBZ  R2, plain
	MOVD 0(g), R3
	MOVD (R3), R4
	MOVD $savedLimit<>(SB), R2
	MOVD R4, (R2)
	MOVD $stack<>(SB), R5
	MOVD $const_limit, R4
	ADD  R5, R4, R4
	MOVD R4, (R3)
	MOVD $blocks<>(SB), R2
	MOVD $1, R4
	MOVD R4, (R2)
	MOVD $resume<>(SB), R2
	MOVD RSP, R4
	STP  (R4, R30), (R2)
	MOVD R1, R2
	MOVD $report<>(SB), R1
	MOVD $const_wholeSize, R4
	ADD  R5, R4, R4
	AND  $~63, R4, R4
	MOVD R4, RSP
	CALL (R2)
	JMP  back<>(SB)
plain:
	SAVE_BOUNDS
	JMP  formatPanicMessage<>(SB)

// func raiseException()
//
// In: R0 is the exception, R30 the return address into the Rust function that raises it. If the formatter raises the exception of the panic that it
// was called for, the formatter ends. All other exceptions unwind from here.
TEXT ·raiseException(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	WHERE_SP
	BHI  elsewhere
	MOVD $report<>(SB), R2
	MOVD unwinding_ends(R2), R3
	CMP  $const_endsReady, R3
	BNE  elsewhere
	MOVD $thrown<>(SB), R2
	MOVD R0, (R2)
	JMP  back<>(SB)
elsewhere:
	JMP unwind<>(SB)

// func resumeException()
//
// In: R0 is the exception, R30 the return address into the Rust function whose landing pad has ended.
TEXT ·resumeException(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	JMP unwind<>(SB)

// RESTORE loads a callee-saved register from the frame below R8 (SP on entry), if the record R6 has the place of the saved register.
#define RESTORE(load, at, register, label) \
	MOVBU at(R6), R7         \
	CBZ   R7, label          \
	SUB   R7<<3, R8, R7      \
	load  (R7), register     \
label:

// unwind goes from frame to frame up to a landing pad. R0 is the exception, R30 the return address into the first frame.
TEXT unwind<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
frame:
	RECORD(R30, none)
	MOVW  4(R6), R9
	CBNZ  R9, land
	MOVWU (R6), R8
	MOVD  RSP, R9
	ADD   R9, R8
	MOVD  (R9), R30
	RESTORE(MOVD, 8, R19, r19)
	RESTORE(MOVD, 9, R20, r20)
	RESTORE(MOVD, 10, R21, r21)
	RESTORE(MOVD, 11, R22, r22)
	RESTORE(MOVD, 12, R23, r23)
	RESTORE(MOVD, 13, R24, r24)
	RESTORE(MOVD, 14, R25, r25)
	RESTORE(MOVD, 15, R26, r26)
	RESTORE(MOVD, 16, R27, r27)
	RESTORE(MOVD, 17, R29, r29)
	RESTORE(FMOVD, 18, F8, f8)
	RESTORE(FMOVD, 19, F9, f9)
	RESTORE(FMOVD, 20, F10, f10)
	RESTORE(FMOVD, 21, F11, f11)
	RESTORE(FMOVD, 22, F12, f12)
	RESTORE(FMOVD, 23, F13, f13)
	RESTORE(FMOVD, 24, F14, f14)
	RESTORE(FMOVD, 25, F15, f15)
	MOVD  R8, RSP
	JMP   frame
land:
	ADD  R6, R9
	MOVD ZR, R1 // the selector
	JMP  (R9)
none:
	JMP stuck<>(SB)
