//go:build go1.24 && !go1.25 && (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

// offsetsOf returns the offsets in offsets_go124.h for a system (linux, darwin or windows), and other offsets that only the start-up check uses.
func offsetsOf(system string) layout {
	l := layout{gStackLo: 0, gM: 48, gSchedSP: 56, gSchedPC: 64, gThrowsplit: 191, mG0: 0, mCurg: 192, mLockedg: 368, mLockedExt: 632, mProfStack: 712}
	if system == "windows" {
		l.mCurg, l.mLockedg, l.mLockedExt, l.mProfStack = l.mCurg-48, l.mLockedg-48, l.mLockedExt-48, l.mProfStack-48
		l.seenPC, l.seenSP, l.libcallg = 832, 840, 848
	} else {
		l.seenPC, l.seenSP = 912, 904
	}
	l.mChacha8 = map[string]uintptr{"linux": 1632, "darwin": 1736, "windows": 1672}[system]
	return l
}
