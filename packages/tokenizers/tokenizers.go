//go:build amd64 || arm64

package tokenizers

import (
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// A Tokenizer is an open tokenizer.json. Any number of goroutines may use one at the same time.
type Tokenizer struct {
	native atomic.Pointer[native]
	table  sync.Once // makes the table of all tokens, in a call that may take long
}

// FromBytes reads the content of a tokenizer.json, of any version of the format. The error is an [*Error].
func FromBytes(json []byte) (t *Tokenizer, err error) {
	defer caught(&err)
	n, err := newNative(json)
	if err != nil {
		return nil, failure(err)
	}
	t = new(Tokenizer)
	t.native.Store(n)
	return t, nil
}

// FromFile reads a tokenizer.json.
func FromFile(name string) (*Tokenizer, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return FromBytes(data)
}

// Close ends the use of the tokenizer: later calls that return an error return [ErrClosed]. Calls that are running continue normally. The garbage
// collector frees the memory after the last call. A second Close returns ErrClosed.
func (t *Tokenizer) Close() error {
	if t.native.Swap(nil) == nil {
		return ErrClosed
	}
	return nil
}

// An Encoding is a text, or a pair of texts, as tokens. All slices have the same length, except that Offsets may be nil.
type Encoding struct {
	IDs               []uint32
	Tokens            []string // the names, as in the file: "Ġhello", "##ing"
	TypeIDs           []uint32 // which text of a pair, as the file's template says
	AttentionMask     []uint32 // 0 for padding
	SpecialTokensMask []uint32 // 1 for tokens that the template or padding added
	// Offsets has the beginning and the end of each token in its text, in bytes: token i is text[Offsets[i][0]:Offsets[i][1]]. Both are 0 for tokens that the
	// template or padding added. It is nil without [WithOffsets], and if the offsets are not known.
	Offsets [][2]int
}

// Len returns the number of tokens.
func (e *Encoding) Len() int { return len(e.IDs) }

// Encode encodes a text.
func (t *Tokenizer) Encode(text string, opts ...Option) (*Encoding, error) {
	return t.one([]string{text}, nil, opts)
}

// EncodePair encodes two texts as one encoding: a question and a context, for example.
func (t *Tokenizer) EncodePair(first, second string, opts ...Option) (*Encoding, error) {
	return t.one([]string{first}, []string{second}, opts)
}

// EncodeBatch encodes texts one after another, in one call. Padding makes the encodings equally long.
func (t *Tokenizer) EncodeBatch(texts []string, opts ...Option) ([]Encoding, error) {
	return t.batch(texts, nil, opts)
}

// A TextPair is two texts of one encoding.
type TextPair struct {
	First, Second string
}

// EncodePairBatch encodes pairs of texts one after another, in one call.
func (t *Tokenizer) EncodePairBatch(pairs []TextPair, opts ...Option) ([]Encoding, error) {
	first, second := make([]string, len(pairs)), make([]string, len(pairs))
	for i, p := range pairs {
		first[i], second[i] = p.First, p.Second
	}
	return t.batch(first, second, opts)
}

func (t *Tokenizer) one(first, second []string, opts []Option) (*Encoding, error) {
	encodings, err := t.batch(first, second, opts)
	if err != nil {
		return nil, err
	}
	return &encodings[0], nil
}

func (t *Tokenizer) batch(first, second []string, opts []Option) (encodings []Encoding, err error) {
	o := options{raw: rawOptions{AddSpecial: true}}
	for _, option := range opts {
		option(&o)
	}
	if o.err != nil {
		return nil, o.err
	}
	size := 0
	for _, texts := range [][]string{first, second} {
		for i, text := range texts {
			size += len(text)
			if !utf8.ValidString(text) {
				return nil, &Error{Err: ErrUTF8, Text: "text " + strconv.Itoa(i)}
			}
		}
	}
	n := t.native.Load()
	if n == nil {
		return nil, ErrClosed
	}
	defer caught(&err)
	encode := n.encode
	if size > 16384 {
		encode = n.encodeLong // an entry for long calls
	}
	ids, columns, lengths, tokens, offsets, known, err := encode(first, second, o.raw)
	if err != nil {
		return nil, failure(err)
	}
	wide := make([]uint32, len(columns))
	for i, c := range columns {
		wide[i] = uint32(c)
	}
	encodings = make([]Encoding, len(lengths))
	next := func(from *[]uint32, n int) []uint32 {
		part := (*from)[:n:n]
		*from = (*from)[n:]
		return part
	}
	for i, n := range lengths {
		encodings[i] = Encoding{
			IDs: next(&ids, n), Tokens: tokens[:n:n], TypeIDs: next(&wide, n), AttentionMask: next(&wide, n), SpecialTokensMask: next(&wide, n),
		}
		tokens = tokens[n:]
		if known[i] {
			encodings[i].Offsets = make([][2]int, n)
			for j := range n {
				encodings[i].Offsets[j] = [2]int{int(offsets[2*j]), int(offsets[2*j+1])}
			}
			offsets = offsets[2*n:]
		}
		if e := &encodings[i]; o.pad != "" {
			for j, attended := range e.AttentionMask {
				if attended == 0 {
					e.Tokens[j] = o.pad
				}
			}
		}
	}
	return encodings, nil
}

// AppendIDs appends the ids of the tokens of a text to dst. It follows the file's truncation, but does not pad. If dst has enough capacity, nothing is
// allocated in Go. After an error it returns dst as it was.
func (t *Tokenizer) AppendIDs(dst []uint32, text string, addSpecial bool) (ids []uint32, err error) {
	n := t.native.Load()
	if n == nil {
		return dst, ErrClosed
	}
	defer caught(&err)
	ids = dst // returned if the Rust code panics
	appended, err := n.appendIDs(dst, text, addSpecial)
	if err != nil {
		return dst, failure(err)
	}
	return appended, nil
}

// Decode returns the text of tokens. Ids without a token are left out, and bytes that are not UTF-8 become U+FFFD.
func (t *Tokenizer) Decode(ids []uint32, skipSpecial bool) (text string, err error) {
	n := t.native.Load()
	if n == nil {
		return "", ErrClosed
	}
	defer caught(&err)
	text, err = n.decode(ids, skipSpecial)
	if err != nil {
		return "", failure(err)
	}
	return text, nil
}

// VocabSize returns the number of tokens, including the added tokens of the file, or 0 if the tokenizer is closed. The first call of VocabSize or
// TokenToID takes longer than later ones, because it makes a table of all tokens.
func (t *Tokenizer) VocabSize() int {
	n := t.native.Load()
	if n == nil {
		return 0
	}
	t.table.Do(n.loadVocabulary)
	return n.vocabSize()
}

// TokenToID returns the id of a token. ok is false if there is no such token, or if the tokenizer is closed.
func (t *Tokenizer) TokenToID(token string) (id uint32, ok bool) {
	n := t.native.Load()
	if n == nil {
		return 0, false
	}
	t.table.Do(n.loadVocabulary)
	return n.tokenToID(token)
}

// IDToToken returns the name of a token. ok is false if there is no such token, or if the tokenizer is closed.
func (t *Tokenizer) IDToToken(id uint32) (token string, ok bool) {
	n := t.native.Load()
	if n == nil {
		return "", false
	}
	return n.idToToken(id)
}
