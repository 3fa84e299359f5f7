// Faults on Windows. panic_amd64.s explains why the frame pointer must be cleared. The differences:
//
// A vectored handler cannot look at the context after Go's handler has changed it. So this handler runs before Go's. It sets the frame pointer to 0
// if Go's handler will make the goroutine call sigpanic or end the process. Go's handler does so if the faulting instruction is in Go's text
// (isgoexception, runtime/signal_windows.go) and SP is on the goroutine's stack. Go's text includes Rust code, but not C code and system libraries.

#include "textflag.h"
#include "go_asm.h"
#include "funcdata.h"

// func exceptedAddress() uintptr
TEXT ·exceptedAddress(SB), NOSPLIT, $0-8
	LEAQ excepted<>(SB), AX
	MOVQ AX, ret+0(FP)
	RET

// excepted is a vectored exception handler. In: CX is the address of the EXCEPTION_POINTERS. Out: 0, so that the next handler is called, or -1 if the
// fault is on a task's stack, so that the thread continues at the PC that this handler has stored in the context. The handler may change AX, CX, DX
// and R8 to R11.
TEXT excepted<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ  0(CX), AX   // EXCEPTION_RECORD
	MOVQ  AX, R11
	MOVQ  8(CX), DX   // CONTEXT
	MOVL  0(AX), AX   // ExceptionCode
	SHRL  $28, AX
	CMPL  AX, $0xC    // an error
	JNE   done
	MOVQ  248(DX), AX // Rip
	LEAQ  runtime·text(SB), CX
	CMPQ  AX, CX
	JCS   done
	LEAQ  runtime·etext(SB), CX
	CMPQ  AX, CX
	JCC   done
	MOVQ  TLS, R8
	MOVQ  0(R8)(TLS*1), R8 // g
	TESTQ R8, R8
	JEQ   done
	MOVQ  152(DX), AX // Rsp
	CMPQ  AX, 0(R8)
	JCS   done
	CMPQ  AX, 8(R8)
	JHI   done
	MOVQ  $0, 160(DX) // Rbp

	// After a fault on a task's stack, the task goes back to the goroutine's stack, as on Linux.
	LEAQ  ·taskArena(SB), R9
	SUBQ  0(R9), AX
	CMPQ  AX, 8(R9)
	JCC   done
	MOVQ  0(R8), R10
	MOVQ  8(R10), R10 // the task
	MOVL  0(R11), AX
	MOVQ  $11, R9     // SIGSEGV
	CMPL  AX, $0xC0000005 // EXCEPTION_ACCESS_VIOLATION
	JEQ   back
	MOVQ  $8, R9      // SIGFPE
	CMPL  AX, $0xC0000094 // EXCEPTION_INT_DIVIDE_BY_ZERO
	JEQ   back
	CMPL  AX, $0xC0000095 // EXCEPTION_INT_OVERFLOW
	JNE   done
back:
	MOVQ  R9, (task_words+0)(R10)
	MOVQ  40(R11), AX // ExceptionInformation[1]: the address
	MOVQ  AX, (task_words+8)(R10)
	LEAQ  ·leaveTaskFault(SB), AX
	MOVQ  AX, 248(DX) // Rip
	MOVL  $-1, AX     // EXCEPTION_CONTINUE_EXECUTION
	RET
done:
	XORL AX, AX
	RET
