//go:build !rustgo_ordinary

package rt_test

const allOrdinary = false
