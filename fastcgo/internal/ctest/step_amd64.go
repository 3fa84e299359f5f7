package ctest

// Step makes this thread receive a SIGTRAP after each instruction, or ends this.
func Step(on bool)
