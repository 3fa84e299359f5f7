package fastcgo

// Where boundFrame in call_arm64.h keeps things, from its SP, and how Go passes integers: all that can occur in registers.
const (
	frameBlock  = 8
	frameInts   = 280
	frameFloats = 376
	frameStack  = 0 // not used
	goInts      = 12
	plainInts   = 8
)
