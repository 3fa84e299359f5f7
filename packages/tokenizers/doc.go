// Package tokenizers converts texts to the tokens of language models, and tokens to texts. A file tokenizer.json describes the conversion. The code
// is Hugging Face's Rust crate tokenizers.
//
//	t, err := tokenizers.FromFile("tokenizer.json")
//	if err != nil {
//		return err
//	}
//	defer t.Close()
//	ids, err := t.AppendIDs(nil, "How many tokens are in this text?", true)
//	if err != nil {
//		return err
//	}
//	fmt.Println(len(ids), ids)
//
// [Tokenizer.AppendIDs] is the fast method for programs that need only the ids of tokens. [Tokenizer.Encode] also returns names, type ids and
// masks, and can truncate and pad.
//
// An [Encoding] does not show which word a token belongs to, because version 1.0 of the crate does not compute this. The crate does not compute
// offsets either, so [WithOffsets] works only for byte level models.
//
// Texts must be UTF-8; for other texts the error is [ErrUTF8].
//
// # Memory
//
// A Tokenizer is in memory outside of Go's heap. The garbage collector frees this memory after Close, or after the last reference to the Tokenizer is
// gone.
//
// [rustgo.dev/go/rt.SetMemoryLimit] bounds the memory of all Rust packages of the program. If a text needs more memory, the call returns an [Error].
// If a file needs more, the process may end: a BTreeMap of Rust's standard library aborts if its root cannot grow. So limit the size of files from
// untrusted sources. A file of 1.8 MB needed 48 MiB while it was read, and a small file with the largest id 200 MiB. A regular expression in a file
// may take long for some texts.
//
// # Goroutines
//
// Any number of goroutines may use a Tokenizer at the same time. This package has no lock that they share. The crate takes the buffers of a call from
// a pool that has a lock for each thread.
package tokenizers

//go:generate rustgo build --crate rust
