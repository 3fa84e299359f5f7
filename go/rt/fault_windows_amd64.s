// Faults on Windows. What a fault needs, and why, is told in panic_amd64.s; here is what differs.
//
// A handler cannot wait for what Go's makes of a fault. So ours, which is called before it, sets the frame pointer to 0 where Go's will have
// the goroutine call sigpanic, or end the process: at errors in Go's text (isgoexception, runtime/signal_windows.go), which Rust's is part of,
// on a stack of Go's. C and the libraries of the system have text of their own.

#include "textflag.h"
#include "funcdata.h"

// func exceptedAddress() uintptr
TEXT ·exceptedAddress(SB), NOSPLIT, $0-8
	LEAQ excepted<>(SB), AX
	MOVQ AX, ret+0(FP)
	RET

// excepted is a vectored exception handler: CX the EXCEPTION_POINTERS. It has the others called, too: the answer is 0. It may change AX, CX, DX
// and R8 to R11.
TEXT excepted<>(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	MOVQ  0(CX), AX   // EXCEPTION_RECORD
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
done:
	XORL AX, AX
	RET
