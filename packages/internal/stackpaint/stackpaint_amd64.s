#include "textflag.h"
#include "funcdata.h"

#define SIZE 262144 // as in the TEXT, where vet wants a number
#define AREA 136
#define PATTERN 0xa5

// func depth(pc uintptr, words *Words) int
//
// The frame is what is painted. SP is rolled up over it for the call, to 136 bytes below its upper end: the area of the call.
TEXT ·depth(SB), 0, $262144-24
	NO_LOCAL_POINTERS
	CLD
	MOVQ SP, DI
	MOVL $PATTERN, AX
	MOVL $SIZE, CX
	REP; STOSB
	ADJSP $(AREA-SIZE)
	MOVQ words+8(FP), SI
	MOVQ SP, DI
	MOVL $16, CX
	REP; MOVSQ
	MOVQ pc+0(FP), AX
	CALL AX
	MOVQ SP, SI
	MOVQ words+8(FP), DI
	MOVL $16, CX
	REP; MOVSQ
	LEAQ -8(SP), DX // where the return address was
	ADJSP $(SIZE-AREA)
	MOVQ SP, DI
	MOVQ DX, CX
	SUBQ DI, CX
	MOVL $PATTERN, AX
	REP; SCASB
	JEQ  none
	SUBQ DI, DX
	INCQ DX // DI is one past the byte
	MOVQ DX, ret+16(FP)
	RET
none:
	MOVQ $0, ret+16(FP)
	RET

// func entry(i int) uintptr
TEXT ·entry(SB), NOSPLIT, $0-16
	MOVQ i+0(FP), AX
	LEAQ entries<>(SB), CX
	MOVQ (CX)(AX*8), AX
	MOVQ AX, ret+8(FP)
	RET

// In the order of names. Behind a Go function with a body stands one that begins with rust_.
DATA entries<>+0(SB)/8, $rustgo·dev∕packages∕blake3·rust_DeriveKey(SB)
DATA entries<>+8(SB)/8, $rustgo·dev∕packages∕blake3·rust_KeyedSum256(SB)
DATA entries<>+16(SB)/8, $rustgo·dev∕packages∕blake3·rust_Sum256(SB)
DATA entries<>+24(SB)/8, $rustgo·dev∕packages∕blake3·rust_XOF(SB)
DATA entries<>+32(SB)/8, $rustgo·dev∕packages∕callcost·AddLevel(SB)
DATA entries<>+40(SB)/8, $rustgo·dev∕packages∕callcost·rust_At(SB)
DATA entries<>+48(SB)/8, $rustgo·dev∕packages∕callcost·rust_CopyBytes(SB)
DATA entries<>+56(SB)/8, $rustgo·dev∕packages∕callcost·Divmod(SB)
DATA entries<>+64(SB)/8, $rustgo·dev∕packages∕callcost·FramedIncrement(SB)
DATA entries<>+72(SB)/8, $rustgo·dev∕packages∕callcost·Increment(SB)
DATA entries<>+80(SB)/8, $rustgo·dev∕packages∕callcost·Nothing(SB)
DATA entries<>+88(SB)/8, $rustgo·dev∕packages∕callcost·Spin(SB)
DATA entries<>+96(SB)/8, $rustgo·dev∕packages∕callcost·rust_Sum(SB)
DATA entries<>+104(SB)/8, $rustgo·dev∕packages∕edwards25519·rust_DoubleScalarBaseMult(SB)
DATA entries<>+112(SB)/8, $rustgo·dev∕packages∕edwards25519·rust_ScalarBaseMult(SB)
DATA entries<>+120(SB)/8, $rustgo·dev∕packages∕edwards25519·rust_X25519(SB)
DATA entries<>+128(SB)/8, $rustgo·dev∕packages∕float·rust_Format(SB)
DATA entries<>+136(SB)/8, $rustgo·dev∕packages∕float·rust_Format32(SB)
DATA entries<>+144(SB)/8, $rustgo·dev∕packages∕float·rust_Parse(SB)
DATA entries<>+152(SB)/8, $rustgo·dev∕packages∕float·rust_Parse32(SB)
DATA entries<>+160(SB)/8, $rustgo·dev∕packages∕strsearch·rust_Count(SB)
DATA entries<>+168(SB)/8, $rustgo·dev∕packages∕strsearch·rust_Index(SB)
DATA entries<>+176(SB)/8, $rustgo·dev∕packages∕strsearch·rust_IndexByte(SB)
DATA entries<>+184(SB)/8, $rustgo·dev∕packages∕strsearch·rust_IndexByte3(SB)
DATA entries<>+192(SB)/8, $rustgo·dev∕packages∕strsearch·rust_LastIndex(SB)
DATA entries<>+200(SB)/8, $rustgo·dev∕packages∕strsearch·rust_LastIndexByte(SB)
DATA entries<>+208(SB)/8, $rustgo·dev∕packages∕x25519·rust_Exchange(SB)
DATA entries<>+216(SB)/8, $rustgo·dev∕packages∕x25519·rust_ExchangeBase(SB)
GLOBL entries<>(SB), RODATA, $224
