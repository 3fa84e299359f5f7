package fastcgo

// Where boundFrame in call_amd64.h keeps things, from its SP, and how Go passes integers: nine in registers, more above the
// return address.
const (
	frameBlock  = 0
	frameInts   = 272
	frameFloats = 344
	frameStack  = 424
	goInts      = 9
	plainInts   = 6
)
