// Blocking calls: see blocking.go.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// func enterCall()
//
// The entry of a blocking export calls enterCall. In: BP is the address of the word below the entry's return address. This word holds the frame
// pointer of the entry's caller. enterCall changes all registers except SP and BP. Below SP at entry it uses as much stack as a system call of Go.
// This stack is in the space that Go keeps free for NOSPLIT functions.
TEXT ·enterCall(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LEAQ ·callSP(SB), AX
	CMPQ 0(AX), $0
	JEQ  ordinary
	JMP  ·enterState(SB)
ordinary:
#ifdef GOOS_linux
	MOVL  $1, AX
	LEAQ  ·callNoticed(SB), CX
	XCHGL AX, 0(CX)
	TESTL AX, AX
	JNE   noticed
	MOVL  $1, AX // write
	MOVL  $2, DI
	LEAQ  ·callNotice(SB), DX
	MOVQ  0(DX), SI
	MOVQ  8(DX), DX
	SYSCALL
noticed:
#endif
	RET

// func leaveCall()
//
// leaveCall ends the state of a system call, if the goroutine is in this state. In: BP is the frame pointer of a Go frame, or 0. leaveCall changes all
// registers except SP and BP, and needs as much stack as enterCall.
TEXT ·leaveCall(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	LEAQ  ·callSP(SB), CX
	MOVQ  0(CX), CX
	TESTQ CX, CX
	JEQ   ordinary
	MOVQ  (TLS), AX
	CMPQ  (AX)(CX*1), $0
	JEQ   ordinary
	JMP   ·leaveState(SB)
ordinary:
	RET

// COPY copies the first words of g to DI.
#define COPY \
	MOVQ (TLS), SI           \
	MOVQ $const_gWords, CX   \
	CLD                      \
	REP; MOVSQ

// func observeCall(words *[3][gWords]uintptr)
TEXT ·observeCall(SB), NOSPLIT, $8-8
	NO_LOCAL_POINTERS
	MOVQ words+0(FP), DI
	COPY
	CALL ·enterState(SB)
	MOVQ words+0(FP), DI
	ADDQ $(const_gWords*8), DI
	COPY
	CALL ·leaveState(SB)
	MOVQ words+0(FP), DI
	ADDQ $(const_gWords*16), DI
	COPY
	RET
