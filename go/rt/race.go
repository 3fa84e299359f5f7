//go:build race

package rt

// RaceEnabled says whether the program was built with the race detector.
const RaceEnabled = true
