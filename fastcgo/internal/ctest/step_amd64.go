package ctest

// Step(true) makes this thread receive a SIGTRAP after each instruction. Step(false) ends this.
func Step(on bool)
