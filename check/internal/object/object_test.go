package object

import (
	"os"
	"testing"
)

func TestX(t *testing.T) {
	for _, a := range []string{"amd64", "arm64"} {
		for _, p := range []string{"xxh3", "regex"} {
			b, _ := os.ReadFile("/tmp/chk/" + a + "/" + p + "/x.a")
			m, err := Assembled(b)
			if err != nil {
				t.Fatal(err)
			}
			for n, o := range m {
				f, err := Read(o)
				if err != nil {
					t.Fatal(err)
				}
				k := map[Kind]int{}
				for _, s := range f.Symbols {
					k[s.Kind]++
				}
				t.Log(a, p, n, f.Arch, len(f.Symbols), k)
				for i, s := range f.Symbols {
					if s.Kind == Text && i < 40 && len(s.Depths) < 12 {
						t.Log(s.Name, s.Local, s.Size, len(s.Data), s.Align, s.Relocs, s.Depths)
					}
				}
			}
		}
	}
}
