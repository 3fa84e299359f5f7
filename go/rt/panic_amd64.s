// The panic entry.
//
// A Rust panic ends in the panic handler of the support crate, and that in a jump to enter. What follows is told here once.
//
// We are on the stack of the goroutine, below the frames of the Rust functions. All of them have exact SP tables, so that
// Go could unwind them at once: the panic handler may simply call Go, and Go may move the stack, run deferred functions and
// recover. Only one thing must come first. The message is still to be formatted, by Rust code (core::fmt and whatever Display
// implementations the author wrote), from values that lie in the Rust frames. That code calls through pointers, so no bound of
// its stack can be proved and it does not run on a goroutine's; and it must run before any Go code does, because Go may move the
// stack, and nothing would mend the pointers in Rust frames. So enter
//
//	1. takes a lock. It spins: the lock is never held while Go code runs, no goroutine is preempted in assembly, and a panic
//	   needs no more than microseconds.
//	2. takes a free slot of ·messages.
//	3. has the message formatted into it on a static stack, by formatPanicMessage.
//	4. gives the lock back and calls raise, which makes the Go panic and does not return.
//
// If the formatter itself panics, enter is reached on the static stack. It then gives up the message, by returning from formatPanicMessage
// as if the formatter had; the first enter, still waiting on the goroutine's stack, goes on with step 4. The same happens where
// the formatter would need more stack than there is, and where it calls a function that is not carried.
//
// The formatter cannot get past the end of the static stack. The generator knows what each of its functions needs up to the next
// one that is entered by a check; the formatter itself is, and so is every function that recurses or that a pointer leads to. A
// check compares SP with the limit of the call that is running, which is the word at the lowest address of the stack:
//
//	stack<>                the limit: stack<> + limit
//	+8                     the guard, which is looked at afterwards: nothing should have been written there
//	+guardSize             left free for what Windows writes below SP when a fault happens
//	+limit                 64 KiB for the formatter
//
// The entry of an exported function stores the limit of its call the same way at the lowest address of the goroutine's stack, which
// nobody else uses meanwhile: the entry has made sure of 800 bytes more than the call needs, the runtime uses the word on signal
// stacks only, no Go code runs on this stack until Rust has returned or is dead, and the collector does not look below SP. Rust does
// not call Go, so there is one call on a stack at a time. What Go code calls after a panic, deferred functions before all, writes
// its own limit there; the call that panicked does not go on.
//
// If the formatter faults (reads address 0, divides by zero), Go's signal handler would have it call sigpanic, on a stack that is no
// goroutine's. So on Linux a handler stands before Go's, faulted, which gives up the message in the same way where SP is on the
// static stack, and has Go's do its work everywhere else. Other systems take no handler but through their C library; there the process
// ends, and the traceback names formatPanicMessage.
//
// A fault elsewhere in Rust, on the stack of a goroutine, is one that Go recovers: it has the goroutine call sigpanic, with the frame
// pointer as it was. Rust may have anything in that register, and what records a stack while a deferred function runs, the execution
// tracer and the profiles of blocking, follows the chain of frame pointers wherever it leads. So faulted sets it to 0 for
// sigpanic, and the chain ends there. It does so after every fault that becomes a panic, also in Go's own code, since no look at the chain
// tells whether it is one: what lies in Rust's frames may be a copy of a part of it, which is right until the stack moves and Go adjusts its
// own words alone. (Up to Go 1.24, and in the first releases of 1.25 and 1.26, it does not even adjust those of the frame that faulted:
// adjustframe, runtime/stack.go.) Who recovers gets a frame pointer that Go computes anew (recovery, runtime/panic.go).
//
// What the runtime sees:
//
//   - enter has a fixed frame and writes SP nowhere, so that the unwinder passes through it. formatPanicMessage switches stacks. The
//     assembler marks it SPWRITE, and the unwinder stops there: a CPU profile that is taken while the formatter runs ends in
//     formatPanicMessage. Nothing else looks at the stack meanwhile: a goroutine is stopped for the garbage collector or a traceback only in
//     Go code, and here there is none.
//   - The bounds of the goroutine's stack, which are the first two words of g, are those of the static stack while the formatter
//     runs, for two readers. Checked entries find the limit by the lower one. And on Windows the profiler is a thread that stops
//     another and asks which of its goroutines has a stack with SP in it; there must be one: the runtime does without the answer
//     nowhere (gFromSP and sigprof, runtime/os_windows.go and proc.go). So while SP moves from one stack to the other the bounds
//     take in both. Nobody else reads them meanwhile: the goroutine is not stopped, and a signal that wants to preempt it
//     finds assembly and lets it be (isAsyncSafePoint, runtime/preempt.go).
//   - NO_LOCAL_POINTERS: neither has Go pointers in its frame. Those for raise point to static data.
//   - BP is 0 when raise is called. The execution tracer walks the chain of frame pointers, and Rust has no such chain.
//   - The ABI0 wrapper of raise loads R14 and X15 itself.
//
// From SP at entry, enter needs 64 bytes of stack: 8 for BP, 48 for its frame, 8 for the return address of a call. raise
// checks the stack like any Go function.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// Guarded by ·panicLock.
GLOBL report<>(SB), NOPTR, $const_reportSize
GLOBL savedSP<>(SB), NOPTR, $8
// The bounds of the goroutine's stack, and those of both stacks.
GLOBL savedBounds<>(SB), NOPTR, $16
GLOBL bothBounds<>(SB), NOPTR, $16
// An entry that aligns the stack copies as many words from above its return address as any of its callers passes, and the first functions on
// this stack have nothing above them.
GLOBL stack<>(SB), NOPTR, $(const_wholeSize+const_aboveSize)

// G puts the goroutine into R8.
#define G \
	MOVQ TLS, R8 \
	MOVQ 0(R8)(TLS*1), R8

// BOUNDS sets its bounds to what two words say. It uses R9 and R10.
#define BOUNDS(words) \
	MOVQ words+0(SB), R9  \
	MOVQ words+8(SB), R10 \
	MOVQ R9, 0(R8)        \
	MOVQ R10, 8(R8)

// func enter()
//
// In (not a Go call: generated code jumps here from the place where Rust called the panic handler):
//
//	DI      *core::panic::PanicInfo, opaque
//	SI      the formatter of the Rust crate: extern "C" fn(*const PanicInfo, *mut Report)
//	0(SP)   the return address into the Rust frame that panicked; SP need not be aligned
//	others  anything; no register survives, for nothing returns
//
// Frame: 0–39(SP) the arguments of raise, 40(SP) the slot.
TEXT ·enter(SB), NOSPLIT, $48-0
	NO_LOCAL_POINTERS

	// On the static stack already?
	LEAQ stack<>(SB), AX
	MOVQ SP, CX
	SUBQ AX, CX
	CMPQ CX, $const_wholeSize
	JLS  again

	// The scheduler was told of the call, perhaps. Nobody may look at the goroutine's bounds while they are others, so that ends here.
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

	// Nothing is known until the formatter says it.
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

	// Is the guard still clean?
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
	CMOVQEQ CX, AX // the address of an empty Rust string is no pointer
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

// formatPanicMessage calls the formatter SI for the panic DI on the static stack, and fills report<>.
TEXT formatPanicMessage<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ SI, AX
	LEAQ report<>(SB), SI
	MOVQ SP, savedSP<>(SB)
	G
	BOUNDS(bothBounds<>)
	LEAQ stack<>+const_wholeSize(SB), CX
	LEAQ 8(CX), R10
	ANDQ $~63, CX // the psABI asks for 16; here, in no register of the unwinder's, more costs nothing
	MOVQ CX, SP
	EMMS // what panicked may have left something on the x87 stack, or what faulted before it on this thread
	LEAQ stack<>(SB), R9
	LEAQ const_limit(R9), R11
	MOVQ R11, 0(R9)
	MOVQ R9, 0(R8)
	MOVQ R10, 8(R8)
	CALL AX
	JMP  back<>(SB)

// abandon gives up the message, for the reason AX. Where the panic was is kept, if the formatter got so far.
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
// abandonFault is abandon for a formatter that faulted.
TEXT abandonFault<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ $const_faulted, AX
	JMP  abandon<>(SB)

// The handlers that faulted stands before, by signal. A word is 0 until there is one, and then stays.
GLOBL handlers<>(SB), NOPTR, $(12*8)
// A handler as the kernel has it: its address, flags, restorer, mask. Guarded by ·panicLock.
GLOBL action<>(SB), NOPTR, $32

// watch puts faulted before the handlers of SIGSEGV, SIGFPE and SIGBUS, with their flags and masks, where it is not yet. It is
// called when the program starts, and at each panic because code in C may have put one back that it knew from before; to look at SIGSEGV tells enough. A
// handler that is new is left: it stands before ours, and a way from ours to it would be a circle. Go's own has SA_SIGINFO and
// SA_ONSTACK; others are left.
//
// DI and SI stay. From SP at entry it needs no stack.
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
	MOVQ $13, AX // rt_sigaction; changes AX, CX and R11 alone
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

// faulted is a signal handler: DI the signal, SI its siginfo, DX the ucontext, as C passes them. It runs on the
// thread's stack for signals. SP on the static stack is the formatter's: one goroutine runs there, the one that holds the lock.
//
// In all other cases the handler that was found does its work. If it has a goroutine call sigpanic, the frame pointer becomes 0:
// see the head of this file. The context tells that from what handlers in C may do, which Go's calls for faults in C: SP was on the
// stack of the goroutine, and the place of the fault is now the return address, or was itself the address that was not there (a call of
// address 0).
//
// Go makes no panic of a fault where g.throwsplit says that there must be none, as in a system call. In a call of Rust that the scheduler was
// told of there may be one, after the goroutine has left that state: so the flag is taken away, and what Go calls then is leaveFault.
//
// Frame: 0(SP) the ucontext; SP, PC and the address that was not there, when the fault happened; 32(SP) whether it was such a call.
TEXT faulted<>(SB), NOSPLIT, $40-0
	NO_LOCAL_POINTERS
	MOVQ 160(DX), AX // SP
	MOVL 8(SI), CX // si_code: if not positive, a process has sent the signal
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
	// SP between the lowest address of the goroutine's stack and g.syscallsp: Rust code, and not C's, which runs elsewhere.
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
	JEQ  done // it goes on, or begins anew
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
	MOVQ AX, sigpanic<>(SB) // always the same
	LEAQ leaveFault<>(SB), AX
	MOVQ AX, 168(DX)
done:
	RET

// Where Go's handler has a goroutine go that faulted.
GLOBL sigpanic<>(SB), NOPTR, $8

// leaveFault stands before it, and ends the state of a system call. It is entered as if what faulted had called it; BP is 0.
TEXT leaveFault<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	CALL ·leaveCall(SB)
	MOVQ sigpanic<>(SB), AX
	JMP  AX
#endif

// func watchFaults()
//
// watch at the start of the program, before anything can panic: nobody else holds ·panicLock.
TEXT ·watchFaults(SB), NOSPLIT, $0-0
	NO_LOCAL_POINTERS
#ifdef GOOS_linux
	CALL watch<>(SB)
#endif
	RET

// func missing()
//
// Rust called a function that the generator did not carry, because it proved that only the text of a panic could need it.
// While such a text is made, this ends it. Elsewhere it says that the proof was wrong; better a panic than a wild jump.
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
// The call that is running has no stack left for a Rust function. In, from the function's checked entry:
//
//	DI, SI  the function's name: address (read-only data) and length in bytes
//	DX      the stated budget in bytes, 0 if the package states several
//
// From SP at entry it needs 40 bytes of stack: 8 for BP, 24 for its frame, 8 for the return address of a call. The frames
// above are those of a call that will not go on, just as for enter.
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
