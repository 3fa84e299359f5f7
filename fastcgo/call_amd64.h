// These functions call C functions on amd64. A file for each layout of the runtime's structures defines the offsets and includes this file.
//
// A call switches stacks as the runtime does when it calls C code in the kernel's vDSO (runtime.nanotime1 in sys_linux_amd64.s). SP points to the
// system stack of the thread, and g stays the goroutine's g. m.vdsoPC and m.vdsoSP tell observers (the profiler's signal, a crash) where the Go stack
// ends: at a frame of ·CFunction, whose caller is the Go code that made the call. In addition,
//
//	g.throwsplit    makes a fault in C fatal at once, instead of a Go panic raised on the wrong stack
//	g.sched.sp, pc  are the place where Go would continue if C called it: runtime.cgocallback starts there and dies in exitsyscall
//
// The two instructions that move SP between the stacks are written as bytes. If they were written as mnemonics, the assembler would mark the whole
// function as one whose stack cannot be unwound (SPWRITE), and a profile's samples in the instructions before and after C would have no caller.
// Between the two instructions the SP table is not used, because m.vdsoSP is set.
//
// On Windows, g becomes g0 during the call and m.libcall* are set, as in runtime.stdcall. Without this, the exception handler would overwrite the
// system stack from its top. C may raise and handle exceptions itself. A fault that the runtime attributes to Go is unwound on the system stack, up
// to the functions of this file. On Windows they have the SPWRITE mark, so that unwinding ends there.
//
// Between ENTER and LEAVE these registers, which C preserves, are in use (System V preserves BX BP R12-R15; Windows also SI DI X6-X15):
//
//	R12  m
//	R13  SP of the goroutine's stack
//	R14  g, as in Go's internal ABI
//
// Until the call, R11 holds the C function.

#include "funcdata.h"
#include "textflag.h"

#ifdef GOOS_ios
#define GOOS_darwin
#endif

// On windows and darwin the assembly below finds the number of the last error, by symbols that the linker resolves. On linux Go code searches for a C
// function that returns the number's address.
#ifdef GOOS_windows
#define SYSTEM_ERRNO
#endif
#ifdef GOOS_darwin
#define SYSTEM_ERRNO
#endif

#ifdef GOOS_windows
#define SEEN \
	MOVQ R14, m_libcallg(R12) \
	MOVQ R10, m_libcallpc(R12) \
	MOVQ R13, m_libcallsp(R12)
#define UNSEEN MOVQ $0, m_libcallsp(R12)
#define TLSG0 \
	MOVQ TLS, AX \
	MOVQ R10, 0(AX)(TLS*1)
#define TLSG \
	MOVQ TLS, R10 \
	MOVQ R14, 0(R10)(TLS*1)
#define R10_TO_SP MOVQ R10, SP
#define R13_TO_SP MOVQ R13, SP
#else
#define SEEN \
	MOVQ R10, m_vdsoPC(R12) \
	MOVQ R13, m_vdsoSP(R12)
#define UNSEEN MOVQ $0, m_vdsoSP(R12)
#define TLSG0
#define TLSG
#define R10_TO_SP BYTE $0x4c; BYTE $0x89; BYTE $0xd4
#define R13_TO_SP BYTE $0x4c; BYTE $0x89; BYTE $0xec
#endif

// At the start of ENTER, R13 is the address of the return address. LEAVE sets SP to R13.
#define ENTER \
	MOVQ g_m(R14), R12 \
	LEAQ ·CFunction+1(SB), R10 \
	SEEN \
	MOVB $1, g_throwsplit(R14) \
	MOVQ R13, g_sched_sp(R14) \
	MOVQ R10, g_sched_pc(R14) \
	MOVQ m_g0(R12), R10 \
	TLSG0 \
	MOVQ g_sched_sp(R10), R10 \
	ROOM \
	ANDQ $~15, R10 \
	R10_TO_SP
#define LEAVE \
	R13_TO_SP \
	TLSG \
	UNSEEN \
	MOVB $0, g_throwsplit(R14)

// CFunction is never called. In tracebacks and profiles it represents the C function that Go called. If CFunction is at the top of the traceback of a
// process that died of "exitsyscall: syscall frame is no longer valid", the C function called Go, which it must not do.
TEXT ·CFunction(SB), NOSPLIT|NOFRAME, $0-0
	UNDEF
	UNDEF

// func getg() uintptr
TEXT ·getg(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET

// func getsp() uintptr
TEXT ·getsp(SB), NOSPLIT, $0-8
	LEAQ ret+0(FP), AX
	MOVQ AX, ret+0(FP)
	RET

// func addresses() (block, words, plain, need, any, goCode, errno uintptr)
TEXT ·addresses(SB), NOSPLIT, $0-56
	LEAQ ·callBlock(SB), AX
	MOVQ AX, block+0(FP)
	LEAQ ·callWords(SB), AX
	MOVQ AX, words+8(FP)
	LEAQ ·boundPlain(SB), AX
	MOVQ AX, plain+16(FP)
	LEAQ ·boundNeed(SB), AX
	MOVQ AX, need+24(FP)
	LEAQ ·boundAny(SB), AX
	MOVQ AX, any+32(FP)
	LEAQ ·boundGo(SB), AX
	MOVQ AX, goCode+40(FP)
#ifdef SYSTEM_ERRNO
	LEAQ ·errnoFunc(SB), AX
	MOVQ AX, errno+48(FP)
#else
	MOVQ $0, errno+48(FP)
#endif
	RET

// DIRECT switches to the system stack, calls R11 and switches back, in a function without a frame. (The function is NOFRAME: without this flag the
// assembler would push BP, because there is a CALL.)
#ifdef GOOS_windows
#define ROOM SUBQ $64, R10 // 32 bytes of home space, and the fifth and sixth argument
#define A0 CX
#define A1 DX
#define A2 R8
#define A3 R9
#define STACKARGS MOVQ SI, 32(SP); MOVQ DI, 40(SP)
#define A4 SI
#define A5 DI
#else
#define ROOM
#define A0 DI
#define A1 SI
#define A2 DX
#define A3 CX
#define A4 R8
#define A5 R9
#define STACKARGS
#endif
#define DIRECT \
	MOVQ (TLS), R14 \
	MOVQ SP, R13 \
	ENTER \
	STACKARGS \
	XORL AX, AX \ // number of vector registers, for functions with variable arguments
	CALL R11 \
	LEAVE

#define CHECK(slow) \
	CMPL ·indirect(SB), $0 \
	JNE  slow \
	MOVQ fn+0(FP), R11

// func UnsafeCall0(fn unsafe.Pointer)
TEXT ·UnsafeCall0(SB), NOSPLIT|NOFRAME, $0-8
	CHECK(slow)
	DIRECT
	RET
slow:
	JMP ·slow0(SB)

// func UnsafeCall1(fn unsafe.Pointer, a0 uintptr)
TEXT ·UnsafeCall1(SB), NOSPLIT|NOFRAME, $0-16
	CHECK(slow)
	MOVQ a0+8(FP), A0
	DIRECT
	RET
slow:
	JMP ·slow1(SB)

// func UnsafeCall2(fn unsafe.Pointer, a0, a1 uintptr)
TEXT ·UnsafeCall2(SB), NOSPLIT|NOFRAME, $0-24
	CHECK(slow)
	MOVQ a0+8(FP), A0
	MOVQ a1+16(FP), A1
	DIRECT
	RET
slow:
	JMP ·slow2(SB)

// func UnsafeCall3(fn unsafe.Pointer, a0, a1, a2 uintptr)
TEXT ·UnsafeCall3(SB), NOSPLIT|NOFRAME, $0-32
	CHECK(slow)
	MOVQ a0+8(FP), A0
	MOVQ a1+16(FP), A1
	MOVQ a2+24(FP), A2
	DIRECT
	RET
slow:
	JMP ·slow3(SB)

// func UnsafeCall4(fn unsafe.Pointer, a0, a1, a2, a3 uintptr)
TEXT ·UnsafeCall4(SB), NOSPLIT|NOFRAME, $0-40
	CHECK(slow)
	MOVQ a0+8(FP), A0
	MOVQ a1+16(FP), A1
	MOVQ a2+24(FP), A2
	MOVQ a3+32(FP), A3
	DIRECT
	RET
slow:
	JMP ·slow4(SB)

// func UnsafeCall5(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr)
TEXT ·UnsafeCall5(SB), NOSPLIT|NOFRAME, $0-48
	CHECK(slow)
	MOVQ a0+8(FP), A0
	MOVQ a1+16(FP), A1
	MOVQ a2+24(FP), A2
	MOVQ a3+32(FP), A3
	MOVQ a4+40(FP), A4
	DIRECT
	RET
slow:
	JMP ·slow5(SB)

// func UnsafeCall6(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr)
TEXT ·UnsafeCall6(SB), NOSPLIT|NOFRAME, $0-56
	CHECK(slow)
	MOVQ a0+8(FP), A0
	MOVQ a1+16(FP), A1
	MOVQ a2+24(FP), A2
	MOVQ a3+32(FP), A3
	MOVQ a4+40(FP), A4
	MOVQ a5+48(FP), A5
	DIRECT
	RET
slow:
	JMP ·slow6(SB)

// func UnsafeCall0Return1(fn unsafe.Pointer) uintptr
TEXT ·UnsafeCall0Return1(SB), NOSPLIT|NOFRAME, $0-16
	CHECK(slow)
	DIRECT
	MOVQ AX, ret+8(FP)
	RET
slow:
	JMP ·slow0Return1(SB)

// func UnsafeCall1Return1(fn unsafe.Pointer, a0 uintptr) uintptr
TEXT ·UnsafeCall1Return1(SB), NOSPLIT|NOFRAME, $0-24
	CHECK(slow)
	MOVQ a0+8(FP), A0
	DIRECT
	MOVQ AX, ret+16(FP)
	RET
slow:
	JMP ·slow1Return1(SB)

// func UnsafeCall2Return1(fn unsafe.Pointer, a0, a1 uintptr) uintptr
TEXT ·UnsafeCall2Return1(SB), NOSPLIT|NOFRAME, $0-32
	CHECK(slow)
	MOVQ a0+8(FP), A0
	MOVQ a1+16(FP), A1
	DIRECT
	MOVQ AX, ret+24(FP)
	RET
slow:
	JMP ·slow2Return1(SB)

// func UnsafeCall3Return1(fn unsafe.Pointer, a0, a1, a2 uintptr) uintptr
TEXT ·UnsafeCall3Return1(SB), NOSPLIT|NOFRAME, $0-40
	CHECK(slow)
	MOVQ a0+8(FP), A0
	MOVQ a1+16(FP), A1
	MOVQ a2+24(FP), A2
	DIRECT
	MOVQ AX, ret+32(FP)
	RET
slow:
	JMP ·slow3Return1(SB)

// func UnsafeCall4Return1(fn unsafe.Pointer, a0, a1, a2, a3 uintptr) uintptr
TEXT ·UnsafeCall4Return1(SB), NOSPLIT|NOFRAME, $0-48
	CHECK(slow)
	MOVQ a0+8(FP), A0
	MOVQ a1+16(FP), A1
	MOVQ a2+24(FP), A2
	MOVQ a3+32(FP), A3
	DIRECT
	MOVQ AX, ret+40(FP)
	RET
slow:
	JMP ·slow4Return1(SB)

// func UnsafeCall5Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr) uintptr
TEXT ·UnsafeCall5Return1(SB), NOSPLIT|NOFRAME, $0-56
	CHECK(slow)
	MOVQ a0+8(FP), A0
	MOVQ a1+16(FP), A1
	MOVQ a2+24(FP), A2
	MOVQ a3+32(FP), A3
	MOVQ a4+40(FP), A4
	DIRECT
	MOVQ AX, ret+48(FP)
	RET
slow:
	JMP ·slow5Return1(SB)

// func UnsafeCall6Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr) uintptr
TEXT ·UnsafeCall6Return1(SB), NOSPLIT|NOFRAME, $0-64
	CHECK(slow)
	MOVQ a0+8(FP), A0
	MOVQ a1+16(FP), A1
	MOVQ a2+24(FP), A2
	MOVQ a3+32(FP), A3
	MOVQ a4+40(FP), A4
	MOVQ a5+48(FP), A5
	DIRECT
	MOVQ AX, ret+56(FP)
	RET
slow:
	JMP ·slow6Return1(SB)

// func direct(c uintptr, arg unsafe.Pointer, need uintptr) bool
//
// direct calls the C function c with arg, if the system stack has at least need bytes.
TEXT ·direct(SB), NOSPLIT|NOFRAME, $0-25
	MOVQ c+0(FP), R11
	MOVQ arg+8(FP), A0
	MOVQ need+16(FP), A1
	MOVQ (TLS), R14
	MOVQ g_m(R14), R12
	MOVQ m_g0(R12), R10
	MOVQ g_sched_sp(R10), AX
	SUBQ g_stack_lo(R10), AX
	MOVB $0, ret+24(FP)
	CMPQ AX, A1
	JCS  tight
	DIRECT
	MOVB $1, ret+24(FP)
tight:
	RET

#include "ccode_amd64.h"

// boundPlain is the code of a func value made by Bind for System V: up to six integers of at least 32 bits and eight floating-point numbers. Go's
// compiler calls closures with these registers (internal ABI):
//
//	AX BX CX DI SI R8   integers
//	X0-X7               floating-point numbers, in the same registers as in C
//	DX                  the closure, a *bound
//	R14                 g
//
// The results are in the registers in which Go expects them: AX and X0. X15 must be set to zero again.
TEXT ·boundPlain(SB), NOSPLIT|NOFRAME|NEEDCTXT, $0-0
#ifdef GOOS_windows
	INT $3 // never used on Windows
#else
	PCALIGN $64 // saves a tenth of the time on some processors
	CMPL ·indirect(SB), $0
	JNE  slow
	MOVQ 8(DX), R11
	MOVQ R8, R9
	MOVQ SI, R8
	MOVQ CX, DX
	MOVQ DI, CX
	MOVQ BX, SI
	MOVQ AX, DI
	MOVQ SP, R13
	ENTER
	MOVL $8, AX
	CALL R11
	LEAVE
	XORPS X15, X15
	RET
slow:
	// bound.slow is a func value of the same type that makes the call by boundGo.
	MOVQ 24(DX), DX
	JMP  (DX)
#endif

// boundNeed does the same as boundPlain, for C functions with a stated need of stack.
TEXT ·boundNeed(SB), NOSPLIT|NOFRAME|NEEDCTXT, $0-0
	MOVQ g_m(R14), R12
	MOVQ m_g0(R12), R12
	MOVQ g_sched_sp(R12), R13
	SUBQ g_stack_lo(R12), R13
	CMPQ R13, 16(DX)
	JCS  slow
	JMP  ·boundPlain(SB)
slow:
	MOVQ 24(DX), DX
	JMP  (DX)

// boundAny makes calls of all other signatures that need no Go code. boundFrame stores the registers, and the steps in bound.steps (see bind.go) place
// the arguments.
TEXT ·boundAny(SB), NOSPLIT|NOFRAME|NEEDCTXT, $0-0
	CMPL ·indirect(SB), $0
	JNE  slow
	MOVQ g_m(R14), R12
	MOVQ m_g0(R12), R12
	MOVQ g_sched_sp(R12), R13
	SUBQ g_stack_lo(R12), R13
	CMPQ R13, 16(DX)
	JCS  slow
	JMP  ·boundFrame(SB)
slow:
	MOVQ 24(DX), DX
	JMP  (DX)

// STORE stores the registers of a func value's call in the frame, and places the arguments in the frame by the closure's steps. The frame of
// boundFrame and boundGo is:
//
//	0(SP)    arguments of boundCall: the closure, the block's address, and twelve pointers at 16(SP)
//	112(SP)  result of boundCall
//	120(SP)  block, 288 bytes
//	408(SP)  integers in Go's order: AX BX CX DI SI R8 R9 R10 R11
//	480(SP)  floating-point numbers X0-X7
//	544(SP)  end of the frame; Go's arguments on the stack are at 560(SP)
#define STORE \
	MOVQ AX, 408(SP) \
	MOVQ BX, 416(SP) \
	MOVQ CX, 424(SP) \
	MOVQ DI, 432(SP) \
	MOVQ SI, 440(SP) \
	MOVQ R8, 448(SP) \
	MOVQ R9, 456(SP) \
	MOVQ R10, 464(SP) \
	MOVQ R11, 472(SP) \
	MOVSD X0, 480(SP) \
	MOVSD X1, 488(SP) \
	MOVSD X2, 496(SP) \
	MOVSD X3, 504(SP) \
	MOVSD X4, 512(SP) \
	MOVSD X5, 520(SP) \
	MOVSD X6, 528(SP) \
	MOVSD X7, 536(SP) \
	MOVQ 8(DX), AX \
	MOVQ AX, 120(SP) \
	MOVQ 32(DX), AX \ // number of words on the stack
	MOVQ AX, 128(SP) \
	MOVQ 48(DX), AX \ // errno
	MOVQ AX, 392(SP) \
	MOVQ 40(DX), R8 \ // number of steps
	LEAQ 56(DX), R9 \
step: \
	SUBQ $1, R8 \
	JCS  stepped \
	MOVWLZX 0(R9), AX \ // from, an offset from SP
	MOVWLZX 2(R9), CX \ // to, an offset from SP
	MOVWLZX 4(R9), DI \ // kind
	ADDQ $8, R9 \
	CMPL DI, $1 \
	JEQ  uint8 \
	JCS  whole \
	CMPL DI, $3 \
	JEQ  uint16 \
	JCS  int8 \
	MOVWQSX (SP)(AX*1), SI \
	JMP  place \
uint8: \
	MOVBLZX (SP)(AX*1), SI \
	JMP  place \
int8: \
	MOVBQSX (SP)(AX*1), SI \
	JMP  place \
uint16: \
	MOVWLZX (SP)(AX*1), SI \
	JMP  place \
whole: \
	MOVQ (SP)(AX*1), SI \
place: \
	MOVQ SI, (SP)(CX*1) \
	JMP  step \
stepped:

// boundFrame is the part of boundAny after the checks. It gets the same registers as boundAny.
TEXT ·boundFrame(SB), NOSPLIT|NEEDCTXT, $544-0
	STORE
	LEAQ ·callBlock(SB), R11
	LEAQ 120(SP), A0
	LEAQ 552(SP), R13
	ENTER
	CALL R11
	SUBQ $552, R13
	LEAVE
	MOVQ 136(SP), AX
	MOVQ 144(SP), BX // errno, if it is a result
	MOVSD 200(SP), X0
	XORPS X15, X15
	RET

// boundGo makes calls that need Go code: it calls the Go function boundCall. The collector does not know the frame of boundGo. So the steps also copy
// the pointers among the arguments to the arguments of boundCall, where the collector finds them. No instruction before the call of boundCall is a
// safe point. The results are a floating-point number in X0, or integers and the words of a string in AX, BX and CX.
TEXT ·boundGo(SB), NOSPLIT|NEEDCTXT, $544-0
	NO_LOCAL_POINTERS
	XORPS X15, X15
	MOVUPS X15, 16(SP)
	MOVUPS X15, 32(SP)
	MOVUPS X15, 48(SP)
	MOVUPS X15, 64(SP)
	MOVUPS X15, 80(SP)
	MOVUPS X15, 96(SP)
	MOVQ DX, 0(SP)
	STORE
	LEAQ 120(SP), AX
	MOVQ AX, 8(SP)
	CALL ·boundCall(SB)
	MOVQ 136(SP), AX
	MOVQ 144(SP), BX
	MOVQ 152(SP), CX
	MOVSD 200(SP), X0
	MOVQ 112(SP), DX // the bytes of a string, or nil
	TESTQ DX, DX
	CMOVQNE DX, AX
	XORPS X15, X15
	RET

#ifdef GOOS_windows
// func teb() uintptr
TEXT ·teb(SB), NOSPLIT, $0-8
	MOVQ 0x30(GS), AX
	MOVQ AX, ret+0(FP)
	RET
#endif

// UnsafeCall functions jump to the functions below, which have the same arguments. Each of them passes this struct to slow, which calls callWords:
//
//	8(SP)   address of the arguments
//	16(SP)  the result
#define SLOW \
	NO_LOCAL_POINTERS \
	LEAQ fn+0(FP), AX \
	MOVQ AX, 8(SP) \
	LEAQ 8(SP), AX \
	MOVQ AX, 0(SP) \
	CALL ·slow(SB)

TEXT ·slow0(SB), NOSPLIT, $24-8
	SLOW
	RET

TEXT ·slow1(SB), NOSPLIT, $24-16
	SLOW
	RET

TEXT ·slow2(SB), NOSPLIT, $24-24
	SLOW
	RET

TEXT ·slow3(SB), NOSPLIT, $24-32
	SLOW
	RET

TEXT ·slow4(SB), NOSPLIT, $24-40
	SLOW
	RET

TEXT ·slow5(SB), NOSPLIT, $24-48
	SLOW
	RET

TEXT ·slow6(SB), NOSPLIT, $24-56
	SLOW
	RET

TEXT ·slow0Return1(SB), NOSPLIT, $24-16
	SLOW
	MOVQ 16(SP), AX
	MOVQ AX, ret+8(FP)
	RET

TEXT ·slow1Return1(SB), NOSPLIT, $24-24
	SLOW
	MOVQ 16(SP), AX
	MOVQ AX, ret+16(FP)
	RET

TEXT ·slow2Return1(SB), NOSPLIT, $24-32
	SLOW
	MOVQ 16(SP), AX
	MOVQ AX, ret+24(FP)
	RET

TEXT ·slow3Return1(SB), NOSPLIT, $24-40
	SLOW
	MOVQ 16(SP), AX
	MOVQ AX, ret+32(FP)
	RET

TEXT ·slow4Return1(SB), NOSPLIT, $24-48
	SLOW
	MOVQ 16(SP), AX
	MOVQ AX, ret+40(FP)
	RET

TEXT ·slow5Return1(SB), NOSPLIT, $24-56
	SLOW
	MOVQ 16(SP), AX
	MOVQ AX, ret+48(FP)
	RET

TEXT ·slow6Return1(SB), NOSPLIT, $24-64
	SLOW
	MOVQ 16(SP), AX
	MOVQ AX, ret+56(FP)
	RET
