//go:build race && !go1.27

// What tells the race detector of memory that Rust uses: it calls what the runtime's own racereadrangepc does, with an address in the
// function that called. The compiler calls these as the ABI0 functions that they are, without a wrapper between.

#include "textflag.h"

// func RaceRead(address unsafe.Pointer, bytes uintptr)
//
// Frame: the arguments of runtime.racereadrangepc1: the address, the size, and an address in the function that reads. It adds one to that,
// because the detector counts in return addresses.
TEXT ·RaceRead(SB), NOSPLIT, $24-16
	MOVQ  address+0(FP), AX
	MOVQ  bytes+8(FP), CX
	TESTQ CX, CX
	JZ    done
	LEAQ  address+0(FP), DX
	MOVQ  -8(DX), DX
	DECQ  DX
	MOVQ  AX, 0(SP)
	MOVQ  CX, 8(SP)
	MOVQ  DX, 16(SP)
	CALL  runtime·racereadrangepc1(SB)
done:
	RET

// func RaceWrite(address unsafe.Pointer, bytes uintptr)
//
// Frame: as that of RaceRead.
TEXT ·RaceWrite(SB), NOSPLIT, $24-16
	MOVQ  address+0(FP), AX
	MOVQ  bytes+8(FP), CX
	TESTQ CX, CX
	JZ    done
	LEAQ  address+0(FP), DX
	MOVQ  -8(DX), DX
	DECQ  DX
	MOVQ  AX, 0(SP)
	MOVQ  CX, 8(SP)
	MOVQ  DX, 16(SP)
	CALL  runtime·racewriterangepc1(SB)
done:
	RET
