//go:build race

package rt

// RaceEnabled reports whether the program was built with the race detector.
const RaceEnabled = true
