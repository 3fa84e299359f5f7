// Package json checks JSON texts, formats them, and reads values of them by JSON pointers. It does not convert to and from Go's types:
// encoding/json does that.
//
// [Check], [AppendCompact], [AppendIndent] and [Get] work on the text itself, in one pass and without a tree of values. [Parse] makes a
// [Document] of the text once, of which many values can be read. Errors have a line and a column ([SyntaxError]).
//
// The code is that of the Rust crate serde_json. It differs from encoding/json in what it accepts: a text must be UTF-8 throughout, and values
// may be nested more than 10,000 deep where no Document is made of them.
package json

//go:generate rustgo build --crate rust
