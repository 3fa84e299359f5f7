//go:build go1.24 && !go1.25 && (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import "runtime"

// offsets are those of offsets_go124.h, and some that only the start-up check uses.
var offsets = func() layout {
	l := layout{gStackLo: 0, gM: 48, gSchedSP: 56, gSchedPC: 64, gThrowsplit: 191, mG0: 0, mCurg: 192}
	if runtime.GOOS == "windows" {
		l.mCurg = 144
		l.seenPC, l.seenSP, l.libcallg = 832, 840, 848
	} else {
		l.seenPC, l.seenSP = 912, 904
	}
	return l
}()
