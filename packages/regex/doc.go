// Package regex is Go's package regexp over the engines of the Rust crate regex.
//
// It has the functions, types and methods of [regexp], with the same syntax and the same results, so that the import is all that has to
// change:
//
//	import regexp "rustgo.dev/packages/regex"
//
// Go's own parser reads the expressions; the engines of the crate get what it has read. They search with literals and vector instructions where
// an expression allows it, and with automata that are built while they run. The time of a search is in proportion to the length of the text, as
// in Go's package.
//
// [Set] searches for several expressions at once. [Regexp.AppendAllIndex] finds all matches without allocating.
//
// # Differences from package regexp
//
// In short:
//
//	syntax, and errors of it           none
//	matches, groups, replacements      none, in any bytes
//	expressions of more than 10 MiB    an error of Compile, a *SizeError
//	Longest, CompilePOSIX              done by Go's package, at its speed
//	MatchReader, FindReader…           done by Go's package
//	text that is not UTF-8             done by Go's package where it can make a difference
//	Compile                            takes 10 times as long, and more memory
//	reflect.DeepEqual                  two Regexps are never equal
//
// Size: the automaton of an expression may take 10 MiB. Go's package has a limit of its own, which large classes of Unicode reach later: `\pL{300}`
// is too large here.
//
// Leftmost-longest: the engines find the match that comes first in the order of alternatives. After [Regexp.Longest], and for [CompilePOSIX], the same
// expression of Go's package does the work. So it does for [io.RuneReader]: the engines want the whole text.
//
// Text that is not UTF-8: Go's package takes such a byte for U+FFFD, and the engines for nothing. That makes a difference to an expression
// that can match U+FFFD, as `.` and `[^"]` can, or the empty string. Such expressions look whether the text is UTF-8, as far as the search has
// looked. If it is not, Go's package does the work. Other expressions do not look.
//
// Compiling: Rust makes more automata than Go's package when an expression is compiled. Expressions that are compiled for a search or two are better
// compiled by Go's package, and so are the functions [Match] and [MatchString].
//
// Results: the slices that [Regexp.FindAllIndex] and its like return lie in one block of memory, which lives as long as any of them.
//
// # Differences from the crate
//
// The crate's tests pass where their expressions mean the same in Go's syntax. The differences:
//
//	                    crate                       here, as in Go
//	\w \d \s \b         Unicode                     ASCII; \pL and the like are Unicode
//	(?u) (?x) (?R)      flags                       none
//	\b{start} \< \>     beginnings of words         none; \< is a character
//	[a&&b] [a--b] [[a]] operators, classes in one   characters
//	\p{…}               all properties              categories and scripts
//	\Q…\E {, x{,2}      errors                      text
//	x** x{2}{3}         repetitions of repetitions  errors
//	x{1001}             1001 repetitions            an error
//	(?P<1>x)            an error                    a name
//	tables of Unicode   the crate's                 Go's
//
// # Memory
//
// An expression lives in memory outside of Go's heap, and is freed some time after nobody has it any more. It takes from some KiB to 10 MiB, and up to
// 16 MiB for each search that runs at the same time: the states of automata that searches have reached are kept for the next one, and begin anew
// when they are too many. [rustgo.dev/go/rt.HeapLive] says how much there is.
//
// # Long calls
//
// A search runs through a gigabyte a second or more, and Go cannot preempt it. On Linux Go's scheduler is told of calls for more than 64 KiB, as it is of
// system calls: other goroutines and the collector go on meanwhile. Elsewhere the collector waits for the end of a call. The methods that
// return all matches make a call for some dozens of them at a time.
package regex

//go:generate rustgo build --crate rust
