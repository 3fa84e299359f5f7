//go:build go1.24 && !go1.25 && (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

// offsetsOf are the offsets of offsets_go124.h on a system, and some that only the start-up check uses.
func offsetsOf(system string) layout {
	l := layout{gStackLo: 0, gM: 48, gSchedSP: 56, gSchedPC: 64, gThrowsplit: 191, mG0: 0, mCurg: 192}
	if system == "windows" {
		l.mCurg = 144
		l.seenPC, l.seenSP, l.libcallg = 832, 840, 848
	} else {
		l.seenPC, l.seenSP = 912, 904
	}
	return l
}
