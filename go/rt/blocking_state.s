//go:build linux && (amd64 || arm64) && !go1.28 && !rustgo_ordinary

// The runtime's functions by which a goroutine enters and leaves the state of a system call record SP, PC and frame pointer of their caller. enterState
// and leaveState jump to them, so the recorded caller is the caller of enterState or leaveState.

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
