// Package json checks JSON texts, formats them, and reads single values by JSON pointers. It does not convert to and from Go types;
// encoding/json does.
//
// [Check], [AppendCompact], [AppendIndent] and [Get] work on the text and build no tree of values. [Parse] makes a [Document], from which many
// values can be read. Errors have a line and a column ([SyntaxError]).
//
// The Rust crate serde_json checks the syntax. It accepts the same texts as encoding/json, with two differences: a text must be valid UTF-8
// throughout, and values may be nested more than 10,000 deep. [Parse] limits the nesting to 127 levels. [AppendIndent] limits it to 10,000 levels,
// as encoding/json does.
package json

//go:generate rustgo build --crate rust
