//! Tests types that Go lays out differently: slices of strings, slices of slices, unchecked strings, slices to append to, and copied slices.

use crate::common::{Frame, field, find, place_of};
use rustgo_schema::{Basic, Type};

mod exports {
    use rustgo::{Append, GoStr, Slices, Strs};
    use std::fmt::Write;

    #[rustgo::export]
    pub fn join(parts: Strs<'_>, lists: Slices<'_, char>, raw: GoStr<'_>) -> String {
        format!("{parts:?} {lists:?} {:?} {} {:?}", &*raw, parts.iter().rev().map(str::len).sum::<usize>(), lists.get(0))
    }

    #[rustgo::export]
    pub fn fill(out: &mut [u8], parts: Strs<'_>, lists: Slices<'_, u8>, text: GoStr<'_>, list: Vec<u8>, texts: Vec<String>, owned: String) {
        out.fill((parts.len() + lists.len() + text.len() + list.len() + texts.len() + owned.len()) as u8);
    }

    #[rustgo::export]
    pub fn copied(text: String, list: Vec<[u16; 2]>, texts: Vec<String>, runes: Vec<char>) -> (String, Vec<[u16; 2]>) {
        (format!("{text}{texts:?}{runes:?}"), list)
    }

    #[rustgo::export]
    pub fn append_hex(dst: &mut Append<u8>, x: u64, more: &[u8]) -> usize {
        write!(dst, "{x:x}").unwrap();
        dst.extend_from_slice(more);
        for byte in more {
            dst.push(*byte);
        }
        dst.extend(more.iter().copied());
        dst.len()
    }

    #[rustgo::export]
    pub fn append_points(dst: &mut Append<[u32; 3]>, n: u32) {
        assert!(dst.is_empty());
        (0..n).for_each(|i| dst.push([i; 3]));
    }

    #[rustgo::export(int = "usize")]
    pub fn integer_list(n: u64) -> Vec<usize> {
        vec![1, n as usize]
    }

    #[rustgo::export(int = "usize")]
    pub fn integers(n: usize, of: &[usize], other: u64) -> (usize, Option<rustgo::Handle>, usize) {
        let _ = of;
        (n, None, other as usize)
    }
}

/// Returns a slice header with the capacity `cap`.
fn header<T>(slice: &[T], cap: usize) -> [usize; 3] {
    [slice.as_ptr().expose_provenance(), slice.len(), cap]
}

fn text(text: &[u8]) -> [usize; 2] {
    [text.as_ptr().expose_provenance(), text.len()]
}

#[test]
fn records_describe_views() {
    let shim = find("Join");
    let slice = |elem| Type::Slice { mutable: false, elem: Box::new(elem) };
    let expected = [
        field("parts", slice(Type::Basic(Basic::String)), 0),
        field("lists", slice(slice(Type::Basic(Basic::Rune))), 24),
        field("raw", Type::Basic(Basic::String), 48),
    ];
    assert_eq!((shim.export.params.as_slice(), shim.export.results_offset), (expected.as_slice(), 64));
    assert_eq!(shim.export.results, [field("", Type::Text { freed: true }, 64)]);
    assert!(!shim.export.borrows);
    let append = find("AppendHex").export;
    assert_eq!(append.params[0], field("dst", Type::Append { elem: Box::new(Type::Basic(Basic::Uint8)) }, 0));
    let copied = find("Copied").export;
    assert_eq!(copied.params[0].ty, Type::Basic(Basic::String));
    assert_eq!(copied.params[2].ty, slice(Type::Basic(Basic::String)));
}

#[test]
fn views_show_what_go_has() {
    let shim = find("Join");
    let parts = [text(b"ab"), [0, 0], text("größe".as_bytes())];
    let lists = [header(&['a' as u32, 'ß' as u32], 9), [0, 0, 0]];
    let mut frame = Frame::of(&shim.export);
    frame.slice(0, &raw const parts).slice(24, &raw const lists).text(48, b"\xff\0").call(&shim);
    assert_eq!(frame.owned_text(64), r#"["ab", "", "größe"] [['a', 'ß'], []] [255, 0] 9 Some(['a', 'ß'])"#);
    // Passes nil slices and nil strings.
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &[0; 64]).call(&shim);
    assert_eq!(frame.owned_text(64), "[] [] [] 0 None");
}

#[test]
fn invalid_view_elements_are_named() {
    let shim = find("Join");
    let call = |parts: &[[usize; 2]], lists: &[[usize; 3]]| {
        let mut frame = Frame::of(&shim.export);
        frame.slice(0, parts).slice(24, lists).word(48, 0).word(56, 0);
        frame.try_call(&shim)
    };
    let good = text(b"good");
    assert_eq!(call(&[good, good, good, text(b"ab\xffd")], &[]), Err("element 3 of parameter parts is not valid UTF-8 (byte 2)".into()));
    let bad = [0x11_0000_u32];
    assert_eq!(call(&[good], &[[0; 3], header(&bad, 1)]), Err("parameter lists holds an invalid rune".into()));

    let shim = find("Copied");
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &[0; 88]).text(0, b"\xff");
    assert_eq!(frame.try_call(&shim), Err("parameter text is not valid UTF-8 (byte 0)".into()));
    let texts = [text(b"a"), text(b"b\xc3")];
    frame.text(0, b"").slice(40, &raw const texts);
    assert_eq!(frame.try_call(&shim), Err("element 1 of parameter texts is not valid UTF-8 (byte 1)".into()));
    frame.put(40, &[0; 24]).slice(64, &raw const bad);
    assert_eq!(frame.try_call(&shim), Err("parameter runes holds an invalid rune".into()));
}

#[test]
fn views_overlap_nothing_that_is_written_to() {
    let shim = find("Fill");
    let mut memory = [b'a'; 64];
    let base = (&raw mut memory).expose_provenance();
    let at = |offset: usize, len: usize| [base + offset, len];
    let call = |out: [usize; 2], place: usize, with: [usize; 2]| {
        // The memory of the strings overlaps. Overlaps of their headers are tested below.
        let parts = [text(b"x"), if place == 1 { with } else { text(b"y") }];
        let lists = [header(b"x", 1), if place == 2 { [with[0], with[1], with[1]] } else { [0; 3] }];
        let texts = [text(b""), if place == 5 { with } else { [0, 0] }];
        let direct = |here: usize| if here == place { with } else { [0, 0] };
        let mut frame = Frame::of(&shim.export);
        frame.word(0, out[0]).word(8, out[1]).word(16, out[1]).slice(24, &raw const parts).slice(48, &raw const lists);
        frame.word(72, direct(3)[0]).word(80, direct(3)[1]);
        frame.word(88, direct(4)[0]).word(96, direct(4)[1]).word(104, 0);
        frame.slice(112, &raw const texts).word(136, direct(6)[0]).word(144, direct(6)[1]);
        frame.try_call(&shim)
    };
    for (place, name) in [(1, "parts"), (2, "lists"), (3, "text"), (4, "list"), (5, "texts"), (6, "owned")] {
        assert_eq!(call(at(0, 8), place, at(8, 8)), Ok(()), "{name}");
        for with in [at(7, 1), at(0, 8), at(4, 20)] {
            assert_eq!(call(at(0, 8), place, with), Err(format!("parameters out and {name} overlap")));
        }
        assert_eq!(call(at(0, 8), place, at(4, 0)), Ok(()), "an empty one overlaps nothing");
    }

    // A parameter overlaps the headers of the slice of strings.
    let parts = [text(b"x"), text(b"y")];
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &[0; 152]).word(0, (&raw const parts).addr() + 24).word(8, 1).slice(24, &raw const parts);
    assert_eq!(frame.try_call(&shim), Err("parameters out and parts overlap".into()));
}

#[test]
fn copies_are_rusts_own() {
    let shim = find("Copied");
    assert_eq!(shim.export.results_offset, 88);
    let (list, texts, runes) = ([[1_u16, 2], [3, 4]], [text(b"a"), text("ß".as_bytes())], ['x' as u32]);
    let mut frame = Frame::of(&shim.export);
    frame.text(0, b"text").slice(16, &raw const list).slice(40, &raw const texts).slice(64, &raw const runes).call(&shim);
    assert_eq!(frame.owned_text(88), "text[\"a\", \"ß\"]['x']");
    assert_ne!(frame.get::<usize>(112), list.as_ptr().addr());
    assert_eq!(frame.owned::<[u16; 2]>(112), list);
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &[0; 88]).call(&shim);
    assert_eq!(frame.owned_text(88), "[][]");
    assert_eq!(frame.get::<[usize; 3]>(112), [0; 3], "an empty list is nil");
}

/// Calls `rust_append` and returns the slice and the elements that did not fit.
fn append(name: &str, mut words: [usize; 6], args: &[&[u8]]) -> (Result<usize, String>, [usize; 6]) {
    let shim = find(name);
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, &raw mut words);
    for (index, arg) in args.iter().enumerate() {
        frame.put(8 + 8 * index as u32, arg);
    }
    let called = frame.try_call(&shim);
    (called.map(|()| frame.get(shim.export.results_offset)), words)
}

#[test]
fn appending_uses_the_spare_capacity_first() {
    for capacity in 0..24_usize {
        let mut memory = [b'.'; 24];
        memory[..2].copy_from_slice(b"ab");
        let (len, cap) = if capacity < 2 { (0, 0) } else { (2, capacity) };
        let start = if cap == 0 { 0 } else { (&raw mut memory).expose_provenance() };
        let more = b"xyz";
        let args = [&0xbeef_u64.to_ne_bytes()[..], &header(more, 3)[0].to_ne_bytes(), &3_usize.to_ne_bytes(), &3_usize.to_ne_bytes()];
        let (result, words) = append("AppendHex", [start, len, cap, 0, 0, 0], &args);
        let expected = b"beefxyzxyzxyz";
        assert_eq!(result, Ok(len + expected.len()));
        assert_eq!((words[0], words[2]), (start, cap));
        let fits = (cap - len).min(expected.len());
        assert_eq!(words[1], len + fits);
        assert_eq!(&memory[len..len + fits], &expected[..fits]);
        assert!(memory[if cap == 0 { 2 } else { len + fits }..].iter().all(|byte| *byte == b'.'), "nothing behind it is written to");
        let spilled: Vec<u8> = crate::common::owned([words[3], words[4], words[5]]);
        assert_eq!(spilled, &expected[fits..]);
    }
    let (_, words) = append("AppendPoints", [0, 0, 0, 0, 0, 0], &[&4_u32.to_ne_bytes()]);
    assert_eq!(crate::common::owned::<[u32; 3]>([words[3], words[4], words[5]]), [[0; 3], [1; 3], [2; 3], [3; 3]]);
    let (_, words) = append("AppendPoints", [0, 0, 0, 0, 0, 0], &[&0_u32.to_ne_bytes()]);
    assert_eq!(words, [0; 6]);
}

#[test]
fn what_is_appended_lies_elsewhere() {
    let mut memory = [b'.'; 24];
    let start = (&raw mut memory).expose_provenance();
    let call = |from: usize, len: usize| {
        let args = [&[0_u8; 8][..], &(start + from).to_ne_bytes(), &len.to_ne_bytes(), &len.to_ne_bytes()];
        let (result, words) = append("AppendHex", [start, 4, 12, 0, 0, 0], &args);
        drop(crate::common::owned::<u8>([words[3], words[4], words[5]]));
        result.map(drop)
    };
    // Another argument may be the existing elements of dst, but not its spare capacity.
    assert_eq!(call(0, 4), Ok(()));
    assert_eq!(call(12, 4), Ok(()));
    assert_eq!(call(1, 4), Err("parameters dst and more overlap".into()));
    assert_eq!(call(11, 4), Err("parameters dst and more overlap".into()));
}

#[test]
fn lengths_are_ints() {
    let shim = find("Integers");
    let (int, uint) = (Type::Basic(Basic::Int), Type::Basic(Basic::Uint));
    assert_eq!((&shim.export.params[0].ty, &shim.export.results[0].ty), (&int, &int));
    assert_eq!(shim.export.params[1].ty, Type::Slice { mutable: false, elem: Box::new(uint) });
    let call = |n: isize, other: u64| {
        let mut frame = Frame::of(&shim.export);
        frame.word(0, n as usize).put(8, &[0; 24]).put(32, &other.to_ne_bytes());
        frame.try_call(&shim).map(|()| (frame.get::<isize>(40), frame.get::<isize>(56)))
    };
    assert_eq!(call(5, isize::MAX as u64), Ok((5, isize::MAX)));
    assert_eq!(call(-1, 0), Err("parameter n is negative (-1)".into()));
    assert_eq!(call(isize::MIN, 0), Err("parameter n is negative (-9223372036854775808)".into()));
    let shim = find("IntegerList");
    assert_eq!(shim.export.results[0].ty, Type::List { freed: true, elem: Box::new(int) });
    let mut frame = Frame::of(&shim.export);
    frame.word(0, 5).call(&shim);
    assert_eq!(frame.owned::<isize>(8), [1, 5]);
    assert_eq!(
        frame.put(0, &(1_u64 << 63).to_ne_bytes()).try_call(&shim),
        Err("a result is too large for Go's int (9223372036854775808)".into())
    );
    assert_eq!(call(0, 1 << 63), Err("a result is too large for Go's int (9223372036854775808)".into()));
}

/// Returns the line number of the line in this file that contains the text, minus `before`.
fn line_of(text: &str, before: u32) -> (String, u32) {
    let at = include_str!("views.rs").lines().position(|line| line.contains(text)).unwrap();
    (file!().to_owned(), at as u32 + 1 - before)
}

#[test]
fn panics_name_lines_of_the_author() {
    let bad = [0x11_0000_u32];
    let lists = [[0; 3], header(&bad, 1)];
    let shim = find("Join");
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &[0; 64]).slice(24, &raw const lists);
    assert_eq!(place_of(|| frame.try_call(&shim)), line_of("pub fn join(", 0));
    // A panic about a result reports the line of the attribute.
    let shim = find("IntegerList");
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &u64::MAX.to_ne_bytes());
    assert_eq!(place_of(|| frame.try_call(&shim)), line_of("pub fn integer_list(", 1));
    let shim = find("Integers");
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &[0; 32]).put(32, &u64::MAX.to_ne_bytes());
    assert_eq!(place_of(|| frame.try_call(&shim)), line_of("pub fn integers(", 1));
}
