// Package regex is Go's package regexp with the engines of the Rust crate regex.
//
// It has the functions, types and methods of [regexp], with the same syntax and the same results. A program changes only the import:
//
//	import regexp "rustgo.dev/packages/regex"
//
// Go's own parser parses the expressions, and the crate's engines use the syntax tree. They search with literals and vector instructions if the
// expression allows it, and with automata built during the search. A search takes time in proportion to the length of the text, as in Go's package.
//
// [Set] searches for several expressions at once. [Regexp.AppendAllIndex] finds all matches without allocating.
//
// # Differences from package regexp
//
// In short:
//
//	syntax and its errors              no difference
//	matches, groups, replacements      no difference, for any bytes
//	expressions of more than 10 MiB    an error of Compile, a *SizeError
//	Longest, CompilePOSIX              done by Go's package, at its speed
//	MatchReader, FindReader…           done by Go's package
//	text that is not UTF-8             done by Go's package if it can make a difference
//	Compile                            takes 1.1 times as long, with a first search 3.7 times, and more memory
//	reflect.DeepEqual                  two Regexps are never equal
//
// Size: the automaton of an expression may take 10 MiB. Go's package limits the size in another way, which allows more repetitions of large Unicode
// classes: `\pL{300}` is too large for this package.
//
// Leftmost-longest: the engines find the match that comes first in the order of alternatives. So after [Regexp.Longest], and for [CompilePOSIX],
// Go's package searches. Go's package also searches in the text of an [io.RuneReader], because the engines need the whole text.
// If the text fits in memory, [io.ReadAll] and [Regexp.Match] take 0.03 to 0.06 times as long for 1 MiB.
//
// Text that is not UTF-8: Go's package reads an invalid byte as U+FFFD, and the engines match no invalid byte. So results can differ for an
// expression that can match U+FFFD, as `.` and `[^"]` can, or that can match the empty string between two bytes that are not ASCII. A search for such
// an expression checks whether the part of the text on which the match depends is UTF-8. If it is not, Go's package searches.
//
// Compiling: the first searches build the automata and take longer. For one or two searches Go's package is faster. Use it instead of the functions
// [Match] and [MatchString], which compile the expression in each call.
//
// Results: the slices returned by [Regexp.FindAllIndex] and similar methods share one block of memory, which stays alive as long as any of them.
//
// # Differences from the crate
//
// The crate's tests pass where their expressions mean the same in Go's syntax. The differences:
//
//	                    crate                       here, as in Go
//	\w \d \s \b         Unicode                     ASCII; \pL and the like are Unicode
//	(?u) (?x) (?R)      flags                       none
//	\b{start} \< \>     beginnings of words         none; \< is a character
//	[a&&b] [a--b] [[a]] operators, nested classes   characters
//	\p{…}               all properties              categories and scripts
//	\Q…\E {, x{,2}      errors                      text
//	x** x{2}{3}         repetitions of repetitions  errors
//	x{1001}             1001 repetitions            an error
//	(?P<1>x)            an error                    a name
//	tables of Unicode   the crate's                 Go's
//
// # Memory
//
// A compiled expression is in memory outside of Go's heap. The memory is freed some time after the last reference is gone. An expression takes from
// some KiB to 10 MiB, and up to 16 MiB more for each concurrent search: the automata keep the states that a search has reached, so that the next
// search can use them, and drop states when there are too many. [rustgo.dev/go/rt.HeapLive] returns the size of this memory.
//
// # Long calls
//
// Go cannot preempt a search, which reads about a gigabyte a second. On Linux, Go's scheduler treats a call for more than 64 KiB as a system call:
// other goroutines and the collector run meanwhile. On other systems the collector waits for the end of the call. The methods that return all matches
// make one call for some dozens of matches.
package regex

//go:generate rustgo build --crate rust
