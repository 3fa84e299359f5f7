package fastcgo

// These constants are offsets from SP in the frame of boundFrame (call_amd64.h). Go passes nine integers in registers and the others above the
// return address.
const (
	frameBlock  = 0
	frameInts   = 272
	frameFloats = 344
	frameStack  = 424
	goInts      = 9
	plainInts   = 6
)
