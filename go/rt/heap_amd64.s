// The Rust heap (crates/heap) uses the operating system and the runtime through these functions. Except getg, they have C's calling convention:
// arguments in DI and SI, the result in AX. They preserve all callee-saved registers of C's convention, and SP need not be aligned.

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
// Out: AX is the number of the processor (P) that runs the goroutine, or -1 if the number is not known or there is no P, as in a system call. Outside
// of a system call, the goroutine stays on its P while Rust runs, because assembly is not preempted. DX is the result of rustState.
//
// The function needs no stack below SP at entry.
TEXT ·processor(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LEAQ    ·state+(const_stateAlign-1)(SB), DX
	ANDQ    $~(const_stateAlign-1), DX
	LEAQ    ·heapP(SB), CX // in dynamically linked programs a load from heapP would use R15, which is callee-saved in C
	MOVQ    0(CX), CX
	TESTQ   CX, CX
	JEQ     none
	MOVQ    (TLS), AX
	LEAQ    ·callSP(SB), SI
	MOVQ    0(SI), SI
	TESTQ   SI, SI
	JEQ     known
	CMPQ    (AX)(SI*1), $0 // g.syscallsp
	JNE     none // m may have lost the P to another thread
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
// The function needs no stack below SP at entry.
TEXT ·rustState(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LEAQ ·state+(const_stateAlign-1)(SB), AX
	ANDQ $~(const_stateAlign-1), AX
	RET

#ifdef GOOS_linux
#define UNIX
#endif
#ifdef GOOS_freebsd
#define UNIX
#endif

#ifdef GOOS_windows
// SYSTEM calls the system's function R11 with its first four arguments in CX, DX, R8 and R9. The call runs on the stack of m.g0, because the stack of
// a goroutine is too small for the function. g does not change: the function raises no exception, and code that examines the thread from outside
// finds SP on the thread's stack. SYSTEM saves R13 at 32(SP).
#define SYSTEM \
	MOVQ (TLS), R10     \
	MOVQ 48(R10), R10   \ // g.m
	MOVQ 0(R10), R10    \ // m.g0
	MOVQ 56(R10), R10   \ // g.sched.sp
	SUBQ $48, R10       \
	ANDQ $~15, R10      \
	MOVQ R13, 32(R10)   \
	MOVQ SP, R13        \ // R13 is callee-saved
	MOVQ R10, SP        \
	CALL R11            \
	MOVQ 32(SP), R10    \
	MOVQ R13, SP        \
	MOVQ R10, R13
#endif

// func commit()
//
// In: DI is an address and SI a size, both multiples of 64 KiB, within the address space of the heap. commit makes the memory usable. Out: 1, or 0
// if the system has no memory.
//
// The function needs no stack below SP at entry.
TEXT ·commit(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef UNIX
#ifdef GOOS_linux
	MOVQ $10, AX // mprotect; changes only AX, CX and R11
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
// In: DI is an address and SI a size, both multiples of 64 KiB, within the address space of the heap. DX is 1 if the memory is committed again
// before it is used, and otherwise 0. release gives the memory back to the system. Afterwards the memory reads as zeros.
//
// The function needs no stack below SP at entry.
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
	// mmap replaces the pages, because FreeBSD's madvise does not promise zeros.
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
	// If the system call failed, the code keeps the memory and clears it. It does the same on darwin, which allows system calls only through the C
	// library.
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
// In: DI is the number of calls that the caller has already made while it waits for the same event. relax waits briefly. After many calls it lets
// another thread run.
//
// The function needs no stack below SP at entry.
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
