package fastcgo

// These constants are offsets from SP in the frame of boundFrame (call_arm64.h). Go passes all integers of a possible signature in registers.
const (
	frameBlock  = 8
	frameInts   = 280
	frameFloats = 376
	frameStack  = 0 // not used
	goInts      = 12
	plainInts   = 8
)
