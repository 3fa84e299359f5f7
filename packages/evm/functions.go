package evm

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// A Selector identifies a function: the first four bytes of the Keccak-256 hash of its signature.
type Selector [4]byte

// String returns the selector in the form 0xa9059cbb.
func (s Selector) String() string { return "0x" + hex.EncodeToString(s[:]) }

// MarshalText returns the text of String.
func (s Selector) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads eight hexadecimal digits, with or without 0x before them.
func (s *Selector) UnmarshalText(text []byte) error { return unmarshal(s[:], text) }

// unmarshal reads exactly the bytes of dst from hexadecimal digits, with or without 0x before them. If it fails, dst is unchanged.
func unmarshal(dst, text []byte) error {
	digits := strings.TrimPrefix(string(text), "0x")
	data, err := hex.DecodeString(digits)
	if err == nil && len(data) != len(dst) {
		err = fmt.Errorf("%d digits instead of %d", len(digits), 2*len(dst))
	}
	if err != nil {
		return fmt.Errorf("evm: %q: %w", text, err)
	}
	copy(dst, data)
	return nil
}

// Mutability is the state mutability of a function, in the words of Solidity and of its JSON ABI.
type Mutability string

const (
	Pure       Mutability = "pure"       // neither reads nor changes the state
	View       Mutability = "view"       // does not change the state
	NonPayable Mutability = "nonpayable" // may change the state, and refuses ether
	Payable    Mutability = "payable"    // may change the state, and accepts ether
)

// String returns m as a string.
func (m Mutability) String() string { return string(m) }

// mutabilities has the mutability for each number that the Rust code uses. 0 means that it has not been computed.
var mutabilities = [...]Mutability{"", Pure, View, NonPayable, Payable}

// A Function is a function of a contract that a selector calls.
type Function struct {
	Selector Selector
	// Offset is where the code of the function begins: the target of the jump in the dispatcher.
	Offset int
	// Arguments are the types of the arguments as in Solidity: "uint256", "address[]", "(bytes32,string)" for a struct. It is nil if there are none.
	Arguments []string
	// Mutability is Payable if the function does not check that no ether comes with the call, whatever else it does.
	Mutability Mutability
	// Fallback is true if the fallback function of the contract dispatches the selector, as in some proxies.
	Fallback bool
}

// String returns the function in the form 0xa9059cbb(address,uint256) nonpayable.
func (f Function) String() string {
	text := f.Selector.String() + "(" + strings.Join(f.Arguments, ",") + ")"
	if f.Mutability != "" {
		text += " " + f.Mutability.String()
	}
	return text
}

// Selectors returns the selectors of the functions of a contract in ascending order, each once. The result is nil if no dispatcher is found.
func Selectors(code []byte) (found []Selector, err error) {
	defer guard(&err)
	if err := checkLength(code); err != nil {
		return nil, err
	}
	for _, s := range selectors(code) {
		found = append(found, s)
	}
	return found, nil
}

// An Option of [Functions] leaves something out that takes time.
type Option uint8

const (
	NoArguments  Option = iota // Function.Arguments is nil
	NoMutability               // Function.Mutability is empty
)

// Functions returns the functions of a contract in the ascending order of their selectors, each selector once. The result is nil if no dispatcher is
// found. With both options it takes no longer than [Selectors].
func Functions(code []byte, options ...Option) (found []Function, err error) {
	defer guard(&err)
	if err := checkLength(code); err != nil {
		return nil, err
	}
	withArguments, withMutability := true, true
	for _, o := range options {
		switch o {
		case NoArguments:
			withArguments = false
		case NoMutability:
			withMutability = false
		default:
			panic(fmt.Sprintf("evm: no option %d", o))
		}
	}
	a := answer(functions(code, withArguments, withMutability))
	return list(&a, func(a *answer) Function {
		return Function{
			Selector:   a.selector(),
			Offset:     a.number(),
			Fallback:   a.number() != 0,
			Mutability: mutabilities[a.number()],
			Arguments:  list(a, (*answer).text),
		}
	}), nil
}
