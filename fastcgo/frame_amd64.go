package fastcgo

// These constants are offsets from SP in the frames of boundFrame and boundGo (call_amd64.h). Go passes nine integers in registers and the others
// above the return address.
const (
	frameKept   = 16
	frameBlock  = 120
	frameInts   = 408
	frameFloats = 480
	frameStack  = 560
	goInts      = 9
	plainInts   = 6
)
