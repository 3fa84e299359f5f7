//! Tests structs and enums that the Go package declares too.

use crate::common::{Frame, array, field, find, method};
use rustgo_schema::{Basic, Type};

mod exports {
    use std::marker::PhantomData;

    #[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
    #[repr(u8)]
    pub enum Color {
        Red = 3,
        Green,
        Blue = 200,
    }

    #[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
    #[repr(i64)]
    pub enum Wide {
        Least = i64::MIN,
        Minus = -1,
    }

    /// Point is a place.
    #[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
    #[repr(C)]
    pub struct Point {
        /// X is across.
        pub x: f64,
        #[rustgo(name = "Kind")]
        pub color: Color,
        pub nothing: [u8; 0],
        pub unit: (),
        pub of: PhantomData<String>,
        pub user_id: [u8; 3],
        pub rune: char,
    }

    #[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
    #[repr(C)]
    pub struct Nested {
        pub small: u8,
        pub point: Point,
        pub colors: [[Color; 2]; 2],
        pub last: u16,
    }

    #[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
    #[repr(C)]
    pub struct Nothing {}

    #[rustgo::export]
    pub fn nested_by_value(flag: bool, nested: Nested, point: Point) -> (bool, Nested, u8) {
        (!flag, Nested { point, last: nested.last + 1, ..nested }, nested.small)
    }

    #[allow(clippy::too_many_arguments)]
    #[rustgo::export]
    pub fn check_colors(
        one: Color,
        array: [Color; 2],
        pointer: &mut Color,
        slice: &[Color],
        maybe: Option<&Color>,
        nested: &Nested,
        all: &mut [Nested],
        list: Vec<Nested>,
    ) -> Color {
        *pointer = array[0];
        let _ = (slice, maybe, nested, all, list);
        one
    }

    #[rustgo::export]
    pub fn check_wide(wide: Wide) -> Option<Wide> {
        (wide == Wide::Minus).then_some(Wide::Least)
    }

    #[rustgo::export]
    pub fn nothings(one: Nothing, all: &[Nothing], x: u8) -> (usize, Nothing, u8) {
        (all.len(), one, x)
    }

    #[rustgo::export]
    impl Point {
        pub fn norm(&self) -> f64 {
            self.x.abs()
        }

        pub fn scale(&mut self, by: f64) {
            self.x *= by;
        }

        pub fn moved(self, by: f64) -> Self {
            Self { x: self.x + by, ..self }
        }

        pub fn new(x: f64) -> Self {
            Self { x, color: Color::Green, nothing: [], unit: (), of: PhantomData, user_id: [1, 2, 3], rune: 'ß' }
        }

        pub fn ids(&self) -> &[u8] {
            &self.user_id
        }
    }
}

use exports::{Color, Nested, Point};

/// The layout of the struct in Go, written by hand.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct GoPoint {
    x: f64,
    kind: u8,
    user_id: [u8; 3],
    rune: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct GoNested {
    small: u8,
    point: GoPoint,
    colors: [u8; 4],
    last: u16,
}

const POINT: GoPoint = GoPoint { x: 1.5, kind: 4, user_id: [7, 8, 9], rune: 'x' as u32 };
const NESTED: GoNested = GoNested { small: 9, point: POINT, colors: [3, 4, 200, 3], last: 77 };

fn bytes<T>(value: &T) -> &[u8] {
    unsafe { std::slice::from_raw_parts((&raw const *value).cast(), size_of::<T>()) }
}

#[test]
fn records_describe_structs_and_enums() {
    let shim = find("NestedByValue");
    let [flag, nested, point] = &shim.export.params[..] else { panic!("three") };
    assert_eq!((flag.offset, nested.offset, point.offset), (0, 8, 40));
    let offsets: Vec<u32> = shim.export.results.iter().map(|field| field.offset).collect();
    assert_eq!((offsets, shim.export.results_offset, shim.export.frame_size), (vec![56, 64, 96], 56, 97));

    let Type::Struct { decl, size, align, fields } = &point.ty else { panic!("a struct") };
    assert_eq!((decl.go_name.as_str(), decl.rust_path.as_str()), ("Point", "shim::values::exports::Point"));
    let line = 1 + include_str!("values.rs").lines().position(|line| line.contains("pub struct Point")).unwrap();
    assert_eq!((decl.doc.as_str(), decl.file.as_str(), decl.line), ("Point is a place.", file!(), line as u32));
    assert_eq!((*size, *align), (16, 8));
    let fields: Vec<(&str, &str, u64)> = fields.iter().map(|f| (f.go_name.as_str(), f.doc.as_str(), f.offset)).collect();
    let none = ["Nothing", "Unit", "Of"].map(|name| (name, "", 9));
    let expected = [&[("X", "X is across.", 0), ("Kind", "", 8)], &none[..], &[("UserID", "", 9), ("Rune", "", 12)]].concat();
    assert_eq!(fields, expected);
    let Type::Struct { size, align, fields, .. } = &nested.ty else { panic!("a struct") };
    assert_eq!((*size, *align, fields.iter().map(|f| f.offset).collect::<Vec<_>>()), (32, 8, vec![0, 8, 24, 28]));

    let Type::Enum { decl, base, variants } = &find("CheckColors").export.params[0].ty else { panic!("an enum") };
    assert_eq!((decl.go_name.as_str(), &**base), ("Color", &Type::Basic(Basic::Uint8)));
    let variants: Vec<(&str, &str, u64)> = variants.iter().map(|v| (v.go_name.as_str(), v.name.as_str(), v.value)).collect();
    assert_eq!(variants, [("ColorRed", "Red", 3), ("ColorGreen", "Green", 4), ("ColorBlue", "Blue", 200)]);
    let Type::Enum { base, variants, .. } = &find("CheckWide").export.params[0].ty else { panic!("an enum") };
    assert_eq!((&**base, variants[0].value, variants[1].value), (&Type::Basic(Basic::Int64), 1 << 63, u64::MAX));

    // The receiver is passed as a pointer or as a value.
    let receiver = |name: &str| method("Point", name).export.params[0].clone();
    assert_eq!(receiver("Moved"), field("self", point.ty.clone(), 0));
    let pointer = |mutable| Type::Pointer { mutable, elem: Box::new(point.ty.clone()) };
    assert_eq!((receiver("Norm").ty, receiver("Scale").ty), (pointer(false), pointer(true)));
    let new = find("NewPoint").export;
    assert_eq!((new.owner.as_str(), new.rust_path.as_str()), ("shim::values::exports::Point", "shim::values::exports::Point::new"));
    let ids = method("Point", "Ids").export;
    assert!(ids.borrows && ids.results[0].ty == Type::Slice { mutable: false, elem: Box::new(Type::Basic(Basic::Uint8)) });
    assert_eq!(find("CheckColors").export.params[1].ty, *array(2, find("CheckColors").export.params[0].ty.clone()));
}

#[test]
fn structs_cross_by_value() {
    let shim = find("NestedByValue");
    let other = GoPoint { x: -0.0, kind: 200, user_id: [0; 3], rune: 0 };
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &[1]).put(8, bytes(&NESTED)).put(40, bytes(&other)).call(&shim);
    assert_eq!(frame.bytes()[56], 0);
    // The structs are compared field by field, because the content of the padding is undefined.
    let result: GoNested = frame.get(64);
    assert_eq!(result, GoNested { point: other, last: 78, ..NESTED });
    assert_eq!(frame.bytes()[96..104], [9, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5]);

    let mut point = POINT;
    let scale = method("Point", "Scale");
    Frame::of(&scale.export).pointer(0, &raw mut point).put(8, &2.0_f64.to_ne_bytes()).call(&scale);
    assert_eq!(point, GoPoint { x: 3.0, ..POINT });
    let norm = method("Point", "Norm");
    let mut frame = Frame::of(&norm.export);
    frame.pointer(0, &raw const point).call(&norm);
    assert_eq!(frame.get::<f64>(8), 3.0);
    assert_eq!(frame.word(0, 0).try_call(&norm).unwrap_err(), "nil pointer passed for parameter self");
    let moved = method("Point", "Moved");
    let mut frame = Frame::of(&moved.export);
    frame.put(0, bytes(&POINT)).put(16, &1.0_f64.to_ne_bytes()).call(&moved);
    assert_eq!(frame.get::<GoPoint>(24), GoPoint { x: 2.5, ..POINT });
    let new = find("NewPoint");
    let mut frame = Frame::of(&new.export);
    frame.put(0, &1.0_f64.to_ne_bytes()).call(&new);
    assert_eq!(frame.get::<GoPoint>(8), GoPoint { x: 1.0, kind: 4, user_id: [1, 2, 3], rune: 'ß' as u32 });
    // The method's result borrows from the receiver, so it points into Go's struct.
    let ids = method("Point", "Ids");
    let mut frame = Frame::of(&ids.export);
    frame.pointer(0, &raw const point).call(&ids);
    assert_eq!(frame.get::<[usize; 3]>(8), [(&raw const point.user_id).addr(), 3, 3]);
}

/// Calls the export with the number `wrong` in one of the places.
fn colors(place: usize, wrong: u8) -> Result<(u8, u8), String> {
    let shim = find("CheckColors");
    let pick = |here: usize| if here == place { wrong } else { 4 };
    let slice = [3, 3, pick(3)];
    let nested = |color: u8, kind: u8| GoNested { point: GoPoint { kind, ..POINT }, colors: [3, 3, 3, color], ..NESTED };
    let (in_nested, mut all, list) = (nested(pick(5), pick(6)), [NESTED, nested(pick(7), 3)], [NESTED, NESTED, nested(3, pick(8))]);
    let (mut pointer, maybe) = (pick(2), pick(4));
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &[pick(0), 3, pick(1)]).pointer(8, &raw mut pointer).slice(16, &raw const slice).pointer(40, &raw const maybe);
    frame.pointer(48, &raw const in_nested).slice(56, &raw mut all).slice(80, &raw const list);
    frame.try_call(&shim)?;
    Ok((frame.bytes()[shim.export.results_offset as usize], pointer))
}

#[test]
fn invalid_enum_numbers_are_refused() {
    assert_eq!(colors(usize::MAX, 0), Ok((4, 3)));
    for wrong in [0, 5, 199, 201, 255] {
        for (place, name) in ["one", "array", "pointer", "slice", "maybe", "nested", "nested", "all", "list"].into_iter().enumerate() {
            assert_eq!(colors(place, wrong), Err(format!("parameter {name} holds a number that is no Color")), "{place}");
        }
    }
    for right in [3, 4, 200] {
        assert!((0..9).all(|place| colors(place, right).is_ok()));
    }
    // The panic names the first field of a struct that holds an invalid value.
    let shim = find("NestedByValue");
    let mut frame = Frame::of(&shim.export);
    let point = GoPoint { rune: 0xd800, ..POINT };
    frame.put(0, &[1]).put(8, bytes(&NESTED)).put(40, bytes(&point));
    assert_eq!(frame.try_call(&shim), Err("parameter point holds a number that is no Color".into()));

    let shim = find("CheckWide");
    for (number, found) in [(i64::MIN, Some(false)), (-1, Some(true)), (0, None), (i64::MAX, None)] {
        let mut frame = Frame::of(&shim.export);
        let called = frame.put(0, &number.to_ne_bytes()).try_call(&shim);
        match found {
            None => assert_eq!(called, Err("parameter wide holds a number that is no Wide".into())),
            Some(there) => {
                let expected = if there { i64::MIN } else { 0 };
                assert_eq!((frame.get::<i64>(8), frame.bytes()[16]), (expected, u8::from(there)));
            }
        }
    }
}

#[test]
fn zero_sized_parameters_take_no_space() {
    let shim = find("Nothings");
    let offsets: Vec<u32> = shim.export.params.iter().chain(&shim.export.results).map(|field| field.offset).collect();
    assert_eq!((offsets, shim.export.frame_size), (vec![0, 0, 24, 32, 40, 40], 41));
    let mut frame = Frame::of(&shim.export);
    frame.word(0, 8).word(8, 1000).word(16, 1000).put(24, &[5]).call(&shim);
    assert_eq!((frame.get::<usize>(32), frame.bytes()[40]), (1000, 5));
}

#[test]
fn rust_and_go_lay_them_out_alike() {
    assert_eq!((size_of::<Point>(), size_of::<Nested>()), (size_of::<GoPoint>(), size_of::<GoNested>()));
    let nested = Nested { small: 9, point: Point::new(1.0), colors: [[Color::Red; 2]; 2], last: 1 };
    let go: GoNested = unsafe { std::mem::transmute_copy(&nested) };
    assert_eq!((go.small, go.point.user_id, go.colors, go.last), (9, [1, 2, 3], [3; 4], 1));
}
