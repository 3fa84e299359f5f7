//go:build go1.25 && (linux || darwin || windows)

// A Go that is newer than the offsets gets this file too, but never a direct call: mode.go sees to that.
#include "offsets_go125.h"
#include "call_arm64.h"
