//go:build (race || handleshared || go1.28) && !handlesteps

package handle

// pin returns -1: no processor has lists of free numbers in this build. This file is for three kinds of builds: with the race detector, with an
// unverified Go version, and with the build tag handleshared, for tests. (The race detector does not know that goroutines pinned to one processor run
// one after the other.)
func pin() int { return -1 }

func unpin() {}
