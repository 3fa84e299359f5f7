//go:build go1.25 && (linux || darwin || windows)

// Go versions newer than the known offsets also get this file, but mode.go never lets them make a direct call.
#include "offsets_go125.h"
#include "call_arm64.h"
