//go:build (amd64 || arm64) && (!linux || go1.28 || rustgo_ordinary)

// Systems and versions of Go on which the runtime's functions are not tested, and the build tag rustgo_ordinary: blocking calls are ordinary calls.

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
