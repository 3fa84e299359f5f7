// The functions in this file turn a Rust panic into a Go panic.
//
// The panic handler of the support crate ends in a jump to enter. At this point SP is on the goroutine's stack, below the frames of the Rust
// functions. All of these frames have exact SP tables, so Go can unwind them: it may move the stack, run deferred functions, and recover. But first
// Rust code (core::fmt and the author's Display implementations) must format the message, from values in the Rust frames. This formatter calls
// through pointers, so no bound of its stack can be proved, and it cannot run on a goroutine's stack. It must run before any Go code, because Go may
// move the stack and does not adjust pointers in Rust frames. So enter
//
//	1. takes a lock, by spinning. The lock is never held while Go code runs, no goroutine is preempted in assembly, and a panic holds
//	   the lock only for microseconds.
//	2. takes a free slot of ·messages.
//	3. calls formatPanicMessage, which runs the formatter on a static stack. The formatter writes the message into the slot.
//	4. releases the lock and calls raise, which raises the Go panic and does not return.
//
// If the formatter itself panics, its panic handler jumps to enter while SP is on the static stack. Then this second enter abandons the message: it
// returns from formatPanicMessage as if the formatter had returned. The first enter, whose frame is on the goroutine's stack, continues with step 4.
// The same happens if the formatter exhausts the static stack, or calls a function that the package does not include.
//
// The formatter cannot run past the end of the static stack. The generator knows how much stack each function of the formatter needs up to the next
// checked entry. The formatter itself has a checked entry, and so does each function that recurses or is called through a pointer. A checked entry
// compares SP with the limit of the running call, which is the word at the lowest address of the stack:
//
//	stack<>                the limit: the address stack<> + limit
//	+8                     the guard: zeros, which enter checks afterwards
//	+guardSize             free, for what Windows writes below SP at a fault
//	+limit                 64 KiB for the formatter
//
// The entry of an exported function stores the limit of its call at the lowest address of the goroutine's stack. No other code uses that word
// during the call: the entry ensures 800 bytes more than the call needs; the runtime uses the word only on signal stacks; no Go code runs on this
// stack until Rust has returned or its frames are dead; and the collector does not look below SP. Rust code on a goroutine's stack does not call Go
// (only tasks do, see tasks.go), so a stack has one call at a time. After a panic, Go code such as a deferred function may call Rust code, and the
// entry stores another limit. This is safe, because the call that panicked does not continue.
//
// If the formatter faults (reads address 0, divides by zero), Go's signal handler would make it call sigpanic, on a stack that belongs to no
// goroutine. So on Linux the handler faulted runs before Go's handler. If SP is on the static stack, faulted abandons the message, as enter does.
// Otherwise it calls Go's handler. Other systems install handlers only through their C library. There the process ends, and the traceback names
// formatPanicMessage.
//
// A fault elsewhere in Rust code, on the stack of a goroutine, becomes a Go panic: Go's handler makes the goroutine call sigpanic, with the frame
// pointer unchanged. Rust code may have left any value in this register. If the execution tracer or the block profile records a stack while a
// deferred function runs, it follows the chain of frame pointers, and could read any address. So faulted sets the frame pointer to 0 for sigpanic,
// and the chain ends there. faulted does so after every fault that becomes a panic, also in Go's own code, because no check can tell whether the
// chain is valid. Rust frames may hold a copy of a part of the chain. The copy is valid until the stack moves, because Go adjusts only its own words.
// (Up to Go 1.24, and in the first releases of 1.25 and 1.26, Go does not even adjust the frame pointers in the frame that faulted: adjustframe,
// runtime/stack.go.) For a function that recovers, Go computes the frame pointer anew (recovery, runtime/panic.go).
//
// How the runtime sees these functions:
//
//   - enter has a fixed frame and does not write SP, so the unwinder passes through it. formatPanicMessage switches stacks. The assembler
//     marks it SPWRITE, and the unwinder stops there: a CPU profile taken while the formatter runs ends in formatPanicMessage. Nothing
//     else looks at the stack meanwhile: the garbage collector and tracebacks stop a goroutine only in Go code.
//   - While the formatter runs, the stack bounds in g (its first two words) are the bounds of the static stack, because two readers need them.
//     Checked entries find the limit by the lower bound. On Windows the profiler is a thread that stops another thread, and then searches for the
//     goroutine of the stopped thread whose stack contains SP. The runtime relies on finding one (gFromSP and sigprof, runtime/os_windows.go and
//     proc.go). So while SP moves from one stack to the other, the bounds include both. No other code reads the bounds meanwhile: the goroutine is
//     not stopped, and a signal for preemption does nothing in assembly (isAsyncSafePoint, runtime/preempt.go).
//   - NO_LOCAL_POINTERS: neither function has Go pointers in its frame. The pointers passed to raise point to static data.
//   - BP is 0 when raise is called. The execution tracer walks the chain of frame pointers, and Rust has no such chain.
//   - The ABI0 wrapper of raise loads R14 and X15 itself.
//
// enter needs 64 bytes of stack below SP at entry: 8 for BP, 48 for its frame, 8 for the return address of a call. raise checks the stack like any Go
// function.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// ·panicLock guards the report and the words below it.
GLOBL report<>(SB), NOPTR, $const_unwindingSize
GLOBL savedSP<>(SB), NOPTR, $8
// bothBounds holds bounds that include the static stack and the stack on which the panic began. ·savedBounds holds the bounds of the stack on which
// the panic began.
GLOBL bothBounds<>(SB), NOPTR, $16
// savedLimit is the stack limit of a blocking call that panics. blocks is 1 while the formatter runs for a panic of a blocking call.
GLOBL savedLimit<>(SB), NOPTR, $8
GLOBL blocks<>(SB), NOPTR, $8
// saved holds the callee-saved registers of the function that panicked.
GLOBL saved<>(SB), NOPTR, $48
// thrower holds SP of the function that panicked, and the address of the formatter.
GLOBL thrower<>(SB), NOPTR, $16
// thrown is the exception that the formatter has raised.
GLOBL thrown<>(SB), NOPTR, $8
// slot is the number of the slot for the message.
GLOBL slot<>(SB), NOPTR, $8
// stack is the static stack. An entry that aligns SP copies words from above its return address, as many as the caller with the most arguments
// passes. No caller's frame lies above the first function on this stack, so the stack has aboveSize more bytes at its top.
GLOBL stack<>(SB), NOPTR, $(const_wholeSize+const_aboveSize)

// G loads g into R8.
#define G \
	MOVQ TLS, R8 \
	MOVQ 0(R8)(TLS*1), R8

// BOUNDS sets the stack bounds in g from two words. It uses R9 and R10.
#define BOUNDS(words) \
	MOVQ words+0(SB), R9  \
	MOVQ words+8(SB), R10 \
	MOVQ R9, 0(R8)        \
	MOVQ R10, 8(R8)

// WHERE_SP compares SP with the bounds of the static stack: after it, JLS jumps if SP is on the static stack. It uses AX and CX.
#define WHERE_SP \
	LEAQ stack<>(SB), AX \
	MOVQ SP, CX          \
	SUBQ AX, CX          \
	CMPQ CX, $const_wholeSize

// LOCK_PANICS takes ·panicLock. It uses AX and DX.
#define LOCK_PANICS(take, wait, taken) \
	LEAQ  ·panicLock(SB), DX \
take:                            \
	MOVL  $1, AX             \
	XCHGL AX, 0(DX)          \
	TESTL AX, AX             \
	JEQ   taken              \
wait:                            \
	PAUSE                    \
	CMPL  0(DX), $0          \
	JNE   wait               \
	JMP   take               \
taken:

// UNLOCK_PANICS releases ·panicLock. It uses AX and DX.
#define UNLOCK_PANICS \
	LEAQ  ·panicLock(SB), DX \
	XORL  AX, AX             \
	XCHGL AX, 0(DX)

// TAKE_SLOT takes a free slot of ·messages, if there is one. Out: CX is the slot. It uses AX and DX.
#define TAKE_SLOT(chosen) \
	LEAQ ·busy(SB), DX       \
	MOVQ 0(DX), AX           \
	NOTQ AX                  \
	MOVL $const_noSlot, CX   \
	BSFQ AX, AX              \
	JEQ  chosen              \
	MOVQ AX, CX              \
	LOCK                     \
	BTSQ CX, 0(DX)           \
chosen:

// EMPTY_REPORT prepares the report for the formatter. In: CX is the slot's number. Out: DX is the address of the report. It uses AX and R9.
#define EMPTY_REPORT \
	LEAQ  report<>(SB), DX               \
	LEAQ  ·messages(SB), AX              \
	MOVQ  CX, R9                         \
	IMULQ $const_slotSize, R9            \
	ADDQ  R9, AX                         \
	MOVQ  AX, report_message(DX)         \
	MOVQ  $const_slotSize, report_capacity(DX) \
	XORL  AX, AX                         \
	MOVQ  AX, report_length(DX)          \
	MOVQ  AX, report_file(DX)            \
	MOVQ  AX, report_fileLen(DX)         \
	MOVQ  AX, report_line(DX) // and column

// SAVE_BOUNDS saves the bounds of the goroutine's stack, and stores bounds that include both stacks. In: R8 is g. It uses AX, R9, R10
// and R11.
#define SAVE_BOUNDS \
	MOVQ    0(R8), R9                                  \
	MOVQ    8(R8), R10                                 \
	LEAQ    ·savedBounds(SB), R11                      \
	MOVQ    R9, 0(R11)                                 \
	MOVQ    R10, 8(R11)                                \
	MOVQ    R11, AX                                    \
	LEAQ    stack<>(SB), R11                           \
	MOVQ    R11, 16(AX)                                \
	CMPQ    R11, R9                                    \
	CMOVQCS R11, R9                                    \
	LEAQ    stack<>+(const_wholeSize+8)(SB), R11       \
	CMPQ    R11, R10                                   \
	CMOVQHI R11, R10                                   \
	MOVQ    R9, bothBounds<>+0(SB)                     \
	MOVQ    R10, bothBounds<>+8(SB)

// CHECK_GUARD jumps to corrupt if the guard of the static stack is not zero any more. It uses AX, CX and DI.
#define CHECK_GUARD(corrupt) \
	LEAQ stack<>+8(SB), DI            \
	MOVL $(const_guardSize/8-1), CX   \
	XORL AX, AX                       \
	CLD                               \
	REP; SCASQ                        \
	JNE  corrupt

// RAISE_ARGUMENTS stores the arguments of raise in the frame. raiseUnwound has the same first arguments. In: CX is the slot. It uses AX, CX and DX.
// The address of an empty Rust string is not a valid pointer, so 0 replaces it.
#define RAISE_ARGUMENTS \
	LEAQ    report<>(SB), DX        \
	MOVQ    CX, 0(SP)               \
	MOVQ    report_length(DX), CX   \
	MOVQ    CX, 8(SP)               \
	MOVQ    report_file(DX), AX     \
	MOVQ    report_fileLen(DX), CX  \
	TESTQ   CX, CX                  \
	CMOVQEQ CX, AX                  \
	MOVQ    AX, 16(SP)              \
	MOVQ    CX, 24(SP)              \
	MOVQ    report_line(DX), CX     \
	MOVQ    CX, 32(SP)

// func enter()
//
// In (not by a Go call: generated code jumps here from the place where Rust called the panic handler):
//
//	DI      *core::panic::PanicInfo, opaque
//	SI      the formatter of the Rust crate: extern "C" fn(*const PanicInfo, *mut Report)
//	0(SP)   the return address into the Rust frame that panicked; SP need not be aligned
//	others  any value; no register survives, because enter does not return
//
// Frame: 0–39(SP) the arguments of raise, 40(SP) the slot.
TEXT ·enter(SB), NOSPLIT, $48-0
	NO_LOCAL_POINTERS

	// Checks whether SP is already on the static stack.
	WHERE_SP
	JLS  again

	// This ends a blocking call, because the runtime must not look at the goroutine's stack while g has the bounds of the static stack.
	MOVQ DI, 0(SP)
	MOVQ SI, 8(SP)
	G
	MOVQ 0(R8), AX
	MOVQ AX, 16(SP)
	XORL BP, BP
	CALL ·leaveCall(SB)
	MOVQ 0(SP), DI
	MOVQ 8(SP), SI
	G
	MOVQ 0(R8), AX
	CMPQ AX, 16(SP)
	JNE  gone

	LOCK_PANICS(take, wait, taken)
#ifdef GOOS_linux
	CALL watch<>(SB)
#endif
	TAKE_SLOT(chosen)
	MOVQ CX, 40(SP)
	EMPTY_REPORT
	G
	SAVE_BOUNDS
	CALL formatPanicMessage<>(SB)

	CHECK_GUARD(corrupt)
	MOVQ 40(SP), CX
	RAISE_ARGUMENTS
	UNLOCK_PANICS
	MOVQ $const_taskRaise, AX
	CALL ·leaveTask(SB)
	XORL BP, BP
	CALL ·raise(SB)
	UNDEF

gone:
	MOVQ $const_noSlot, AX
	MOVQ AX, 0(SP)
	MOVQ $const_moved, AX
	MOVQ AX, 8(SP)
	XORL AX, AX
	MOVQ AX, 16(SP)
	MOVQ AX, 24(SP)
	MOVQ AX, 32(SP)
	XORL BP, BP
	CALL ·raise(SB)
	UNDEF

again:
	MOVQ $const_unfinished, AX
	JMP  abandon<>(SB)

corrupt:
	MOVQ $const_taskOverflowed, AX
	CALL ·leaveTask(SB)
	XORL BP, BP
	CALL ·overflowed(SB)
	UNDEF

// formatPanicMessage runs the formatter SI for the panic DI on the static stack. The formatter fills report<>.
TEXT formatPanicMessage<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ SI, AX
	LEAQ report<>(SB), SI
	MOVQ SP, savedSP<>(SB)
	G
	BOUNDS(bothBounds<>)
	LEAQ stack<>+const_wholeSize(SB), CX
	LEAQ 8(CX), R10
	ANDQ $~63, CX // the psABI requires only 16; more alignment costs nothing
	MOVQ CX, SP
	EMMS // code that panicked, or code that faulted on this thread before, may have left values on the x87 stack
	LEAQ stack<>(SB), R9
	LEAQ const_limit(R9), R11
	MOVQ R11, 0(R9)
	MOVQ R9, 0(R8)
	MOVQ R10, 8(R8)
	CALL AX
	JMP  back<>(SB)

// abandon gives up the message, for the reason AX. If the formatter has stored the location of the panic, the location is kept.
TEXT abandon<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ AX, report<>+report_length(SB)
	JMP  back<>(SB)

// func corrupt()
//
// In: DI is the kind of the corruption and SI an address. corrupt does not return. It ends the process, with one exception: if there is no memory for
// thread-local variables of the formatter, only the message is lost.
//
// The function needs 32 bytes of stack below SP at entry: 8 for BP, 16 for its frame, 8 for the return address of a call.
TEXT ·corrupt(SB), NOSPLIT, $16-0
	NO_LOCAL_POINTERS
	WHERE_SP
	JLS  formatting
	MOVQ DI, 0(SP)
	MOVQ SI, 8(SP)
	MOVQ $const_taskCorrupt, AX
	CALL ·leaveTask(SB)
	XORL BP, BP
	CALL ·leaveCall(SB)
	CALL ·raiseCorrupt(SB)
	UNDEF
formatting:
	// No Go code may run on this stack. So corrupt changes the guard, and the function that has called the formatter ends the process when it checks
	// the guard.
	CMPQ DI, $const_corruptNoMemory
	JEQ  lost
	LEAQ ·corruption(SB), AX
	MOVQ DI, 0(AX)
	MOVQ SI, 8(AX)
	MOVQ $1, stack<>+8(SB)
lost:
	MOVQ $const_unfinished, AX
	JMP  abandon<>(SB)

// back returns from formatPanicMessage or runFormatter, on the goroutine's stack.
TEXT back<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	G
	CMPQ blocks<>(SB), $0
	JNE  blocks
	BOUNDS(bothBounds<>)
	MOVQ savedSP<>(SB), SP
	LEAQ ·savedBounds(SB), R11
	MOVQ 0(R11), R9
	MOVQ 8(R11), R10
	MOVQ R9, 0(R8)
	MOVQ R10, 8(R8)
	RET
blocks:
	MOVQ $0, blocks<>(SB)
	MOVQ 0(R8), R9
	MOVQ savedLimit<>(SB), R10
	MOVQ R10, 0(R9)
	MOVQ savedSP<>(SB), SP
	RET

#ifdef GOOS_linux
// abandonFault calls abandon for a formatter that faulted.
TEXT abandonFault<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ $const_faulted, AX
	JMP  abandon<>(SB)

// handlers holds the handlers that faulted calls, by signal number. A word is 0 until watch sets it, and never changes again.
GLOBL handlers<>(SB), NOPTR, $(12*8)
// action is the kernel's struct for a handler: address, flags, restorer, mask. ·panicLock guards action.
GLOBL action<>(SB), NOPTR, $32

// watch makes faulted the handler of SIGSEGV, SIGFPE and SIGBUS, with the flags and the mask of the present handler. faulted calls that handler.
// watch runs when the program starts, and at each panic, because C code may have restored an earlier handler. If the handler of SIGSEGV is still
// faulted, the other two are not examined. watch replaces only handlers with SA_SIGINFO and SA_ONSTACK, as Go's handler has, and without
// SA_RESETHAND. For each signal watch replaces only one handler. A handler that C code installs later may call faulted, so faulted must not call that
// handler.
//
// watch preserves DI and SI. It needs no stack below SP at entry.
TEXT watch<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ DI, R12
	MOVQ SI, R13
	LEAQ handlers<>(SB), R14
	LEAQ action<>(SB), BX
	LEAQ faulted<>(SB), R15
	MOVQ $11, R9 // SIGSEGV
look:
	MOVQ R9, DI
	XORL SI, SI
	MOVQ BX, DX
	MOVQ $8, R10 // bytes of the mask
	MOVQ $13, AX // rt_sigaction; changes only AX, CX and R11
	SYSCALL
	TESTQ AX, AX
	JNE   looked
	MOVQ  0(BX), AX
	CMPQ  AX, R15
	JEQ   ours
	CMPQ  AX, $1 // SIG_DFL, SIG_IGN
	JLS   looked
	MOVL  8(BX), CX
	ANDL  $0x88000004, CX // SA_RESETHAND, SA_ONSTACK, SA_SIGINFO
	CMPL  CX, $0x08000004
	JNE   looked
	MOVQ  (R14)(R9*8), CX
	TESTQ CX, CX
	JEQ   put
	CMPQ  CX, AX
	JNE   looked
put:
	MOVQ AX, (R14)(R9*8)
	MOVQ R15, 0(BX)
	MOVQ R9, DI
	MOVQ BX, SI
	XORL DX, DX
	MOVQ $8, R10
	MOVQ $13, AX
	SYSCALL
looked:
	CMPQ R9, $8 // SIGFPE
	JLT  watched
	JEQ  last
	MOVQ $8, R9
	JMP  look
last:
	MOVQ $7, R9 // SIGBUS
	JMP  look
ours:
	CMPQ R9, $11
	JNE  looked
watched:
	MOVQ R12, DI
	MOVQ R13, SI
	RET

// faulted is a signal handler, with the arguments of C: DI is the signal, SI the address of its siginfo, DX the address of the ucontext. It runs on
// the thread's signal stack. If SP was on the static stack, the formatter faulted, because only the goroutine that holds the lock runs there.
//
// In all other cases it calls the handler that watch found. If that handler made a goroutine call sigpanic, faulted sets the frame pointer to 0 (see
// the head of this file). After a fault in C code, Go's handler may instead make the context call a handler in C. faulted recognizes a call of
// sigpanic by two conditions: SP was on the goroutine's stack; and either the word at the new SP is the PC of the fault, as a return address, or SP
// is unchanged and that PC was the faulting address itself (a call of address 0).
//
// If g.throwsplit is set, as in a system call, Go's handler ends the process instead of making a panic. A fault in a blocking call of Rust can become
// a panic, after the goroutine has left the state of a system call. So faulted clears the flag, and makes the goroutine call leaveFault instead of
// sigpanic.
//
// Frame: 0(SP) the ucontext; 8–31(SP) three words: SP, PC and the faulting address; 32(SP) whether the fault was in a blocking call. The size of the
// frame makes SP a multiple of 16 at the call of the other handler, as C demands.
TEXT faulted<>(SB), NOSPLIT, $48-0
	NO_LOCAL_POINTERS
	MOVQ 160(DX), AX // SP
	MOVL 8(SI), CX // si_code: if not positive, a process sent the signal
	LEAQ stack<>(SB), R8
	MOVQ AX, R9
	SUBQ R8, R9
	CMPQ R9, $const_wholeSize
	JHI  others
	CMPL CX, $0
	JLE  others
	LEAQ abandonFault<>(SB), AX
	MOVQ AX, 168(DX) // PC
	RET
others:
	// The fault is on a task's stack if SP is in ·taskArena and the bounds in g include SP. While C code runs, the bounds in g do not include SP.
	LEAQ ·taskArena(SB), R8
	MOVQ AX, R9
	SUBQ 0(R8), R9
	CMPQ R9, 8(R8)
	JCC  noTask
	CMPL CX, $0
	JLE  noTask
	G
	TESTQ R8, R8
	JEQ  noTask
	MOVQ 0(R8), R9
	CMPQ AX, R9
	JCS  noTask
	CMPQ AX, 8(R8)
	JHI  noTask
	MOVQ 8(R9), R9
	MOVQ DI, (task_words+0)(R9)
	MOVQ 16(SI), AX // si_addr
	MOVQ AX, (task_words+8)(R9)
	LEAQ ·leaveTaskFault(SB), AX
	MOVQ AX, 168(DX) // PC
	RET
noTask:
	MOVQ DX, 0(SP)
	MOVQ AX, 8(SP)
	MOVQ 168(DX), AX
	MOVQ AX, 16(SP)
	MOVQ 16(SI), AX // si_addr
	MOVQ AX, 24(SP)
	MOVQ $0, 32(SP)
	CMPL CX, $0
	JGT  own
	MOVQ $0, 0(SP)
	JMP  handle
own:
	// SP is between the lowest address of the goroutine's stack and g.syscallsp, so the fault is in Rust code. C code runs on another
	// stack.
	LEAQ  ·callSP(SB), R9
	MOVQ  0(R9), R9
	TESTQ R9, R9
	JEQ   handle
	G
	TESTQ R8, R8
	JEQ   handle
	MOVQ  8(SP), R10
	CMPQ  R10, 0(R8)
	JLS   handle
	CMPQ  R10, (R8)(R9*1)
	JHI   handle
	LEAQ  ·callThrow(SB), R9
	MOVQ  0(R9), R9
	MOVB  $0, (R8)(R9*1)
	MOVQ  $1, 32(SP)
handle:
	LEAQ handlers<>(SB), AX
	MOVQ (AX)(DI*8), AX
	CALL AX
	MOVQ 0(SP), DX
	TESTQ DX, DX
	JEQ  done
	MOVQ 168(DX), AX
	MOVQ 16(SP), CX
	CMPQ AX, CX
	JEQ  done // the code continues, or is executed again
	MOVQ 8(SP), R10
	MOVQ 160(DX), R11
	CMPQ R11, R10
	JEQ  jumped
	ADDQ $8, R11
	CMPQ R11, R10
	JNE  done
	CMPQ CX, -8(R11)
	JEQ  called
	JMP  done
jumped:
	CMPQ CX, 24(SP)
	JNE  done
called:
	G
	TESTQ R8, R8
	JEQ  done
	CMPQ R10, 0(R8)
	JLS  done
	CMPQ R10, 8(R8)
	JHI  done
	MOVQ $0, 120(DX) // BP
	CMPQ 32(SP), $0
	JEQ  done
	MOVQ 168(DX), AX
	MOVQ AX, sigpanic<>(SB) // always the same address
	LEAQ leaveFault<>(SB), AX
	MOVQ AX, 168(DX)
done:
	RET

// sigpanic holds the address of the runtime's function sigpanic, which Go's handler stored in the context.
GLOBL sigpanic<>(SB), NOPTR, $8

// leaveFault ends the state of a system call, then jumps to sigpanic. It is entered as if the faulting code had called leaveFault. BP is 0.
TEXT leaveFault<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	CALL ·leaveCall(SB)
	MOVQ sigpanic<>(SB), AX
	JMP  AX
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
// The function needs 16 bytes of stack below SP at entry: 8 for BP, 8 for the return address of a call.
TEXT ·missing(SB), NOSPLIT, $0-0
	NO_LOCAL_POINTERS
	WHERE_SP
	JHI  elsewhere
	MOVQ $const_notCarried, AX
	JMP  abandon<>(SB)
elsewhere:
	MOVQ $const_taskMissing, AX
	CALL ·leaveTask(SB)
	XORL BP, BP
	CALL ·leaveCall(SB)
	CALL ·raiseMissing(SB)
	UNDEF

// func exhausted()
//
// exhausted is entered if the running call has no stack left for a Rust function. In, from the function's checked entry:
//
//	DI, SI  the function's name: address (read-only data) and length in bytes
//	DX      the stated budget in bytes, 0 if the package states several
//
// The function needs 40 bytes of stack below SP at entry: 8 for BP, 24 for its frame, 8 for the return address of a call. The frames above belong to
// a call that does not continue, as for enter.
TEXT ·exhausted(SB), NOSPLIT, $24-0
	NO_LOCAL_POINTERS
	WHERE_SP
	JLS  formatting
	MOVQ DI, 0(SP)
	MOVQ SI, 8(SP)
	MOVQ DX, 16(SP)
	MOVQ $const_taskExhausted, AX
	CALL ·leaveTask(SB)
	XORL BP, BP
	CALL ·leaveCall(SB)
	CALL ·raiseExhausted(SB)
	UNDEF
formatting:
	MOVQ $const_tooDeep, AX
	JMP  abandon<>(SB)

// Panics that unwind. In a package with panic = "unwind", Rust's panic handler jumps to throw in place of enter.
//
// The generated code has a record for each call that may unwind. The instruction after the call is
//
//	0F 1F 82 dist32		NOPL dist32(DX)
//
// It does nothing. No compiler emits this instruction: the NOPs that compilers emit as padding have AX as their base. dist32 is the distance from the
// next instruction to the record. The record has these fields:
//
//	0	u32	the distance from SP after the call up to the return address of the calling function
//	4	i32	the distance from the record to the landing pad; 0 if the panic goes on in the caller
//	8	u8 × 6	for BX, BP, R12, R13, R14, R15: the distance in words from the return address down to the word where the function has saved
//			the register; 0 if the register still holds the caller's value
//	14	u16	the number of words by which SP at the landing pad is higher than after the call
//
// The generator proves each record. So the unwinder needs no memory: it goes from frame to frame in registers, restores the callee-saved registers on
// its way, and ends with a jump to a landing pad. No Go code runs meanwhile, so the stack does not move. The landing pad is Rust code on the
// goroutine's stack. It ends with a jump to resumeException, or continues as ordinary Rust code.
//
// When the Go panic is made, the Rust frames no longer exist. So throw first stores the return addresses of the Rust frames.
//
// The function that makes a payload and an exception, and the function that takes them apart, run on the static stack. So a function that
// can panic needs no more stack than without unwinding.
//
// A blocking call stays in the state of a system call until its frames are gone. In this state the runtime may look at the bounds of the stack, so
// the bounds in g do not change. Instead the limit of the static stack replaces the limit of the running call in the lowest word of the goroutine's
// stack. Windows has no blocking calls, so its profiler always finds the bounds that it needs.

// func throw()
//
// In, as for enter:
//
//	DI      *core::panic::PanicInfo, or the address of another panic plus 1; opaque
//	SI      the formatter of the Rust crate: extern "C" fn(*const u8, *mut Unwinding)
//	0(SP)   the return address into the Rust frame that panicked; SP need not be aligned
//	BX, BP, R12 to R15	values of the Rust function
//
// throw ends with a jump to a landing pad of a Rust function. If the panic must not unwind, throw raises a Go panic, as enter does.
//
// The function needs 72 bytes of stack below SP at entry.
TEXT ·throw(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	WHERE_SP
	JLS  again
	MOVQ $0, R10
	JMP  format<>(SB)
again:
	MOVQ $const_unfinished, AX
	JMP  abandon<>(SB)

// func unwound()
//
// The shim of an export jumps here when it has caught a panic. In:
//
//	DI      the exception
//	SI      the formatter
//	0(SP)   the return address into the shim
//
// unwound raises a Go panic.
TEXT ·unwound(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ $1, R10
	JMP  format<>(SB)

// stuck is entered if a frame cannot be unwound. DI is the exception, 0(SP) the return address into the frame.
TEXT stuck<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	WHERE_SP
	JHI  elsewhere
	MOVQ $const_unfinished, AX
	JMP  abandon<>(SB)
elsewhere:
	MOVQ  24(DI), SI
	MOVQ  $const_endsStuck, R10
	TESTQ SI, SI
	JEQ   unknown
	JMP   format<>(SB)
unknown:
	JMP raiseStuck<>(SB)

// format calls the formatter SI for DI on the static stack. R10 is 0 at the start of a panic. R8 to R11, AX, CX and DX are free.
TEXT format<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LOCK_PANICS(take, wait, taken)
	MOVQ BX, saved<>+0(SB)
	MOVQ BP, saved<>+8(SB)
	MOVQ R12, saved<>+16(SB)
	MOVQ R13, saved<>+24(SB)
	MOVQ R14, saved<>+32(SB)
	MOVQ R15, saved<>+40(SB)
	MOVQ SP, thrower<>+0(SB)
	MOVQ SI, thrower<>+8(SB)
	MOVQ $0, thrown<>(SB)
	MOVQ R10, BX
#ifdef GOOS_linux
	PUSHQ BX
	CALL watch<>(SB)
	POPQ BX
#endif
	TAKE_SLOT(chosen)
	MOVQ CX, slot<>(SB)
	EMPTY_REPORT
	LEAQ  ·places(SB), R11
	IMULQ $(const_maxPlaces*8), CX
	ADDQ  CX, R11
	XORL  CX, CX
	MOVQ  R11, unwinding_frames(DX)
	MOVQ  CX, unwinding_count(DX)
	MOVQ  CX, unwinding_fatal(DX)
	MOVQ  BX, AX
	SHRQ  $1, AX // 1 for endsStuck too
	ORQ   BX, AX
	ANDQ  $1, AX
	MOVQ  AX, unwinding_ends(DX)
	TESTQ AX, AX
	JNE   run

	// This stores the return addresses of the Rust frames, up to and including the first return address without a record.
	MOVQ SP, R9
place:
	MOVQ   0(R9), R8
	MOVQ   R8, (R11)(CX*8)
	INCQ   CX
	CMPQ   CX, $const_maxPlaces
	JEQ    placed
	MOVL   0(R8), AX
	ANDL   $0xFFFFFF, AX
	CMPL   AX, $0x821F0F
	JNE    placed
	MOVLQSX 3(R8), AX
	MOVL   7(R8)(AX*1), AX
	LEAQ   8(R9)(AX*1), R9
	JMP    place
placed:
	MOVQ CX, unwinding_count(DX)

run:
	PUSHQ BX
	CALL  runFormatter<>(SB)
	POPQ  BX

	CHECK_GUARD(corrupt)
	MOVQ  thrown<>(SB), DI
	TESTQ DI, DI
	JEQ   raise

	// The panic unwinds, and its message is in the exception. So this code frees the slot.
	MOVQ slot<>(SB), CX
	CMPQ CX, $const_noSlot
	JEQ  freed
	LEAQ ·busy(SB), DX
	LOCK
	BTRQ CX, 0(DX)
freed:
	MOVQ thrower<>+8(SB), SI
	MOVQ SI, 24(DI) // for stuck
	MOVQ saved<>+0(SB), BX
	MOVQ saved<>+8(SB), BP
	MOVQ saved<>+16(SB), R12
	MOVQ saved<>+24(SB), R13
	MOVQ saved<>+32(SB), R14
	MOVQ saved<>+40(SB), R15
	UNLOCK_PANICS
	LEAQ unwind<>(SB), AX // not JMP, which the linker would report as recursion without stack checks
	JMP  AX

raise:
	JMP raiseReport<>(SB)
corrupt:
	JMP overflown<>(SB)

// overflown leaves the task's stack and calls overflowed. It has a frame, because the code that jumps here has none.
TEXT overflown<>(SB), NOSPLIT, $8-0
	NO_LOCAL_POINTERS
	MOVQ $const_taskOverflowed, AX
	CALL ·leaveTask(SB)
	XORL BP, BP
	CALL ·overflowed(SB)
	UNDEF

// raiseStuck raises a Go panic without message. DI is the exception.
TEXT raiseStuck<>(SB), NOSPLIT, $8-0
	NO_LOCAL_POINTERS
	MOVQ 16(DI), AX
	MOVQ AX, 0(SP)
	MOVQ $const_taskLost, AX
	CALL ·leaveTask(SB)
	XORL BP, BP
	CALL ·leaveCall(SB)
	CALL ·raiseLost(SB)
	UNDEF

// raiseReport releases the lock and calls raiseUnwound with the values of the report. BX has the value of R10 in format.
TEXT raiseReport<>(SB), NOSPLIT, $56-0
	NO_LOCAL_POINTERS
	MOVQ slot<>(SB), CX
	RAISE_ARGUMENTS
	MOVQ unwinding_count(DX), CX
	MOVQ CX, 40(SP)
	MOVQ unwinding_fatal(DX), CX
	SHLQ $const_fatalShift, CX
	ORQ  BX, CX
	MOVQ CX, 48(SP)
	UNLOCK_PANICS
	MOVQ $const_taskUnwound, AX
	CALL ·leaveTask(SB)
	XORL BP, BP
	CALL ·leaveCall(SB)
	CALL ·raiseUnwound(SB)
	UNDEF

// runFormatter calls the formatter SI for DI on the static stack. In a blocking call, it does not change the bounds of the goroutine's stack.
TEXT runFormatter<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	G
	LEAQ  ·callSP(SB), R9
	MOVQ  0(R9), R9
	TESTQ R9, R9
	JEQ   plain
	CMPQ  0(R8)(R9*1), $0
	JEQ   plain
	MOVQ  0(R8), R9
	MOVQ  0(R9), R10
	MOVQ  R10, savedLimit<>(SB)
	LEAQ  stack<>(SB), R11
	ADDQ  $const_limit, R11
	MOVQ  R11, 0(R9)
	MOVQ  $1, blocks<>(SB)
	MOVQ  SP, savedSP<>(SB)
	MOVQ  SI, AX
	LEAQ  report<>(SB), SI
	LEAQ  stack<>+const_wholeSize(SB), CX
	ANDQ  $~63, CX
	MOVQ  CX, SP
	EMMS
	CALL  AX
	JMP   back<>(SB)
plain:
	SAVE_BOUNDS
	JMP formatPanicMessage<>(SB)

// func raiseException()
//
// In: DI is the exception, 0(SP) the return address into the Rust function that raises it. If the formatter raises the exception of the panic that it
// was called for, the formatter ends. All other exceptions unwind from here.
TEXT ·raiseException(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	WHERE_SP
	JHI  elsewhere
	LEAQ report<>(SB), DX
	CMPQ unwinding_ends(DX), $const_endsReady
	JNE  elsewhere
	MOVQ DI, thrown<>(SB)
	JMP  back<>(SB)
elsewhere:
	JMP unwind<>(SB)

// func resumeException()
//
// In: DI is the exception, 0(SP) the return address into the Rust function whose landing pad has ended.
TEXT ·resumeException(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	JMP unwind<>(SB)

// RESTORE loads a callee-saved register from the frame whose return address is at R8, if the record R10 has the place of the saved register.
#define RESTORE(at, register, label) \
	MOVBLZX at(R10), CX       \
	TESTL   CX, CX            \
	JEQ     label             \
	NEGQ    CX                \
	MOVQ    (R8)(CX*8), register \
label:

// unwind goes from frame to frame up to a landing pad. DI is the exception, 0(SP) the return address into the first frame.
TEXT unwind<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
frame:
	MOVQ    0(SP), R11
	MOVL    0(R11), CX
	ANDL    $0xFFFFFF, CX
	CMPL    CX, $0x821F0F
	JNE     none
	MOVLQSX 3(R11), R10
	LEAQ    7(R11)(R10*1), R10
	MOVLQSX 4(R10), R11
	TESTQ   R11, R11
	JNE     land
	MOVL    0(R10), R8
	LEAQ    8(SP)(R8*1), R8
	RESTORE(8, BX, bx)
	RESTORE(9, BP, bp)
	RESTORE(10, R12, r12)
	RESTORE(11, R13, r13)
	RESTORE(12, R14, r14)
	RESTORE(13, R15, r15)
	MOVQ    R8, SP
	JMP     frame
land:
	ADDQ    R10, R11
	MOVWLZX 14(R10), CX
	LEAQ    8(SP)(CX*8), CX
	MOVQ    CX, SP
	MOVQ    DI, AX
	XORL    DX, DX
	JMP     R11
none:
	JMP stuck<>(SB)
