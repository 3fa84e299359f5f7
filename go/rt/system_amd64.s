// What std and C ask of the operating system. Rust code calls these functions by C's convention: arguments in DI, SI and DX, the result in
// AX. They change no register that C's convention keeps, and SP need not be aligned. An error is the negative of its number on Linux.
//
// A system call changes AX, CX and R11, and on FreeBSD DX and R8 to R10 too: all may be changed.

#include "textflag.h"
#include "funcdata.h"

#define EIO    5
#define EBADF  9
#define EAGAIN 11
#define EINVAL 22
#define ENOSYS 38

// FreeBSD's system calls set the carry flag if they fail, and return the number of the error. Up to 34 the numbers are Linux's.
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
// In: DI the standard output or error stream, 1 or 2, SI an address, DX a size. Writes; if the stream takes nothing within 10 ms, the error
// is EAGAIN. Out: the number of bytes that were written, or an error.
//
// From SP at entry it needs 32 bytes of stack: 8 for BP, 24 for its frame.
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
	// No system call but through the C library: as if the stream were closed.
	MOVQ $-EBADF, AX
	RET
#endif

// func clock()
//
// In: DI a clock (CLOCK_REALTIME is 0, CLOCK_MONOTONIC is 1), SI where to store its seconds and nanoseconds, two words. Out: 0, or an error.
//
// From SP at entry it needs no stack.
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
	// The time since the start, and the time since 1601, in units of 100 ns, in memory that Windows shares with each process
	// (KUSER_SHARED_DATA in ntddk.h: InterruptTime, SystemTime). Go's runtime reads them there too (runtime/time_windows.h).
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
// In: DI a kind of entry in Linux's auxiliary vector. Out: the page size (6), the features of the processor (16, 26), or 0 for other kinds.
//
// From SP at entry it needs no stack.
TEXT ·auxiliary(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	XORL    AX, AX
	// A load by name would go through R15 where programs are linked dynamically, and C keeps that.
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
// In: DI an address, SI a size. Fills the memory with random bytes of the kernel's. Out: how many of them were filled, or an error: ENOSYS where
// the kernel cannot be called. There randomBytes (crates/rt) has random bytes.
//
// From SP at entry it needs no stack.
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
