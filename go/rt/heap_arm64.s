// The Rust heap (crates/heap) uses the operating system and the runtime through these functions. Except getg, they have C's calling convention:
// arguments in R0 and R1, the result in R0. They preserve all callee-saved registers of C's convention. heap_amd64.s documents each function.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// func getg() uintptr
TEXT ·getg(SB), NOSPLIT, $0-8
	MOVD g, ret+0(FP)
	RET

// func processor()
TEXT ·processor(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	// A load from a named variable would use R27, which is callee-saved in C. In a plugin, the MOVDs of the addresses below use R27, too.
	MOVD R27, R0
	MOVD $·state(SB), R1 // the second result: the result of rustState
	MOVD $·heapP(SB), R3
	MOVD $·callSP(SB), R2
	MOVD R0, R27
	ADD  $(const_stateAlign-1), R1
	AND  $~(const_stateAlign-1), R1
	MOVD (R3), R3
	CBZ  R3, none
	MOVD (R2), R2
	CBZ  R2, known
	MOVD (g)(R2), R2 // g.syscallsp
	CBNZ R2, none // m may have lost the P to another thread
known:
	MOVD 48(g), R0 // g.m
	MOVD (R0)(R3), R0
	CBZ  R0, none
	MOVW 0(R0), R0 // p.id
	RET
none:
	MOVD $-1, R0
	RET

// func rustState()
TEXT ·rustState(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD R27, R1
	MOVD $·state(SB), R0 // in a plugin, this changes R27
	MOVD R1, R27
	ADD  $(const_stateAlign-1), R0
	AND  $~(const_stateAlign-1), R0
	RET

#ifdef GOOS_linux
#define UNIX
#endif
#ifdef GOOS_freebsd
#define UNIX
#endif

#ifdef GOOS_windows
// SYSTEM calls the system's function R9 on the thread's own stack.
#define SYSTEM \
	MOVD 48(g), R10        \ // g.m
	MOVD 0(R10), R10       \ // m.g0
	MOVD 56(R10), R10      \ // g.sched.sp
	SUB  $32, R10          \
	AND  $~15, R10         \
	MOVD R19, 0(R10)       \
	MOVD R30, 8(R10)       \
	MOVD RSP, R19          \ // R19 is callee-saved
	MOVD R10, RSP          \
	CALL (R9)              \
	MOVD 0(RSP), R10       \
	MOVD 8(RSP), R30       \
	MOVD R19, RSP          \
	MOVD R10, R19
#endif

// func commit()
TEXT ·commit(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef UNIX
#ifdef GOOS_linux
	MOVD $226, R8 // mprotect; changes only R0
#else
	MOVD $74, R8
#endif
	MOVD $3, R2 // PROT_READ|PROT_WRITE
	SVC
#ifdef GOOS_freebsd
	BCS  failed
#endif
	CBNZ R0, failed
#endif
#ifdef GOOS_windows
	MOVD $·virtualAlloc(SB), R9
	MOVD (R9), R9
	MOVD $0x1000, R2 // MEM_COMMIT
	MOVD $4, R3 // PAGE_READWRITE
	SYSTEM
	CBZ  R0, failed
#endif
	MOVD $1, R0
	RET
failed:
	MOVD ZR, R0
	RET

// func release()
TEXT ·release(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef GOOS_windows
	MOVD $·virtualFree(SB), R9
	MOVD (R9), R9
	MOVD $0x4000, R2 // MEM_DECOMMIT
	SYSTEM
	RET
#else
	MOVD R0, R9
#ifdef GOOS_linux
	MOVD $233, R8 // madvise
	MOVD $4, R2 // MADV_DONTNEED
	SVC
	CBZ  R0, done
#endif
#ifdef GOOS_freebsd
	MOVD R1, R10
	CMP  $0, R2
	MOVD $3, R2 // PROT_READ|PROT_WRITE
	CSEL NE, ZR, R2, R2 // PROT_NONE
	MOVD $477, R8
	MOVD $0x1012, R3 // MAP_PRIVATE|MAP_FIXED|MAP_ANON
	MOVD $-1, R4
	MOVD ZR, R5
	SVC
	BCC  done
	MOVD R10, R1
#endif
	// If the system call failed, the code keeps the memory and clears it. It does the same on darwin, which allows system calls only through the C
	// library.
	ADD  R9, R1
clear:
	STP.P (ZR, ZR), 16(R9)
	CMP  R1, R9
	BNE  clear
done:
	RET
#endif

// func relax()
TEXT ·relax(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef UNIX
	CMP $64, R0
	BCC pause
#ifdef GOOS_linux
	MOVD $124, R8 // sched_yield
#else
	MOVD $331, R8
#endif
	SVC
	RET
pause:
#endif
	YIELD
	YIELD
	YIELD
	YIELD
	RET
