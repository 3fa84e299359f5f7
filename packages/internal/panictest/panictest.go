// Package panictest helps tests of functions that should panic.
package panictest

import "rustgo.dev/go/rt"

// Panic calls f and returns the Rust panic that ended f, or nil if f returned. Any other panic continues.
func Panic(f func()) (p *rt.Panic) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *rt.Panic:
			p = v
		default:
			panic(v)
		}
	}()
	f()
	return nil
}

// Message calls f and returns the message of the Rust panic that ended f, or "" if f returned.
func Message(f func()) string {
	if p := Panic(f); p != nil {
		return p.Message
	}
	return ""
}
