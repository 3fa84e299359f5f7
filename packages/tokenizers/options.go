//go:build amd64 || arm64

package tokenizers

import "strconv"

// MaxLength is the longest encoding that [Pad] and a file may ask for, in tokens.
const MaxLength = 1 << 24

// An Option changes how texts are encoded.
type Option func(*options)

type options struct {
	raw rawOptions
	pad string
	err error
}

// WithoutSpecialTokens leaves out the tokens that the file adds around each text, such as [CLS] and [SEP].
func WithoutSpecialTokens() Option {
	return func(o *options) { o.raw.AddSpecial = false }
}

// SpecialTokensAsText encodes special tokens that occur in a text as ordinary text. Use it for text from untrusted sources.
func SpecialTokensAsText() Option {
	return func(o *options) { o.raw.SpecialAsText = true }
}

// WithOffsets requests [Encoding.Offsets]. Version 1.0 of the crate does not compute offsets, so this package computes them from the bytes of the
// tokens. That works only for byte level models (GPT-2 and later ones, Llama 3, Qwen), and only if these bytes are the bytes of the text: no
// normalizer has changed the text, and no token has taken the white space beside it. A character of several bytes may consist of several tokens.
func WithOffsets() Option {
	return func(o *options) { o.raw.Offsets = true }
}

// A Direction is a side of a text.
type Direction uint8

const (
	Right Direction = iota
	Left
)

// A Strategy says which text of a pair is truncated.
type Strategy uint8

const (
	LongestFirst Strategy = iota // the longer one, until both have the same length
	OnlyFirst
	OnlySecond
)

// A Truncation limits the length of encodings.
type Truncation struct {
	MaxLength int // in tokens, with the special ones
	Strategy  Strategy
	Direction Direction // the side that is cut
}

// Truncate replaces the truncation of the file. The crate cannot return the tokens that are cut off.
func Truncate(t Truncation) Option {
	return func(o *options) {
		if t.MaxLength < 0 || t.Strategy > OnlySecond || t.Direction > Left {
			o.err = &Error{Err: ErrLength, Text: "truncation to " + strconv.Itoa(t.MaxLength) + " tokens, or an unknown strategy or direction"}
			return
		}
		o.raw.Truncation, o.raw.MaxLength = sourceCall, uint(t.MaxLength)
		o.raw.TruncationStrategy, o.raw.TruncateLeft = uint8(t.Strategy), t.Direction == Left
	}
}

// WithoutTruncation ignores the truncation of the file.
func WithoutTruncation() Option {
	return func(o *options) { o.raw.Truncation = sourceOff }
}

// A Padding adds tokens to encodings that are too short.
type Padding struct {
	Length     int       // in tokens; 0 is the length of the longest encoding of the batch
	MultipleOf int       // rounds the length up, unless 0
	Direction  Direction // the side where padding is added
	ID         uint32    // the token that is added
	TypeID     uint8
	Token      string // its name in [Encoding.Tokens]; empty is the name of ID
}

// Pad replaces the padding of the file.
func Pad(p Padding) Option {
	return func(o *options) {
		if p.Length < 0 || p.MultipleOf < 0 || p.Direction > Left {
			o.err = &Error{Err: ErrLength, Text: "padding to " + strconv.Itoa(p.Length) + " tokens, a multiple of " + strconv.Itoa(p.MultipleOf) + ", or an unknown direction"}
			return
		}
		o.raw.Padding, o.raw.PadLength, o.raw.PadMultiple = sourceCall, uint(p.Length), uint(p.MultipleOf)
		o.raw.PadID, o.raw.PadTypeID, o.raw.PadLeft = p.ID, uint32(p.TypeID), p.Direction == Left
		o.pad = p.Token
	}
}

// WithoutPadding ignores the padding of the file.
func WithoutPadding() Option {
	return func(o *options) { o.raw.Padding = sourceOff }
}
