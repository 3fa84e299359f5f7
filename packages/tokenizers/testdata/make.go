//go:build ignore

// This program makes the small tokenizers of this folder: go run make.go
//
// The vocabularies are made from all but the last texts. So the texts contain words of one token, words of several tokens, and unknown words.
package main

import (
	"cmp"
	"encoding/json"
	"log"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"unicode"
)

type object = map[string]any

func main() {
	data, err := os.ReadFile("texts.json")
	if err != nil {
		log.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(data, &texts); err != nil {
		log.Fatal(err)
	}
	known := texts[:len(texts)-4] // the last texts have words that no vocabulary contains
	write("wordlevel.json", wordLevel(known))
	write("wordpiece.json", wordPiece(known))
	write("unigram.json", unigram(known))
	write("bytelevel.json", byteLevel(known))
	write("fallback.json", fallback(known))
}

func write(name string, content any) {
	data, err := json.MarshalIndent(content, "", " ")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(name, append(data, '\n'), 0o644); err != nil {
		log.Fatal(err)
	}
}

// words returns the words of texts in lower case, the most frequent first, and how often each word occurs.
func words(texts []string) ([]string, map[string]int) {
	counts := map[string]int{}
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			counts[word]++
		}
	}
	return byCount(counts), counts
}

func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

// ids assigns a number to each distinct token.
func ids(tokens ...[]string) map[string]int {
	all := map[string]int{}
	for _, token := range slices.Concat(tokens...) {
		if _, ok := all[token]; !ok {
			all[token] = len(all)
		}
	}
	return all
}

func special(id int, content string) object {
	return object{"id": id, "content": content, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}
}

func file(added []object, normalizer, preTokenizer, postProcessor, decoder, model any) object {
	return object{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added, "normalizer": normalizer, "pre_tokenizer": preTokenizer,
		"post_processor": postProcessor, "decoder": decoder, "model": model,
	}
}

func wordLevel(texts []string) object {
	list, _ := words(texts)
	vocab := ids([]string{"[UNK]", "[PAD]", ".", ",", "!", "?"}, list)
	return file([]object{special(0, "[UNK]"), special(1, "[PAD]")}, object{"type": "Lowercase"}, object{"type": "Whitespace"}, nil, nil,
		object{"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"})
}

func wordPiece(texts []string) object {
	list, counts := words(texts)
	var whole, parts []string
	for _, word := range list {
		if counts[word] > 1 {
			whole = append(whole, word)
		}
		for _, r := range word {
			if r < 0x250 {
				whole, parts = append(whole, string(r)), append(parts, "##"+string(r))
			}
		}
		if len(word) > 4 {
			parts = append(parts, "##"+word[len(word)-3:])
		}
	}
	parts = slices.DeleteFunc(parts, func(part string) bool {
		return !json.Valid([]byte(`"`+part+`"`)) || strings.ContainsRune(part, unicode.ReplacementChar)
	})
	vocab := ids([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}, strings.Split(".,!?'-()<>|:;\"", ""), whole, parts)
	added := []object{special(0, "[PAD]"), special(1, "[UNK]"), special(2, "[CLS]"), special(3, "[SEP]"), special(4, "[MASK]")}
	return file(added, object{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		object{"type": "BertPreTokenizer"},
		object{
			"type": "TemplateProcessing",
			"single": []object{
				{"SpecialToken": object{"id": "[CLS]", "type_id": 0}}, {"Sequence": object{"id": "A", "type_id": 0}}, {"SpecialToken": object{"id": "[SEP]", "type_id": 0}},
			},
			"pair": []object{
				{"SpecialToken": object{"id": "[CLS]", "type_id": 0}}, {"Sequence": object{"id": "A", "type_id": 0}}, {"SpecialToken": object{"id": "[SEP]", "type_id": 0}},
				{"Sequence": object{"id": "B", "type_id": 1}}, {"SpecialToken": object{"id": "[SEP]", "type_id": 1}},
			},
			"special_tokens": object{
				"[CLS]": object{"id": "[CLS]", "ids": []int{2}, "tokens": []string{"[CLS]"}},
				"[SEP]": object{"id": "[SEP]", "ids": []int{3}, "tokens": []string{"[SEP]"}},
			},
		},
		object{"type": "WordPiece", "prefix": "##", "cleanup": true},
		object{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab})
}

// pieces puts mark before each word. It returns the substrings of up to six characters, the most frequent first.
func pieces(texts []string, mark string, limit int) ([]string, map[string]int) {
	counts := map[string]int{}
	for _, text := range texts {
		for _, word := range strings.Fields(text) {
			runes := []rune(mark + word)
			for i := range runes {
				for j := i + 1; j <= min(i+6, len(runes)); j++ {
					counts[string(runes[i:j])]++
				}
			}
		}
	}
	list := byCount(counts)
	for i, piece := range slices.Backward(list) {
		if len([]rune(piece)) > 1 && (i > limit || counts[piece] < 2) {
			list = slices.Delete(list, i, i+1)
		}
	}
	return list, counts
}

func unigram(texts []string) object {
	list, counts := pieces(texts, "▁", 600)
	vocab := [][2]any{{"<unk>", 0.0}, {"<s>", 0.0}, {"</s>", 0.0}, {"<pad>", 0.0}}
	for _, piece := range list {
		score := math.Log(float64(counts[piece])/10000) - 1/float64(len([]rune(piece)))
		vocab = append(vocab, [2]any{piece, math.Round(score*1e6) / 1e6})
	}
	metaspace := object{"type": "Metaspace", "replacement": "▁", "add_prefix_space": true, "prepend_scheme": "always"}
	return file([]object{special(0, "<unk>"), special(1, "<s>"), special(2, "</s>"), special(3, "<pad>")},
		object{"type": "Sequence", "normalizers": []object{{"type": "Nmt"}, {"type": "NFKC"}, {"type": "Replace", "pattern": object{"Regex": " {2,}"}, "content": " "}}}, metaspace,
		object{
			"type":   "TemplateProcessing",
			"single": []object{{"Sequence": object{"id": "A", "type_id": 0}}, {"SpecialToken": object{"id": "</s>", "type_id": 0}}},
			"pair": []object{
				{"Sequence": object{"id": "A", "type_id": 0}}, {"SpecialToken": object{"id": "</s>", "type_id": 0}},
				{"Sequence": object{"id": "B", "type_id": 0}}, {"SpecialToken": object{"id": "</s>", "type_id": 0}},
			},
			"special_tokens": object{"</s>": object{"id": "</s>", "ids": []int{2}, "tokens": []string{"</s>"}}},
		},
		metaspace, object{"type": "Unigram", "unk_id": 0, "vocab": vocab})
}

// merges learns the pairs of tokens that a byte pair encoding merges, and returns them with the tokens that they make.
func merges(words [][]string, n int) (pairs [][2]string, tokens []string) {
	for range n {
		counts := map[[2]string]int{}
		for _, word := range words {
			for i := range len(word) - 1 {
				counts[[2]string{word[i], word[i+1]}]++
			}
		}
		var best [2]string
		for pair, count := range counts {
			if c := cmp.Or(cmp.Compare(count, counts[best]), cmp.Compare(best[0], pair[0]), cmp.Compare(best[1], pair[1])); count > 1 && c > 0 {
				best = pair
			}
		}
		if best[0] == "" {
			break
		}
		pairs, tokens = append(pairs, best), append(tokens, best[0]+best[1])
		for i, word := range words {
			var merged []string
			for j := 0; j < len(word); j++ {
				if j+1 < len(word) && word[j] == best[0] && word[j+1] == best[1] {
					merged = append(merged, best[0]+best[1])
					j++
				} else {
					merged = append(merged, word[j])
				}
			}
			words[i] = merged
		}
	}
	return pairs, tokens
}

func byteLevel(texts []string) object {
	// Each byte is represented by a character, as in GPT-2.
	var letters [256]string
	next := rune(256)
	for b := range 256 {
		r := rune(b)
		if r < 0x21 || r > 0x7e && r < 0xa1 || r == 0xad {
			r = next
			next++
		}
		letters[b] = string(r)
	}
	var split [][]string
	for _, text := range texts {
		for _, word := range strings.SplitAfter(text, " ") {
			var letter []string
			for _, b := range []byte(" " + strings.TrimSuffix(word, " ")) {
				letter = append(letter, letters[b])
			}
			split = append(split, letter)
		}
	}
	pairs, tokens := merges(split, 300)
	vocab := ids([]string{"<|endoftext|>"}, letters[:], tokens)
	user := object{"id": len(vocab), "content": "<|user|>", "single_word": false, "lstrip": true, "rstrip": true, "normalized": false, "special": true}
	name := object{"id": len(vocab) + 1, "content": "tokenizer", "single_word": true, "lstrip": false, "rstrip": false, "normalized": true, "special": false}
	// This is the expression of cl100k. The crate has special code for it.
	pattern := `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	return file([]object{special(0, "<|endoftext|>"), user, name}, object{"type": "NFC"},
		object{"type": "Sequence", "pretokenizers": []object{
			{"type": "Split", "pattern": object{"Regex": pattern}, "behavior": "Isolated", "invert": false},
			{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false},
		}}, nil, object{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
		object{
			"type": "BPE", "dropout": nil, "unk_token": nil, "continuing_subword_prefix": nil, "end_of_word_suffix": nil, "fuse_unk": false, "byte_fallback": false,
			"ignore_merges": false, "vocab": vocab, "merges": pairs,
		})
}

func fallback(texts []string) object {
	var split [][]string
	for _, text := range texts {
		for _, word := range strings.Fields(text) {
			split = append(split, strings.Split("▁"+word, ""))
		}
	}
	letters := map[string]int{}
	for _, word := range split {
		for _, letter := range word {
			if letter < "\u0250" || letter == "▁" {
				letters[letter]++
			}
		}
	}
	for i, word := range split {
		split[i] = slices.DeleteFunc(word, func(letter string) bool { return letters[letter] == 0 })
	}
	pairs, tokens := merges(split, 300)
	bytes := make([]string, 256)
	for b := range bytes {
		const digits = "0123456789ABCDEF"
		bytes[b] = "<0x" + string(digits[b>>4]) + string(digits[b&15]) + ">"
	}
	vocab := ids([]string{"<unk>", "<s>", "</s>"}, bytes, byCount(letters), tokens)
	return file([]object{special(0, "<unk>"), special(1, "<s>"), special(2, "</s>")},
		object{"type": "Sequence", "normalizers": []object{{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": object{"String": " "}, "content": "▁"}}}, nil,
		object{
			"type":           "TemplateProcessing",
			"single":         []object{{"SpecialToken": object{"id": "<s>", "type_id": 0}}, {"Sequence": object{"id": "A", "type_id": 0}}},
			"pair":           []object{{"SpecialToken": object{"id": "<s>", "type_id": 0}}, {"Sequence": object{"id": "A", "type_id": 0}}, {"SpecialToken": object{"id": "<s>", "type_id": 1}}, {"Sequence": object{"id": "B", "type_id": 1}}},
			"special_tokens": object{"<s>": object{"id": "<s>", "ids": []int{1}, "tokens": []string{"<s>"}}},
		},
		object{"type": "Sequence", "decoders": []object{
			{"type": "Replace", "pattern": object{"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0},
		}},
		object{
			"type": "BPE", "dropout": nil, "unk_token": "<unk>", "continuing_subword_prefix": nil, "end_of_word_suffix": nil, "fuse_unk": true, "byte_fallback": true,
			"ignore_merges": false, "vocab": vocab, "merges": pairs,
		})
}
