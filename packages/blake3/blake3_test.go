package blake3_test

import (
	"bytes"
	"encoding/hex"
	"testing"

	"rustgo.dev/packages/blake3"
	"rustgo.dev/packages/internal/panictest"
)

// input returns the input of the official test vectors: 0, 1, … 250, 0, 1, …
func input(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i % 251)
	}
	return b
}

const (
	key     = "whats the Elvish word for friend"
	context = "BLAKE3 2019-12-27 16:29:52 test vectors context"
)

// vectors are from test_vectors.json of the BLAKE3 repository: the first 32 bytes of each output.
var vectors = []struct {
	length               int
	hash, keyed, derived string
}{
	{0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262", "92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26", "2cc39783c223154fea8dfb7c1b1660f2ac2dcbd1c1de8277b0b0dd39b7e50d7d"},
	{1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213", "6d7878dfff2f485635d39013278ae14f1454b8c0a3a2d34bc1ab38228a80c95b", "b3e2e340a117a499c6cf2398a19ee0d29cca2bb7404c73063382693bf66cb06c"},
	{1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11", "c951ecdf03288d0fcc96ee3413563d8a6d3589547f2c2fb36d9786470f1b9d6e", "74a16c1c3d44368a86e1ca6df64be6a2f64cce8f09220787450722d85725dea5"},
	{1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7", "75c46f6f3d9eb4f55ecaaee480db732e6c2105546f1e675003687c31719c7ba4", "7356cd7720d5b66b6d0697eb3177d9f8d73a4a5c5e968896eb6a689684302706"},
	{1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444", "357dc55de0c7e382c900fd6e320acc04146be01db6a8ce7210b7189bd664ea69", "effaa245f065fbf82ac186839a249707c3bddf6d3fdda22d1b95a3c970379bcb"},
	{2048, "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a", "879cf1fa2ea0e79126cb1063617a05b6ad9d0b696d0d757cf053439f60a99dd1", "7b2945cb4fef70885cc5d78a87bf6f6207dd901ff239201351ffac04e1088a23"},
	{2049, "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030", "9f29700902f7c86e514ddc4df1e3049f258b2472b6dd5267f61bf13983b78dd5", "2ea477c5515cc3dd606512ee72bb3e0e758cfae7232826f35fb98ca1bcbdf273"},
	{3073, "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3", "68dede9bef00ba89e43f31a6825f4cf433389fedae75c04ee9f0cf16a427c95a", "72613c9ec9ff7e40f8f5c173784c532ad852e827dba2bf85b2ab4b76f7079081"},
	{4097, "9b4052b38f1c5fc8b1f9ff7ac7b27cd242487b3d890d15c96a1c25b8aa0fb995", "00df940cd36bb9fa7cbbc3556744e0dbc8191401afe70520ba292ee3ca80abbc", "aca51029626b55fda7117b42a7c211f8c6e9ba4fe5b7a8ca922f34299500ead8"},
	{5121, "628bd2cb2004694adaab7bbd778a25df25c47b9d4155a55f8fbd79f2fe154cff", "6ccf1c34753e7a044db80798ecd0782a8f76f33563accaddbfbb2e0ea4b2d024", "b07f01e518e702f7ccb44a267e9e112d403a7b3f4883a47ffbed4b48339b3c34"},
	{7169, "a003fc7a51754a9b3c7fae0367ab3d782dccf28855a03d435f8cfe74605e7817", "ed9b1a922c046fdb3d423ae34e143b05ca1bf28b710432857bf738bcedbfa511", "554b0a5efea9ef183f2f9b931b7497995d9eb26f5c5c6dad2b97d62fc5ac31d9"},
}

func TestOfficialVectors(t *testing.T) {
	for _, v := range vectors {
		var dst [32]byte
		blake3.Sum256(&dst, input(v.length))
		if got := hex.EncodeToString(dst[:]); got != v.hash {
			t.Errorf("hash of %d bytes: got %s, want %s", v.length, got, v.hash)
		}
		blake3.KeyedSum256(&dst, (*[32]byte)([]byte(key)), input(v.length))
		if got := hex.EncodeToString(dst[:]); got != v.keyed {
			t.Errorf("keyed hash of %d bytes: got %s, want %s", v.length, got, v.keyed)
		}
		blake3.DeriveKey(&dst, context, input(v.length))
		if got := hex.EncodeToString(dst[:]); got != v.derived {
			t.Errorf("key derived from %d bytes: got %s, want %s", v.length, got, v.derived)
		}
	}
}

func TestOfficialExtendedOutput(t *testing.T) {
	const want = "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444f4c4a22b4b399155358a994e52bf255de60035742ec71bd08ac275a1b51cc6bfe332b0ef84b409108cda080e6269ed4b3e2c3f7d722aa4cdc98d16deb554e5627be8f955c98e1d5f9565a9194cad0c4285f93700062d9595adb992ae68ff12800ab67a"
	for n := range len(want)/2 + 1 {
		dst := make([]byte, n+1)
		blake3.XOF(dst[:n], input(1025))
		if got := hex.EncodeToString(dst[:n]); got != want[:2*n] || dst[n] != 0 {
			t.Errorf("%d bytes of output: got %s (then %d)", n, got, dst[n])
		}
	}
}

func TestNilMessageIsEmpty(t *testing.T) {
	var dst, empty [32]byte
	blake3.Sum256(&dst, nil)
	blake3.Sum256(&empty, []byte{})
	if dst != empty || hex.EncodeToString(dst[:]) != vectors[0].hash {
		t.Errorf("got %x and %x", dst, empty)
	}
	blake3.XOF(nil, nil)
}

// TestUnalignedMessages hashes the same bytes at every offset from an alignment of 64.
func TestUnalignedMessages(t *testing.T) {
	msg := input(7169)
	for offset := range 64 {
		b := append(make([]byte, offset), msg...)
		var dst [32]byte
		blake3.Sum256(&dst, b[offset:])
		if got := hex.EncodeToString(dst[:]); got != vectors[len(vectors)-1].hash {
			t.Errorf("offset %d: got %s", offset, got)
		}
	}
}

func FuzzExtendedOutputBeginsWithTheHash(f *testing.F) {
	f.Add([]byte("abc"), uint16(100))
	f.Fuzz(func(t *testing.T, msg []byte, n uint16) {
		var sum [32]byte
		blake3.Sum256(&sum, msg)
		long := make([]byte, n)
		blake3.XOF(long, msg)
		short := min(len(long), len(sum))
		if !bytes.Equal(long[:short], sum[:short]) {
			t.Errorf("%x: the hash is %x, the extended output %x", msg, sum, long)
		}
	})
}

func TestPanics(t *testing.T) {
	var dst [32]byte
	b := make([]byte, 100)
	for want, f := range map[string]func(){
		"nil pointer passed for parameter dst": func() { blake3.Sum256(nil, b) },
		"nil pointer passed for parameter key": func() { blake3.KeyedSum256(&dst, nil, b) },
		"parameters dst and msg overlap":       func() { blake3.Sum256((*[32]byte)(b[50:]), b) },
		"parameters dst and key overlap":       func() { blake3.KeyedSum256(&dst, &dst, b) },
	} {
		if got := panictest.Message(f); got != want {
			t.Errorf("got panic %q, want %q", got, want)
		}
	}
	if p := panictest.Panic(func() { blake3.DeriveKey(&dst, "\xff", nil) }); p == nil {
		t.Error("a context that is not UTF-8 should panic")
	}
}

func BenchmarkSum256(b *testing.B) {
	for _, size := range []int{64, 1 << 10, 16 << 10, 1 << 20} {
		b.Run(sizeName(size), func(b *testing.B) {
			msg := input(size)
			var dst [32]byte
			b.SetBytes(int64(size))
			for range b.N {
				blake3.Sum256(&dst, msg)
			}
		})
	}
}

func sizeName(n int) string {
	return map[int]string{64: "64B", 1 << 10: "1KiB", 16 << 10: "16KiB", 1 << 20: "1MiB"}[n]
}
