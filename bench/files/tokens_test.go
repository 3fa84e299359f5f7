package files

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sugarme/tokenizer/pretrained"
	tiktoken "github.com/tiktoken-go/tokenizer"

	"rustgo.dev/bench/internal/processor"
	"rustgo.dev/packages/tokenizers"
)

// cl100k returns the codec of tiktoken-go for the vocabulary cl100k_base, and a tokenizer.json with the same vocabulary.
var cl100k = sync.OnceValues(func() (tiktoken.Codec, []byte) {
	codec, err := tiktoken.Get(tiktoken.Cl100kBase)
	if err != nil {
		panic(err)
	}
	const size = 100_256
	ranks := make(map[string]int, size)
	tokens := make([]string, size)
	for id := range size {
		token, err := codec.Decode([]uint{uint(id)})
		if err != nil {
			panic(err)
		}
		tokens[id], ranks[token] = token, id
	}
	vocab := make(map[string]int, size)
	var merges [][2]string
	for id, token := range tokens {
		vocab[visible(token)] = id
		if len(token) > 1 {
			left, right := lastMerge(ranks, token, id)
			merges = append(merges, [2]string{visible(left), visible(right)})
		}
	}
	type object = map[string]any
	const pattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	byteLevel := object{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false}
	file, err := json.Marshal(object{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": []any{}, "normalizer": nil,
		"pre_tokenizer": object{"type": "Sequence", "pretokenizers": []object{
			{"type": "Split", "pattern": object{"Regex": pattern}, "behavior": "Isolated", "invert": false}, byteLevel,
		}},
		"post_processor": nil, "decoder": byteLevel,
		"model": object{
			"type": "BPE", "dropout": nil, "unk_token": nil, "continuing_subword_prefix": nil, "end_of_word_suffix": nil, "fuse_unk": false, "byte_fallback": false,
			"ignore_merges": true, "vocab": vocab, "merges": merges,
		},
	})
	if err != nil {
		panic(err)
	}
	return codec, file
})

// visible returns the token with each byte replaced by the visible character that GPT-2 writes for it.
func visible(token string) string {
	var b strings.Builder
	for _, c := range []byte(token) {
		r := rune(c)
		switch {
		case c <= 0x20:
			r = 0x100 + rune(c)
		case c >= 0x7f && c <= 0xa0:
			r = 0x121 + rune(c-0x7f)
		case c == 0xad:
			r = 0x143
		}
		b.WriteRune(r)
	}
	return b.String()
}

// lastMerge returns the two tokens that a byte pair encoding merges last to make a token.
func lastMerge(ranks map[string]int, token string, rank int) (string, string) {
	parts := strings.Split(token, "")
	if len(parts) != len(token) || strings.ContainsFunc(token, func(r rune) bool { return r > 0x7f }) {
		parts = parts[:0]
		for i := range len(token) {
			parts = append(parts, token[i:i+1])
		}
	}
	for len(parts) > 2 {
		best, at := math.MaxInt, -1
		for i := range len(parts) - 1 {
			if r, ok := ranks[parts[i]+parts[i+1]]; ok && r < min(best, rank) {
				best, at = r, i
			}
		}
		if at < 0 {
			panic(fmt.Sprintf("no merges for %q", token))
		}
		parts[at] += parts[at+1]
		parts = slices.Delete(parts, at+1, at+2)
	}
	return parts[0], parts[1]
}

// prose returns text, source code and texts in other scripts, from files of this repository.
func prose(tb testing.TB) string {
	var text []byte
	for _, name := range []string{"../../docs/guide.md", "../../docs/types.md", "xlsx_test.go", "../../packages/tokenizers/testdata/texts.json"} {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		text = append(text, data...)
	}
	return string(text)
}

// lengths are the lengths of texts that the benchmarks encode.
var lengths = []struct {
	name string
	len  int
}{{"50B", 50}, {"1kB", 1000}, {"100kB", 100_000}}

// A counter encodes a text and returns the number of tokens.
type counter struct {
	name  string
	count func(text string) (int, error)
}

func rustgoCounters(file []byte) ([]counter, error) {
	t, err := tokenizers.FromBytes(file)
	if err != nil {
		return nil, err
	}
	var ids []uint32
	return []counter{
		{"rustgo-ids", func(text string) (int, error) {
			var err error
			ids, err = t.AppendIDs(ids[:0], text, true)
			return len(ids), err
		}},
		{"rustgo-encode", func(text string) (int, error) {
			e, err := t.Encode(text)
			if err != nil {
				return 0, err
			}
			return e.Len(), nil
		}},
	}, nil
}

// BenchmarkTokens encodes texts with the vocabulary cl100k, and with a small vocabulary of BERT's kind. It measures sugarme/tokenizer only with the
// latter: this package splits texts by Go's regular expressions, which have no (?!\S), so it finds other tokens of cl100k.
func BenchmarkTokens(b *testing.B) {
	text := prose(b)
	codec, file := cl100k()
	counters, err := rustgoCounters(file)
	if err != nil {
		b.Fatal(err)
	}
	counters = append(counters, counter{"tiktoken-go", func(text string) (int, error) {
		ids, _, err := codec.Encode(text)
		return len(ids), err
	}}, counter{"tiktoken-go-count", codec.Count})
	benchmarkCounters(b, "cl100k", text, counters)
	file = tokenizerFile(b, "wordpiece")
	if counters, err = rustgoCounters(file); err != nil {
		b.Fatal(err)
	}
	other, err := pretrained.FromReader(bytes.NewReader(file))
	if err != nil {
		b.Fatal(err)
	}
	benchmarkCounters(b, "wordpiece", text, append(counters, counter{"sugarme", func(text string) (int, error) {
		e, err := other.EncodeSingle(text, true)
		if err != nil {
			return 0, err
		}
		return len(e.Ids), nil
	}}))
}

func tokenizerFile(tb testing.TB, name string) []byte {
	file, err := os.ReadFile(filepath.Join("../../packages/tokenizers/testdata", name+".json"))
	if err != nil {
		tb.Fatal(err)
	}
	return file
}

func benchmarkCounters(b *testing.B, vocabulary, text string, counters []counter) {
	for _, size := range lengths {
		part := strings.ToValidUTF8(text[:min(size.len, len(text))], "")
		for _, c := range counters {
			b.Run(vocabulary+"/"+size.name+"/"+c.name, func(b *testing.B) {
				b.SetBytes(int64(len(part)))
				b.ReportAllocs()
				worked := processor.Time()
				for range b.N {
					if n, err := c.count(part); err != nil || n == 0 {
						b.Fatal(n, err)
					}
				}
				processor.Report(b, processor.Time()-worked, b.N)
			})
		}
	}
}

// BenchmarkTokensOpen reads a file with the vocabulary cl100k, and a smaller one.
func BenchmarkTokensOpen(b *testing.B) {
	_, file := cl100k()
	for _, c := range []struct {
		name string
		open func() error
	}{
		{"cl100k/rustgo", func() error { _, err := tokenizers.FromBytes(file); return err }},
		{"anthropic/rustgo", func() error { _, err := tokenizers.FromBytes(tokenizerFile(b, "anthropic")); return err }},
		{"anthropic/sugarme", func() error {
			_, err := pretrained.FromReader(bytes.NewReader(tokenizerFile(b, "anthropic")))
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				if err := c.open(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTokensParallel shares one tokenizer between goroutines: go test -bench TokensParallel -cpu 1,2 .
func BenchmarkTokensParallel(b *testing.B) {
	_, file := cl100k()
	t, err := tokenizers.FromBytes(file)
	if err != nil {
		b.Fatal(err)
	}
	text := prose(b)[:1000]
	b.SetBytes(1000)
	b.ResetTimer()
	worked := processor.Time()
	defer func() { processor.Report(b, processor.Time()-worked, b.N) }()
	b.RunParallel(func(pb *testing.PB) {
		var ids []uint32
		for pb.Next() {
			var err error
			if ids, err = t.AppendIDs(ids[:0], text, true); err != nil || len(ids) == 0 {
				b.Error(len(ids), err)
				return
			}
		}
	})
}

// BenchmarkTokensGoroutine encodes each text in a new goroutine, whose stack grows.
func BenchmarkTokensGoroutine(b *testing.B) {
	_, file := cl100k()
	t, err := tokenizers.FromBytes(file)
	if err != nil {
		b.Fatal(err)
	}
	text := prose(b)[:1000]
	ids := make([]uint32, 0, 1000)
	b.SetBytes(1000)
	b.ResetTimer()
	worked := processor.Time()
	defer func() { processor.Report(b, processor.Time()-worked, b.N) }()
	for range b.N {
		done := make(chan error)
		go func() {
			var err error
			ids, err = t.AppendIDs(ids[:0], text, true)
			done <- err
		}()
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
}

// TestTokensAgree expects the ids of the other packages, for lines and for a long text.
func TestTokensAgree(t *testing.T) {
	text := prose(t)
	lines := append(strings.SplitAfter(text, "\n"), text[:20_000])
	codec, file := cl100k()
	tokenizer, err := tokenizers.FromBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		want, _, err := codec.Encode(line)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tokenizer.AppendIDs(nil, line, true)
		if err != nil || !slices.EqualFunc(got, want, func(a uint32, b uint) bool { return uint(a) == b }) {
			t.Errorf("tiktoken-go, %.80q: %d, not %d: %v", line, got, want, err)
		}
	}
	file = tokenizerFile(t, "wordpiece")
	if tokenizer, err = tokenizers.FromBytes(file); err != nil {
		t.Fatal(err)
	}
	other, err := pretrained.FromReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, line := range lines {
		// sugarme/tokenizer keeps accents and does not find special tokens, unlike Hugging Face's Python package. So the test skips lines with
		// either.
		if strings.TrimSpace(line) == "" || strings.ContainsFunc(line, func(r rune) bool { return r > 0x7f }) || strings.Contains(line, "[MASK]") {
			continue
		}
		compared++
		want, err := other.EncodeSingle(line, true)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tokenizer.AppendIDs(nil, line, true)
		if err != nil || !slices.EqualFunc(got, want.Ids, func(a uint32, b int) bool { return int(a) == b }) {
			t.Errorf("sugarme, %.80q: %d, not %d: %v", line, got, want.Ids, err)
		}
	}
	if compared < 1000 {
		t.Errorf("%d lines compared", compared)
	}
}
