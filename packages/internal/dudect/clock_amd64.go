package main

const clockUnit = "cycles of the time stamp counter"

// now reads the time stamp counter. All earlier instructions have finished before, and no later one has started.
//
//go:noescape
func now() uint64
