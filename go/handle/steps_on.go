//go:build handlesteps

package handle

// stepped, if not nil, is called before each access to memory that other goroutines access too.
var stepped func()

func step() {
	if stepped != nil {
		stepped()
	}
}
