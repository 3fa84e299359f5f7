#include "textflag.h"
#include "funcdata.h"

DATA file<>+0(SB)/8, $"src/lib."
DATA file<>+8(SB)/2, $"rs"
GLOBL file<>(SB), RODATA|NOPTR, $10

DATA name<>+0(SB)/8, $"fakecrat"
DATA name<>+8(SB)/8, $"e.recurs"
DATA name<>+16(SB)/1, $"e"
GLOBL name<>(SB), RODATA|NOPTR, $17

GLOBL formatted<>(SB), NOPTR, $8

// recurse builds the PanicInfo of this package. The offsets of its fields: message 0, length 8, kind 16. The offsets of the fields of rt's report:
// message 0, capacity 8, length 16, file 24, fileLen 32, line 40, column 44.

// A Rust function stores its return address below SP and then moves SP to the stored address, so the return address is at 0(SP) whenever a frame
// exists.

// GARBAGE overwrites the registers on which Go does not rely while Rust runs. It leaves R18, R28 (g) and the registers of the call.
#define GARBAGE \
	MOVD  $-1, R29 \
	MOVD  R29, R16 \
	MOVD  R29, R17 \
	MOVD  R29, R19 \
	MOVD  R29, R20 \
	MOVD  R29, R21 \
	MOVD  R29, R22 \
	MOVD  R29, R23 \
	MOVD  R29, R24 \
	MOVD  R29, R25 \
	MOVD  R29, R26 \
	MOVD  R29, R27 \
	FMOVD R29, F8  \
	FMOVD R29, F15

// func Panic(message string, depth int, kind Kind)
//
// The frame has 8208 bytes and two words. Before the call, SP moves up until 32 bytes of the frame are left: the return address for the unwinder, a
// frame record (Go's frame pointer and the return address), and the word in which the caller of Panic keeps its frame pointer.
TEXT ·Panic(SB), 0, $8208-32
	NO_LOCAL_POINTERS
	MOVD message_base+0(FP), R0
	MOVD message_len+8(FP), R1
	MOVD depth+16(FP), R2
	MOVD kind+24(FP), R3
	MOVD -8(RSP), R17
	MOVD R30, 8192(RSP)
	MOVD R17, 8200(RSP)
	MOVD R30, 8208(RSP)
	ADD  $8192, RSP, RSP
	WORD $0x910023fd // add x29, sp, #8
	GARBAGE
	CALL fakecrate·recurse<>(SB)
	MOVD 8(RSP), R17
	MOVD 0(RSP), R30
	MOVD $8200, R16
	SUB  R16, RSP, R16
	MOVD R17, 0(R16)
	MOVD R30, 8(R16)
	SUB  $8192, RSP, RSP
	RET

// recurse(message R0, length R1, depth R2, kind R3)
//
// Frame: 0(SP) the return address, 16–31(SP) the frame record, 32–55(SP) the PanicInfo.
TEXT fakecrate·recurse<>(SB), NOFRAME, $0-0
	NO_LOCAL_POINTERS
#line 7 "src/lib.rs"
	WORD $0xf81c03fe // stur x30, [sp, #-64]
	SUB  $64, RSP, RSP
	WORD $0xa9017bfd // stp x29, x30, [sp, #16]
	WORD $0x910043fd // add x29, sp, #16
	SUBS $1, R2, R2
	BLT  fail
	CALL fakecrate·recurse<>(SB)
	WORD $0xa9417bfd // ldp x29, x30, [sp, #16]
	ADD  $64, RSP, RSP
	RET
	SUB  $64, RSP, RSP // never executed: tells the assembler the SP of the code below
#line 12 "src/lib.rs"
fail:
	CMP  $5, R3
	BEQ  exhausts
	CMP  $6, R3
	BEQ  misses
	MOVD R0, 32(RSP)
	MOVD R1, 40(RSP)
	MOVD R3, 48(RSP)
	ADD  $32, RSP, R0
	CALL fakecrate·panic_handler<>(SB)
	UNDEF
exhausts:
	MOVD $name<>(SB), R0
	MOVD $17, R1
	MOVD $65536, R2
	GARBAGE
	CALL rustgo·dev∕go∕rt·exhausted(SB)
	UNDEF
misses:
	GARBAGE
	CALL unavailable<>(SB)
	UNDEF

#line 20 "src/panic.rs"
TEXT fakecrate·panic_handler<>(SB), NOFRAME, $0-0
	NO_LOCAL_POINTERS
	WORD $0xf81e03fe // stur x30, [sp, #-32]
	SUB  $32, RSP, RSP
	GARBAGE
	CALL rustgo_panic<>(SB)
	UNDEF

TEXT rustgo_panic<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVD $fakecrate·format<>(SB), R1
	JMP  rustgo·dev∕go∕rt·enter(SB)
	UNDEF

TEXT unavailable<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	JMP rustgo·dev∕go∕rt·missing(SB)
	UNDEF

#line 30 "src/panic.rs"
// format(info R0, report R1)
TEXT fakecrate·format<>(SB), NOFRAME, $0-0
	NO_LOCAL_POINTERS
	WORD  $0xf81e03fe // stur x30, [sp, #-32]
	SUB   $32, RSP, RSP
	MOVD  $formatted<>(SB), R2
	MOVD  (R2), R3
	ADD   $1, R3, R3
	MOVD  R3, (R2)
	MOVD  16(R0), R2
	CMP   $3, R2
	BEQ   text
	MOVD  $file<>(SB), R3
	MOVD  R3, 24(R1)
	MOVD  $10, R3
	MOVD  R3, 32(R1)
	MOVW  $12, R3
	MOVW  R3, 40(R1)
	MOVW  $5, R3
	MOVW  R3, 44(R1)
	CMP   $1, R2
	BEQ   fail
	CMP   $2, R2
	BEQ   overrun
	CMP   $4, R2
	BEQ   incomplete
	CMP   $7, R2
	BEQ   deep
	CMP   $8, R2
	BEQ   nameless
	CMP   $9, R2
	BEQ   nil
	CMP   $10, R2
	BEQ   high
	CMP   $11, R2
	BEQ   done
	CMP   $12, R2
	BEQ   bounds
text:
	MOVD  8(R0), R2
	MOVD  8(R1), R3
	CMP   R3, R2
	CSEL  HI, R3, R2, R2
	MOVD  R2, 16(R1)
	MOVD  0(R0), R3
	MOVD  0(R1), R4
copy:
	CBZ   R2, done
	MOVBU.P 1(R3), R5
	MOVB.P  R5, 1(R4)
	SUB   $1, R2, R2
	JMP   copy
done:
	MOVD  0(RSP), R30
	ADD   $32, RSP, RSP
	RET
	SUB   $32, RSP, RSP // never executed
fail:
	CALL  fakecrate·panic_handler<>(SB)
	UNDEF
overrun:
	MOVD  $8192, R2
	MOVD  $(65600+4096), R3
	SUB   R3, RSP, R3
	MOVD  R2, (R3)
	JMP   done
bounds:
	MOVD  $32, R2
	MOVD  R2, 16(R1)
	MOVD  0(R1), R4
	LDP   (g), (R2, R3)
	STP   (R2, R3), (R4)
	MOVD  (R2), R2
	MOVD  RSP, R3
	STP   (R2, R3), 16(R4)
	JMP   done
nameless:
	MOVD  $1, R3
	MOVD  R3, 24(R1)
	MOVD  ZR, 32(R1)
	JMP   text
nil:
	GARBAGE
	MOVD  ZR, R3
	MOVD  (R3), R3
	BRK
high:
	GARBAGE
	MOVD  $0x7000000000, R3
	MOVD  (R3), R3
	BRK
incomplete:
	GARBAGE
	CALL  unavailable<>(SB)
	UNDEF
deep:
	GARBAGE
	CALL  rustgo·dev∕go∕rt·exhausted(SB)
	UNDEF

// func Formatted() uint64
TEXT ·Formatted(SB), NOSPLIT, $0-8
	MOVD formatted<>(SB), R0
	MOVD R0, ret+0(FP)
	RET

// func Fault(pointer Pointer, number uintptr, way Way)
TEXT ·Fault(SB), 0, $128-24
	NO_LOCAL_POINTERS
	MOVD pointer+0(FP), R0
	MOVD number+8(FP), R1
	MOVD way+16(FP), R2
	CALL fakecrate·fault<>(SB)
	RET

#line 50 "src/lib.rs"
// fault(pointer R0, number R1, way R2)
//
// Frame: 0(SP) the return address, 16–31(SP) two words.
TEXT fakecrate·fault<>(SB), NOFRAME, $0-0
	NO_LOCAL_POINTERS
	WORD $0xf81d03fe // stur x30, [sp, #-48]
	SUB  $48, RSP, RSP
	ADD  $16, RSP, R3
	CMP  $1, R0
	BLT  number
	BEQ  words
	CMP  $3, R0
	BLT  cycle
	BEQ  record
	CMP  $4, R0
	BEQ  top
	JMP  faults
top:
	MOVD 8(g), R4
	SUB  R1, R4, R29
	JMP  faults
number:
	MOVD R1, R29
	JMP  faults
cycle:
	MOVD R3, R1
words:
	MOVD R1, 16(RSP)
	MOVD R1, 24(RSP)
	MOVD R3, R29
	JMP  faults
record:
	LDP  (R29), (R4, R5)
	STP  (R4, R5), 16(RSP)
	MOVD R3, R29
faults:
	MOVD ZR, R0
	CMP  $1, R2
	BEQ  calls
	BGT  elsewhere
	MOVD (R0), R0
	UNDEF
elsewhere:
	MOVD $0x7000000000, R0
	CMP  $2, R2
	BEQ  calls
	MOVD $0x8000000000000000, R0
calls:
	CALL (R0)
	UNDEF
