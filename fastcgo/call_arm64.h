// These functions call C functions on arm64. A file for each layout of the runtime's structures defines the offsets and includes this file.
// call_amd64.h explains the calls; this text lists the differences.
//
// C preserves R28, which is g, but may use it during the call. If the program has cgo, and always on darwin and windows, a signal handler reads g from
// thread-local storage. On linux and Android without cgo the handler trusts R28. So there calls block all signals (·masked), which takes two system
// calls.
//
// Between ENTER and LEAVE these registers, which C preserves, are in use (AAPCS64 preserves R19-R29 and the low halves of V8-V15):
//
//	R19  g
//	R20  m
//	R21  SP of the goroutine's stack
//	R22  LR, in functions without a frame
//
// Until the call, R16 holds the C function. R18 is not used, because it belongs to darwin and windows.

#include "funcdata.h"
#include "textflag.h"

// In Go files the build constraint linux includes Android. In assembly GOOS_linux does not.
#ifdef GOOS_android
#define GOOS_linux
#endif

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
#define SEEN(pc, sp) \
	MOVD g, m_libcallg(R20) \
	MOVD pc, m_libcallpc(R20) \
	MOVD sp, m_libcallsp(R20)
#define UNSEEN MOVD ZR, m_libcallsp(R20)
// TLSG0 stores g0, which is in R17, in the thread's slot for g. TLSG stores the goroutine's g there.
#define TLSG0 \
	MOVD ·tlsOffset(SB), R9 \
	MOVD R17, (R18_PLATFORM)(R9)
#define TLSG \
	MOVD ·tlsOffset(SB), R9 \
	MOVD g, (R18_PLATFORM)(R9)
#define R10_TO_SP MOVD R10, RSP
#define R21_TO_SP MOVD R21, RSP
#else
#define SEEN(pc, sp) \
	MOVD pc, m_vdsoPC(R20) \
	MOVD sp, m_vdsoSP(R20)
#define UNSEEN MOVD ZR, m_vdsoSP(R20)
#define TLSG0
#define TLSG
#define R10_TO_SP WORD $0x9100015f
#define R21_TO_SP WORD $0x910002bf
#endif

// The arguments of ENTER are two registers: the PC at which the Go caller continues, and the SP at that PC. ENTER builds the frame that ·CFunction
// would have, below SP. No signal overwrites this frame, because signals have their own stack.
#define ENTER(pc, sp) \
	MOVD g_m(g), R20 \
	MOVD g, R19 \
	MOVD RSP, R21 \
	SUB  $16, sp, R11 \
	MOVD pc, 0(R11) \
	MOVD $·CFunction(SB), R10 \
	ADD  $16, R10 \
	SEEN(R10, R11) \
	MOVD R11, g_sched_sp(g) \
	MOVD R10, g_sched_pc(g) \
	MOVD $1, R10 \
	MOVB R10, g_throwsplit(g) \
	MOVD m_g0(R20), R17 \
	TLSG0 \
	MOVD g_sched_sp(R17), R10 \
	AND  $~15, R10 \
	R10_TO_SP
#define LEAVE \
	R21_TO_SP \
	MOVD R19, g \
	TLSG \
	UNSEEN \
	MOVB ZR, g_throwsplit(g)

// CFunction is never called. In tracebacks and profiles it represents the C function that Go called. If CFunction is at the top of the traceback of a
// process that died of "exitsyscall: syscall frame is no longer valid", the C function called Go, which it must not do. After the three instructions
// of its prologue its frame is 16 bytes, with LR at the bottom.
TEXT ·CFunction(SB), NOSPLIT, $0-0
	UNDEF
	UNDEF
	CALL ·getg(SB) // never reached; because of the CALL the prologue stores LR
	RET

// func getg() uintptr
TEXT ·getg(SB), NOSPLIT, $0-8
	MOVD g, ret+0(FP)
	RET

// func getsp() uintptr
TEXT ·getsp(SB), NOSPLIT, $0-8
	MOVD $ret+0(FP), R0
	MOVD R0, ret+0(FP)
	RET

#ifdef GOOS_windows
// func teb() uintptr
TEXT ·teb(SB), NOSPLIT, $0-8
	MOVD R18_PLATFORM, ret+0(FP)
	RET
#endif

// func addresses() (block, words, plain, need, any, goCode, errno uintptr)
TEXT ·addresses(SB), NOSPLIT, $0-56
	MOVD $·callBlock(SB), R0
	MOVD R0, block+0(FP)
	MOVD $·callWords(SB), R0
	MOVD R0, words+8(FP)
	MOVD $·boundPlain(SB), R0
	MOVD R0, plain+16(FP)
	MOVD $·boundNeed(SB), R0
	MOVD R0, need+24(FP)
	MOVD $·boundAny(SB), R0
	MOVD R0, any+32(FP)
	MOVD $·boundGo(SB), R0
	MOVD R0, goCode+40(FP)
#ifdef SYSTEM_ERRNO
	MOVD $·errnoFunc(SB), R0
	MOVD R0, errno+48(FP)
#else
	MOVD ZR, errno+48(FP)
#endif
	RET

// DIRECT switches to the system stack, calls R16 and switches back, in a function without a frame. LR is restored before LEAVE, because from LEAVE on
// an unwinder may read LR.
#define DIRECT \
	MOVD R30, R22 \
	MOVD RSP, R11 \
	ENTER(R30, R11) \
	BL (R16) \
	MOVD R22, R30 \
	LEAVE

#define CHECK(slow) \
	MOVWU ·indirect(SB), R9 \
	CBNZ  R9, slow \
	MOVD  fn+0(FP), R16

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
	MOVD a0+8(FP), R0
	DIRECT
	RET
slow:
	JMP ·slow1(SB)

// func UnsafeCall2(fn unsafe.Pointer, a0, a1 uintptr)
TEXT ·UnsafeCall2(SB), NOSPLIT|NOFRAME, $0-24
	CHECK(slow)
	MOVD a0+8(FP), R0
	MOVD a1+16(FP), R1
	DIRECT
	RET
slow:
	JMP ·slow2(SB)

// func UnsafeCall3(fn unsafe.Pointer, a0, a1, a2 uintptr)
TEXT ·UnsafeCall3(SB), NOSPLIT|NOFRAME, $0-32
	CHECK(slow)
	MOVD a0+8(FP), R0
	MOVD a1+16(FP), R1
	MOVD a2+24(FP), R2
	DIRECT
	RET
slow:
	JMP ·slow3(SB)

// func UnsafeCall4(fn unsafe.Pointer, a0, a1, a2, a3 uintptr)
TEXT ·UnsafeCall4(SB), NOSPLIT|NOFRAME, $0-40
	CHECK(slow)
	MOVD a0+8(FP), R0
	MOVD a1+16(FP), R1
	MOVD a2+24(FP), R2
	MOVD a3+32(FP), R3
	DIRECT
	RET
slow:
	JMP ·slow4(SB)

// func UnsafeCall5(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr)
TEXT ·UnsafeCall5(SB), NOSPLIT|NOFRAME, $0-48
	CHECK(slow)
	MOVD a0+8(FP), R0
	MOVD a1+16(FP), R1
	MOVD a2+24(FP), R2
	MOVD a3+32(FP), R3
	MOVD a4+40(FP), R4
	DIRECT
	RET
slow:
	JMP ·slow5(SB)

// func UnsafeCall6(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr)
TEXT ·UnsafeCall6(SB), NOSPLIT|NOFRAME, $0-56
	CHECK(slow)
	MOVD a0+8(FP), R0
	MOVD a1+16(FP), R1
	MOVD a2+24(FP), R2
	MOVD a3+32(FP), R3
	MOVD a4+40(FP), R4
	MOVD a5+48(FP), R5
	DIRECT
	RET
slow:
	JMP ·slow6(SB)

// func UnsafeCall0Return1(fn unsafe.Pointer) uintptr
TEXT ·UnsafeCall0Return1(SB), NOSPLIT|NOFRAME, $0-16
	CHECK(slow)
	DIRECT
	MOVD R0, ret+8(FP)
	RET
slow:
	JMP ·slow0Return1(SB)

// func UnsafeCall1Return1(fn unsafe.Pointer, a0 uintptr) uintptr
TEXT ·UnsafeCall1Return1(SB), NOSPLIT|NOFRAME, $0-24
	CHECK(slow)
	MOVD a0+8(FP), R0
	DIRECT
	MOVD R0, ret+16(FP)
	RET
slow:
	JMP ·slow1Return1(SB)

// func UnsafeCall2Return1(fn unsafe.Pointer, a0, a1 uintptr) uintptr
TEXT ·UnsafeCall2Return1(SB), NOSPLIT|NOFRAME, $0-32
	CHECK(slow)
	MOVD a0+8(FP), R0
	MOVD a1+16(FP), R1
	DIRECT
	MOVD R0, ret+24(FP)
	RET
slow:
	JMP ·slow2Return1(SB)

// func UnsafeCall3Return1(fn unsafe.Pointer, a0, a1, a2 uintptr) uintptr
TEXT ·UnsafeCall3Return1(SB), NOSPLIT|NOFRAME, $0-40
	CHECK(slow)
	MOVD a0+8(FP), R0
	MOVD a1+16(FP), R1
	MOVD a2+24(FP), R2
	DIRECT
	MOVD R0, ret+32(FP)
	RET
slow:
	JMP ·slow3Return1(SB)

// func UnsafeCall4Return1(fn unsafe.Pointer, a0, a1, a2, a3 uintptr) uintptr
TEXT ·UnsafeCall4Return1(SB), NOSPLIT|NOFRAME, $0-48
	CHECK(slow)
	MOVD a0+8(FP), R0
	MOVD a1+16(FP), R1
	MOVD a2+24(FP), R2
	MOVD a3+32(FP), R3
	DIRECT
	MOVD R0, ret+40(FP)
	RET
slow:
	JMP ·slow4Return1(SB)

// func UnsafeCall5Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr) uintptr
TEXT ·UnsafeCall5Return1(SB), NOSPLIT|NOFRAME, $0-56
	CHECK(slow)
	MOVD a0+8(FP), R0
	MOVD a1+16(FP), R1
	MOVD a2+24(FP), R2
	MOVD a3+32(FP), R3
	MOVD a4+40(FP), R4
	DIRECT
	MOVD R0, ret+48(FP)
	RET
slow:
	JMP ·slow5Return1(SB)

// func UnsafeCall6Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr) uintptr
TEXT ·UnsafeCall6Return1(SB), NOSPLIT|NOFRAME, $0-64
	CHECK(slow)
	MOVD a0+8(FP), R0
	MOVD a1+16(FP), R1
	MOVD a2+24(FP), R2
	MOVD a3+32(FP), R3
	MOVD a4+40(FP), R4
	MOVD a5+48(FP), R5
	DIRECT
	MOVD R0, ret+56(FP)
	RET
slow:
	JMP ·slow6Return1(SB)

// func direct(c uintptr, arg unsafe.Pointer, need uintptr) bool
//
// direct calls the C function c with arg, if the system stack has at least need bytes.
TEXT ·direct(SB), NOSPLIT|NOFRAME, $0-25
	MOVD c+0(FP), R16
	MOVD arg+8(FP), R0
	MOVD need+16(FP), R1
	MOVD g_m(g), R9
	MOVD m_g0(R9), R9
	MOVD g_sched_sp(R9), R10
	MOVD g_stack_lo(R9), R11
	SUB  R11, R10
	MOVB ZR, ret+24(FP)
	CMP  R1, R10
	BLO  tight
	DIRECT
	MOVD $1, R0
	MOVB R0, ret+24(FP)
tight:
	RET

#ifdef GOOS_linux
#define SYS_rt_sigprocmask 135
#define SIG_SETMASK 2

// func masked(c uintptr, arg unsafe.Pointer, need uintptr) bool
//
// masked does the same as direct, with all signals blocked during the call. The top of this file gives the reason.
TEXT ·masked(SB), NOSPLIT, $32-25
	MOVD need+16(FP), R1
	MOVD g_m(g), R9
	MOVD m_g0(R9), R9
	MOVD g_sched_sp(R9), R10
	MOVD g_stack_lo(R9), R11
	SUB  R11, R10
	MOVB ZR, ret+24(FP)
	CMP  R1, R10
	BLO  tight
	MOVD $-1, R9
	MOVD R9, 8(RSP)
	MOVD $SIG_SETMASK, R0
	ADD  $8, RSP, R1
	ADD  $16, RSP, R2
	MOVD $8, R3
	MOVD $SYS_rt_sigprocmask, R8
	SVC
	MOVD c+0(FP), R16
	MOVD arg+8(FP), R0
	MOVD 0(RSP), R12
	ADD  $48, RSP, R11
	ENTER(R12, R11)
	BL   (R16)
	LEAVE
	MOVD $SIG_SETMASK, R0
	ADD  $16, RSP, R1
	MOVD ZR, R2
	MOVD $8, R3
	MOVD $SYS_rt_sigprocmask, R8
	SVC
	MOVD $1, R0
	MOVB R0, ret+24(FP)
tight:
	RET
#endif

#include "ccode_arm64.h"

// boundPlain is the code of a func value made by Bind: up to eight integers of at least 32 bits and eight floating-point numbers. Go's compiler calls
// closures with these registers (internal ABI):
//
//	R0-R7  integers, in the same registers as in C
//	F0-F7  floating-point numbers, in the same registers as in C
//	R26    the closure, a *bound
//
// The results are in the registers in which Go expects them: R0 and F0.
TEXT ·boundPlain(SB), NOSPLIT|NOFRAME|NEEDCTXT, $0-0
	MOVWU ·indirect(SB), R9
	CBNZ  R9, slow
	MOVD 8(R26), R16
	DIRECT
	RET
slow:
	// bound.slow is a func value of the same type that makes the call by boundGo.
	MOVD 24(R26), R26
	MOVD (R26), R16
	JMP  (R16)

// boundNeed does the same as boundPlain, for C functions with a stated need of stack.
TEXT ·boundNeed(SB), NOSPLIT|NOFRAME|NEEDCTXT, $0-0
	MOVD g_m(g), R9
	MOVD m_g0(R9), R9
	MOVD g_sched_sp(R9), R10
	MOVD g_stack_lo(R9), R11
	SUB  R11, R10
	MOVD 16(R26), R12
	CMP  R12, R10
	BLO  slow
	JMP  ·boundPlain(SB)
slow:
	MOVD 24(R26), R26
	MOVD (R26), R16
	JMP  (R16)

// boundAny makes calls of all other signatures that need no Go code.
TEXT ·boundAny(SB), NOSPLIT|NOFRAME|NEEDCTXT, $0-0
	MOVWU ·indirect(SB), R16
	CBNZ  R16, slow
	MOVD g_m(g), R16
	MOVD m_g0(R16), R16
	MOVD g_sched_sp(R16), R17
	MOVD g_stack_lo(R16), R19
	SUB  R19, R17
	MOVD 16(R26), R19
	CMP  R19, R17
	BLO  slow
	JMP  ·boundFrame(SB)
slow:
	MOVD 24(R26), R26
	MOVD (R26), R16
	JMP  (R16)

// STORE stores the registers of a func value's call in the frame, and places the arguments in the frame by the closure's steps (see bind.go). The
// frame of boundFrame and boundGo is:
//
//	8(RSP)    arguments of boundCall: the closure, the block's address, and twelve pointers at 24(RSP)
//	120(RSP)  result of boundCall
//	136(RSP)  block, 288 bytes
//	424(RSP)  integers in Go's order: R0-R15
//	552(RSP)  floating-point numbers F0-F7
//	624(RSP)  end of the frame: the assembler adds 16 to a size that is a multiple of 16. Go's arguments on the stack are at 632(RSP).
#define STORE \
	STP (R0, R1), 424(RSP) \
	STP (R2, R3), 440(RSP) \
	STP (R4, R5), 456(RSP) \
	STP (R6, R7), 472(RSP) \
	STP (R8, R9), 488(RSP) \
	STP (R10, R11), 504(RSP) \
	MOVD R12, 520(RSP) \
	MOVD R13, 528(RSP) \
	MOVD R14, 536(RSP) \
	MOVD R15, 544(RSP) \
	FMOVD F0, 552(RSP) \
	FMOVD F1, 560(RSP) \
	FMOVD F2, 568(RSP) \
	FMOVD F3, 576(RSP) \
	FMOVD F4, 584(RSP) \
	FMOVD F5, 592(RSP) \
	FMOVD F6, 600(RSP) \
	FMOVD F7, 608(RSP) \
	MOVD 8(R26), R0 \
	MOVD R0, 136(RSP) \
	MOVD 32(R26), R0 \ // number of words on the stack
	MOVD R0, 144(RSP) \
	MOVD 48(R26), R0 \ // errno
	MOVD R0, 408(RSP) \
	MOVD 40(R26), R8 \ // number of steps
	ADD  $56, R26, R9 \
	MOVD RSP, R12 \
step: \
	CBZ  R8, stepped \
	SUB  $1, R8 \
	MOVHU 0(R9), R0 \ // from, an offset from SP
	MOVHU 2(R9), R1 \ // to, an offset from SP
	MOVHU 4(R9), R2 \ // kind
	ADD  $8, R9 \
	ADD  R12, R0 \
	ADD  R12, R1 \
	CBZ  R2, whole \
	CMP  $2, R2 \
	BLO  uint8 \
	BEQ  int8 \
	CMP  $3, R2 \
	BEQ  uint16 \
	MOVH (R0), R3 \
	B    place \
uint8: \
	MOVBU (R0), R3 \
	B    place \
int8: \
	MOVB (R0), R3 \
	B    place \
uint16: \
	MOVHU (R0), R3 \
	B    place \
whole: \
	MOVD (R0), R3 \
place: \
	MOVD R3, (R1) \
	B    step \
stepped:

// boundFrame is the part of boundAny after the checks. It gets the same registers as boundAny.
TEXT ·boundFrame(SB), NOSPLIT|NEEDCTXT, $608-0
	STORE
	MOVD $·callBlock(SB), R16
	ADD  $136, RSP, R0
	MOVD 0(RSP), R12
	ADD  $624, RSP, R11
	ENTER(R12, R11)
	BL   (R16)
	LEAVE
	MOVD 152(RSP), R0
	MOVD 160(RSP), R1 // errno, if it is a result
	FMOVD 216(RSP), F0
	RET

// boundGo makes calls that need Go code: it calls the Go function boundCall. The collector does not know the frame of boundGo. So the steps also copy
// the pointers among the arguments to the arguments of boundCall, where the collector finds them. No instruction before the call of boundCall is a
// safe point. The results are a floating-point number in F0, or integers and the words of a string in R0, R1 and R2.
TEXT ·boundGo(SB), NOSPLIT|NEEDCTXT, $608-0
	NO_LOCAL_POINTERS
	STP  (ZR, ZR), 24(RSP)
	STP  (ZR, ZR), 40(RSP)
	STP  (ZR, ZR), 56(RSP)
	STP  (ZR, ZR), 72(RSP)
	STP  (ZR, ZR), 88(RSP)
	STP  (ZR, ZR), 104(RSP)
	MOVD R26, 8(RSP)
	STORE
	ADD  $136, RSP, R0
	MOVD R0, 16(RSP)
	CALL ·boundCall(SB)
	MOVD 152(RSP), R0
	MOVD 160(RSP), R1
	MOVD 168(RSP), R2
	FMOVD 216(RSP), F0
	MOVD 120(RSP), R3 // the bytes of a string, or nil
	CBZ  R3, over
	MOVD R3, R0
over:
	RET

// UnsafeCall functions jump to the functions below, which have the same arguments. Each of them passes this struct to slow, which calls callWords:
//
//	16(RSP)  address of the arguments
//	24(RSP)  the result
#define SLOW \
	NO_LOCAL_POINTERS \
	MOVD $fn+0(FP), R0 \
	MOVD R0, 16(RSP) \
	ADD $16, RSP, R0 \
	MOVD R0, 8(RSP) \
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
	MOVD 24(RSP), R0
	MOVD R0, ret+8(FP)
	RET

TEXT ·slow1Return1(SB), NOSPLIT, $24-24
	SLOW
	MOVD 24(RSP), R0
	MOVD R0, ret+16(FP)
	RET

TEXT ·slow2Return1(SB), NOSPLIT, $24-32
	SLOW
	MOVD 24(RSP), R0
	MOVD R0, ret+24(FP)
	RET

TEXT ·slow3Return1(SB), NOSPLIT, $24-40
	SLOW
	MOVD 24(RSP), R0
	MOVD R0, ret+32(FP)
	RET

TEXT ·slow4Return1(SB), NOSPLIT, $24-48
	SLOW
	MOVD 24(RSP), R0
	MOVD R0, ret+40(FP)
	RET

TEXT ·slow5Return1(SB), NOSPLIT, $24-56
	SLOW
	MOVD 24(RSP), R0
	MOVD R0, ret+48(FP)
	RET

TEXT ·slow6Return1(SB), NOSPLIT, $24-64
	SLOW
	MOVD 24(RSP), R0
	MOVD R0, ret+56(FP)
	RET
