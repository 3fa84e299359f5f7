//! The types of generated functions: of their parameters, locals and results.

use super::Random;

/// A type of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Bool,
    Char,
    /// An integer: its number of bits, and whether it is signed. ([`Scalar::Size`] is for `usize` and `isize`.)
    Int(u32, bool),
    Size(bool),
    F32,
    F64,
}

use Scalar::{Bool, Char, F32, F64, Int, Size};

/// The types of a single value that exports may take and return.
pub const BORDER: [Scalar; 14] = [
    Bool,
    Char,
    Int(8, false),
    Int(8, true),
    Int(16, false),
    Int(16, true),
    Int(32, false),
    Int(32, true),
    Int(64, false),
    Int(64, true),
    Size(false),
    Size(true),
    F32,
    F64,
];

impl Scalar {
    /// Returns a random type. If `border`, exports may have parameters and results of this type.
    pub fn any(random: &mut Random, border: bool) -> Scalar {
        match random.below(if border { 14 } else { 17 }) {
            n @ 0..14 => BORDER[n],
            14 => Int(128, false),
            15 => Int(128, true),
            _ => Int(64, false),
        }
    }

    pub fn integer(random: &mut Random) -> Scalar {
        match random.below(13) {
            n @ 0..12 => [
                Int(8, false),
                Int(8, true),
                Int(16, false),
                Int(16, true),
                Int(32, false),
                Int(32, true),
                Int(64, false),
                Int(64, true),
                Size(false),
                Size(true),
                Int(128, false),
                Int(64, false),
            ][n],
            _ => Int(128, true),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Bool => "bool",
            Char => "char",
            Int(8, false) => "u8",
            Int(8, true) => "i8",
            Int(16, false) => "u16",
            Int(16, true) => "i16",
            Int(32, false) => "u32",
            Int(32, true) => "i32",
            Int(64, false) => "u64",
            Int(64, true) => "i64",
            Int(_, false) => "u128",
            Int(_, true) => "i128",
            Size(false) => "usize",
            Size(true) => "isize",
            F32 => "f32",
            F64 => "f64",
        }
    }

    /// The name of the type in Go; 128-bit integers have none, because they are not passed to Go.
    pub fn go(self) -> &'static str {
        match self {
            Bool => "bool",
            Char => "rune",
            Int(8, false) => "uint8",
            Int(8, true) => "int8",
            Int(16, false) => "uint16",
            Int(16, true) => "int16",
            Int(32, false) => "uint32",
            Int(32, true) => "int32",
            Int(64, false) => "uint64",
            Int(64, true) => "int64",
            Size(false) => "uint",
            Size(true) => "int",
            F32 => "float32",
            F64 => "float64",
            Int(..) => unreachable!("no type of 128 bits crosses the boundary to Go"),
        }
    }

    pub fn is_integer(self) -> bool {
        matches!(self, Int(..) | Size(_))
    }

    pub fn is_float(self) -> bool {
        matches!(self, F32 | F64)
    }

    pub fn bytes(self) -> usize {
        match self {
            Bool => 1,
            Char | F32 => 4,
            Int(bits, _) => bits as usize / 8,
            Size(_) | F64 => 8,
        }
    }

    /// A random literal, in parentheses if it has a sign. The ends of the type's range are likely.
    pub fn literal(self, random: &mut Random) -> String {
        let name = self.name();
        match self {
            Bool => ["true", "false"][random.below(2)].to_owned(),
            Char => ["'a'", "'\\0'", "'é'", "'\\u{10ffff}'", "'9'"][random.below(5)].to_owned(),
            F32 | F64 => match random.below(12) {
                0 => format!("{name}::INFINITY"),
                1 => format!("{name}::NAN"),
                2 => format!("{name}::MIN_POSITIVE"),
                3 => format!("(-0.0{name})"),
                4 => format!("{name}::MAX"),
                _ => format!("({}.{}{name})", random.below(2000) as i64 - 1000, random.below(1000)),
            },
            Int(..) | Size(_) => match random.below(8) {
                0 => format!("{name}::MAX"),
                1 => format!("{name}::MIN"),
                2 => format!("0{name}"),
                3 => format!("(1{name} << {})", random.below(self.bytes() * 8)),
                4 => format!("(0x{:x}u64 as {name})", random.word()),
                _ => format!("{}{name}", random.below(100)),
            },
        }
    }
}

/// The type of a function's result.
#[derive(Clone, Debug)]
pub enum Return {
    Unit,
    One(Scalar),
    Tuple(Vec<Scalar>),
    Array(Scalar, usize),
    Struct(usize),
    Option(Scalar),
    Result(Scalar),
}

impl Return {
    pub fn of_helper(random: &mut Random, structs: usize) -> Return {
        match random.below(12) {
            0 => Return::Unit,
            1 | 2 => Return::Tuple((0..random.between(2, 5)).map(|_| Scalar::any(random, false)).collect()),
            3 => Return::Array(Scalar::any(random, false), random.length()),
            4 if structs > 0 => Return::Struct(random.below(structs)),
            5 => Return::Option(Scalar::any(random, false)),
            6 => Return::Result(Scalar::any(random, false)),
            _ => Return::One(Scalar::any(random, false)),
        }
    }

    pub fn of_export(random: &mut Random) -> Return {
        match random.below(6) {
            0 => Return::Unit,
            1 => Return::Tuple((0..random.between(2, 8)).map(|_| Scalar::any(random, true)).collect()),
            _ => Return::One(Scalar::any(random, true)),
        }
    }

    pub fn name(&self) -> String {
        match self {
            Return::Unit => "()".to_owned(),
            Return::One(scalar) => scalar.name().to_owned(),
            Return::Tuple(scalars) => format!("({})", scalars.iter().map(|s| s.name()).collect::<Vec<_>>().join(", ")),
            Return::Array(scalar, length) => format!("[{}; {length}]", scalar.name()),
            Return::Struct(n) => format!("S{n}"),
            Return::Option(scalar) => format!("Option<{}>", scalar.name()),
            Return::Result(scalar) => format!("Result<{}, u16>", scalar.name()),
        }
    }
}

/// The type of a parameter.
#[derive(Clone, Debug)]
pub enum Param {
    One(Scalar),
    /// A reference to an array: element type, length, and whether the function may write to the array.
    Array(Scalar, usize, bool),
    Slice(Scalar, bool),
    Text,
    /// A struct by value. Only functions that are not exported have such parameters.
    Struct(usize),
}

impl Param {
    pub fn any(random: &mut Random, border: bool, structs: usize) -> Param {
        match random.below(20) {
            0..=2 => Param::Array(Scalar::any(random, border), random.length(), random.chance(50)),
            3 | 4 => Param::Slice(Scalar::any(random, border), random.chance(50)),
            5 => Param::Text,
            6 if !border && structs > 0 => Param::Struct(random.below(structs)),
            // Floating-point parameters are frequent, so that the eight registers for them do not always suffice.
            7 | 8 => Param::One([F32, F64][random.below(2)]),
            _ => Param::One(Scalar::any(random, border)),
        }
    }

    pub fn name(&self) -> String {
        let mutable = |mutable: bool| if mutable { "mut " } else { "" };
        match self {
            Param::One(scalar) => scalar.name().to_owned(),
            Param::Array(scalar, length, writes) => format!("&{}[{}; {length}]", mutable(*writes), scalar.name()),
            Param::Slice(scalar, writes) => format!("&{}[{}]", mutable(*writes), scalar.name()),
            Param::Text => "&str".to_owned(),
            Param::Struct(n) => format!("S{n}"),
        }
    }

    pub fn writes(&self) -> bool {
        matches!(self, Param::Array(_, _, true) | Param::Slice(_, true))
    }
}

/// A struct: the type of each field, and the length if the field is an array.
#[derive(Clone, Debug)]
pub struct Struct {
    pub fields: Vec<(Scalar, Option<usize>)>,
}

/// A generated function that other functions may call.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub params: Vec<Param>,
    pub returns: Return,
    /// The approximate number of operations of a call.
    pub cost: u64,
    /// True if the function calls itself, directly or through others. Exports that call it need a stack budget.
    pub recursive: bool,
}
