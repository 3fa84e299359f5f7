package main

import (
	"context"
	"syscall"
	"time"
)

// sleep waits without Go's timers: those of a process that has nothing else to do are up to a millisecond late on Linux, because it then
// waits in epoll_wait. That would be in each latency of the open loop.
func sleep(ctx context.Context, d time.Duration) {
	for end := time.Now().Add(d); d > 0 && ctx.Err() == nil; d = time.Until(end) {
		// In pieces, so that it ends when ctx does.
		t := syscall.NsecToTimespec(int64(min(d, 50*time.Millisecond)))
		syscall.Nanosleep(&t, nil)
	}
}
