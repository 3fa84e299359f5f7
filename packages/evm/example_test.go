package evm_test

import (
	"encoding/hex"
	"fmt"
	"strings"

	"rustgo.dev/packages/evm"
)

func Example() {
	const text = "0x6080604052348015600e575f80fd5b50600436106030575f3560e01c80632125b65b146034578063b69ef8a8146044575b5f80fd5b6044603f3660046046565b505050565b005b" +
		"5f805f606084860312156057575f80fd5b833563ffffffff811681146069575f80fd5b925060208401356001600160a01b03811681146083575f80fd5b915060408401356001600160e01b03811681" +
		"14609d575f80fd5b80915050925092509256"
	code, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil {
		fmt.Println(err)
		return
	}
	functions, err := evm.Functions(code)
	for _, f := range functions {
		fmt.Println(f, "at", f.Offset)
	}
	fmt.Println(err)
	_, err = evm.ReadMetadata(code)
	fmt.Println(err)
	// Output:
	// 0x2125b65b(uint32,address,uint224) pure at 52
	// 0xb69ef8a8() pure at 68
	// <nil>
	// evm: no metadata
}

func ExampleDisassemble() {
	code := []byte{0x60, 0x80, 0x60, 0x40, 0x52, 0xfe}
	instructions, err := evm.Disassemble(code)
	for _, i := range instructions {
		fmt.Printf("%d: %v\n", i.Offset, i)
	}
	fmt.Println(err)
	// Output:
	// 0: PUSH1 0x80
	// 2: PUSH1 0x40
	// 4: MSTORE
	// 5: INVALID
	// <nil>
}

func ExampleControlFlow() {
	code, err := hex.DecodeString("60016008576000005b600056")
	if err != nil {
		fmt.Println(err)
		return
	}
	graph, err := evm.ControlFlow(code)
	for _, b := range graph {
		fmt.Println(b.Range, b.Exit, b.To, b.Else)
	}
	fmt.Println(err)
	// Output:
	// {0 4} branch [8] 5
	// {5 7} success [] -1
	// {8 11} failure [] -1
	// <nil>
}
