// The panic entry: from a Rust panic to a Go panic.
//
// The panic handler of the support crate ends in a jump to enter. At this point SP is on the goroutine's stack, below the frames of the Rust
// functions. All of these frames have exact SP tables, so Go can unwind them: it may move the stack, run deferred functions, and recover. Only the
// message must be formatted first, by Rust code (core::fmt and the author's Display implementations), from values in the Rust frames. This
// formatter calls through pointers, so no bound of its stack can be proved, and it cannot run on a goroutine's stack. It must run before any Go
// code, because Go may move the stack and does not adjust pointers in Rust frames. So enter
//
//	1. takes a lock, by spinning. The lock is never held while Go code runs, no goroutine is preempted in assembly, and a panic holds
//	   the lock only for microseconds.
//	2. takes a free slot of ·messages.
//	3. calls formatPanicMessage, which runs the formatter on a static stack. The formatter writes the message into the slot.
//	4. releases the lock and calls raise, which raises the Go panic and does not return.
//
// If the formatter itself panics, its panic handler jumps to enter while SP is on the static stack. Then enter abandons the message: it returns from
// formatPanicMessage as if the formatter had returned. The first enter, whose frame is on the goroutine's stack, continues with step 4. The same
// happens if the formatter exhausts the static stack, or calls a function that the package does not include.
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
// stack until Rust has returned or its frames are dead; and the collector does not look below SP. Rust does not call Go, so a stack has one call at
// a time. After a panic, Go code such as a deferred function may call Rust, which stores another limit; the call that panicked does not go on.
//
// If the formatter faults (reads address 0, divides by zero), Go's signal handler would make it call sigpanic, on a stack that belongs to no
// goroutine. So on Linux the handler faulted runs before Go's handler. If SP is on the static stack, faulted abandons the message in the same way.
// Otherwise it calls Go's handler. Other systems install handlers only through their C library. There the process ends, and the traceback names
// formatPanicMessage.
//
// Go recovers a fault elsewhere in Rust code, on the stack of a goroutine: it makes the goroutine call sigpanic, with the frame pointer unchanged. Rust
// code may have left any value in this register. If a stack is recorded while a deferred function runs, the execution tracer and the block profile
// follow the chain of frame pointers, wherever it leads. So faulted sets the frame pointer to 0 for sigpanic, and the chain ends there. It does so
// after every fault that becomes a panic, also in Go's own code, because no check of the chain can tell whether the chain is valid: Rust frames may
// hold a copy of a part of it, which is valid until the stack moves and Go adjusts only its own words. (Up to Go 1.24, and in the first releases of
// 1.25 and 1.26, Go does not even adjust the frame pointers in the frame that faulted: adjustframe, runtime/stack.go.) For a function that recovers, Go
// computes the frame pointer anew (recovery, runtime/panic.go).
//
// The view of the runtime:
//
//   - enter has a fixed frame and does not write SP, so the unwinder passes through it. formatPanicMessage switches stacks. The assembler
//     marks it SPWRITE, and the unwinder stops there: a CPU profile taken while the formatter runs ends in formatPanicMessage. Nothing
//     else looks at the stack meanwhile: the garbage collector and tracebacks stop a goroutine only in Go code.
//   - While the formatter runs, the stack bounds in g (its first two words) are the bounds of the static stack, for two readers. Checked
//     entries find the limit by the lower bound. On Windows the profiler is a thread that stops another thread and looks for its
//     goroutine whose stack contains SP; the runtime relies on finding one (gFromSP and sigprof, runtime/os_windows.go and proc.go). So
//     while SP moves from one stack to the other, the bounds include both. No other code reads the bounds meanwhile: the goroutine is
//     not stopped, and a signal for preemption does nothing in assembly (isAsyncSafePoint, runtime/preempt.go).
//   - NO_LOCAL_POINTERS: neither function has Go pointers in its frame. The pointers passed to raise point to static data.
//   - BP is 0 when raise is called. The execution tracer walks the chain of frame pointers, and Rust has no such chain.
//   - The ABI0 wrapper of raise loads R14 and X15 itself.
//
// From SP at entry, enter needs 64 bytes of stack: 8 for BP, 48 for its frame, 8 for the return address of a call. raise checks the stack like any
// Go function.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// ·panicLock guards the report and the words below it.
GLOBL report<>(SB), NOPTR, $const_reportSize
GLOBL savedSP<>(SB), NOPTR, $8
// The saved bounds of the goroutine's stack, and bounds that include both stacks.
GLOBL savedBounds<>(SB), NOPTR, $16
GLOBL bothBounds<>(SB), NOPTR, $16
// The space above the stack is for entries that align SP. They copy words from above their return address, as many as any caller passes, and the first
// functions on this stack have no caller's frame above them.
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
	LEAQ stack<>(SB), AX
	MOVQ SP, CX
	SUBQ AX, CX
	CMPQ CX, $const_wholeSize
	JLS  again

	// A blocking call ends here, because the runtime must not look at the goroutine's stack while its bounds in g are changed.
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

	LEAQ ·panicLock(SB), BX
take:
	MOVL  $1, AX
	XCHGL AX, 0(BX)
	TESTL AX, AX
	JZ    taken
wait:
	PAUSE
	CMPL 0(BX), $0
	JNE  wait
	JMP  take

taken:
#ifdef GOOS_linux
	CALL watch<>(SB)
#endif
	LEAQ ·busy(SB), DX
	MOVQ 0(DX), AX
	NOTQ AX
	MOVL $const_noSlot, CX
	BSFQ AX, AX
	JZ   chosen
	MOVQ AX, CX
	LOCK
	BTSQ CX, 0(DX)
chosen:
	MOVQ CX, 40(SP)

	// The report is empty until the formatter fills it.
	LEAQ  report<>(SB), DX
	LEAQ  ·messages(SB), AX
	IMULQ $const_slotSize, CX
	ADDQ  CX, AX
	XORL  CX, CX
	MOVQ  AX, report_message(DX)
	MOVQ  $const_slotSize, report_capacity(DX)
	MOVQ  CX, report_length(DX)
	MOVQ  CX, report_file(DX)
	MOVQ  CX, report_fileLen(DX)
	MOVQ  CX, report_line(DX) // and column

	G
	MOVQ    0(R8), R9
	MOVQ    8(R8), R10
	MOVQ    R9, savedBounds<>+0(SB)
	MOVQ    R10, savedBounds<>+8(SB)
	LEAQ    stack<>(SB), R11
	CMPQ    R11, R9
	CMOVQCS R11, R9
	LEAQ    stack<>+(const_wholeSize+8)(SB), R11
	CMPQ    R11, R10
	CMOVQHI R11, R10
	MOVQ    R9, bothBounds<>+0(SB)
	MOVQ    R10, bothBounds<>+8(SB)

	CALL formatPanicMessage<>(SB)

	// Checks whether the guard is still zero.
	LEAQ stack<>+8(SB), DI
	MOVL $(const_guardSize/8-1), CX
	XORL AX, AX
	CLD
	REP; SCASQ
	JNE  corrupt

	LEAQ    report<>(SB), DX
	MOVQ    40(SP), CX
	MOVQ    CX, 0(SP)
	MOVQ    report_length(DX), CX
	MOVQ    CX, 8(SP)
	MOVQ    report_file(DX), AX
	MOVQ    report_fileLen(DX), CX
	TESTQ   CX, CX
	CMOVQEQ CX, AX // the address of an empty Rust string is not a valid pointer
	MOVQ    AX, 16(SP)
	MOVQ    CX, 24(SP)
	MOVQ    report_line(DX), CX
	MOVQ    CX, 32(SP)

	LEAQ  ·panicLock(SB), BX
	XORL  AX, AX
	XCHGL AX, 0(BX)

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
	ANDQ $~63, CX // the psABI requires 16; more costs nothing in a register that the unwinder does not use
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

// back returns from formatPanicMessage, on the goroutine's stack.
TEXT back<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	G
	BOUNDS(bothBounds<>)
	MOVQ savedSP<>(SB), SP
	BOUNDS(savedBounds<>)
	RET

#ifdef GOOS_linux
// abandonFault calls abandon for a formatter that faulted.
TEXT abandonFault<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ $const_faulted, AX
	JMP  abandon<>(SB)

// The handlers that faulted calls, one for each signal. A word is 0 until watch sets it, and never changes again.
GLOBL handlers<>(SB), NOPTR, $(12*8)
// The kernel's struct for a handler: address, flags, restorer, mask. Guarded by ·panicLock.
GLOBL action<>(SB), NOPTR, $32

// watch makes faulted the handler of SIGSEGV, SIGFPE and SIGBUS, with the flags and the mask of the present handler, which faulted calls. It runs when
// the program starts, and at each panic, because C code may have restored an earlier handler. If the handler of SIGSEGV is still faulted, the other two
// are not examined. watch replaces only handlers with SA_SIGINFO and SA_ONSTACK, as Go's handler has, and without SA_RESETHAND. For each signal it
// replaces only one handler: a later handler may call faulted, so faulted must not call it.
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

// faulted is a signal handler. As C passes them: DI is the signal, SI its siginfo, DX the ucontext. It runs on the thread's signal stack. If SP was on
// the static stack, the formatter faulted, because only the goroutine that holds the lock runs there.
//
// In all other cases it calls the handler that watch found. If that handler made a goroutine call sigpanic, faulted sets the frame pointer to 0 (see
// the head of this file). The changed context distinguishes this case from faults in C code, for which Go's handler calls handlers in C: SP was on the
// goroutine's stack, and the fault's PC is now the return address, or the PC was the faulting address itself (a call of address 0).
//
// If g.throwsplit is set, as in a system call, Go makes no panic of a fault. In a blocking call of Rust, a panic is possible after the goroutine has
// left that state. So faulted clears the flag, and makes the goroutine call leaveFault instead of sigpanic.
//
// Frame: 0(SP) the ucontext; 8(SP) to 31(SP) SP, PC and the faulting address; 32(SP) whether the fault was in a blocking call.
TEXT faulted<>(SB), NOSPLIT, $40-0
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

// The address of sigpanic, which Go's handler stored in the context.
GLOBL sigpanic<>(SB), NOPTR, $8

// leaveFault ends the state of a system call, then jumps to sigpanic. It is entered as if the faulting code had called it. BP is 0.
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
// From SP at entry it needs 16 bytes of stack: 8 for BP, 8 for the return address of a call.
TEXT ·missing(SB), NOSPLIT, $0-0
	NO_LOCAL_POINTERS
	LEAQ stack<>(SB), AX
	MOVQ SP, CX
	SUBQ AX, CX
	CMPQ CX, $const_wholeSize
	JHI  elsewhere
	MOVQ $const_notCarried, AX
	JMP  abandon<>(SB)
elsewhere:
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
// From SP at entry it needs 40 bytes of stack: 8 for BP, 24 for its frame, 8 for the return address of a call. The frames above belong to a call
// that does not go on, as for enter.
TEXT ·exhausted(SB), NOSPLIT, $24-0
	NO_LOCAL_POINTERS
	LEAQ stack<>(SB), AX
	MOVQ SP, CX
	SUBQ AX, CX
	CMPQ CX, $const_wholeSize
	JLS  formatting
	MOVQ DI, 0(SP)
	MOVQ SI, 8(SP)
	MOVQ DX, 16(SP)
	XORL BP, BP
	CALL ·leaveCall(SB)
	CALL ·raiseExhausted(SB)
	UNDEF
formatting:
	MOVQ $const_tooDeep, AX
	JMP  abandon<>(SB)
