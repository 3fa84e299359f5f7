package ctest

// Step switches on or off a SIGTRAP after each instruction of this thread.
func Step(on bool)
