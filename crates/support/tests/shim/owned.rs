//! Tests results that Rust has allocated, and tuples of such results.

use crate::common::{Frame, find};
use rustgo_schema::Type;

mod exports {
    use std::borrow::Cow;

    #[rustgo::export]
    pub fn squares(n: u64) -> Vec<u64> {
        (0..n).map(|x| x * x).collect()
    }

    #[rustgo::export]
    pub fn spare() -> (String, Vec<u16>) {
        let mut text = String::with_capacity(100);
        text.push('x');
        let mut list = Vec::with_capacity(100);
        list.push(7);
        (text, list)
    }

    #[rustgo::export]
    pub fn emptied() -> (String, Vec<u16>, Vec<String>) {
        (String::with_capacity(10), Vec::with_capacity(10), Vec::new())
    }

    #[rustgo::export]
    pub fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[rustgo::export]
    pub fn nested(n: u8) -> Vec<Vec<[u8; 3]>> {
        (0..n).map(|i| vec![[i; 3]; i.into()]).collect()
    }

    #[rustgo::export]
    pub fn boxes() -> (Box<str>, Box<[u32]>, Box<[String]>) {
        ("boxed".into(), [1, 2].into(), ["a".to_owned()].into())
    }

    #[rustgo::export]
    pub fn cows(text: &str) -> (Cow<'_, str>, Cow<'_, [u8]>, Cow<'static, str>) {
        (text.into(), text.as_bytes().to_vec().into(), "own".into())
    }

    #[rustgo::export(results(text, number, ok))]
    pub fn perhaps(there: bool) -> Option<(String, u8)> {
        there.then(|| ("there".to_owned(), 5))
    }

    #[rustgo::export]
    pub fn perhaps_list(there: bool) -> Option<Vec<u16>> {
        there.then(|| vec![1, 2])
    }
}

#[test]
fn owned_lists_keep_their_capacity() {
    let shim = find("Squares");
    for n in [0, 1, 5] {
        let mut frame = Frame::of(&shim.export);
        frame.word(0, n).call(&shim);
        assert_eq!(frame.owned::<u64>(8), (0..n as u64).map(|x| x * x).collect::<Vec<_>>());
    }
    let shim = find("Spare");
    let mut frame = Frame::of(&shim.export);
    frame.call(&shim);
    assert_eq!((frame.get::<usize>(16), frame.get::<usize>(40)), (100, 100));
    assert_eq!((frame.owned_text(0), frame.owned::<u16>(24)), ("x".into(), vec![7]));
    // An empty list with capacity is freed too.
    let shim = find("Emptied");
    let mut frame = Frame::of(&shim.export);
    frame.call(&shim);
    assert_eq!((frame.get::<usize>(16), frame.get::<usize>(40), frame.get::<[usize; 3]>(48)), (10, 10, [0; 3]));
    assert_eq!((frame.owned_text(0), frame.owned::<u16>(24)), (String::new(), vec![]));
}

#[test]
fn elements_are_given_away_one_by_one() {
    let text = Type::Text { freed: true };
    let shim = find("Words");
    assert_eq!(shim.export.results[0].ty, Type::List { freed: true, elem: Box::new(text) });
    let mut frame = Frame::of(&shim.export);
    frame.text(0, "a größe ".as_bytes()).call(&shim);
    let words: Vec<Vec<u8>> = frame.owned::<[usize; 3]>(16).into_iter().map(crate::common::owned).collect();
    assert_eq!(words, ["a".as_bytes(), "größe".as_bytes(), b""]);

    let shim = find("Nested");
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &[4]).call(&shim);
    let lists: Vec<Vec<[u8; 3]>> = frame.owned::<[usize; 3]>(8).into_iter().map(crate::common::owned).collect();
    assert_eq!(lists, [vec![], vec![[1; 3]], vec![[2; 3]; 2], vec![[3; 3]; 3]]);

    let shim = find("Boxes");
    let mut frame = Frame::of(&shim.export);
    frame.call(&shim);
    assert_eq!((frame.owned_text(0), frame.owned::<u32>(24)), ("boxed".into(), vec![1, 2]));
    let texts: Vec<Vec<u8>> = frame.owned::<[usize; 3]>(48).into_iter().map(crate::common::owned).collect();
    assert_eq!(texts, [b"a"]);

    let shim = find("Cows");
    let mut frame = Frame::of(&shim.export);
    frame.text(0, b"text").call(&shim);
    assert_eq!((frame.owned_text(16), frame.owned::<u8>(40), frame.owned_text(64)), ("text".into(), b"text".to_vec(), "own".into()));
}

#[test]
fn what_is_missing_is_nil() {
    let shim = find("Perhaps");
    let offsets: Vec<(&str, u32)> = shim.export.results.iter().map(|field| (field.name.as_str(), field.offset)).collect();
    assert_eq!((offsets, shim.export.frame_size), (vec![("text", 8), ("number", 32), ("ok", 33)], 34));
    for there in [0, 1] {
        let mut frame = Frame::of(&shim.export);
        frame.put(0, &[there]).call(&shim);
        assert_eq!(frame.owned_text(8), ["", "there"][usize::from(there)]);
        assert_eq!(frame.bytes()[32..36], [5 * there, there, 0xa5, 0xa5]);
        let shim = find("PerhapsList");
        let mut frame = Frame::of(&shim.export);
        frame.put(0, &[there]).call(&shim);
        assert_eq!((frame.owned::<u16>(8).len(), frame.bytes()[32]), (2 * usize::from(there), there));
    }
}
