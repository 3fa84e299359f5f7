#include "textflag.h"

#ifdef GOOS_windows
#define A0 CX
#define A1 DX
#define A2 R8
#define A3 R9
#define STACK 40
#else
#define A0 DI
#define A1 SI
#define A2 DX
#define A3 CX
#define STACK 8
#endif

// func addresses() (record, spin, clobber, fault, sp, increment, weigh, await, hold, fail, errno, apply uintptr)
TEXT ·addresses(SB), NOSPLIT, $0-96
	LEAQ record<>(SB), AX
	MOVQ AX, record+0(FP)
	LEAQ spin<>(SB), AX
	MOVQ AX, spin+8(FP)
	LEAQ clobber<>(SB), AX
	MOVQ AX, clobber+16(FP)
	LEAQ fault<>(SB), AX
	MOVQ AX, fault+24(FP)
	LEAQ sp<>(SB), AX
	MOVQ AX, sp+32(FP)
	LEAQ increment<>(SB), AX
	MOVQ AX, increment+40(FP)
	LEAQ weigh<>(SB), AX
	MOVQ AX, weigh+48(FP)
	LEAQ await<>(SB), AX
	MOVQ AX, await+56(FP)
	LEAQ hold<>(SB), AX
	MOVQ AX, hold+64(FP)
	LEAQ fail<>(SB), AX
	MOVQ AX, fail+72(FP)
	LEAQ errno<>(SB), AX
	MOVQ AX, errno+80(FP)
	LEAQ apply<>(SB), AX
	MOVQ AX, apply+88(FP)
	RET

TEXT record<>(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ ·Recorded(SB), R10
	MOVQ A0, 0(R10)
	MOVQ A1, 8(R10)
	MOVQ A2, 16(R10)
	MOVQ A3, 24(R10)
#ifndef GOOS_windows
	MOVQ R8, 32(R10)
	MOVQ R9, 40(R10)
#endif
	MOVSD X0, 64(R10)
	MOVSD X1, 72(R10)
	MOVSD X2, 80(R10)
	MOVSD X3, 88(R10)
	MOVSD X4, 96(R10)
	MOVSD X5, 104(R10)
	MOVSD X6, 112(R10)
	MOVSD X7, 120(R10)
	MOVQ $0, CX
words:
	MOVQ STACK(SP)(CX*8), AX
	MOVQ AX, 128(R10)(CX*8)
	INCQ CX
	CMPQ CX, $16
	JNE  words
	LEAQ 8(SP), AX
	MOVQ AX, 256(R10)
	MOVQ $0x400921fb54442d18, AX
	MOVQ AX, X0
	MOVQ $0x8899aabbccddeeff, AX
	RET

TEXT spin<>(SB), NOSPLIT|NOFRAME, $0-0
	PUSHQ BX
	PUSHQ BP
	PUSHQ R12
	PUSHQ R13
	PUSHQ R14
	PUSHQ R15
	MOVQ A0, AX
	MOVQ $0xdead, BX
	MOVQ BX, BP
	MOVQ BX, R12
	MOVQ BX, R13
	MOVQ BX, R14
	MOVQ BX, R15
	MOVQ A0, CX
	TESTQ CX, CX
	JEQ  done
loop:
	DECQ CX
	JNE  loop
done:
	POPQ R15
	POPQ R14
	POPQ R13
	POPQ R12
	POPQ BP
	POPQ BX
	RET

TEXT clobber<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ $0xdeaddeaddeaddead, AX
	MOVQ AX, CX
	MOVQ AX, DX
	MOVQ AX, R8
	MOVQ AX, R9
	MOVQ AX, R10
	MOVQ AX, R11
	MOVQ AX, X0
	MOVQ AX, X1
	MOVQ AX, X2
	MOVQ AX, X3
	MOVQ AX, X4
	MOVQ AX, X5
#ifndef GOOS_windows
	MOVQ AX, DI
	MOVQ AX, SI
	MOVQ AX, X6
	MOVQ AX, X7
	MOVQ AX, X8
	MOVQ AX, X9
	MOVQ AX, X10
	MOVQ AX, X11
	MOVQ AX, X12
	MOVQ AX, X13
	MOVQ AX, X14
	MOVQ AX, X15
#endif
	RET

TEXT fault<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ $8, AX
	MOVQ (AX), AX
	RET

TEXT sp<>(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ 8(SP), AX
	RET

TEXT increment<>(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ 1(A0), AX
	RET

TEXT weigh<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ (A0), AX
	LEAQ (AX)(A1*2), AX
	LEAQ (A2)(A2*2), R10
	ADDQ R10, AX
	LEAQ (AX)(A3*4), AX
#ifdef GOOS_windows
	MOVQ 40(SP), R8
	MOVQ 48(SP), R9
#endif
	LEAQ (R8)(R8*4), R10
	ADDQ R10, AX
	LEAQ (R9)(R9*2), R10
	LEAQ (AX)(R10*2), AX
	RET

TEXT await<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ A1, AX
	MOVQ $1, 0(A0)
wait:
	CMPQ 8(A0), $0
	JNE  over
	DECQ AX
	JNE  wait
over:
	RET

TEXT hold<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ A2, AX
	MOVQ $1, 0(A0)
wait:
	CMPQ 8(A0), $0
	JNE  over
	DECQ A1
	JNE  wait
over:
	RET

TEXT fail<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVLQZX ·Errno(SB), AX
	MOVL A0, ·Errno(SB)
	RET

TEXT errno<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ $0xdeaddeaddeaddead, AX
	MOVQ AX, A0
	MOVQ AX, A1
	MOVQ AX, A2
	MOVQ AX, A3
	MOVQ AX, R8
	MOVQ AX, R9
	MOVQ AX, R10
	MOVQ AX, R11
	MOVQ AX, X0
	MOVQ AX, X1
	MOVQ AX, X2
	MOVQ AX, X3
	MOVQ AX, X4
	MOVQ AX, X5
	LEAQ ·Errno(SB), AX
	RET

TEXT apply<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ A0, R11
	MOVQ A1, A0
	JMP  R11
