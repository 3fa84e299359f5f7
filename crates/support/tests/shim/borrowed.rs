//! Tests results that borrow from arguments, and borrowed results that Go copies.

use crate::common::{Frame, find};
use rustgo_schema::{Basic, Type};

mod exports {
    use rustgo::{GoStr, Slices, Strs};

    static TABLE: [u8; 4] = [1, 2, 3, 4];
    type Text<'a> = &'a str;
    type Bytes<'a> = GoStr<'a>;
    type Name = &'static str;

    #[rustgo::export]
    pub fn trim(text: &str) -> &str {
        text.trim()
    }

    #[rustgo::export]
    pub fn trim_hidden(text: Bytes) -> Option<Bytes> {
        Some(GoStr(text.0.trim_ascii()))
    }

    #[rustgo::export]
    pub fn middle<'a>(list: &'a [u16], _other: &[u8]) -> (&'a [u16], bool) {
        (list.get(1..3).unwrap_or_default(), true)
    }

    #[rustgo::export]
    pub fn middle_of_written(list: &mut [u16]) -> Option<&[u16]> {
        list.get(1..3)
    }

    #[rustgo::export]
    pub fn either<'a>(list: &'a [u8], longest: Slices<'a, u8>, own: u8) -> (&'a [u8], Vec<&'a [u8]>) {
        match own {
            0 => (list, longest.iter().collect()),
            1 => (&TABLE, Vec::new()),
            2 => (&[], vec![&TABLE[..0], &TABLE[1..2]]),
            _ => (&[], Vec::new()),
        }
    }

    // The result needs a copy, because Go must not write to strings.
    #[rustgo::export]
    pub fn bytes_of_text(text: &str) -> &[u8] {
        text.as_bytes()
    }

    // The result needs a copy: it becomes a Go string, but it may lie in a slice, and Go may write to slices.
    #[rustgo::export]
    pub fn text_of_bytes(bytes: &[u8]) -> Text<'_> {
        std::str::from_utf8(bytes).unwrap_or("not a text")
    }

    #[rustgo::export]
    pub fn flags(flags: &[[bool; 2]]) -> &[bool] {
        flags.as_flattened()
    }

    #[rustgo::export]
    pub fn text_of_several(texts: Strs<'_>) -> Vec<&str> {
        texts.iter().rev().collect()
    }

    #[rustgo::export]
    pub fn table() -> (&'static [u8], &'static str, Name) {
        (&TABLE, "table", "hidden")
    }

    #[rustgo::export]
    pub fn table_if(there: bool) -> Option<&'static [u8]> {
        there.then_some(&TABLE)
    }
}

fn slice_of(basic: Basic) -> Type {
    Type::Slice { mutable: false, elem: Box::new(Type::Basic(basic)) }
}

fn list_of(basic: Basic) -> Type {
    Type::List { freed: false, elem: Box::new(Type::Basic(basic)) }
}

#[test]
fn copied_and_borrowed_result_types() {
    let results = |name: &str| {
        let export = find(name).export;
        (export.borrows, export.results.into_iter().map(|field| field.ty).collect::<Vec<_>>())
    };
    let (text, copied, bool) = (Type::Basic(Basic::String), Type::Text { freed: false }, Type::Basic(Basic::Bool));
    assert_eq!(results("Trim"), (true, vec![text.clone()]));
    assert_eq!(results("TrimHidden"), (true, vec![text.clone(), bool.clone()]));
    assert_eq!(results("Middle"), (true, vec![slice_of(Basic::Uint16), bool.clone()]));
    assert_eq!(results("MiddleOfWritten"), (true, vec![slice_of(Basic::Uint16), bool.clone()]));
    let list = Type::List { freed: true, elem: Box::new(slice_of(Basic::Uint8)) };
    assert_eq!(results("Either"), (true, vec![slice_of(Basic::Uint8), list]));
    assert_eq!(results("BytesOfText"), (false, vec![list_of(Basic::Uint8)]));
    assert_eq!(results("TextOfBytes"), (false, vec![copied.clone()]));
    assert_eq!(results("Flags"), (false, vec![list_of(Basic::Bool)]));
    assert_eq!(results("TextOfSeveral"), (true, vec![Type::List { freed: true, elem: Box::new(text.clone()) }]));
    assert_eq!(results("Table"), (false, vec![list_of(Basic::Uint8), text.clone(), text]));
    assert_eq!(results("TableIf"), (false, vec![list_of(Basic::Uint8), bool]));
}

#[test]
fn borrowed_results_lie_in_the_arguments() {
    let text = "  größe ";
    let trim = find("Trim");
    let mut frame = Frame::of(&trim.export);
    frame.text(0, text.as_bytes()).call(&trim);
    assert_eq!(frame.get::<[usize; 2]>(16), [text.as_ptr().addr() + 2, 7]);
    // An empty result has a nil pointer, wherever the Rust slice lies.
    frame.text(0, b"   ").call(&trim);
    assert_eq!(frame.get::<[usize; 2]>(16), [0, 0]);

    let hidden = find("TrimHidden");
    let mut frame = Frame::of(&hidden.export);
    frame.text(0, b" \xff").call(&hidden);
    assert_eq!((frame.get::<usize>(24), frame.bytes()[32]), (1, 1));

    for (name, other) in [("Middle", 24), ("MiddleOfWritten", 0)] {
        let shim = find(name);
        let mut list = [1_u16, 2, 3, 4];
        let at = (&raw mut list).expose_provenance();
        let mut frame = Frame::of(&shim.export);
        frame.put(0, &[0; 48][..24 + other]).slice(0, &raw mut list).call(&shim);
        // The result has no spare capacity, so that an append to it makes a copy.
        let results = shim.export.results_offset;
        assert_eq!((frame.get::<[usize; 3]>(results), frame.bytes()[results as usize + 24]), ([at + 2, 2, 2], 1));
        frame.slice(0, &raw mut list[..1]).call(&shim);
        assert_eq!(frame.get::<[usize; 3]>(results), [0; 3]);
    }
}

#[test]
fn result_outside_arguments_panics() {
    let shim = find("Either");
    let (list, one) = ([5_u8, 6], [7_u8]);
    let many = [[one.as_ptr().expose_provenance(), 1, 1], [0; 3]];
    let call = |own: u8| {
        let mut frame = Frame::of(&shim.export);
        frame.slice(0, &raw const list).slice(24, &raw const many).put(48, &[own]);
        frame.try_call(&shim).map(|()| (frame.shared::<u8>(56), frame.owned::<[usize; 3]>(80)))
    };
    let elsewhere = "a slice among the results lies in none of the slices passed: return a Vec";
    assert_eq!(call(0), Ok((vec![5, 6], vec![[one.as_ptr().addr(), 1, 1], [0; 3]])));
    assert_eq!(call(1), Err(elsewhere.into()));
    assert_eq!(call(2), Err(elsewhere.into()));
    assert_eq!(call(3), Ok((vec![], vec![])));
}

#[test]
fn copied_results_are_address_and_length() {
    let shim = find("BytesOfText");
    let mut frame = Frame::of(&shim.export);
    frame.text(0, b"abc").call(&shim);
    assert_eq!(frame.shared::<u8>(16), b"abc");
    let shim = find("TextOfBytes");
    for (bytes, text) in [(&b"abc"[..], "abc"), (b"\xff", "not a text"), (b"", "")] {
        let mut frame = Frame::of(&shim.export);
        frame.slice(0, bytes).call(&shim);
        assert_eq!(frame.shared_text(24), text);
        assert_eq!(frame.get::<usize>(24) == 0, text.is_empty());
    }
    let shim = find("TextOfSeveral");
    let texts = [[b"ab".as_ptr().expose_provenance(), 2], [0, 0]];
    let mut frame = Frame::of(&shim.export);
    frame.slice(0, &raw const texts).call(&shim);
    assert_eq!(frame.owned::<[usize; 2]>(24), [[0, 0], texts[0]]);

    let shim = find("Table");
    let mut frame = Frame::of(&shim.export);
    frame.call(&shim);
    assert_eq!((frame.shared::<u8>(0), frame.shared_text(16), frame.shared_text(32)), (vec![1, 2, 3, 4], "table".into(), "hidden".into()));
    let shim = find("TableIf");
    for there in [0, 1] {
        let mut frame = Frame::of(&shim.export);
        frame.put(0, &[there]).call(&shim);
        assert_eq!((frame.shared::<u8>(8).len(), frame.bytes()[24]), (4 * usize::from(there), there));
    }
}
