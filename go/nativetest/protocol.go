package nativetest

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// version equals the version in crates/native/src/protocol.rs. That file describes the messages and the constants below.
const version = 3

const (
	askDescribe = iota
	askCall
	askForget
	askClose
	askZero
)

// These constants are the kinds of answers.
const (
	text = iota
	panics
	misunderstood
)

const (
	placeNil = iota
	placeFresh
	placeShared
	placeObject
	placeZero
)

// description is the native program's list of the crate's exports.
type description struct {
	Version   int
	Exports   []export
	Constants []constant
}

type export struct {
	Number  uint32
	Name    string
	Params  []field
	Results []field

	// function is the Go function for the export, from the Go package under test.
	function reflect.Value
}

type constant struct {
	Name string
	Type *typ
	Text string
}

type field struct {
	Name string
	Type *typ
}

type variant struct {
	Name   string
	Fields []field
}

// typ is a type in the form of the schema (crates/schema).
type typ struct {
	Kind    string
	Name    string
	Mutable bool
	Single  bool
	Plain   bool
	Len     int
	Flags   uint64
	Elem    *typ
	Fields  []field
	Cases   []variant
	Values  []string
	Items   []*typ
}

// describe requests the description.
func (n *native) describe(t *testing.T) description {
	t.Helper()
	a, err := n.askWithin(time.Minute, []byte{askDescribe}) // the time includes the start of the program
	if err != nil {
		t.Fatal(err)
	}
	if a.kind != text {
		t.Fatalf("the native program has no description: %s", a.text)
	}
	var d description
	if err := json.Unmarshal([]byte(a.text), &d); err != nil {
		t.Fatalf("the description of the exports: %v", err)
	}
	if d.Version != version {
		t.Fatalf("the native program speaks version %d of the protocol, and this test version %d: use one version of rustgo and rustgo-support", d.Version, version)
	}
	return d
}

// object returns t if t is an object type, or the object type to which t points. taken reports whether a call consumes the object.
func (t *typ) object() (of *typ, taken bool) {
	switch {
	case t.Kind == "object":
		return t, t.Len == 0
	case t.Kind == "pointer" && t.Elem.Kind == "object":
		return t.Elem, false
	}
	return nil, false
}

// flagZero is a flag of an object type: the zero value in Go is the default value of the Rust type (object::ZERO of crates/schema).
const flagZero = 4

// isZero reports whether the zero value in Go is a usable object.
func (t *typ) isZero() bool { return t.Kind == "object" && t.Len > 0 && t.Flags&flagZero != 0 }

// makes returns the object types that a result of type t contains.
func (t *typ) makes() []*typ {
	var all []*typ
	if t.Kind == "object" {
		all = append(all, t)
	}
	if t.Elem != nil {
		all = append(all, t.Elem.makes()...)
	}
	for _, item := range t.Items {
		all = append(all, item.makes()...)
	}
	return all
}

func (e *export) hasObjects() bool {
	for _, p := range e.Params {
		if of, _ := p.Type.object(); of != nil {
			return true
		}
	}
	for _, r := range e.Results {
		if len(r.Type.makes()) > 0 {
			return true
		}
	}
	return false
}
