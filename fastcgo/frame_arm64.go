package fastcgo

// These constants are offsets from SP in the frames of boundFrame and boundGo (call_arm64.h). Go passes sixteen integers in registers and the others
// above the return address.
const (
	frameKept   = 24
	frameBlock  = 136
	frameInts   = 424
	frameFloats = 552
	frameStack  = 632
	goInts      = 16
	plainInts   = 8
)
