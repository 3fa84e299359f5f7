//go:build !race

package fastcgo

const raceEnabled = false
