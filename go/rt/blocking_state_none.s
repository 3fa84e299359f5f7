//go:build (amd64 || arm64) && (!linux || go1.28 || rustgo_ordinary)

// Where nobody has tried the runtime's functions, and with -tags rustgo_ordinary: blocking calls are ordinary ones.

#include "textflag.h"
#include "funcdata.h"

// func enterState()
TEXT ·enterState(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	RET

// func leaveState()
TEXT ·leaveState(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	RET
