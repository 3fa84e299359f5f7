//go:build handlesteps

package handle

// stepped is called before each access to memory that other goroutines access too, unless it is nil.
var stepped func()

func step() {
	if stepped != nil {
		stepped()
	}
}
