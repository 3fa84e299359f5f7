//go:build cgo && !((darwin || windows) && (amd64 || arm64))

package plain

/*
void rustgo_plain_call(void *call);
int rustgo_plain_known(void);
*/
import "C"

import "unsafe"

// Built reports whether calls can be made.
const Built = true

// Known reports whether plain.c supports the machine's calling convention.
func Known() bool { return C.rustgo_plain_known() != 0 }

// Make makes the call.
func (c *Call) Make() { C.rustgo_plain_call(unsafe.Pointer(c)) }
