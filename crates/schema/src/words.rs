//! The words that Go has given a meaning to.

/// Go's keywords (<https://go.dev/ref/spec#Keywords>).
pub const KEYWORDS: [&str; 25] = [
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
];

/// The predeclared identifiers that are types or, like `comparable`, constraints
/// (<https://go.dev/ref/spec#Predeclared_identifiers>).
pub const PREDECLARED_TYPES: [&str; 22] = [
    "any",
    "bool",
    "byte",
    "comparable",
    "complex64",
    "complex128",
    "error",
    "float32",
    "float64",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "rune",
    "string",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintptr",
];

/// The other predeclared identifiers: constants, `nil` and functions.
pub const PREDECLARED_VALUES: [&str; 22] = [
    "true", "false", "iota", "nil", "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min",
    "new", "panic", "print", "println", "real", "recover",
];
