//! Tests inline objects, which live in Go's memory.

use crate::common::{Frame, Object, find, method};
use rustgo_schema::Type;

mod exports {
    use std::fmt;

    macro_rules! hashers {
        ($($name:ident $go:literal $align:literal;)*) => {$(
            #[rustgo::object(inline, name = $go)]
            #[derive(Clone, Copy, Debug, Default)]
            #[repr(align($align))]
            pub struct $name {
                state: [u64; 3],
                n: u8,
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    assert!((&raw const *self).is_aligned());
                    write!(f, "{:?} {}", self.state, self.n)
                }
            }

            #[rustgo::export]
            impl $name {
                pub fn new(seed: u64) -> Self {
                    Self { state: [seed; 3], n: 1 }
                }

                pub fn add(&mut self, x: u64) {
                    assert!((&raw const *self).is_aligned());
                    self.state[0] += x;
                    self.n += 1;
                }

                pub fn sum(&self, other: Option<&Self>) -> u64 {
                    assert!((&raw const *self).is_aligned());
                    let other = other.map_or(0, |other| {
                        assert!((&raw const *other).is_aligned());
                        other.state[2] + u64::from(other.n)
                    });
                    self.state[0] + u64::from(self.n) + other
                }

                pub fn finish(self) -> (u64, u8) {
                    assert!((&raw const self).is_aligned());
                    (self.state[1], self.n)
                }

                pub fn absorb(&mut self, other: &Self, bytes: &[u8], more: Option<&mut Self>) {
                    self.state[0] += other.state[0] + bytes.len() as u64 + more.map_or(0, |more| more.state[0]);
                }

                pub fn rest(&mut self) -> &[u64] {
                    &self.state
                }
            }
        )*};
    }

    hashers! {
        Hasher8 "Hasher8" 8;
        Hasher16 "Hasher16" 16;
        Hasher32 "Hasher32" 32;
        Hasher64 "Hasher64" 64;
    }

    /// An inline object whose type has no default.
    #[rustgo::object(inline)]
    #[derive(Clone, Copy)]
    pub struct Made(u8);

    #[rustgo::export]
    impl Made {
        pub fn new(x: u8) -> Self {
            Self(x)
        }

        pub fn several(n: u8) -> Vec<Self> {
            (0..n).map(Self).collect()
        }

        pub fn maybe(n: u8) -> Result<Option<Self>, String> {
            if n == 0 { Err("zero".into()) } else { Ok((n > 1).then_some(Self(n))) }
        }

        pub fn get(&self) -> u8 {
            self.0
        }

        pub fn set(&mut self, x: u8) {
            self.0 = x;
        }

        pub fn take(self) -> u8 {
            self.0
        }
    }

    /// An inline object whose default panics and whose type is not `Copy`.
    #[rustgo::object(unsafe(inline))]
    pub struct Trusted(u64);

    impl Default for Trusted {
        fn default() -> Self {
            panic!("no default today")
        }
    }

    #[rustgo::export]
    impl Trusted {
        pub fn get(&mut self) -> u64 {
            self.0
        }
    }

    /// An object in the Rust heap. Calls that change it also take an inline object.
    #[rustgo::object]
    pub struct Total(u64);

    #[rustgo::export]
    impl Total {
        pub fn new() -> Self {
            Self(1)
        }

        pub fn add(&mut self, x: &Trusted, maybe: Option<&Trusted>) -> u64 {
            self.0 += x.0 + maybe.map_or(0, |x| x.0);
            self.0
        }

        pub fn add_taken(&mut self, x: Trusted) -> u64 {
            self.0 += x.0;
            self.0
        }

        pub fn end(self, x: Trusted) -> u64 {
            self.0 + x.0
        }
    }
}

/// Memory in which Go's struct can lie at any multiple of 8.
#[repr(C, align(64))]
struct Memory([u64; 48]);

/// Each type's name in Go, its number of words in Go's memory, and its alignment. The aligned sizes of their values are 32, 32, 32 and 64 bytes.
const TYPES: [(&str, u64, usize); 4] = [("Hasher8", 1 + 4, 8), ("Hasher16", 1 + 5, 16), ("Hasher32", 1 + 7, 32), ("Hasher64", 1 + 15, 64)];

#[test]
fn records_say_how_many_words() {
    for (name, expected, align) in TYPES {
        let new = find(&format!("New{name}")).export;
        let Type::Object { words, flags, .. } = &new.results[0].ty else { panic!("an object") };
        assert_eq!((*words, *flags, new.frame_size), (expected, 4, 8 + 8 * expected as u32), "{align}");
        let pointer = Type::Pointer { mutable: false, elem: Box::new(new.results[0].ty.clone()) };
        assert_eq!((&method(name, "Sum").export.params[0].ty, &method(name, "Finish").export.params[0].ty), (&pointer, &pointer));
        let crate::common::Shim { export, .. } = method(name, "Rest");
        assert_eq!(
            (export.borrows, &export.results[0].ty),
            (false, &Type::List { freed: false, elem: Box::new(Type::Basic(rustgo_schema::Basic::Uint64)) })
        );
    }
    let Type::Object { words, flags, .. } = find("NewMade").export.results[0].ty else { panic!("an object") };
    assert_eq!((words, flags), (2, 0));
}

#[test]
fn objects_are_aligned_wherever_go_puts_them() {
    for (name, words, _) in TYPES {
        let new = find(&format!("New{name}"));
        let (add, sum, finish, string) = (method(name, "Add"), method(name, "Sum"), method(name, "Finish"), method(name, "String"));
        let mut made = Frame::of(&new.export);
        made.word(0, 10).call(&new);
        let result = &made.0[1..][..words as usize];
        // The Go struct lies at another address in each call.
        let mut memory = Memory([u64::MAX; 48]);
        let (mut at, mut expected) = (0, 10);
        memory.0[at..][..words as usize].copy_from_slice(result);
        for step in 0..20 {
            let next = (at * 7 + step) % (47 - words as usize);
            memory.0.copy_within(at..at + words as usize, next);
            at = next;
            let before = memory.0;
            let start = (&raw mut memory.0[at]).cast_const();
            let mut frame = Frame::of(&sum.export);
            frame.pointer(0, start).pointer(8, start).call(&sum);
            assert_eq!(frame.get::<u64>(16), expected + 10 + 2 * (1 + step as u64), "{name} at {at}");
            let mut frame = Frame::of(&finish.export);
            frame.pointer(0, start).call(&finish);
            assert_eq!((frame.get::<u64>(8), frame.bytes()[16]), (10, 1 + step as u8));
            let mut frame = Frame::of(&string.export);
            frame.pointer(0, start).call(&string);
            assert_eq!(frame.owned_text(8), format!("[{expected}, 10, 10] {}", 1 + step));
            assert_eq!(memory.0, before, "reading writes nothing: other goroutines read");
            let start = (&raw mut memory.0[at]).cast_const();
            Frame::of(&add.export).pointer(0, start).word(8, 5).call(&add);
            expected += 5;
            let (outside, after) = (at..at + words as usize, memory.0);
            assert!((0..48).all(|i| outside.contains(&i) || after[i] == before[i]), "nothing outside is written to");
        }
        let rest = method(name, "Rest");
        let mut frame = Frame::of(&rest.export);
        frame.pointer(0, &raw mut memory.0[at]).call(&rest);
        assert_eq!(frame.shared::<u64>(8), [expected, 10, 10]);
    }
}

#[test]
fn zero_is_the_default_or_nothing() {
    for (name, words, _) in TYPES {
        let (add, sum, finish) = (method(name, "Add"), method(name, "Sum"), method(name, "Finish"));
        for at in 0..8 {
            let mut memory = Memory([0; 48]);
            let start = (&raw mut memory.0[at]).cast_const();
            let mut frame = Frame::of(&sum.export);
            frame.pointer(0, start).word(8, 0).call(&sum);
            assert_eq!(frame.get::<u64>(16), 0);
            let mut frame = Frame::of(&finish.export);
            frame.pointer(0, start).call(&finish);
            assert_eq!((frame.get::<u64>(8), memory.0), (0, [0; 48]));
            let start = (&raw mut memory.0[at]).cast_const();
            Frame::of(&add.export).pointer(0, start).word(8, 5).call(&add);
            let mut frame = Frame::of(&sum.export);
            frame.pointer(0, start).word(8, 0).call(&sum);
            assert_eq!((frame.get::<u64>(16), memory.0[at] != 0), (6, true));
            assert!(memory.0[at + words as usize..].iter().all(|word| *word == 0));
        }
    }

    let zero = [0_u64; 2];
    for name in ["Get", "Set", "Take"] {
        let shim = method("Made", name);
        let mut frame = Frame::of(&shim.export);
        frame.pointer(0, &raw const zero).word(8, 1);
        assert_eq!(frame.try_call(&shim), Err("the Made passed for parameter self was not made by a constructor".into()));
        assert_eq!(frame.word(0, 0).try_call(&shim), Err("nil pointer passed for parameter self".into()));
    }
    let trusted = method("Trusted", "Get");
    assert_eq!(Frame::of(&trusted.export).pointer(0, &raw const zero).try_call(&trusted), Err("no default today".into()));
    assert_eq!(zero, [0; 2]);
}

#[test]
fn objects_overlap_as_their_words_do() {
    let absorb = method("Hasher32", "Absorb");
    let mut memory = Memory([0; 48]);
    let base = (&raw mut memory).expose_provenance();
    let call = |this: usize, other: usize, bytes: (usize, usize), more: Option<usize>| {
        let mut frame = Frame::of(&absorb.export);
        frame.word(0, base + 8 * this).word(8, base + 8 * other).word(16, base + bytes.0).word(24, bytes.1).word(32, bytes.1);
        frame.word(40, more.map_or(0, |more| base + 8 * more));
        frame.try_call(&absorb)
    };
    assert_eq!(call(8, 16, (0, 64), None), Ok(()));
    assert_eq!(call(8, 0, (128, 64), Some(24)), Ok(()));
    assert_eq!(call(8, 8, (0, 0), None), Err("parameters self and other overlap".into()));
    assert_eq!(call(8, 15, (0, 0), None), Err("parameters self and other overlap".into()));
    assert_eq!(call(8, 1, (0, 0), None), Err("parameters self and other overlap".into()));
    // The marker word and the room for alignment belong to the object too.
    assert_eq!(call(8, 16, (64, 1), None), Err("parameters self and bytes overlap".into()));
    assert_eq!(call(8, 16, (127, 1), None), Err("parameters self and bytes overlap".into()));
    assert_eq!(call(8, 16, (0, 0), Some(8)), Err("parameters self and more overlap".into()));
    assert_eq!(call(8, 16, (0, 0), Some(17)), Err("parameters other and more overlap".into()));
    assert_eq!(call(8, 0, (200, 8), Some(24)), Err("parameters bytes and more overlap".into()));
}

#[test]
fn objects_are_given_as_words() {
    let new = find("NewMade");
    let mut frame = Frame::of(&new.export);
    frame.put(0, &[7]).call(&new);
    assert_eq!((frame.get::<u64>(8), frame.bytes()[16]), (1, 7));
    let made = frame.get::<[u64; 2]>(8);
    let get = method("Made", "Get");
    let mut frame = Frame::of(&get.export);
    frame.pointer(0, &raw const made).call(&get);
    assert_eq!(frame.bytes()[8], 7);

    let several = find("MadeSeveral");
    let mut frame = Frame::of(&several.export);
    frame.put(0, &[3]).call(&several);
    let list: Vec<(u64, u8)> = frame.owned::<[u64; 2]>(8).into_iter().map(|[marker, value]| (marker, value as u8)).collect();
    assert_eq!(list, [(1, 0), (1, 1), (1, 2)]);

    let maybe = find("MadeMaybe");
    for (n, marker, ok, error) in [(0, 0, 0, &["zero"][..]), (1, 0, 0, &[]), (2, 1, 1, &[])] {
        let mut frame = Frame::of(&maybe.export);
        frame.put(0, &[n]).call(&maybe);
        assert_eq!(
            (frame.get::<u64>(8), frame.bytes()[24], frame.failure(32).as_slice()),
            (marker, ok, error.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice())
        );
    }
    let clone = method("Made", "Clone");
    let mut frame = Frame::of(&clone.export);
    frame.pointer(0, &raw const made).call(&clone);
    assert_eq!((frame.get::<u64>(8), frame.bytes()[16]), (1, 7));
}

#[test]
fn defaults_are_made_before_anything_is_changed() {
    let new = find("NewTotal");
    let mut frame = Frame::of(&new.export);
    frame.call(&new);
    let total = Object::new(frame.get(0));
    let (made, zero) = ([1, 40], [0, 0_u64]);
    let call = |name: &str, x: &[u64; 2], maybe: Option<&[u64; 2]>| {
        let shim = method("Total", name);
        let mut frame = Frame::of(&shim.export);
        frame.pointer(0, &raw const total).pointer(8, x);
        if name == "Add" {
            frame.pointer(16, maybe.map_or(std::ptr::null(), |maybe| maybe));
        }
        let called = frame.try_call(&shim);
        let entered = std::mem::take(unsafe { &mut (*total.inner).entered });
        called.map(|()| (frame.get::<u64>(shim.export.results_offset), entered)).map_err(|message| (message, entered))
    };
    let refused = Err(("no default today".to_owned(), 0));
    assert_eq!(call("Add", &zero, None), refused);
    assert_eq!(call("Add", &made, Some(&zero)), refused);
    assert_eq!(call("AddTaken", &zero, None), refused);
    assert_eq!(call("End", &zero, None), refused);
    assert_eq!(call("Add", &made, None), Ok((41, 1)));
    assert_eq!(call("Add", &made, Some(&made)), Ok((121, 1)));
    assert_eq!(call("AddTaken", &made, None), Ok((161, 1)));
    assert_eq!(call("End", &made, None), Ok((201, 1)));
}
