package evm

import (
	"encoding/binary"
	"fmt"
)

// Metadata is what compilers append to the code of a contract: a map in CBOR, and its length in the last two bytes.
type Metadata struct {
	// Offset is where the map begins, and Length its length in bytes.
	Offset, Length int
	// Entries are the entries of the map whose keys are texts, in their order. A key may occur more than once.
	Entries []Entry
}

// An Entry is an entry of the metadata.
type Entry struct {
	Key string
	// Value is a string, a []byte, an int64, a bool, or a [CBOR].
	Value any
}

// CBOR is a value in its original encoding: a list, a map, null, a number with a fraction, or one beyond 2⁵³.
type CBOR []byte

// Get returns the value of the first entry with the key, or nil.
func (m *Metadata) Get(key string) any {
	for _, e := range m.Entries {
		if e.Key == key {
			return e.Value
		}
	}
	return nil
}

// Solc returns the version of the compiler of Solidity in the form 0.8.26, or an empty string if the metadata does not have it. The entry solc has three
// bytes for a release, and a text for any other version.
func (m *Metadata) Solc() string {
	switch v := m.Get("solc").(type) {
	case string:
		return v
	case []byte:
		if len(v) == 3 {
			return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2])
		}
	}
	return ""
}

// The kinds of values that the Rust code returns.
const (
	kindText = iota
	kindBytes
	kindNumber
	kindBool
	kindCBOR
)

// ReadMetadata returns the metadata at the end of the code. If there are none, the cause of the error is [ErrNoMetadata].
func ReadMetadata(code []byte) (m *Metadata, err error) {
	defer guard(&err)
	if err := checkLength(code); err != nil {
		return nil, err
	}
	a := answer(metadata(code))
	if len(a) == 0 {
		return nil, &Error{Err: ErrNoMetadata}
	}
	m = &Metadata{Offset: a.number(), Length: a.number()}
	m.Entries = list(&a, func(a *answer) Entry {
		entry, kind, value := Entry{Key: a.text()}, a.number(), a.bytes()
		switch kind {
		case kindText:
			entry.Value = string(value)
		case kindBytes:
			entry.Value = value
		case kindNumber:
			entry.Value = int64(binary.LittleEndian.Uint64(value))
		case kindBool:
			entry.Value = value[0] != 0
		case kindCBOR:
			entry.Value = CBOR(value)
		}
		return entry
	})
	return m, nil
}
