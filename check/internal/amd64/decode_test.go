package amd64

import (
	"os"
	"testing"

	"golang.org/x/arch/x86/x86asm"
	"rustgo.dev/check/internal/insn"
	"rustgo.dev/check/internal/object"
)

func TestX(t *testing.T) {
	for _, p := range []string{"xxh3", "regex", "json", "zstd", "aesgcm", "blake3", "mlkem768", "x25519", "ed25519", "edwards25519"} {
		b, _ := os.ReadFile("/tmp/chk/amd64/" + p + "/x.a")
		m, _ := object.Assembled(b)
		for _, o := range m {
			f, err := object.Read(o)
			if err != nil {
				t.Fatal(err)
			}
			n, unknown, bad := 0, map[string]int{}, 0
			for _, s := range f.Symbols {
				if s.Kind != object.Text {
					continue
				}
				for at := 0; at < len(s.Data); {
					in, err := Decode(s.Data, at, make([]insn.Effect, 0, 8))
					x, err2 := x86asm.Decode(s.Data[at:], 64)
					if err != nil {
						unknown[err.Error()]++
						if err2 != nil {
							break
						}
						at += x.Len
						continue
					}
					if err2 == nil && x.Len != in.Len && bad < 5 {
						bad++
						t.Logf("%s+%d: % x: %d, x86asm %d %v", s.Name, at, s.Data[at:at+in.Len], in.Len, x.Len, x)
					}
					n++
					at += in.Len
				}
			}
			t.Log(p, n, unknown)
		}
	}
}
