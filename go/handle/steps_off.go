//go:build !handlesteps

package handle

// step is called before each access to memory that other goroutines access too. With the build tag handlesteps a test decides in step which
// goroutine runs next (see interleavings_test.go); without the tag step does nothing.
func step() {}
