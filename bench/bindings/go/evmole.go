//go:build linux && amd64 && cgo

package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	wasm "github.com/cdump/evmole/go"
	"rustgo.dev/bench/bindings/evmole"
)

//go:embed contracts/*.hex
var contracts embed.FS

// contractNames are contracts of OpenZeppelin 4.9.6, by size.
var contractNames = []string{"ERC20", "ERC20PresetMinterPauser", "TimelockController", "ERC1155PresetMinterPauser"}

// contract returns the bytecode of a contract, in the form that a deployed contract has.
func contract(name string) []byte {
	text := must(contracts.ReadFile("contracts/" + name + ".hex"))
	return must(hex.DecodeString(string(bytes.ReplaceAll(text, []byte("\n"), nil))))
}

var evmoleLibrary = library{
	name:  "evmole",
	ways:  []string{byRustgo, byWazero},
	rows:  evmoleRows(),
	first: []string{contractNames[3] + ": functions"},
	prepare: func(way, row string) func() int {
		name, what, _ := strings.Cut(row, ": ")
		code, options := contract(name), wasm.Options{Selectors: true}
		if what == "functions" {
			options.Arguments, options.StateMutability = true, true
		}
		switch {
		case way == byWazero:
			return func() int { return len(wazeroContract(code, options).Functions) }
		case what == "functions":
			return func() int { selectors, _, _, _, _ := evmole.Functions(code); return len(selectors) }
		}
		return func() int { return len(evmole.Selectors(code)) }
	},
}

func evmoleRows() (rows []string) {
	for _, what := range []string{"selectors", "functions"} {
		for _, name := range contractNames {
			rows = append(rows, fmt.Sprintf("%s: %s", name, what))
		}
	}
	return rows
}

var wazeroAnalyzer = sync.OnceValue(func() *wasm.Analyzer { return must(wasm.NewAnalyzer(context.Background())) })

// wazeroContract analyses a contract with github.com/cdump/evmole/go.
func wazeroContract(code []byte, options wasm.Options) *wasm.Contract {
	return must(wazeroAnalyzer().ContractInfo(context.Background(), code, options))
}
