//! C's classes of bytes, `<ctype.h>`, and of wide characters, `<wctype.h>`, in the locale "C". There, no class contains a character outside ASCII.

/// Defines functions of C's `<ctype.h>` and `<wctype.h>`.
macro_rules! classes {
    ($($name:ident $wide:ident = $($byte:pat_param)|+,)*) => {
        $(
            /// Returns 1 for a byte of this class, else 0.
            #[cfg_attr(rustgo, unsafe(no_mangle))]
            pub extern "C" fn $name(byte: i32) -> i32 {
                i32::from(u8::try_from(byte).is_ok_and(|byte| matches!(byte, $($byte)|+)))
            }

            /// Returns 1 for a wide character of this class, else 0.
            #[cfg_attr(rustgo, unsafe(no_mangle))]
            pub extern "C" fn $wide(wide: u32) -> i32 {
                i32::from(u8::try_from(wide).is_ok_and(|byte| matches!(byte, $($byte)|+)))
            }
        )*
    };
}

classes! {
    isalnum iswalnum = b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z',
    isalpha iswalpha = b'A'..=b'Z' | b'a'..=b'z',
    isblank iswblank = b' ' | b'\t',
    iscntrl iswcntrl = 0..=31 | 127,
    isdigit iswdigit = b'0'..=b'9',
    isgraph iswgraph = b'!'..=b'~',
    islower iswlower = b'a'..=b'z',
    isprint iswprint = b' '..=b'~',
    ispunct iswpunct = b'!'..=b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~',
    isspace iswspace = b' ' | b'\t'..=b'\r',
    isupper iswupper = b'A'..=b'Z',
    isxdigit iswxdigit = b'0'..=b'9' | b'A'..=b'F' | b'a'..=b'f',
}

/// Returns the lower-case letter for an upper-case ASCII letter, and other values unchanged.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub extern "C" fn tolower(byte: i32) -> i32 {
    u8::try_from(byte).map_or(byte, |byte| i32::from(byte.to_ascii_lowercase()))
}

/// Returns the upper-case letter for a lower-case ASCII letter, and other values unchanged.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub extern "C" fn toupper(byte: i32) -> i32 {
    u8::try_from(byte).map_or(byte, |byte| i32::from(byte.to_ascii_uppercase()))
}

/// Returns the lower-case letter for an upper-case ASCII letter, and other values unchanged.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub extern "C" fn towlower(wide: u32) -> u32 {
    u8::try_from(wide).map_or(wide, |byte| u32::from(byte.to_ascii_lowercase()))
}

/// Returns the upper-case letter for a lower-case ASCII letter, and other values unchanged.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub extern "C" fn towupper(wide: u32) -> u32 {
    u8::try_from(wide).map_or(wide, |byte| u32::from(byte.to_ascii_uppercase()))
}

/// The number of entries for the values -128 to -1, with which each of glibc's tables begins. glibc's headers contain code that reads the tables.
const BEFORE: usize = 128;
const ENTRIES: usize = BEFORE + 256;

/// The address of a table's entry for the value 0. glibc's functions return a pointer to this address.
#[repr(transparent)]
pub struct Table<T>(*const T);

// SAFETY: nothing writes to the tables.
unsafe impl<T> Sync for Table<T> {}

/// Returns the bits by which glibc's table represents the classes of a byte. Source: ctype.h of glibc, for little-endian machines.
const fn classes(byte: u8) -> u16 {
    let is = [
        (byte.is_ascii_uppercase(), 0x100),
        (byte.is_ascii_lowercase(), 0x200),
        (byte.is_ascii_alphabetic(), 0x400),
        (byte.is_ascii_digit(), 0x800),
        (byte.is_ascii_hexdigit(), 0x1000),
        (matches!(byte, b' ' | b'\t'..=b'\r'), 0x2000),
        (matches!(byte, b' '..=b'~'), 0x4000),
        (byte.is_ascii_graphic(), 0x8000),
        (matches!(byte, b' ' | b'\t'), 1),
        (byte.is_ascii_control(), 2),
        (byte.is_ascii_punctuation(), 4),
        (byte.is_ascii_alphanumeric(), 8),
    ];
    let (mut bits, mut at) = (0, 0);
    while at < is.len() {
        if is[at].0 {
            bits |= is[at].1;
        }
        at += 1;
    }
    bits
}

static CLASSES: [u16; ENTRIES] = {
    let mut table = [0; ENTRIES];
    let mut byte = 0;
    while byte < 256 {
        table[BEFORE + byte] = classes(byte as u8);
        byte += 1;
    }
    table
};

/// Makes the table of `tolower` if `lower` is true, else the table of `toupper`.
const fn letters(lower: bool) -> [i32; ENTRIES] {
    let mut table = [0; ENTRIES];
    let mut at = 0;
    while at < ENTRIES {
        // The values from -128 to -2 stand for bytes of a signed `char`, and -1 is C's `EOF`.
        let byte = (at + BEFORE) as u8;
        let letter = if lower { byte.to_ascii_lowercase() } else { byte.to_ascii_uppercase() };
        table[at] = if at == BEFORE - 1 { -1 } else { letter as i32 };
        at += 1;
    }
    table
}

static LOWER: [i32; ENTRIES] = letters(true);
static UPPER: [i32; ENTRIES] = letters(false);

/// Defines functions that return a pointer to a [`Table`].
macro_rules! tables {
    ($($name:ident: $table:ident of $entry:ty;)*) => {
        $(
            /// The function of this name in glibc.
            #[cfg_attr(rustgo, unsafe(no_mangle))]
            pub extern "C" fn $name() -> &'static Table<$entry> {
                static ZERO: Table<$entry> = Table((&raw const $table).cast::<$entry>().wrapping_add(BEFORE));
                &ZERO
            }
        )*
    };
}

tables! {
    __ctype_b_loc: CLASSES of u16;
    __ctype_tolower_loc: LOWER of i32;
    __ctype_toupper_loc: UPPER of i32;
}

#[cfg(test)]
impl<T: Copy> Table<T> {
    /// Returns the entry for a value from -128 to 255.
    pub fn at(&self, value: isize) -> T {
        // SAFETY: the table has this entry.
        unsafe { self.0.offset(value).read() }
    }
}
