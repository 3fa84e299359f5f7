// The panic entry for arm64. panic_amd64.s describes the steps and the reasons. The differences:
//
//   - The caller's return address is in R30. The assembler's prologue of enter, missing and exhausted stores it at 0(SP), where the
//     unwinder looks for it.
//   - The frames of Rust functions also keep their return address at 0(SP); the generator ensures this.
//   - R29 is 0 when raise is called, as BP is on amd64, so the chain of frame pointers ends there.
//   - formatPanicMessage must save R30 as well as SP. It cannot use registers: abandon may run deep in the formatter, where
//     callee-saved registers hold any value.
//   - SP is always a multiple of 16.
//   - R28 is g. Rust code uses neither R28 nor R18, which belongs to the platform on darwin and windows.
//
// From SP at entry, enter needs 72 bytes of stack: 64 for its frame, 8 below it for R29.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// ·panicLock guards the report and the words below it.
GLOBL report<>(SB), NOPTR, $const_reportSize
// The SP and R30 with which formatPanicMessage returns.
GLOBL resume<>(SB), NOPTR, $16
// The saved bounds of the goroutine's stack, and bounds that include both stacks.
GLOBL savedBounds<>(SB), NOPTR, $16
GLOBL bothBounds<>(SB), NOPTR, $16
GLOBL stack<>(SB), NOPTR, $(const_wholeSize+const_aboveSize)

// BOUNDS sets the stack bounds in g from two words. It uses R4 to R6.
#define BOUNDS(words) \
	MOVD $words(SB), R6  \
	LDP  (R6), (R4, R5)  \
	MOVD R4, 0(g)        \
	MOVD R5, 8(g)

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
	MOVD $stack<>(SB), R2
	MOVD RSP, R3
	SUB  R2, R3, R3
	MOVD $const_wholeSize, R4
	CMP  R4, R3
	BLS  again

	// A blocking call ends here.
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

	MOVD $·panicLock(SB), R2
	MOVD $1, R3
take:
	LDAXRW (R2), R4
	CBNZ   R4, wait
	STXRW  R3, (R2), R5
	CBNZ   R5, take
	JMP    taken
wait:
	YIELD
	MOVWU (R2), R4
	CBNZ  R4, wait
	JMP   take

taken:
#ifdef GOOS_linux
	CALL watch<>(SB)
#endif
	MOVD $·busy(SB), R2
choose:
	MOVD  $const_noSlot, R3
	LDAXR (R2), R4
	MVN   R4, R5
	CBZ   R5, chosen
	RBIT  R5, R5
	CLZ   R5, R3
	MOVD  $1, R6
	LSL   R3, R6, R6
	ORR   R6, R4, R4
	STLXR R4, (R2), R7
	CBNZ  R7, choose
chosen:
	MOVD R3, 48(RSP)

	// The report is empty until the formatter fills it.
	MOVD $report<>(SB), R2
	MOVD $·messages(SB), R4
	MOVD $const_slotSize, R5
	MADD R5, R4, R3, R4 // R4 += R3 * R5
	MOVD R4, report_message(R2)
	MOVD R5, report_capacity(R2)
	MOVD ZR, report_length(R2)
	MOVD ZR, report_file(R2)
	MOVD ZR, report_fileLen(R2)
	MOVD ZR, report_line(R2) // and column

	LDP  (g), (R4, R5)
	MOVD $savedBounds<>(SB), R2
	STP  (R4, R5), (R2)
	MOVD $stack<>(SB), R6
	CMP  R4, R6
	CSEL LO, R6, R4, R4
	MOVD $stack<>+(const_wholeSize+8)(SB), R6
	CMP  R5, R6
	CSEL HI, R6, R5, R5
	MOVD $bothBounds<>(SB), R2
	STP  (R4, R5), (R2)

	CALL formatPanicMessage<>(SB)

	// Checks whether the guard is still zero.
	MOVD $stack<>+8(SB), R2
	MOVD $(const_guardSize-8), R3
	MOVD ZR, R4
guard:
	MOVD.P 8(R2), R5
	ORR    R5, R4, R4
	SUB    $8, R3, R3
	CBNZ   R3, guard
	CBNZ  R4, corrupt

	MOVD $report<>(SB), R2
	MOVD 48(RSP), R3
	MOVD R3, 8(RSP)
	MOVD report_length(R2), R3
	MOVD R3, 16(RSP)
	MOVD report_file(R2), R3
	MOVD report_fileLen(R2), R4
	CMP  $0, R4
	CSEL EQ, ZR, R3, R3 // the address of an empty Rust string is not a valid pointer
	MOVD R3, 24(RSP)
	MOVD R4, 32(RSP)
	MOVD report_line(R2), R3
	MOVD R3, 40(RSP)

	MOVD  $·panicLock(SB), R2
	STLRW ZR, (R2)

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

// back returns from formatPanicMessage, on the goroutine's stack.
TEXT back<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	BOUNDS(bothBounds<>)
	MOVD $resume<>(SB), R3
	LDP  (R3), (R4, R30)
	MOVD R4, RSP
	BOUNDS(savedBounds<>)
	RET

#ifdef GOOS_linux
// abandonFault calls abandon for a formatter that faulted.
TEXT abandonFault<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD $const_faulted, R0
	JMP  abandon<>(SB)

// The handlers that faulted calls, one for each signal. A word is 0 until watch sets it, and never changes again.
GLOBL handlers<>(SB), NOPTR, $(12*8)
// The kernel's struct for a handler: address, flags, restorer, mask. Guarded by ·panicLock.
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

// faulted is a signal handler. As C passes them: R0 is the signal, R1 its siginfo, R2 the ucontext. panic_amd64.s describes it. When Go's handler makes
// a goroutine call sigpanic, it makes room for two words at SP, and stores R30 at SP and R29 in the word below.
//
// In C code R28 may have any value, so READABLE checks the address before faulted reads it as g.
//
// Frame: 8(RSP) the ucontext; 16(RSP) to 47(RSP) SP, PC, R29 and R30 of the fault; 48(RSP) whether the fault was in a blocking call.
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

// The address of sigpanic, which Go's handler stored in the context.
GLOBL sigpanic<>(SB), NOPTR, $8

// leaveFault ends the state of a system call, then jumps to sigpanic. It is entered as if the faulting code had called it. R29 is 0.
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
// From SP at entry it needs 24 bytes of stack: 16 for its frame, 8 below it for R29.
TEXT ·missing(SB), NOSPLIT, $0-0
	NO_LOCAL_POINTERS
	MOVD $stack<>(SB), R2
	MOVD RSP, R3
	SUB  R2, R3, R3
	MOVD $const_wholeSize, R4
	CMP  R4, R3
	BHI  elsewhere
	MOVD $const_notCarried, R0
	JMP  abandon<>(SB)
elsewhere:
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
// From SP at entry it needs 56 bytes of stack: 48 for its frame, 8 below it for R29. The frames above belong to a call that does not go on, as for
// enter.
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
	MOVD ZR, R29
	CALL ·leaveCall(SB)
	CALL ·raiseExhausted(SB)
	UNDEF
formatting:
	MOVD $const_tooDeep, R0
	JMP  abandon<>(SB)
