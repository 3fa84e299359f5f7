package ctest

// Step makes the processor stop after each instruction of this thread, with SIGTRAP, or no longer.
func Step(on bool)
