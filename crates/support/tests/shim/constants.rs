//! Tests exported constants and statics.

use crate::common::constant;
use rustgo_schema::{Basic, Type};

mod exports {
    use rustgo::Handle;

    /// MaxLen is the maximum.
    #[rustgo::export]
    pub const MAX_LEN: u32 = 0x0102_0304;

    #[rustgo::export]
    pub const LEAST: i64 = i64::MIN;

    #[rustgo::export]
    pub const NEARLY: f64 = -0.1;

    #[rustgo::export]
    pub const RUNE: char = 'ß';

    #[rustgo::export]
    pub const YES: bool = true;

    #[rustgo::export(name = "lower")]
    pub const NAME: &str = concat!("gr", "öße\0");

    #[rustgo::export]
    pub const EMPTY: &str = "";

    // The compiler wraps a type that a macro passes on in an invisible token group.
    macro_rules! made {
        ($name:ident: $ty:ty = $text:expr) => {
            #[rustgo::export]
            pub const $name: $ty = $text;
        };
        (&$name:ident: $ty:ty = $text:expr) => {
            #[rustgo::export]
            pub static $name: &$ty = $text;
        };
    }
    made!(MADE: &str = "made");
    made!(&MADE_ALSO: str = "also");

    #[rustgo::export]
    pub static TABLE: [[u16; 2]; 2] = [[1, 2], [3, 0x1234]];

    #[rustgo::export]
    pub static BASE_URL: &str = "https://";

    #[rustgo::export]
    pub const NO_HANDLE: Option<Handle> = None;

    #[rustgo::export]
    pub const HANDLE: Handle = Handle::from_bits(7).unwrap();

    #[derive(Clone, Copy, rustgo::Value)]
    #[repr(i16)]
    pub enum Color {
        Red = -2,
    }

    /// A type with padding between the fields, after them, and inside them.
    #[derive(Clone, Copy, rustgo::Value)]
    #[repr(C)]
    pub struct Padded {
        pub small: u8,
        pub nothing: [u8; 0],
        pub wide: u64,
        pub inner: [Inner; 2],
        pub last: u8,
    }

    #[derive(Clone, Copy, rustgo::Value)]
    #[repr(C)]
    pub struct Inner {
        pub a: u8,
        pub color: Color,
        pub b: u8,
    }

    const INNER: Inner = Inner { a: 1, color: Color::Red, b: 2 };

    #[rustgo::export]
    pub const PADDED: Padded = Padded { small: 5, nothing: [], wide: 6, inner: [INNER; 2], last: 7 };

    #[rustgo::export]
    pub static ALL: [Padded; 2] = [PADDED; 2];
}

#[test]
fn constants_have_the_bytes_of_gos_memory() {
    let bytes = |name: &str| constant(name).value;
    assert_eq!(bytes("MaxLen"), [4, 3, 2, 1]);
    assert_eq!(bytes("Least"), i64::MIN.to_le_bytes());
    assert_eq!(bytes("Nearly"), (-0.1_f64).to_le_bytes());
    assert_eq!(bytes("Rune"), [0xdf, 0, 0, 0]);
    assert_eq!(bytes("Yes"), [1]);
    assert_eq!(bytes("lower"), "größe\0".as_bytes());
    assert_eq!(bytes("Empty"), b"");
    assert_eq!((bytes("Made"), bytes("MadeAlso")), (b"made".to_vec(), b"also".to_vec()));
    assert_eq!(bytes("Table"), [1, 0, 2, 0, 3, 0, 0x34, 0x12]);
    assert_eq!(bytes("BaseURL"), b"https://");
    assert_eq!((bytes("NoHandle"), bytes("Handle")), (0_u64.to_le_bytes().to_vec(), 7_u64.to_le_bytes().to_vec()));
    // Padding bytes are zero.
    let inner = [1, 0, 0xfe, 0xff, 2, 0];
    let padded = [&[5, 0, 0, 0, 0, 0, 0, 0][..], &6_u64.to_le_bytes(), &inner, &inner, &[7, 0, 0, 0]].concat();
    assert_eq!(bytes("Padded"), padded);
    assert_eq!(bytes("All"), padded.repeat(2));
}

#[test]
fn records_describe_constants() {
    let max = constant("MaxLen");
    let line = 1 + include_str!("constants.rs").lines().position(|line| line.contains("pub const MAX_LEN")).unwrap();
    assert_eq!((max.rust_path.as_str(), max.file.as_str(), max.line), ("shim::constants::exports::MAX_LEN", file!(), line as u32));
    assert_eq!((max.doc.as_str(), &max.ty, max.variable), ("MaxLen is the maximum.", &Type::Basic(Basic::Uint32), false));
    assert!(constant("Table").variable && constant("BaseURL").variable && !constant("Padded").variable);
    assert_eq!(constant("BaseURL").ty, Type::Basic(Basic::String));
    assert!(matches!(constant("Padded").ty, Type::Struct { size: 32, align: 8, .. }));
}
