// Package rt is what packages made by rustgo need at run time: it turns Rust panics into Go panics.
//
// Nobody calls it directly. A program sees it when Rust code panics: the panic that then unwinds the goroutine is an
// ordinary Go panic whose value is a [*Panic]. Deferred functions run, recover works, and a process that recovers
// nothing prints the message of the Rust panic and a traceback with the Rust frames in it.
//
//	defer func() {
//		if p, ok := recover().(*rt.Panic); ok {
//			log.Printf("%s, at %s:%d", p.Message, p.File, p.Line)
//		}
//	}()
//	q, r := callcost.Divmod(1, 0)
//
// A Rust function that panicked was cut off in the middle, and no Rust destructor has run. What it was writing through
// a pointer or a slice may be half-written; everything else is as it was.
package rt
