// What the heap needs of the system. Rust code calls these functions by C's convention: arguments in DI and SI, the result in AX. They change
// no register that C's convention keeps, and SP need not be aligned.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// func getg() uintptr
TEXT ·getg(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET

// func processor()
//
// Out: the number of the processor (P) that runs the goroutine, or -1 if there is none, as in a system call, or if it is not known. While
// Rust runs outside of a system call, the goroutine stays on its processor: assembly is not preempted. In DX is what rustState returns.
//
// From SP at entry it needs no stack.
TEXT ·processor(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LEAQ    ·state+(const_stateAlign-1)(SB), DX
	ANDQ    $~(const_stateAlign-1), DX
	LEAQ    ·heapP(SB), CX // a load by name would go through R15 where programs are linked dynamically, and C keeps that
	MOVQ    0(CX), CX
	TESTQ   CX, CX
	JEQ     none
	MOVQ    (TLS), AX
	LEAQ    ·callSP(SB), SI
	MOVQ    0(SI), SI
	TESTQ   SI, SI
	JEQ     known
	CMPQ    (AX)(SI*1), $0 // g.syscallsp
	JNE     none // m.p may be another thread's by now
known:
	MOVQ    48(AX), AX // g.m
	MOVQ    (AX)(CX*1), AX
	TESTQ   AX, AX
	JEQ     none
	MOVLQSX 0(AX), AX // p.id
	RET
none:
	MOVQ $-1, AX
	RET

// func rustState()
//
// Out: the address of the variables of crates/rt, which lie in ·state.
//
// From SP at entry it needs no stack.
TEXT ·rustState(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LEAQ ·state+(const_stateAlign-1)(SB), AX
	ANDQ $~(const_stateAlign-1), AX
	RET

// func thread()
//
// Out: the address of the runtime's m, which stands for the thread that runs the goroutine.
//
// From SP at entry it needs no stack.
TEXT ·thread(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ (TLS), AX
	MOVQ 48(AX), AX // g.m
	RET

#ifdef GOOS_linux
#define UNIX
#endif
#ifdef GOOS_freebsd
#define UNIX
#endif

#ifdef GOOS_windows
// SYSTEM calls the function R11 of the system, with its first four arguments in CX, DX, R8 and R9, on the thread's own stack: goroutines' are
// too small for it. g stays: the function raises no exception, and who looks at the thread from outside finds SP on its stack. What is
// at 32(SP) and above belongs to SYSTEM.
#define SYSTEM \
	MOVQ (TLS), R10     \
	MOVQ 48(R10), R10   \ // g.m
	MOVQ 0(R10), R10    \ // m.g0
	MOVQ 56(R10), R10   \ // g.sched.sp
	SUBQ $48, R10       \
	ANDQ $~15, R10      \
	MOVQ R13, 32(R10)   \
	MOVQ SP, R13        \ // which the function keeps
	MOVQ R10, SP        \
	CALL R11            \
	MOVQ 32(SP), R10    \
	MOVQ R13, SP        \
	MOVQ R10, R13
#endif

// func commit()
//
// In: DI an address, SI a size, multiples of 64 KiB in what reserve returned. Makes this memory usable. Out: 1, or 0 if the system has none.
//
// From SP at entry it needs no stack.
TEXT ·commit(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef UNIX
#ifdef GOOS_linux
	MOVQ $10, AX // mprotect; changes AX, CX and R11 alone
#else
	MOVQ $74, AX
#endif
	MOVQ $3, DX // PROT_READ|PROT_WRITE
	SYSCALL
#ifdef GOOS_freebsd
	JCS  failed
#endif
	TESTQ AX, AX
	JNE  failed
#endif
#ifdef GOOS_windows
	LEAQ ·virtualAlloc(SB), R11
	MOVQ 0(R11), R11
	MOVQ DI, CX
	MOVQ SI, DX
	MOVL $0x1000, R8 // MEM_COMMIT
	MOVL $4, R9 // PAGE_READWRITE
	SYSTEM
	TESTQ AX, AX
	JEQ  failed
#endif
	MOVQ $1, AX
	RET
failed:
	XORL AX, AX
	RET

// func release()
//
// In: DI an address, SI a size, multiples of 64 KiB in what reserve returned, DX 1 if it will be committed again before it is used. Gives the
// memory back to the system. It reads as zeros from now on.
//
// From SP at entry it needs no stack.
TEXT ·release(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef GOOS_windows
	LEAQ ·virtualFree(SB), R11
	MOVQ 0(R11), R11
	MOVQ DI, CX
	MOVQ SI, DX
	MOVL $0x4000, R8 // MEM_DECOMMIT
	SYSTEM
	RET
#else
#ifdef GOOS_linux
	MOVQ $28, AX // madvise
	MOVL $4, DX // MADV_DONTNEED
	SYSCALL
	TESTQ AX, AX
	JEQ  done
#endif
#ifdef GOOS_freebsd
	// mmap, over what is there. FreeBSD's madvise does not promise zeros.
	MOVL $3, CX // PROT_READ|PROT_WRITE
	TESTQ DX, DX
	MOVL $0, DX // PROT_NONE
	CMOVLEQ CX, DX
	MOVQ $477, AX
	MOVQ $0x1012, R10 // MAP_PRIVATE|MAP_FIXED|MAP_ANON
	MOVQ $-1, R8
	XORL R9, R9
	SYSCALL
	JCC  done
#endif
	// The C library alone makes system calls (darwin), or this one failed. The memory stays, and is cleared.
	MOVQ SI, CX
	SHRQ $3, CX
	XORL AX, AX
	CLD
	REP; STOSQ
done:
	RET
#endif

// func relax()
//
// In: DI how often it was called before, for the same purpose. Passes a short time, and lets another thread run if it was called often.
//
// From SP at entry it needs no stack.
TEXT ·relax(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef UNIX
	CMPQ DI, $64
	JCS  pause
#ifdef GOOS_linux
	MOVQ $24, AX // sched_yield
#else
	MOVQ $331, AX
#endif
	SYSCALL
	RET
pause:
#endif
	PAUSE
	PAUSE
	PAUSE
	PAUSE
	RET

// func corrupt()
//
// In: DI what is wrong, SI an address. Does not return.
//
// From SP at entry it needs 32 bytes of stack: 8 for BP, 16 for its frame, 8 for the return address of a call.
TEXT ·corrupt(SB), NOSPLIT, $16-0
	NO_LOCAL_POINTERS
	MOVQ DI, 0(SP)
	MOVQ SI, 8(SP)
	XORL BP, BP
	CALL ·leaveCall(SB)
	CALL ·raiseCorrupt(SB)
	UNDEF
