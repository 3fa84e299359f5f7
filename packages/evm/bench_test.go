package evm

import "testing"

// BenchmarkAnalyses analyses contracts of 2 and 10 kB.
func BenchmarkAnalyses(b *testing.B) {
	list := codes(b)
	for _, name := range []string{"ERC20", "ERC1155PresetMinterPauser"} {
		code := list[name]
		for _, c := range []struct {
			what string
			call func() error
		}{
			{"selectors", func() error { _, err := Selectors(code); return err }},
			{"functions", func() error { _, err := Functions(code); return err }},
			{"arguments", func() error { _, err := Functions(code, NoMutability); return err }},
			{"mutability", func() error { _, err := Functions(code, NoArguments); return err }},
			{"storage", func() error { _, err := Storage(code); return err }},
			{"instructions", func() error { _, err := Disassemble(code); return err }},
			{"blocks", func() error { _, err := BasicBlocks(code); return err }},
			{"graph", func() error { _, err := ControlFlow(code); return err }},
			{"metadata", func() error { _, err := ReadMetadata(code); return err }},
		} {
			b.Run(name+"/"+c.what, func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					if err := c.call(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
