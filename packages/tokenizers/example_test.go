//go:build amd64 || arm64

package tokenizers_test

import (
	"errors"
	"fmt"

	"rustgo.dev/packages/tokenizers"
)

func Example() {
	t, err := tokenizers.FromFile("testdata/anthropic.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer t.Close()
	ids, err := t.AppendIDs(nil, "How many tokens are in this text?", true)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := t.Decode(ids, true)
	fmt.Println(len(ids), ids, text, err)
	_, err = t.Encode("\xff")
	fmt.Println(errors.Is(err, tokenizers.ErrUTF8), err)
	// Output:
	// 8 [4495 1821 8136 570 300 584 1373 35] How many tokens are in this text? <nil>
	// true tokenizers: invalid UTF-8: text 0
}

func ExampleTokenizer_EncodePair() {
	t, err := tokenizers.FromFile("testdata/wordpiece.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer t.Close()
	e, err := t.EncodePair("the tokens", "a text", tokenizers.Pad(tokenizers.Padding{Length: 8}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Tokens)
	fmt.Println(e.IDs, e.TypeIDs, e.AttentionMask)
	// Output:
	// [[CLS] the tokens [SEP] a text [SEP] [PAD]]
	// [2 19 30 3 23 33 3 0] [0 0 0 0 1 1 1 0] [1 1 1 1 1 1 1 0]
}
