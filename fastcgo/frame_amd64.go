package fastcgo

// These constants are offsets from SP in the frames of boundFrame and boundGo (call_amd64.h). Go passes nine integers in registers and the others
// above the return address.
const (
	frameKept   = 16
	frameBlock  = 120
	frameInts   = 392
	frameFloats = 464
	frameStack  = 544
	goInts      = 9
	plainInts   = 6
)
