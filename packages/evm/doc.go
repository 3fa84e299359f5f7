// Package evm analyses the bytecode of contracts for the Ethereum Virtual Machine: their functions with argument types and state mutability, the layout
// of their storage, their control flow, and the metadata of the compiler. The analyses are the Rust crate evmole.
//
//	code, err := hex.DecodeString(strings.TrimPrefix(text, "0x")) // text is the result of eth_getCode
//	functions, err := evm.Functions(code)
//	for _, f := range functions {
//		fmt.Println(f) // 0xa9059cbb(address,uint256) nonpayable
//	}
//
// The code is the runtime code of a contract, as eth_getCode returns it, in bytes. Hexadecimal digits, with or without 0x, must be decoded before: as bytes
// they are other, meaningless code. Creation code has to be run first; only the constructor knows which part of it becomes the contract.
//
// # What the results mean
//
// Bytecode has neither names nor types. The crate runs the code on symbolic arguments and draws conclusions from what the code does with them. So argument
// types, state mutability and storage are good guesses, not facts: an argument that the code does not use is missing or uint256, for example. Any bytes are
// code. For code without a dispatcher that the crate recognises, such as that of a proxy, there are no functions and no error.
//
// # Hostile code
//
// Each analysis except [Disassemble], [BasicBlocks] and [ReadMetadata] runs the code. It ends, because the crate limits gas and steps, but these do not count the
// time and the memory that the analysis needs. Real contracts take milliseconds. Code made for the purpose takes minutes to hours, or gigabytes, and a
// call cannot be cancelled. Analyse code from strangers in a process of its own, with a limit of time, and call [rustgo.dev/go/rt.SetMemoryLimit] there: if the
// memory does not suffice, the error is [ErrMemory].
//
// # Goroutines
//
// All functions may be called by any number of goroutines at the same time.
package evm

//go:generate rustgo build --crate rust
