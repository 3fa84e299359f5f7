//! Tests iterators. Go fetches their items in batches.

use crate::common::{Frame, Object, beside, find, method};
use rustgo_schema::{Basic, Type, role};
use std::sync::atomic::Ordering::Relaxed;

mod exports {
    use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};

    /// The number of live iterators and items.
    pub static LIVE: AtomicIsize = AtomicIsize::new(0);

    /// An iterator that counts itself in `LIVE`.
    pub struct Counted<I>(I);

    impl<I> Counted<I> {
        fn new(inner: I) -> Self {
            LIVE.fetch_add(1, Relaxed);
            Self(inner)
        }
    }

    impl<I> Drop for Counted<I> {
        fn drop(&mut self) {
            LIVE.fetch_sub(1, Relaxed);
        }
    }

    impl<I: Iterator> Iterator for Counted<I> {
        type Item = I::Item;

        fn next(&mut self) -> Option<I::Item> {
            self.0.next()
        }
    }

    #[rustgo::export]
    pub fn count_up(n: u64) -> impl Iterator<Item = u64> {
        assert!(n < 1000, "too many");
        Counted::new(0..n)
    }

    #[rustgo::export]
    pub fn split_words(text: &str) -> impl Iterator<Item = &str> {
        Counted::new(text.split(' '))
    }

    #[rustgo::export]
    pub fn owned_words(text: &str) -> impl Iterator<Item = String> {
        Counted::new(text.split(' ').map(str::to_uppercase))
    }

    #[rustgo::export(int = "usize", results(pairs))]
    pub fn characters(text: &str) -> impl Iterator<Item = (usize, char)> {
        Counted::new(text.char_indices())
    }

    // An iterator that owns its data. The type does not show whether its items could lie in a Go slice.
    #[rustgo::export]
    pub fn text_bytes(text: &str) -> impl Iterator<Item = (&[u8], Vec<String>)> {
        text.split(' ').map(|word| (word.as_bytes(), vec![word.to_owned()]))
    }

    #[rustgo::export]
    pub fn own_sum(list: &[u8]) -> impl Iterator<Item = u8> + use<> {
        let mut own = list.to_vec();
        own.reverse();
        own.into_iter()
    }

    #[rustgo::export]
    pub fn fails_at(n: u8) -> impl Iterator<Item = u8> {
        (0..n).inspect(move |x| assert!(*x != 5, "five"))
    }

    #[rustgo::object]
    pub struct Lines(String);

    #[rustgo::export]
    impl Lines {
        pub fn new(text: &str) -> Self {
            Self(text.into())
        }

        pub fn each(&self) -> impl Iterator<Item = &str> {
            Counted::new(self.0.lines())
        }

        pub fn take(&mut self) -> impl Iterator<Item = char> {
            Counted::new(self.0.drain(..))
        }
    }
}

fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn live() -> isize {
    exports::LIVE.load(Relaxed)
}

/// An iterator whose items Go is fetching: the name of the exported function, and the iterator's address.
struct Running(String, usize);

impl Running {
    fn of(name: &str, frame: &mut Frame) -> Self {
        Self::from(find(name), name, frame)
    }

    fn of_lines(name: &str, lines: &Object) -> Self {
        let shim = method("Lines", name);
        let mut frame = Frame::of(&shim.export);
        frame.pointer(0, lines);
        Self::from(shim, name, &mut frame)
    }

    fn from(shim: crate::common::Shim, name: &str, frame: &mut Frame) -> Self {
        frame.call(&shim);
        Self(name.into(), frame.get(shim.export.results_offset))
    }

    /// Fetches items and returns their number.
    fn fetch<T: Copy, U: Copy>(&self, want: usize, items: &mut [T], values: &mut [U]) -> Result<usize, String> {
        assert!(items.len() >= want);
        let next = beside(&self.0, role::NEXT);
        let mut frame = Frame::of(&next.export);
        frame.word(0, self.1).word(8, want).pointer(16, items.as_mut_ptr());
        if next.export.params.len() == 4 {
            frame.pointer(24, values.as_mut_ptr());
        }
        frame.try_call(&next)?;
        Ok(frame.get(next.export.results_offset))
    }

    fn end(self) {
        let end = beside(&self.0, role::END);
        Frame::of(&end.export).word(0, self.1).call(&end);
    }
}

#[test]
fn records_describe_iterators() {
    let export = find("Characters").export;
    let (int, rune) = (Type::Basic(Basic::Int), Type::Basic(Basic::Rune));
    let iterator = Type::Iterator { items: vec![int.clone(), rune.clone()] };
    assert_eq!((&export.results[0].ty, export.results[0].name.as_str(), export.results[0].offset), (&iterator, "pairs", 16));
    let next = beside("Characters", role::NEXT).export;
    let array = |elem| Type::Pointer { mutable: true, elem: Box::new(Type::Array { len: 64, elem: Box::new(elem) }) };
    let params: Vec<(&str, &Type, u32)> = next.params.iter().map(|field| (field.name.as_str(), &field.ty, field.offset)).collect();
    let (items, values) = (array(int), array(rune));
    let expected =
        [("iterator", &Type::Address {}, 0), ("want", &Type::Basic(Basic::Uint), 8), ("items", &items, 16), ("values", &values, 24)];
    assert_eq!((params, next.results_offset, next.frame_size), (expected.to_vec(), 32, 40));
    let end = beside("Characters", role::END).export;
    assert_eq!((end.params.len(), end.results.len(), end.frame_size), (1, 0, 8));

    // Go fetches as many items at a time as fit into one KiB.
    let Type::Pointer { elem, .. } = &beside("OwnedWords", role::NEXT).export.params[2].ty else { panic!("a pointer") };
    assert_eq!(**elem, Type::Array { len: 42, elem: Box::new(Type::Text { freed: true }) });
    let items = |name: &str| match &find(name).export.results[0].ty {
        Type::Iterator { items } => items.clone(),
        _ => panic!("an iterator"),
    };
    assert_eq!(items("SplitWords"), [Type::Basic(Basic::String)]);
    let Type::List { freed: false, .. } = &items("TextBytes")[0] else { panic!("a copied list") };
    let Type::Iterator { items } = &method("Lines", "Each").export.results[0].ty else { panic!("an iterator") };
    assert_eq!(items[..], [Type::Text { freed: false }]);
    assert_eq!(beside("Each", role::NEXT).export.owner, method("Lines", "Each").export.owner);
}

#[test]
fn batches_end_with_fewer_than_wanted() {
    let _alone = alone();
    let before = live();
    let run = Running::of("CountUp", Frame::of(&find("CountUp").export).word(0, 10));
    let mut items = [u64::MAX; 8];
    assert_eq!(run.fetch::<_, ()>(0, &mut items, &mut []), Ok(0));
    assert_eq!((run.fetch::<_, ()>(4, &mut items, &mut []), items), (Ok(4), [0, 1, 2, 3, u64::MAX, u64::MAX, u64::MAX, u64::MAX]));
    assert_eq!((run.fetch::<_, ()>(1, &mut items, &mut []), items[0]), (Ok(1), 4));
    assert_eq!((run.fetch::<_, ()>(8, &mut items, &mut []), &items[..5]), (Ok(5), &[5, 6, 7, 8, 9][..]));
    assert_eq!((run.fetch::<_, ()>(8, &mut items, &mut []), live()), (Ok(0), before + 1));
    run.end();
    assert_eq!(live(), before);

    // A panic before the iterator is made leaves nothing to drop.
    let shim = find("CountUp");
    assert_eq!(Frame::of(&shim.export).word(0, 1000).try_call(&shim), Err("too many".into()));
    assert_eq!(live(), before);
}

#[test]
fn iterators_are_dropped_where_go_stops() {
    let _alone = alone();
    let before = live();
    let text = "ein größeres wort";
    for stop in 0..4 {
        let run = Running::of("OwnedWords", Frame::of(&find("OwnedWords").export).text(0, text.as_bytes()));
        for word in ["EIN", "GRÖSSERES", "WORT"].iter().take(stop) {
            let mut items = [[0_usize; 3]; 1];
            assert_eq!(run.fetch::<_, ()>(1, &mut items, &mut []), Ok(1));
            assert_eq!(crate::common::owned::<u8>(items[0]), word.as_bytes());
        }
        assert_eq!(live(), before + 1);
        run.end();
        assert_eq!(live(), before);
    }
    let run = Running::of("SplitWords", Frame::of(&find("SplitWords").export).text(0, text.as_bytes()));
    let mut items = [[0_usize; 2]; 8];
    assert_eq!(run.fetch::<_, ()>(8, &mut items, &mut []), Ok(3));
    assert_eq!(items[1], [text.as_ptr().addr() + 4, "größeres".len()]);
    run.end();
}

#[test]
fn pairs_go_to_two_places() {
    let _alone = alone();
    let run = Running::of("Characters", Frame::of(&find("Characters").export).text(0, "aßc".as_bytes()));
    let (mut indices, mut runes) = ([9_usize; 4], [9_u32; 4]);
    assert_eq!(run.fetch(4, &mut indices, &mut runes), Ok(3));
    assert_eq!((indices, runes), ([0, 1, 3, 9], ['a' as u32, 'ß' as u32, 'c' as u32, 9]));
    run.end();
    let run = Running::of("TextBytes", Frame::of(&find("TextBytes").export).text(0, b"ab c"));
    let (mut slices, mut lists) = ([[0_usize; 2]; 2], [[0_usize; 3]; 2]);
    assert_eq!(run.fetch(2, &mut slices, &mut lists), Ok(2));
    for (word, (slice, list)) in [&b"ab"[..], b"c"].into_iter().zip(slices.into_iter().zip(lists)) {
        assert_eq!(crate::common::shared::<u8>(slice), word);
        let [text] = crate::common::owned::<[usize; 3]>(list)[..] else { panic!("one") };
        assert_eq!(crate::common::owned::<u8>(text), word);
    }
    run.end();
    let run = Running::of("OwnSum", Frame::of(&find("OwnSum").export).slice(0, b"abc"));
    let mut items = [0_u8; 8];
    assert_eq!((run.fetch::<_, ()>(8, &mut items, &mut []), &items[..3]), (Ok(3), &b"cba"[..]));
    run.end();
}

#[test]
fn a_panic_ends_a_batch() {
    let run = Running::of("FailsAt", Frame::of(&find("FailsAt").export).put(0, &[9]));
    let mut items = [0_u8; 8];
    assert_eq!(run.fetch::<_, ()>(4, &mut items, &mut []), Ok(4));
    assert_eq!(run.fetch::<_, ()>(4, &mut items, &mut []), Err("five".into()));
    run.end();
}

#[test]
fn objects_have_iterators() {
    let _alone = alone();
    let before = live();
    let new = find("NewLines");
    let mut frame = Frame::of(&new.export);
    frame.text(0, b"ab\nc").call(&new);
    let lines = Object::new(frame.get(16));
    let run = Running::of_lines("Each", &lines);
    let mut items = [[0_usize; 2]; 4];
    assert_eq!(run.fetch::<_, ()>(4, &mut items, &mut []), Ok(2));
    assert_eq!((crate::common::shared::<u8>(items[0]), crate::common::shared::<u8>(items[1])), (b"ab".to_vec(), b"c".to_vec()));
    run.end();
    // If Go ends the iterator early, the remaining items are dropped too.
    let run = Running::of_lines("Take", &lines);
    let mut items = [0_u32; 1];
    assert_eq!((run.fetch::<_, ()>(1, &mut items, &mut []), items[0]), (Ok(1), 'a' as u32));
    run.end();
    let run = Running::of_lines("Each", &lines);
    assert_eq!(run.fetch::<_, ()>(1, &mut [[0_usize; 2]], &mut []), Ok(0));
    run.end();
    lines.end("Lines");
    assert_eq!(live(), before);
}
