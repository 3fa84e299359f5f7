//go:build (race || handleshared || go1.28) && !handlesteps

package handle

// pin returns -1, which means that the goroutine is on no processor with a list. This file is for builds with the race detector, which cannot know
// that goroutines pinned to one processor run one after the other; for unverified Go versions; and for tests with the build tag handleshared.
func pin() int { return -1 }

func unpin() {}
