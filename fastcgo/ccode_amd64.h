// The functions in this file have C's calling convention. callWords and callBlock call the C function that a struct describes. call_amd64.h includes
// this file.

// callWords is a C function, void callWords(struct { uintptr_t *a, result; } *w): it calls w->a[0] with w->a[1] to w->a[6]. The function may have
// fewer parameters.
//
//	BX  w
//	R10 w->a
TEXT ·callWords(SB), NOSPLIT|NOFRAME, $0-0
	PUSHQ BX
	MOVQ  A0, BX
	MOVQ  (BX), R10
#ifdef GOOS_windows
	SUBQ  $48, SP // home space, and the fifth and sixth argument
	MOVQ  40(R10), AX
	MOVQ  AX, 32(SP)
	MOVQ  48(R10), AX
	MOVQ  AX, 40(SP)
#else
	MOVQ  40(R10), A4
	MOVQ  48(R10), A5
#endif
	MOVQ  8(R10), A0
	MOVQ  16(R10), A1
	MOVQ  24(R10), A2
	MOVQ  32(R10), A3
	XORL  AX, AX
	CALL  (R10)
	MOVQ  AX, 8(BX)
#ifdef GOOS_windows
	ADDQ  $48, SP
#endif
	POPQ  BX
	RET

// callBlock is a C function, void callBlock(block *b): it makes the call described by b on the current stack and stores both result registers in b.
// The fields are documented in block.go.
//
//	BX  b
TEXT ·callBlock(SB), NOSPLIT|NOFRAME, $0-0
	PUSHQ BP
	MOVQ  SP, BP
	PUSHQ BX
	MOVQ  A0, BX
	MOVQ  8(BX), CX // number of words on the stack
	LEAQ  1(CX), AX
	ANDQ  $~1, AX
	INCQ  AX // plus one for the saved BX
	SHLQ  $3, AX
	SUBQ  AX, SP
	LEAQ  0(SP), AX
copy:
	SUBQ $1, CX
	JCS  copied
	MOVQ 144(BX)(CX*8), R10
	MOVQ R10, (AX)(CX*8)
	JMP  copy
copied:
#ifdef GOOS_windows
	SUBQ $32, SP // home space
#endif
	MOVQ  272(BX), R11 // errno
	TESTQ R11, R11
	JEQ   load
	CALL  R11
	MOVQ  AX, 280(BX)
	MOVL  $0, (AX)
load:
	MOVSD 80(BX), X0
	MOVSD 88(BX), X1
	MOVSD 96(BX), X2
	MOVSD 104(BX), X3
#ifdef GOOS_windows
	MOVQ 16(BX), CX
	MOVQ 24(BX), DX
	MOVQ 32(BX), R8
	MOVQ 40(BX), R9
	MOVQ (BX), R11
#else
	MOVSD 112(BX), X4
	MOVSD 120(BX), X5
	MOVSD 128(BX), X6
	MOVSD 136(BX), X7
	MOVQ 16(BX), DI
	MOVQ 24(BX), SI
	MOVQ 32(BX), DX
	MOVQ 40(BX), CX
	MOVQ 48(BX), R8
	MOVQ 56(BX), R9
	MOVQ (BX), R11
	MOVL $8, AX // upper bound of the number of vector registers
#endif
	CALL  R11
	MOVQ  AX, 16(BX)
	MOVSD X0, 80(BX)
	CMPQ  272(BX), $0
	JEQ   over
	MOVQ  280(BX), AX
	MOVL  (AX), AX
	MOVQ  AX, 24(BX)
over:
	LEAQ  -8(BP), SP
	POPQ  BX
	POPQ  BP
	RET

// errnoFunc is a C function, int *errnoFunc(void): it returns the address of the number of the thread's last error.
#ifdef GOOS_windows
TEXT ·errnoFunc(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ 0x30(GS), AX // the thread environment block
	ADDQ $0x68, AX    // LastErrorValue
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
	LEAQ ·dlopen(SB), AX
	MOVQ AX, open+0(FP)
	LEAQ ·dlsym(SB), AX
	MOVQ AX, symbol+8(FP)
	LEAQ ·dlerror(SB), AX
	MOVQ AX, message+16(FP)
	RET
#endif
