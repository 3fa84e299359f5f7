//go:build !handlesteps

package handle

// step stands before each access to memory that others access too. Built with the tag handlesteps it lets a test decide
// who runs next (see interleavings_test.go); otherwise it is nothing.
func step() {}
