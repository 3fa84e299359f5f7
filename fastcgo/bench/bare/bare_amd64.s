//go:build !windows && go1.24 && !go1.28

#include "textflag.h"

// Offsets in Go 1.24 to 1.27: g.m 48, m.g0 0, g.sched.sp 56.
#define SWITCH \
	MOVQ (TLS), R10 \
	MOVQ 48(R10), R10 \
	MOVQ 0(R10), R10 \
	MOVQ SP, R12 \
	MOVQ 56(R10), SP \
	ANDQ $~15, SP \
	CALL R11 \
	MOVQ R12, SP

// func Call1(fn unsafe.Pointer, a0 uintptr) uintptr
TEXT ·Call1(SB), NOSPLIT|NOFRAME, $0-24
	MOVQ fn+0(FP), R11
	MOVQ a0+8(FP), DI
	SWITCH
	MOVQ AX, ret+16(FP)
	RET

// func Call6(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr) uintptr
TEXT ·Call6(SB), NOSPLIT|NOFRAME, $0-64
	MOVQ fn+0(FP), R11
	MOVQ a0+8(FP), DI
	MOVQ a1+16(FP), SI
	MOVQ a2+24(FP), DX
	MOVQ a3+32(FP), CX
	MOVQ a4+40(FP), R8
	MOVQ a5+48(FP), R9
	SWITCH
	MOVQ AX, ret+56(FP)
	RET
