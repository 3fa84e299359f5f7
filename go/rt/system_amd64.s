// Rust's std and C code use the operating system through these functions. They have C's calling convention: arguments in DI, SI and DX, result in AX.
// They preserve all callee-saved registers of C's convention, and SP need not be aligned. An error is a negative result: minus the error's number on
// Linux.
//
// A system call changes AX, CX and R11, on FreeBSD also DX and R8 to R10. None of them is callee-saved in C.

#include "textflag.h"
#include "funcdata.h"

#define EIO    5
#define EBADF  9
#define EAGAIN 11
#define EINVAL 22
#define ENOSYS 38

// FreeBSD's system calls set the carry flag on failure, and return the error's number. Error numbers up to 34 are the same on FreeBSD and Linux.
#define FREEBSD_ERROR \
	JCC  done    \
	CMPQ AX, $35 /* EAGAIN */ \
	MOVL $EAGAIN, CX \
	CMOVQEQ CX, AX \
	CMPQ AX, $35 \
	MOVL $EIO, CX \
	CMOVQCC CX, AX \
	NEGQ AX      \
done:            \
	RET

// func writeOut()
//
// In: DI is the standard output or error stream (1 or 2), SI an address, DX a size. writeOut writes the memory to the stream. If the stream accepts
// nothing within 10 ms, the error is EAGAIN. Out: the number of bytes written, or an error.
//
// The function needs 32 bytes of stack below SP at entry: 8 for BP, 24 for its frame.
TEXT ·writeOut(SB), NOSPLIT, $24-0
	NO_LOCAL_POINTERS
#ifdef GOOS_linux
#define POLL  7
#define WRITE 1
#endif
#ifdef GOOS_freebsd
#define POLL  209
#define WRITE 4
#endif
#ifdef POLL
	MOVQ DX, 0(SP)
	MOVQ SI, 8(SP)
	MOVL DI, 16(SP) // struct pollfd: fd, events, revents
	MOVL $4, 20(SP) // POLLOUT
	LEAQ 16(SP), DI
	MOVL $1, SI
	MOVL $10, DX
	MOVL $POLL, AX
	SYSCALL
#ifdef GOOS_freebsd
	JCS  failed
#endif
	TESTQ AX, AX
	JLT  done
	JEQ  again
	MOVL 16(SP), DI
	MOVQ 8(SP), SI
	MOVQ 0(SP), DX
	MOVL $WRITE, AX
	SYSCALL
#ifdef GOOS_linux
done:
	RET
#else
failed:
	FREEBSD_ERROR
#endif
again:
	MOVQ $-EAGAIN, AX
	RET
#else
	// Other systems allow system calls only through the C library. There the function returns EBADF, as for a closed stream.
	MOVQ $-EBADF, AX
	RET
#endif

// func clock()
//
// In: DI is a clock (CLOCK_REALTIME is 0, CLOCK_MONOTONIC is 1), SI the address of two words, for seconds and nanoseconds. Out: 0, or an error.
//
// The function needs no stack below SP at entry.
TEXT ·clock(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef GOOS_linux
	MOVL $228, AX // clock_gettime
	SYSCALL
	RET
#else
	CMPQ DI, $1
	JHI  invalid
#ifdef GOOS_freebsd
	SHLQ $2, DI // CLOCK_MONOTONIC is 4
	MOVL $232, AX
	SYSCALL
	FREEBSD_ERROR
#else
#ifdef GOOS_windows
	// As Go's runtime does (runtime/time_windows.h), this code reads InterruptTime (since the start) and SystemTime (since 1601), in units of 100 ns,
	// from memory that Windows shares with each process (KUSER_SHARED_DATA in ntddk.h).
	MOVQ  $0x7ffe0008, CX
	TESTQ DI, DI
	JNE   monotonic
	MOVQ  $0x7ffe0014, CX
monotonic:
	MOVQ  0(CX), AX
	TESTQ DI, DI
	JNE   split
	MOVQ  $116444736000000000, CX // from 1601 to 1970
	SUBQ  CX, AX
split:
	XORL  DX, DX
	MOVL  $10000000, CX
	DIVQ  CX
	IMULQ $100, DX
	MOVQ  AX, 0(SI)
	MOVQ  DX, 8(SI)
	XORL  AX, AX
	RET
#else
	MOVQ $-ENOSYS, AX
	RET
#endif
#endif
invalid:
	MOVQ $-EINVAL, AX
	RET
#endif

// func auxiliary()
//
// In: DI is a kind of entry in Linux's auxiliary vector. Out: the page size (6), the features of the processor (16, 26), or 0 for other kinds.
//
// The function needs no stack below SP at entry.
TEXT ·auxiliary(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	XORL    AX, AX
	// In dynamically linked programs a load from a named variable would use R15, and R15 is callee-saved in C.
	LEAQ    ·auxPageSize(SB), CX
	CMPQ    DI, $6
	CMOVQEQ 0(CX), AX
	LEAQ    ·auxHwcap(SB), CX
	CMPQ    DI, $16
	CMOVQEQ 0(CX), AX
	LEAQ    ·auxHwcap2(SB), CX
	CMPQ    DI, $26
	CMOVQEQ 0(CX), AX
	RET

// func random()
//
// In: DI is an address, SI a size. random fills the memory with random bytes from the kernel. Out: the number of bytes filled, or an error. On
// systems that allow system calls only through the C library, the error is ENOSYS, and randomBytes (crates/rt) generates the bytes.
//
// The function needs no stack below SP at entry.
TEXT ·random(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef GOOS_linux
	XORL DX, DX
	MOVL $318, AX // getrandom
	SYSCALL
	RET
#else
#ifdef GOOS_freebsd
	XORL DX, DX
	MOVL $563, AX
	SYSCALL
	FREEBSD_ERROR
#else
	MOVQ $-ENOSYS, AX
	RET
#endif
#endif
