//go:build !handlesteps

package handle

// step is called before each access to memory that other goroutines access too. Without the build tag handlesteps it does nothing. With the tag, a
// test decides in step which goroutine runs next (see interleavings_test.go).
func step() {}
