//go:build cgo && linux

package ccall

/*
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

// SIGPROF is blocked until this handler returns, and so arrives before the next instruction.
static void on_trap(int sig) { syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGPROF); }

static struct sigaction before;
static int profile_traps(void) {
	struct sigaction sa = {.sa_handler = on_trap, .sa_flags = SA_ONSTACK | SA_RESTART};
	sigfillset(&sa.sa_mask);
	return sigaction(SIGTRAP, &sa, &before);
}
static int restore_traps(void) { return sigaction(SIGTRAP, &before, 0); }
*/
import "C"

// ProfileTraps turns each SIGTRAP into a SIGPROF of the same thread at the same instruction, until restore is called.
func ProfileTraps() (restore func()) {
	if C.profile_traps() != 0 {
		panic("sigaction fails")
	}
	return func() { C.restore_traps() }
}
