//go:build (amd64 || arm64) && (!linux || go1.28 || rustgo_ordinary)

// In this build blocking calls are ordinary calls: the system is not Linux, rustgo does not know this version of Go, or the build tag rustgo_ordinary
// is set.

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
