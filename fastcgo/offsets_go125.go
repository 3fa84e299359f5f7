//go:build go1.25 && (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import "runtime"

// offsetsOf returns the offsets in offsets_go125.h for a system (linux, darwin or windows), and other offsets that only the start-up check uses.
func offsetsOf(system string) layout {
	l := layout{gStackLo: 0, gM: 48, gSchedSP: 56, gSchedPC: 64, gThrowsplit: 183, mG0: 0, mCurg: 184, mLockedg: 360, mLockedExt: 624, mProfStack: 704}
	version, _, _ := release(runtime.Version())
	if version >= 26 {
		l.mLockedg, l.mLockedExt, l.mProfStack = 384, 648, 736
	}
	if system == "windows" {
		l.mCurg, l.mLockedg, l.mLockedExt, l.mProfStack = l.mCurg-48, l.mLockedg-48, l.mLockedExt-48, l.mProfStack-48
		l.seenPC, l.seenSP, l.libcallg = 824, 832, 840
	} else {
		l.seenPC, l.seenSP = 904, 896
	}
	l.mChacha8 = map[string]uintptr{"linux": 1624, "darwin": 1728, "windows": 1664}[system]
	// m.self is near the end of m. If m.self is at its expected offset, no field was added between it and the start of m.
	switch {
	case version == 26:
		l.mChacha8 = map[string]uintptr{"linux": 1624, "darwin": 1736, "windows": 1712}[system]
		l.mSelf = map[string]uintptr{"linux": 1816, "darwin": 1928, "windows": 1904}[system]
	case version >= 27:
		l.mChacha8 = map[string]uintptr{"linux": 1624, "darwin": 1728, "windows": 1696}[system]
		l.mSelf = map[string]uintptr{"linux": 1824, "darwin": 1928, "windows": 1896}[system]
	}
	return l
}
