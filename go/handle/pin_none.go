//go:build (race || handleshared || go1.28) && !handlesteps

package handle

// pin returns -1, which means that the goroutine is on no processor with a list. The race detector cannot know that goroutines pinned to one
// processor run one after the other. The build tag handleshared is for tests.
func pin() int { return -1 }

func unpin() {}
