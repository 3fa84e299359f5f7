//go:build race && !go1.27

// RaceRead and RaceWrite call the same functions of the race detector as the runtime's racereadrangepc, with an address in their own caller. Go code
// calls RaceRead and RaceWrite as ABI0 functions directly. A wrapper in between would be the caller, and a report would show the wrapper's address.

#include "textflag.h"

// func RaceRead(address unsafe.Pointer, bytes uintptr)
//
// Frame: the arguments of runtime.racereadrangepc1: the address, the size, and the return address minus 1. racereadrangepc1 adds 1, because the
// detector expects return addresses.
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
// Frame: as in RaceRead.
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
