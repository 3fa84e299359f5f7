//go:build (amd64 || arm64) && (!linux || go1.28 || rustgo_ordinary)

// Here blocking calls are ordinary calls: the runtime's functions are not tested, or the build tag rustgo_ordinary is set.

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
