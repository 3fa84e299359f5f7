//go:build go1.24 && !go1.25 && (linux || darwin || windows)

#include "offsets_go124.h"
#include "call_arm64.h"
