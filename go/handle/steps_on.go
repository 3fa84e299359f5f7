//go:build handlesteps

package handle

// stepped is called before each access to memory that others access too, if it is not nil.
var stepped func()

func step() {
	if stepped != nil {
		stepped()
	}
}
