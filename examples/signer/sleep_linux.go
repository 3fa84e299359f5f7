package main

import (
	"context"
	"syscall"
	"time"
)

// sleep waits without Go's timers. In an otherwise idle process on Linux these timers are up to a millisecond late, because the process waits in
// epoll_wait. The delay would be part of each latency in the open loop.
func sleep(ctx context.Context, d time.Duration) {
	for end := time.Now().Add(d); d > 0 && ctx.Err() == nil; d = time.Until(end) {
		// It sleeps in short pieces, so that it ends soon after ctx is done.
		t := syscall.NsecToTimespec(int64(min(d, 50*time.Millisecond)))
		syscall.Nanosleep(&t, nil)
	}
}
