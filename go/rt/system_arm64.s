// Rust's std and C code use the operating system through these functions. They have C's calling convention: arguments in R0, R1 and R2, result in R0.
// They preserve all callee-saved registers of C's convention. system_amd64.s documents each function.
//
// A system call changes only R0, on FreeBSD also R1.

#include "textflag.h"
#include "funcdata.h"

#define EIO    5
#define EBADF  9
#define EAGAIN 11
#define EINVAL 22
#define ENOSYS 38

#define FREEBSD_ERROR \
	BCC  done        \
	MOVD $EIO, R1    \
	MOVD $EAGAIN, R2 \
	CMP  $35, R0     \
	CSEL HI, R1, R0, R0 \
	CSEL EQ, R2, R0, R0 \
	NEG  R0, R0      \
done:                \
	RET

// func writeOut()
//
// The function is NOFRAME, because the assembler's epilogue would set R29 to Go's frame pointer, but R29 holds a value of Rust code.
//
// The function needs 48 bytes of stack below SP at entry: its frame, with the return address at SP.
TEXT ·writeOut(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef GOOS_linux
#define POLLS
#endif
#ifdef GOOS_freebsd
#define POLLS
#endif
#ifdef POLLS
	MOVD R30, -48(RSP)
	SUB  $48, RSP
	MOVD R2, 8(RSP)
	MOVD R1, 16(RSP)
	MOVW R0, 24(RSP) // struct pollfd: fd, events, revents
	MOVD $4, R3      // POLLOUT
	MOVW R3, 28(RSP)
	ADD  $24, RSP, R0
	MOVD $1, R1
#ifdef GOOS_linux
	// The function uses ppoll, because arm64 has no poll. ppoll stores the remaining time in the timespec, so each call writes the timespec again.
	MOVD ZR, 32(RSP) // seconds
	MOVD $10000000, R3
	MOVD R3, 40(RSP)
	ADD  $32, RSP, R2
	MOVD ZR, R3
	MOVD ZR, R4
	MOVD $73, R8
	SVC
	CMP  $0, R0
	BLT  done
#else
	MOVD $10, R2
	MOVD $209, R8
	SVC
	BCS  failed
#endif
	CBZ  R0, again
	MOVW 24(RSP), R0
	MOVD 16(RSP), R1
	MOVD 8(RSP), R2
#ifdef GOOS_linux
	MOVD $64, R8
	SVC
#else
	MOVD $4, R8
	SVC
	BCC  done
failed:
	MOVD $EIO, R1
	MOVD $EAGAIN, R2
	CMP  $35, R0
	CSEL HI, R1, R0, R0
	CSEL EQ, R2, R0, R0
	NEG  R0, R0
#endif
done:
	ADD  $48, RSP
	RET
	SUB  $48, RSP // never executed: tells the assembler the SP of the code below
again:
	MOVD $-EAGAIN, R0
	JMP  done
#else
	MOVD $-EBADF, R0
	RET
#endif

// func clock()
//
// The function needs no stack below SP at entry.
TEXT ·clock(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef GOOS_linux
	MOVD $113, R8
	SVC
	RET
#else
	CMP  $1, R0
	BHI  invalid
#ifdef GOOS_freebsd
	LSL  $2, R0, R0
	MOVD $232, R8
	SVC
	FREEBSD_ERROR
#else
#ifdef GOOS_windows
	MOVD $0x7ffe0008, R2
	MOVD $0x7ffe0014, R3
	CMP  $0, R0
	CSEL EQ, R3, R2, R2
	MOVD (R2), R2
	MOVD $116444736000000000, R3
	CSEL EQ, R3, ZR, R3
	SUB  R3, R2
	MOVD $10000000, R3
	UDIV R3, R2, R4
	MSUB R3, R2, R4, R2
	MOVD $100, R3
	MUL  R3, R2
	STP  (R4, R2), (R1)
	MOVD ZR, R0
	RET
#else
	MOVD $-ENOSYS, R0
	RET
#endif
#endif
invalid:
	MOVD $-EINVAL, R0
	RET
#endif

// func auxiliary()
//
// The function needs no stack below SP at entry.
TEXT ·auxiliary(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	// A load from a named variable would use R27, which is callee-saved in C. In a plugin, the MOVD of the address below uses R27, too.
	MOVD R27, R4
	MOVD $·auxPageSize(SB), R1
	MOVD (R1), R1
	MOVD $·auxHwcap(SB), R2
	MOVD (R2), R2
	MOVD $·auxHwcap2(SB), R3
	MOVD (R3), R3
	MOVD R4, R27
	CMP  $6, R0
	CSEL EQ, R1, ZR, R4
	CMP  $16, R0
	CSEL EQ, R2, R4, R4
	CMP  $26, R0
	CSEL EQ, R3, R4, R0
	RET

// func random()
//
// The function needs no stack below SP at entry.
TEXT ·random(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
#ifdef GOOS_linux
	MOVD ZR, R2
	MOVD $278, R8
	SVC
	RET
#else
#ifdef GOOS_freebsd
	MOVD ZR, R2
	MOVD $563, R8
	SVC
	FREEBSD_ERROR
#else
	MOVD $-ENOSYS, R0
	RET
#endif
#endif
