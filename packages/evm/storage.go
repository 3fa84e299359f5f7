package evm

import "encoding/hex"

// A Slot is the number of a word of 32 bytes in the storage of a contract, the most significant byte first.
type Slot [32]byte

// String returns the slot with all its 64 hexadecimal digits, after 0x.
func (s Slot) String() string { return "0x" + hex.EncodeToString(s[:]) }

// MarshalText returns the text of String.
func (s Slot) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads 64 hexadecimal digits, with or without 0x before them.
func (s *Slot) UnmarshalText(text []byte) error { return unmarshal(s[:], text) }

// A Variable is a variable of a contract in its storage.
type Variable struct {
	// Slot is the word that holds the variable. For a mapping or an array it is the word from which the places of the elements are computed.
	Slot Slot
	// Offset is the number of bytes between the least significant byte of the word and the variable: 0 unless several variables share the word, and at
	// most 31 in code of a compiler.
	Offset int
	// Transient is true for transient storage, which lasts for a transaction (TLOAD, TSTORE).
	Transient bool
	// Type is the type as in Solidity: "address", "mapping(address => uint256)", "bytes32[]".
	Type string
	// Reads and Writes are the functions that read and write the variable, in ascending order. The code of no function, as of a fallback function, is
	// not among them.
	Reads, Writes []Selector
}

// Storage returns the variables of a contract: those in permanent storage, and then those in transient storage; each in the order of slots and offsets.
// The result has the variables that the crate finds uses of; elements of mappings and arrays are no variables of their own.
//
// Storage takes much longer than the other functions: a third of a second for a contract of 8 kB.
func Storage(code []byte) (variables []Variable, err error) {
	defer guard(&err)
	if err := checkLength(code); err != nil {
		return nil, err
	}
	a := answer(storage(code))
	for _, transient := range []bool{false, true} {
		variables = append(variables, list(&a, func(a *answer) Variable {
			return Variable{
				Slot:      Slot(a.bytes()),
				Offset:    a.number(),
				Transient: transient,
				Type:      a.text(),
				Reads:     list(a, (*answer).selector),
				Writes:    list(a, (*answer).selector),
			}
		})...)
	}
	return variables, nil
}
