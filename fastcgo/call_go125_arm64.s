//go:build go1.25 && (linux || darwin || windows)

// A Go that is newer than the offsets compiles this file too, but makes no direct call: mode.go ensures that.
#include "offsets_go125.h"
#include "call_arm64.h"
