//! Converts exported Rust constants and statics to Go declarations. A value is given as the bytes that it occupies in Go's memory, a string as the
//! bytes of its text.

use crate::api::go_type;
use crate::gosrc::{Declaration, Value, Values};
use rustgo_schema::{Basic, Constant, Type};

/// The maximum length of a line in a composite literal. Only a line with a single value may be longer.
const WIDTH: usize = 100;

/// Returns one declaration of all constants, then the declarations of the variables. `doc` returns a constant's documentation.
pub fn declare(constants: &[Constant], doc: &dyn Fn(&Constant) -> String) -> Vec<Declaration> {
    let (constant, variable): (Vec<&Constant>, Vec<&Constant>) = constants.iter().partition(|constant| is_constant(constant));
    let mut declared: Vec<Declaration> = Vec::new();
    if !constant.is_empty() {
        let values = constant.into_iter().map(|constant| Value {
            doc: doc(constant),
            name: constant.go_name.clone(),
            ty: go_type(&constant.ty),
            value: vec![literal(&constant.ty, &constant.value)],
            place: format!("{}:{}", constant.file, constant.line),
        });
        declared.push(Values { keyword: "const", values: values.collect() }.into());
    }
    declared.extend(variable.into_iter().map(|variable| {
        let literal = literal(&variable.ty, &variable.value);
        // The Go literal of an array or struct names its type. Any other literal has no type, so the declaration must state it.
        let is_typed = matches!(variable.ty, Type::Array { .. } | Type::Struct { .. });
        let value = Value {
            doc: doc(variable),
            name: variable.go_name.clone(),
            ty: if is_typed { String::new() } else { go_type(&variable.ty) },
            value: if literal.len() > WIDTH { wrapped(&variable.ty, &variable.value) } else { vec![literal] },
            place: format!("{}:{}", variable.file, variable.line),
        };
        Values { keyword: "var", values: vec![value] }.into()
    }));
    declared
}

/// Returns true if Go can declare the value as a constant. Go's constants are numbers, strings and booleans, but not infinity, NaN or negative
/// zero.
fn is_constant(constant: &Constant) -> bool {
    let is_finite = match constant.ty {
        Type::Basic(Basic::Float32) => f32::from_bits(number(&constant.value) as u32).is_finite(),
        Type::Basic(Basic::Float64) => f64::from_bits(number(&constant.value)).is_finite(),
        Type::Basic(_) | Type::Enum { .. } => true,
        _ => false,
    };
    let is_negative_zero = match constant.ty {
        Type::Basic(Basic::Float32) => number(&constant.value) as u32 == (-0.0_f32).to_bits(),
        Type::Basic(Basic::Float64) => number(&constant.value) == (-0.0_f64).to_bits(),
        _ => false,
    };
    !constant.variable && is_finite && !is_negative_zero
}

/// Returns the little-endian number in the bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).enumerate().fold(0, |number, (index, byte)| number | u64::from(*byte) << (8 * index))
}

/// Returns the Go literal of a value.
fn literal(ty: &Type, bytes: &[u8]) -> String {
    match ty {
        Type::Basic(basic) => basic_literal(*basic, bytes),
        Type::Enum { base, variants, .. } => {
            let mask = u64::MAX >> (64 - 8 * base.layout().size.clamp(1, 8));
            let variant = variants.iter().find(|variant| variant.value & mask == number(bytes) & mask);
            variant.map_or_else(|| literal(base, bytes), |variant| variant.go_name.clone())
        }
        Type::Array { .. } | Type::Struct { .. } => format!("{}{{{}}}", go_type(ty), elements(ty, bytes).join(", ")),
        // In memory, a handle (a reference to a Go value) is a number.
        _ => number(bytes).to_string(),
    }
}

/// Returns the literals of an array's elements or of a struct's fields, for a composite literal.
fn elements(ty: &Type, bytes: &[u8]) -> Vec<String> {
    let part = |offset: u64, ty: &Type| {
        let (start, size) = (usize::try_from(offset).unwrap_or(usize::MAX), usize::try_from(ty.layout().size).unwrap_or(usize::MAX));
        literal(ty, bytes.get(start..start.saturating_add(size)).unwrap_or_default())
    };
    match ty {
        Type::Array { len, elem } => {
            let elements = (0..*len).map(|index| part(index.saturating_mul(elem.layout().size), elem));
            elements.map(|element| without_type(elem, element)).collect()
        }
        Type::Struct { fields, .. } => {
            let sized = fields.iter().filter(|field| field.ty.layout().size > 0);
            sized.map(|field| format!("{}: {}", field.go_name, part(field.offset, &field.ty))).collect()
        }
        _ => Vec::new(),
    }
}

/// Removes the type from the literal of an array's element, as gofmt -s does.
fn without_type(ty: &Type, literal: String) -> String {
    match ty {
        Type::Array { .. } | Type::Struct { .. } => literal.strip_prefix(&go_type(ty)).map_or(literal.clone(), str::to_owned),
        _ => literal,
    }
}

/// Returns an array's literal on several lines. A struct's literal stays on one line, because gofmt would align its fields.
fn wrapped(ty: &Type, bytes: &[u8]) -> Vec<String> {
    if !matches!(ty, Type::Array { .. }) {
        return vec![literal(ty, bytes)];
    }
    let elements = elements(ty, bytes);
    let mut lines = vec![format!("{}{{", go_type(ty))];
    let mut line = String::new();
    for element in elements {
        if !line.is_empty() && line.len() + element.len() + 2 > WIDTH {
            lines.push(format!("\t{line}"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&element);
        line.push(',');
    }
    lines.extend([format!("\t{line}"), "}".into()]);
    lines
}

fn basic_literal(basic: Basic, bytes: &[u8]) -> String {
    let value = number(bytes);
    match basic {
        Basic::Bool => (value != 0).to_string(),
        Basic::Int8 => (value as u8).cast_signed().to_string(),
        Basic::Int16 => (value as u16).cast_signed().to_string(),
        Basic::Int32 => (value as u32).cast_signed().to_string(),
        Basic::Int64 | Basic::Int => value.cast_signed().to_string(),
        Basic::Uint8 | Basic::Uint16 | Basic::Uint32 | Basic::Uint64 | Basic::Uint => value.to_string(),
        Basic::Float32 => float(f64::from(f32::from_bits(value as u32)), format!("{:?}", f32::from_bits(value as u32)), "float32"),
        Basic::Float64 => float(f64::from_bits(value), format!("{:?}", f64::from_bits(value)), "float64"),
        Basic::Rune => rune(value as u32),
        Basic::String => text(&String::from_utf8_lossy(bytes)),
    }
}

/// Returns the Go expression of a number. `shortest` is the shortest decimal number that parses to the same value.
fn float(value: f64, shortest: String, go: &str) -> String {
    let of_math = |expression: &str| if go == "float64" { expression.to_owned() } else { format!("{go}({expression})") };
    if value.is_nan() {
        of_math("math.NaN()")
    } else if value.is_infinite() {
        of_math(if value > 0.0 { "math.Inf(1)" } else { "math.Inf(-1)" })
    } else if value == 0.0 && value.is_sign_negative() {
        of_math("math.Copysign(0, -1)")
    } else {
        shortest
    }
}

fn rune(value: u32) -> String {
    match char::from_u32(value) {
        Some('\'') => r"'\''".into(),
        Some('\\') => r"'\\'".into(),
        Some(c) if c.is_ascii_graphic() || c == ' ' || c.is_alphanumeric() => format!("'{c}'"),
        Some(_) => format!("{value:#x}"),
        None => value.cast_signed().to_string(),
    }
}

/// Returns a Go string literal. Its escapes differ from Rust's.
fn text(value: &str) -> String {
    let mut literal = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            '\n' => literal.push_str("\\n"),
            '\t' => literal.push_str("\\t"),
            c if c.is_ascii_graphic() || c == ' ' || c.is_alphanumeric() => literal.push(c),
            c => literal.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    literal.push('"');
    literal
}
