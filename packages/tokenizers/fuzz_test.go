//go:build amd64 || arm64

package tokenizers

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"rustgo.dev/go/rt"
)

// FuzzFromBytes reads damaged files. A tokenizer that can be read must be able to encode and decode the text. The memory has a limit, because a
// file may demand any amount.
func FuzzFromBytes(f *testing.F) {
	for _, name := range names[1:] {
		data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "The tokenizer splits Grüße <s>")
	}
	f.Add([]byte(`{"version":"1.0","normalizer":{"type":"Replace","pattern":{"Regex":"(a|b)*"},"content":""},"model":{"type":"WordLevel","vocab":{"a":0},"unk_token":"a"}}`), "abab")
	rt.SetMemoryLimit(1 << 30)
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		tokenizer, err := FromBytes(file)
		var e *Error
		if err != nil {
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			return
		}
		defer tokenizer.Close()
		encoding, err := tokenizer.EncodePair(text, "a text", WithoutPadding())
		if err != nil {
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			return
		}
		if n := encoding.Len(); len(encoding.Tokens) != n || len(encoding.TypeIDs) != n || len(encoding.AttentionMask) != n || len(encoding.SpecialTokensMask) != n {
			t.Fatalf("slices of different lengths: %+v", encoding)
		}
		if _, err := tokenizer.Decode(encoding.IDs, true); err != nil && !errors.As(err, &e) {
			t.Fatal(err)
		}
	})
}

// FuzzEncode encodes any text with each tokenizer: Encode and AppendIDs agree, and the ids can be decoded.
func FuzzEncode(f *testing.F) {
	f.Add("The tokenizer splits a text.")
	f.Add("日本語 \xff <s> [MASK]")
	f.Add("a\u0301\u200b\u00a0ﬁ")
	var tokenizers []*Tokenizer
	for _, name := range names {
		tokenizers = append(tokenizers, open(f, name))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for i, tokenizer := range tokenizers {
			encoding, err := tokenizer.Encode(text)
			ids, err2 := tokenizer.AppendIDs(nil, text, true)
			if !utf8.ValidString(text) {
				if !errors.Is(err, ErrUTF8) || !errors.Is(err2, ErrUTF8) {
					t.Fatalf("%s: %v, %v", names[i], err, err2)
				}
				continue
			}
			if err != nil || err2 != nil || !slices.Equal(ids, encoding.IDs) {
				t.Fatalf("%s: %v, %v, %d, %+v", names[i], err, err2, ids, encoding)
			}
			decoded, err := tokenizer.Decode(ids, false)
			if err != nil || !utf8.ValidString(decoded) {
				t.Fatalf("%s: %q, %v", names[i], decoded, err)
			}
		}
	})
}
