//go:build race

package fastcgo

const raceEnabled = true
