//go:build linux && (amd64 || arm64) && !go1.28 && !rustgo_ordinary

// runtime.entersyscall records SP, PC and frame pointer of its caller, and runtime.exitsyscall compares the recorded SP with the SP of its own
// caller. enterState and leaveState jump to these functions, so both functions see the caller of enterState or leaveState as their caller.

#include "textflag.h"
#include "funcdata.h"

// func enterState()
TEXT ·enterState(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	JMP runtime·entersyscall(SB)

// func leaveState()
TEXT ·leaveState(SB), NOSPLIT|NOFRAME, $0-0
	NO_LOCAL_POINTERS
	JMP runtime·exitsyscall(SB)
