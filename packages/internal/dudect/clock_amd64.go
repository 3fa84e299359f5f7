package main

const clockUnit = "cycles of the time stamp counter"

// now reads the time stamp counter. All earlier instructions have finished before the reading, and no later instruction has started.
//
//go:noescape
func now() uint64
