package main

const clockUnit = "cycles of the time stamp counter"

// now reads the time stamp counter, after all instructions before it and before all after it.
//
//go:noescape
func now() uint64
