package nativetest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"reflect"
	"strings"
)

// call is a call that the test makes twice: in Go and in the native program.
type call struct {
	of   *export
	args []argument
	// most is the largest number of items taken from an iterator.
	most int
	// written is the call in Go syntax, as text for messages.
	written string
}

// outcome is the result of a call in Go.
type outcome struct {
	text     string
	place    string // FILE:LINE:COLUMN of a panic, without folders
	panicked bool
}

// call generates the arguments of a call of e. For a parameter that is an object, it takes the argument that objects returns.
func (g *generator) call(e *export, objects func(p field) argument) *call {
	c := &call{of: e, most: 300}
	g.invalid = g.IntN(8) == 0
	if g.mode == mixed && g.IntN(2) == 0 {
		c.most = min(g.length(0), 300)
	}
	ty := e.function.Type()
	for i, p := range e.Params {
		if of, _ := p.Type.object(); of != nil {
			c.args = append(c.args, objects(p))
		} else {
			c.args = append(c.args, g.argument(p, ty.In(i), e.Params, c.args))
		}
	}
	c.written = c.write()
	return c
}

// question returns the message that requests the call from the native program.
func (c *call) question() []byte {
	q := binary.LittleEndian.AppendUint32([]byte{askCall}, c.of.Number)
	q = binary.LittleEndian.AppendUint32(q, uint32(c.most))
	for _, a := range c.args {
		q = append(q, a.encoded...)
	}
	return q
}

// call makes the call in Go. A Rust panic is an ordinary outcome.
func (c *call) call(objects *counter) (o outcome) {
	defer func() {
		if r := recover(); r != nil {
			o = panicOf(r)
		} else if problem := c.guards(); problem != "" {
			o.text += problem
		}
	}()
	in := make([]reflect.Value, len(c.args))
	for i, a := range c.args {
		in[i] = a.value
	}
	out := c.of.function.Call(in)
	var b strings.Builder
	show := func(name string, t *typ, v reflect.Value) {
		s := shower{counter: objects, most: c.most}
		s.value(t, v)
		fmt.Fprintf(&b, "%s = %s\n", name, s.String())
	}
	for _, p := range c.of.Params {
		if p.Type.Kind == "append" {
			show("appended "+p.Name, p.Type, out[0])
			out = out[1:]
		}
	}
	for i, r := range c.of.Results {
		name := r.Name
		if name == "" {
			name = fmt.Sprint(i)
		}
		show("result "+name, r.Type, out[i])
	}
	for i, p := range c.of.Params {
		if of, _ := p.Type.object(); of == nil && (p.Type.Kind == "pointer" || p.Type.Kind == "slice") {
			show(p.Name, p.Type, c.args[i].value)
		}
	}
	return outcome{text: b.String()}
}

// guards describes a write to the memory around the arguments. It returns an empty string if there was no such write.
func (c *call) guards() string {
	for i, a := range c.args {
		for _, g := range a.guards {
			if !g.isWhole() {
				return fmt.Sprintf("%s: memory around the slice was written to\n", c.of.Params[i].Name)
			}
		}
	}
	return ""
}

// rustPanic is implemented by the *rt.Panic of every copy of package rt.
type rustPanic interface {
	RustMessage() string
	RustPosition() (file string, line, column int)
}

func panicOf(r any) outcome {
	o := outcome{panicked: true, text: fmt.Sprintf("(no panic of Rust's) %v", r)}
	if err, ok := r.(error); ok {
		var p rustPanic
		if errors.As(err, &p) {
			o.text = p.RustMessage()
			if file, line, column := p.RustPosition(); file != "" {
				o.place = fmt.Sprintf("%s:%d:%d", path.Base(file), line, column)
			}
		}
	}
	return o
}

// hasLimit reports whether the call exceeded a limit that only Go programs have (stack or heap).
func (o outcome) hasLimit() bool {
	if !o.panicked {
		return false
	}
	for _, limit := range []string{"rust stack budget", "the Rust heap", "rust heap", "out of memory", "memory allocation of"} {
		if strings.HasPrefix(o.text, limit) {
			return true
		}
	}
	return false
}

// String returns the call in Go syntax. The text was written before the call was made.
func (c *call) String() string { return c.written }

func (c *call) write() string {
	var b strings.Builder
	b.WriteString(c.of.Name + "(")
	for i, a := range c.args {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s = ", c.of.Params[i].Name)
		switch {
		case a.object != nil:
			fmt.Fprintf(&b, "*%s#%d", a.object.of.Name, a.object.number)
			if a.unusual {
				b.WriteString(", which is closed")
			}
		case a.value.Kind() == reflect.Pointer && !a.value.IsNil():
			fmt.Fprintf(&b, "&%s", literalOf(a.value.Elem()))
		default:
			b.WriteString(literalOf(a.value))
		}
		if len(a.encoded) > 0 && a.encoded[0] == placeShared && (c.of.Params[i].Type.Kind == "pointer" || c.of.Params[i].Type.Kind == "slice") {
			fmt.Fprintf(&b, " (in the memory of %s)", c.of.Params[a.encoded[1]].Name)
		}
	}
	b.WriteByte(')')
	return shorten(b.String())
}

func literalOf(v reflect.Value) string {
	if !v.CanInterface() {
		return v.String()
	}
	return fmt.Sprintf("%#v", v.Interface())
}
