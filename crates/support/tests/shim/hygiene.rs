//! Tests that the shims work although the author's items have the names of language items.

use crate::common::{Frame, Object, find, method};
use rustgo_schema::{Basic, Type};

#[allow(non_camel_case_types, dead_code, unused_macros)]
mod exports {
    macro_rules! matches {
        ($($any:tt)*) => {
            false
        };
    }

    type u8 = i8;
    type u64 = u16;

    pub trait Never {
        fn is_null(&self) -> bool {
            false
        }
    }
    impl<T> Never for T {}

    #[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
    #[repr(u8)]
    pub enum Note {
        Low = 1,
        High = 200,
    }

    #[rustgo::export]
    pub fn hygienic_notes(to: &mut Note, from: Option<&Note>) -> Note {
        *to = from.copied().unwrap_or(Note::High);
        *to
    }

    #[rustgo::export]
    pub fn hygienic_numbers(x: u8, y: u64) -> (u8, u64) {
        (x - 1, y + 1)
    }

    #[rustgo::object]
    pub struct Pile(Vec<u16>);

    #[rustgo::export]
    impl Pile {
        pub fn of(x: u16) -> Self {
            let _ = matches!();
            Self(vec![x])
        }

        pub fn add(&mut self, x: u16, from: Option<&Pile>) -> usize {
            self.0.push(x);
            self.0.extend(from.iter().flat_map(|from| &from.0));
            self.0.len()
        }
    }
}

#[test]
fn values_are_what_their_declaration_says() {
    let shim = find("HygienicNotes");
    let Type::Pointer { mutable: true, elem } = &shim.export.params[0].ty else { panic!("a pointer to write to") };
    let Type::Enum { base, .. } = &**elem else { panic!("an enum") };
    assert_eq!(**base, Type::Basic(Basic::Uint8));
    let (mut to, from) = ([1_u8; 8], [200_u8; 8]);
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, to.as_mut_ptr()).pointer(8, from.as_ptr()).call(&shim);
    assert_eq!((to[0], frame.bytes()[16]), (200, 200));
    assert_eq!(frame.word(8, 0).try_call(&shim), Ok(()));
    assert_eq!(frame.word(0, 0).try_call(&shim).unwrap_err(), "nil pointer passed for parameter to");
    frame.pointer(0, to.as_mut_ptr()).pointer(8, to.as_ptr());
    assert_eq!(frame.try_call(&shim).unwrap_err(), "parameters to and from overlap");

    let shim = find("HygienicNumbers");
    let types: Vec<&Type> = shim.export.params.iter().map(|param| &param.ty).collect();
    assert_eq!(types, [&Type::Basic(Basic::Int8), &Type::Basic(Basic::Uint16)]);
}

#[test]
fn objects_that_are_written_to_are_described_so() {
    let of = find("PileOf");
    let made = |x: u16| {
        let mut frame = Frame::of(&of.export);
        frame.put(0, &x.to_ne_bytes()).call(&of);
        Object::new(frame.get::<usize>(8))
    };
    let (pile, other) = (made(1), made(2));
    let add = method("Pile", "Add");
    assert!(matches!(&add.export.params[0].ty, Type::Pointer { mutable: true, .. }));
    let mut frame = Frame::of(&add.export);
    frame.pointer(0, &raw const pile).put(8, &7_u16.to_ne_bytes()).pointer(16, &raw const other).call(&add);
    assert_eq!((frame.get::<usize>(24), unsafe { (*pile.inner).entered }), (3, 1));
    assert_eq!(frame.pointer(16, &raw const pile).try_call(&add).unwrap_err(), "parameters self and from overlap");
    assert_eq!(frame.word(0, 0).try_call(&add).unwrap_err(), "nil pointer passed for parameter self");
    pile.end("Pile");
    other.end("Pile");
}
