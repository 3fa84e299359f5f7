//go:build amd64 || arm64

package rt

import (
	"runtime"
	"testing"
)

//go:noinline
func deepStack(levels int) (sum byte) {
	var block [1000]byte
	block[levels%1000] = byte(levels)
	if levels > 0 {
		sum = deepStack(levels - 1)
	}
	return sum + block[levels%999]
}

// The result of StackUsed grows with the number of frames, and includes at least the frames' variables.
func TestStackUsedCountsFrames(t *testing.T) {
	shallow, deeper := StackUsed(1<<20, func() { deepStack(10) }), StackUsed(1<<20, func() { deepStack(110) })
	if shallow < 11*1000 || shallow > 11*1000*4 {
		t.Errorf("11 frames of 1000 bytes used %d bytes", shallow)
	}
	if more := deeper - shallow; more < 100*1000 || more > 100*1000*4 {
		t.Errorf("100 more frames of 1000 bytes used %d more bytes", more)
	}
}

func TestStackUsedAnEmptyCallIsSmall(t *testing.T) {
	if used := StackUsed(64<<10, func() {}); used > 16<<10 {
		t.Errorf("an empty call used %d bytes", used)
	}
}

// A garbage collection that runs during f must not shrink the stack, for any room.
func TestStackUsedAfterCollections(t *testing.T) {
	for room := 32 << 10; room <= 16<<20; room += room/3 + 100 {
		used := StackUsed(room, func() {
			deepStack(10)
			for range 3 {
				runtime.GC()
			}
		})
		if used < 11*1000 || used > 16<<10 {
			t.Errorf("room %d: 11 frames of 1000 bytes used %d bytes", room, used)
		}
	}
}

func TestStackUsedRefusesRooms(t *testing.T) {
	for _, room := range []int{-1, 0, 1023, largestRoom + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("room %d is accepted", room)
				}
			}()
			StackUsed(room, func() {})
		}()
	}
}
