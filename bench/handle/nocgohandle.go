//go:build !cgo

package handle

var withCgo []way
