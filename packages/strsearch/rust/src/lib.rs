//! Substring search from the crate memchr, which chooses among AVX2 and SSE2 at run time.
//!
//! The searcher for long needles calls through function pointers of its own making, one of which might lead back to it for all
//! that the machine code says: the exports that search forwards state a stack budget.

use core::mem::ManuallyDrop;
use memchr::memmem;

/// Index returns the index of the first instance of needle in haystack, or -1 if there is none.
#[rustgo::export(stack = "4k")]
pub fn index(haystack: &[u8], needle: &[u8]) -> isize {
    position(finder(needle).find(haystack))
}

/// LastIndex returns the index of the last instance of needle in haystack, or -1 if there is none.
#[rustgo::export]
pub fn last_index(haystack: &[u8], needle: &[u8]) -> isize {
    position(ManuallyDrop::new(memmem::FinderRev::new(needle)).rfind(haystack))
}

/// Count returns the number of instances of needle in haystack that do not overlap. An empty needle is found before
/// and behind each byte.
#[rustgo::export(stack = "4k")]
pub fn count(haystack: &[u8], needle: &[u8]) -> isize {
    let finder = finder(needle);
    let (mut found, mut from) = (0, 0);
    while let Some(at) = haystack.get(from..).and_then(|rest| finder.find(rest)) {
        found += 1;
        from += at + needle.len().max(1);
    }
    found
}

/// IndexByte returns the index of the first instance of b in haystack, or -1 if there is none.
#[rustgo::export]
pub fn index_byte(haystack: &[u8], b: u8) -> isize {
    position(memchr::memchr(b, haystack))
}

/// IndexByte3 returns the index of the first byte of haystack that is a, b or c, or -1 if there is none.
#[rustgo::export]
pub fn index_byte3(haystack: &[u8], a: u8, b: u8, c: u8) -> isize {
    position(memchr::memchr3(a, b, c, haystack))
}

/// LastIndexByte returns the index of the last instance of b in haystack, or -1 if there is none.
#[rustgo::export]
pub fn last_index_byte(haystack: &[u8], b: u8) -> isize {
    position(memchr::memrchr(b, haystack))
}

/// A Finder may own its needle, so dropping one reaches the allocator, and a Go program has no Rust heap. This one borrows:
/// nothing is lost when it is not dropped.
fn finder(needle: &[u8]) -> ManuallyDrop<memmem::Finder<'_>> {
    ManuallyDrop::new(memmem::Finder::new(needle))
}

/// No slice is longer than isize::MAX bytes.
fn position(found: Option<usize>) -> isize {
    found.map_or(-1, |i| i as isize)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"a rose is a rose is a rose, and one more rose for the vector of sixteen or thirty-two bytes";

    #[test]
    fn finds_first_and_last() {
        assert_eq!(index(TEXT, b"rose"), 2);
        assert_eq!(last_index(TEXT, b"rose"), 41);
        assert_eq!(index(TEXT, b"thirty-two"), 75);
        assert_eq!(index(TEXT, b"roses"), -1);
        assert_eq!(last_index(TEXT, b"roses"), -1);
    }

    #[test]
    fn empty_and_long_needles() {
        assert_eq!((index(TEXT, b""), last_index(TEXT, b"")), (0, TEXT.len() as isize));
        assert_eq!((index(b"", b""), index(b"", b"x")), (0, -1));
        assert_eq!((index(TEXT, TEXT), index(&TEXT[1..], TEXT)), (0, -1));
    }

    #[test]
    fn counts() {
        assert_eq!(count(TEXT, b"rose"), 4);
        assert_eq!(count(b"aaaaa", b"aa"), 2);
        assert_eq!(count(b"abc", b""), 4);
    }

    #[test]
    fn finds_bytes() {
        assert_eq!(index_byte(TEXT, b','), 26);
        assert_eq!(index_byte(TEXT, b'!'), -1);
        assert_eq!(last_index_byte(TEXT, b'a'), 28);
        assert_eq!(index_byte3(TEXT, b'!', b'?', b'f'), 46);
        assert_eq!(index_byte3(TEXT, b'!', b'?', b';'), -1);
    }
}
