// Blocking calls: see blocking.go.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// func enterCall()
//
// The entry of a blocking export calls enterCall. In: the entry's return address is at 0(SP), and R29 is the address of a frame record. enterCall
// changes all registers except SP, R18, R28 and R29. It needs as much stack as on amd64.
TEXT ·enterCall(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD $·callSP(SB), R0
	MOVD (R0), R0
	CBZ  R0, ordinary
	JMP  ·enterState(SB)
ordinary:
#ifdef GOOS_linux
	MOVD   $·callNoticed(SB), R1
	MOVW   $1, R2
again:
	LDAXRW (R1), R0
	STLXRW R2, (R1), R3
	CBNZ   R3, again
	CBNZ   R0, noticed
	MOVD   $2, R0
	MOVD   $·callNotice(SB), R2
	MOVD   0(R2), R1
	MOVD   8(R2), R2
	MOVD   $64, R8 // write
	SVC
noticed:
#endif
	RET

// func leaveCall()
//
// leaveCall ends the state of a system call, if the goroutine is in this state. In: R29 is the address of a frame record of Go, or 0. leaveCall changes
// all registers except SP, R18, R28 and R29.
TEXT ·leaveCall(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD $·callSP(SB), R0
	MOVD (R0), R0
	CBZ  R0, ordinary
	MOVD (g)(R0), R0
	CBZ  R0, ordinary
	JMP  ·leaveState(SB)
ordinary:
	RET

// func observeCall(words *[3][gWords]uintptr)
TEXT ·observeCall(SB), NOSPLIT, $8-8
	NO_LOCAL_POINTERS
	MOVD words+0(FP), R0
	CALL copyG<>(SB)
	CALL ·enterState(SB)
	MOVD words+0(FP), R0
	ADD  $(const_gWords*8), R0
	CALL copyG<>(SB)
	CALL ·leaveState(SB)
	MOVD words+0(FP), R0
	ADD  $(const_gWords*16), R0
	CALL copyG<>(SB)
	RET

// copyG copies the first words of g to R0.
TEXT copyG<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD g, R1
	MOVD $const_gWords, R2
next:
	MOVD.P 8(R1), R3
	MOVD.P R3, 8(R0)
	SUB    $1, R2
	CBNZ   R2, next
	RET
