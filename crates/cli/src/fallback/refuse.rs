//! Refuses a package with exports that cannot be translated, because the Go package must have the same functions on every processor.

use crate::api::{self, Declared, Function, Package};
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use rustgo_schema::{Basic, Constant, Type};

/// Refuses a package with exports that cannot be translated. The error lists all these exports.
pub fn refuse(package: &Package) -> Result<()> {
    let mut refused: Vec<Diagnostic> = package.functions.values().filter_map(of_function).collect();
    refused.extend(package.constants.iter().filter_map(of_constant));
    refused.extend(package.types.iter().filter_map(of_type));
    if refused.is_empty() { Ok(()) } else { Err(Failure::Refused(refused)) }
}

fn of_function(function: &Function) -> Option<Diagnostic> {
    let has = |what: fn(&Type) -> bool| function.params.iter().chain(&function.results).any(|param| param.field.ty.has(what));
    let why = if has(|ty| matches!(ty, Type::Func { .. })) {
        "translated code cannot call Go functions"
    } else if has(|ty| matches!(ty, Type::Interface { .. } | Type::Trait { .. })) {
        "translated code cannot call methods of Go values"
    } else {
        return None;
    };
    let message = format!("{} cannot be translated to Go: {why}", function.shown());
    Some(
        Diagnostic::new(ErrorCode::Unsupported, message)
            .at(function.place())
            .hint("leave it out of this crate, or remove fallback = \"wasm\" under [package.metadata.rustgo]"),
    )
}

fn of_constant(constant: &Constant) -> Option<Diagnostic> {
    if fits_32_bits(&constant.ty, &constant.value) {
        return None;
    }
    let message =
        format!("{} cannot be translated to Go: Go's int has 32 bits on some processors, too few for the value", constant.go_name);
    let hint = "use u64 or i64, or remove fallback = \"wasm\" under [package.metadata.rustgo]";
    let place = api::place(&constant.rust_path, &constant.file, constant.line);
    Some(Diagnostic::new(ErrorCode::Unsupported, message).at(place).hint(hint))
}

fn of_type(declared: &Declared) -> Option<Diagnostic> {
    let Type::Enum { base, variants, .. } = &declared.ty else { return None };
    let variant = variants.iter().find(|variant| !fits_32_bits(base, &variant.value.to_le_bytes()))?;
    let message = format!("{} cannot be translated to Go: Go's int has 32 bits on some processors, too few for the value", variant.go_name);
    let hint = "use u64 or i64, or remove fallback = \"wasm\" under [package.metadata.rustgo]";
    Some(Diagnostic::new(ErrorCode::Unsupported, message).at(declared.place()).hint(hint))
}

/// True if each `int` and `uint` in the value fits in 32 bits. `bytes` are the value in Go's memory on processors with 64 bits.
fn fits_32_bits(ty: &Type, bytes: &[u8]) -> bool {
    let part = |offset: u64, ty: &Type| {
        let (start, size) = (usize::try_from(offset).unwrap_or(usize::MAX), usize::try_from(ty.layout().size).unwrap_or(usize::MAX));
        fits_32_bits(ty, bytes.get(start..start.saturating_add(size)).unwrap_or_default())
    };
    let number = || bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    match ty {
        Type::Basic(Basic::Uint) => u32::try_from(number()).is_ok(),
        Type::Basic(Basic::Int) => i32::try_from(number().cast_signed()).is_ok(),
        Type::Enum { base, .. } => fits_32_bits(base, bytes),
        Type::Array { len, elem } => (0..*len).all(|index| part(index.saturating_mul(elem.layout().size), elem)),
        Type::Struct { fields, .. } => fields.iter().all(|field| part(field.offset, &field.ty)),
        _ => true,
    }
}
