//go:build handlesteps

package handle

// If stepped is not nil, it is called before each access to memory that other goroutines access too.
var stepped func()

func step() {
	if stepped != nil {
		stepped()
	}
}
