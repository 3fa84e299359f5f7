//go:build race && !go1.27

// See race_amd64.s.

#include "textflag.h"

// func RaceRead(address unsafe.Pointer, bytes uintptr)
//
// Frame: the arguments of runtime.racereadrangepc1, above the return address.
TEXT ·RaceRead(SB), NOSPLIT, $24-16
	MOVD address+0(FP), R0
	MOVD bytes+8(FP), R1
	CBZ  R1, done
	SUB  $1, LR, R2
	MOVD R0, 8(RSP)
	MOVD R1, 16(RSP)
	MOVD R2, 24(RSP)
	CALL runtime·racereadrangepc1(SB)
done:
	RET

// func RaceWrite(address unsafe.Pointer, bytes uintptr)
//
// Frame: as in RaceRead.
TEXT ·RaceWrite(SB), NOSPLIT, $24-16
	MOVD address+0(FP), R0
	MOVD bytes+8(FP), R1
	CBZ  R1, done
	SUB  $1, LR, R2
	MOVD R0, 8(RSP)
	MOVD R1, 16(RSP)
	MOVD R2, 24(RSP)
	CALL runtime·racewriterangepc1(SB)
done:
	RET
