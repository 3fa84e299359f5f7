// The functions in this file have C's calling convention. callWords and callBlock call the C function that a struct describes. call_arm64.h includes
// this file.

// callWords is a C function, void callWords(struct { uintptr_t *a, result; } *w): it calls w->a[0] with w->a[1] to w->a[6]. The function may have
// fewer parameters.
//
//	R19  w
//	R9   w->a
TEXT ·callWords(SB), NOSPLIT|NOFRAME, $0-0
	SUB  $32, RSP
	MOVD R29, 0(RSP)
	MOVD R30, 8(RSP)
	MOVD R19, 16(RSP)
	MOVD RSP, R29
	MOVD R0, R19
	MOVD 0(R19), R9
	MOVD 0(R9), R16
	MOVD 8(R9), R0
	MOVD 16(R9), R1
	MOVD 24(R9), R2
	MOVD 32(R9), R3
	MOVD 40(R9), R4
	MOVD 48(R9), R5
	BL   (R16)
	MOVD R0, 8(R19)
	MOVD 0(RSP), R29
	MOVD 8(RSP), R30
	MOVD 16(RSP), R19
	ADD  $32, RSP
	RET

// callBlock is a C function, void callBlock(block *b): it makes the call described by b on the current stack and stores both result registers in b.
// The fields are documented in block.go.
//
//	R19  b
TEXT ·callBlock(SB), NOSPLIT|NOFRAME, $0-0
	SUB  $32, RSP
	MOVD R29, 0(RSP)
	MOVD R30, 8(RSP)
	MOVD R19, 16(RSP)
	MOVD RSP, R29
	MOVD R0, R19
	MOVD 8(R19), R9 // number of words on the stack
	ADD  $1, R9, R10
	AND  $~1, R10
	LSL  $3, R10
	MOVD RSP, R11
	SUB  R10, R11
	MOVD R11, RSP
	ADD  $144, R19, R10
copy:
	CBZ  R9, copied
	MOVD.P 8(R10), R12
	MOVD.P R12, 8(R11)
	SUB  $1, R9
	B    copy
copied:
	MOVD 272(R19), R16 // errno
	CBZ  R16, load
	BL   (R16)
	MOVD R0, 280(R19)
	MOVW ZR, (R0)
load:
	MOVD 0(R19), R16
	MOVD 16(R19), R0
	MOVD 24(R19), R1
	MOVD 32(R19), R2
	MOVD 40(R19), R3
	MOVD 48(R19), R4
	MOVD 56(R19), R5
	MOVD 64(R19), R6
	MOVD 72(R19), R7
	FMOVD 80(R19), F0
	FMOVD 88(R19), F1
	FMOVD 96(R19), F2
	FMOVD 104(R19), F3
	FMOVD 112(R19), F4
	FMOVD 120(R19), F5
	FMOVD 128(R19), F6
	FMOVD 136(R19), F7
	BL   (R16)
	MOVD R0, 16(R19)
	FMOVD F0, 80(R19)
	MOVD 272(R19), R16
	CBZ  R16, over
	MOVD 280(R19), R9
	MOVWU (R9), R9
	MOVD R9, 24(R19)
over:
	MOVD R29, RSP
	MOVD 0(RSP), R29
	MOVD 8(RSP), R30
	MOVD 16(RSP), R19
	ADD  $32, RSP
	RET

// errnoFunc is a C function, int *errnoFunc(void): it returns the address of the number of the thread's last error.
#ifdef GOOS_windows
TEXT ·errnoFunc(SB), NOSPLIT|NOFRAME, $0-0
	ADD $0x68, R18_PLATFORM, R0 // LastErrorValue in the thread environment block
	RET
#endif
#ifdef GOOS_darwin
TEXT ·errnoFunc(SB), NOSPLIT|NOFRAME, $0-0
	JMP fastcgo_error(SB)

// These functions jump to the functions of <dlfcn.h>.
TEXT ·dlopen(SB), NOSPLIT|NOFRAME, $0-0
	JMP fastcgo_dlopen(SB)

TEXT ·dlsym(SB), NOSPLIT|NOFRAME, $0-0
	JMP fastcgo_dlsym(SB)

TEXT ·dlerror(SB), NOSPLIT|NOFRAME, $0-0
	JMP fastcgo_dlerror(SB)

// func loaderAddresses() (open, symbol, message uintptr)
TEXT ·loaderAddresses(SB), NOSPLIT, $0-24
	MOVD $·dlopen(SB), R0
	MOVD R0, open+0(FP)
	MOVD $·dlsym(SB), R0
	MOVD R0, symbol+8(FP)
	MOVD $·dlerror(SB), R0
	MOVD R0, message+16(FP)
	RET
#endif
