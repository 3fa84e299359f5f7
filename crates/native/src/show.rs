//! Formats Rust values as text; see [`protocol`](crate::protocol#values-as-text).

use crate::exports::Exports;
use crate::objects::Object;
use rustgo_schema::{Basic, Type, Variant, role};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Formats values in memory, and frees the memory that Go would free.
pub struct Show<'a> {
    pub exports: &'a Exports,
    pub objects: &'a mut BTreeMap<u32, Object>,
    /// The number for the next object.
    pub next: &'a mut u32,
    pub text: String,
}

/// The address, length and capacity of memory that Go must free.
type Owned = [usize; 3];

/// Reads a value from memory.
///
/// # Safety
/// `at` must point to a value of the type `T`.
unsafe fn read<T: Copy>(at: *const u8) -> T {
    // SAFETY: the caller promises that `at` points to a value of the type `T`.
    unsafe { at.cast::<T>().read_unaligned() }
}

/// Returns the bytes at an address.
///
/// # Safety
/// If `len` is not 0, `start` must be the address of `len` readable bytes.
unsafe fn bytes<'a>(start: usize, len: usize) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: the caller promises that the bytes are readable.
    unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(start), len) }
}

impl Show<'_> {
    /// Formats a value, and frees the memory of its texts and lists.
    ///
    /// # Safety
    /// `at` must point to a value of the type `ty`, in the form in which Rust returns it to Go.
    pub unsafe fn value(&mut self, ty: &Type, at: *const u8) {
        // SAFETY: the caller promises that `at` points to a value of the type. So each part of the value is where the type's layout states.
        unsafe {
            match ty {
                Type::Basic(basic) => self.basic(*basic, at),
                Type::Array { len, elem } => self.elements(elem, at, *len as usize),
                Type::Pointer { elem, .. } => match read::<usize>(at) {
                    0 => self.text.push_str("nil"),
                    address => {
                        self.text.push('&');
                        self.value(elem, std::ptr::with_exposed_provenance(address));
                    }
                },
                Type::Slice { elem, .. } => {
                    let [start, len] = read::<[usize; 2]>(at);
                    self.elements(elem, std::ptr::with_exposed_provenance(start), len);
                }
                Type::Handle { .. } => drop(write!(self.text, "handle({})", read::<u64>(at))),
                Type::Struct { decl, fields, .. } => {
                    self.text.push_str(&decl.go_name);
                    self.fields(fields.iter().filter(|field| field.ty.layout().size > 0), at);
                }
                Type::Enum { decl, base, .. } => {
                    self.text.push_str(&decl.go_name);
                    self.text.push('(');
                    self.value(base, at);
                    self.text.push(')');
                }
                Type::Object { decl, words, .. } => {
                    if *words == 0 && read::<usize>(at) == 0 {
                        self.text.push_str("nil");
                        return;
                    }
                    // The first word of an inline object is not 0. A 0 means that the call has failed and returned no object.
                    if *words > 0 && read::<u64>(at) == 0 {
                        self.text.push_str("nil");
                        return;
                    }
                    let object = Object::given(at, decl, *words, self.exports);
                    self.objects.insert(*self.next, object);
                    let _ = write!(self.text, "*{}#{}", decl.go_name, self.next);
                    *self.next += 1;
                }
                Type::Text { freed } => {
                    let [start, len] = read::<[usize; 2]>(at);
                    self.quote(bytes(start, len));
                    self.free(*freed, at, 1, 1);
                }
                Type::List { freed, elem } => {
                    let ([start, len], layout) = (read::<[usize; 2]>(at), elem.layout());
                    self.elements(elem, std::ptr::with_exposed_provenance(start), len);
                    self.free(*freed, at, layout.size, layout.align);
                }
                Type::Failure {} => {
                    let [start, len] = read::<[usize; 2]>(at);
                    if start == 0 {
                        self.text.push_str("nil");
                        return;
                    }
                    self.chain("error ", bytes(start, len));
                    self.free(true, at, 1, 1);
                }
                Type::Error { decl, single, size, cases } => self.error(ErrorOf { decl, single: *single, size: *size, cases }, at),
                Type::Append { elem } => {
                    let [start, len, _, spill, spill_len, spill_cap] =
                        read::<[usize; 6]>(std::ptr::with_exposed_provenance(read::<usize>(at)));
                    let (layout, size) = (elem.layout(), elem.layout().size as usize);
                    let mut all = bytes(start, len * size).to_vec();
                    all.extend_from_slice(bytes(spill, spill_len * size));
                    // The elements are copied to aligned memory first, because the bytes of a `Vec<u8>` may be unaligned.
                    let mut words = vec![0_u64; all.len().div_ceil(8)];
                    words.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(all.as_ptr(), all.len());
                    self.elements(elem, words.as_ptr().cast(), len + spill_len);
                    self.free(true, (&raw const *&[spill, spill_len, spill_cap]).cast(), layout.size, layout.align);
                }
                Type::Iterator { .. } | Type::Address {} | Type::Func { .. } | Type::Interface { .. } | Type::Trait { .. } => {
                    self.text.push('?')
                }
            }
        }
    }

    /// Releases a value that Go code does not get: frees its memory and drops its objects. Formats nothing.
    ///
    /// # Safety
    /// The same as for [`Self::value`].
    pub unsafe fn discard(&mut self, ty: &Type, at: *const u8) {
        let (text, next) = (std::mem::take(&mut self.text), *self.next);
        // SAFETY: the caller promises that `at` points to a value of the type.
        unsafe { self.value(ty, at) };
        self.objects.split_off(&next).values_mut().for_each(Object::close);
        (self.text, *self.next) = (text, next);
    }

    unsafe fn basic(&mut self, basic: Basic, at: *const u8) {
        // SAFETY: the caller promises that `at` points to a value of the type.
        let _ = unsafe {
            match basic {
                Basic::Bool => write!(self.text, "{}", read::<u8>(at) != 0),
                Basic::Int8 => write!(self.text, "{}", read::<i8>(at)),
                Basic::Int16 => write!(self.text, "{}", read::<i16>(at)),
                Basic::Int32 | Basic::Rune => write!(self.text, "{}", read::<i32>(at)),
                Basic::Int64 | Basic::Int => write!(self.text, "{}", read::<i64>(at)),
                Basic::Uint8 => write!(self.text, "{}", read::<u8>(at)),
                Basic::Uint16 => write!(self.text, "{}", read::<u16>(at)),
                Basic::Uint32 => write!(self.text, "{}", read::<u32>(at)),
                Basic::Uint64 | Basic::Uint => write!(self.text, "{}", read::<u64>(at)),
                Basic::Float32 => match read::<f32>(at) {
                    x if x.is_nan() => write!(self.text, "NaN"),
                    x => write!(self.text, "{:#010x}", x.to_bits()),
                },
                Basic::Float64 => match read::<f64>(at) {
                    x if x.is_nan() => write!(self.text, "NaN"),
                    x => write!(self.text, "{:#018x}", x.to_bits()),
                },
                Basic::String => {
                    let [start, len] = read::<[usize; 2]>(at);
                    self.quote(bytes(start, len));
                    Ok(())
                }
            }
        };
    }

    /// Formats the elements of a list.
    ///
    /// # Safety
    /// `start` must be the address of `len` elements.
    unsafe fn elements(&mut self, elem: &Type, start: *const u8, len: usize) {
        if *elem == Type::Basic(Basic::Uint8) {
            self.text.push('b');
            // SAFETY: the caller promises that `start` is the address of `len` elements, which are bytes here.
            self.quote(unsafe { bytes(start.expose_provenance(), len) });
            return;
        }
        let size = elem.layout().size as usize;
        self.text.push('[');
        for index in 0..len {
            if index > 0 {
                self.text.push(' ');
            }
            // SAFETY: the caller promises that `start` is the address of `len` elements.
            unsafe { self.value(elem, start.add(index * size)) };
        }
        self.text.push(']');
    }

    unsafe fn fields<'a>(&mut self, fields: impl Iterator<Item = &'a rustgo_schema::Member>, at: *const u8) {
        self.text.push('{');
        for (index, field) in fields.enumerate() {
            if index > 0 {
                self.text.push(' ');
            }
            let _ = write!(self.text, "{}:", field.go_name);
            // SAFETY: the caller promises that `at` points to the struct, which contains this field.
            unsafe { self.value(&field.ty, at.add(field.offset as usize)) };
        }
        self.text.push('}');
    }

    unsafe fn error(&mut self, of: ErrorOf<'_>, at: *const u8) {
        // SAFETY: the caller promises that `at` points to a value of the type. So each part of the value is where the type's layout states.
        unsafe {
            let code = read::<u32>(at);
            let Some(case) = (code as usize).checked_sub(1).and_then(|index| of.cases.get(index)) else {
                self.text.push_str("nil");
                return;
            };
            if of.size == 4 {
                let _ = if of.single {
                    write!(self.text, "{}{{}} ", of.decl.go_name)
                } else {
                    write!(self.text, "{}({code}) ", of.decl.go_name)
                };
                let text = self.text_of(&of.decl.rust_path, code);
                self.quote(&text);
                return;
            }
            let name = if of.single { &of.decl.go_name } else { &case.go_name };
            self.text.push_str(name);
            self.fields(case.fields.iter().filter(|field| field.ty.layout().size > 0 && !field.is_sources()), at);
            self.text.push(' ');
            let [start, len] = read::<[usize; 2]>(at.add(8));
            self.quote(bytes(start, len));
            self.free(true, at.add(8), 1, 1);
            if let Some(sources) = case.sources() {
                let at = at.add(sources.offset as usize);
                let [start, len] = read::<[usize; 2]>(at);
                self.chain(" <- ", bytes(start, len));
                self.free(true, at, 1, 1);
            }
        }
    }

    /// Formats the list of texts in `left`: an error and its sources, or only an error's sources. Writes `before` before the first text.
    fn chain(&mut self, mut before: &str, mut left: &[u8]) {
        while let Some((head, rest)) = left.split_at_checked(4) {
            let len = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
            let (text, rest) = rest.split_at(len.min(rest.len()));
            self.text.push_str(before);
            self.quote(text);
            (left, before) = (rest, " <- ");
        }
    }

    /// Returns the text of an error without fields. The crate's own function for the error type gives the text.
    fn text_of(&self, rust_path: &str, number: u32) -> Vec<u8> {
        let Some(export) = self.exports.of_role(role::TEXT, rust_path, None) else { return Vec::new() };
        let mut into = vec![0_u8; 1 << 12];
        loop {
            // The argument area (the number, then a slice of three words), and after it the result area (the length of the text).
            let mut area = [u64::from(number), into.as_mut_ptr().expose_provenance() as u64, into.len() as u64, into.len() as u64, 0];
            // SAFETY: `area` has the layout that every function with this role has.
            unsafe { (export.shim)(area.as_ptr().cast(), area.as_mut_ptr().add(4).cast()) };
            let len = area[4] as usize;
            if len <= into.len() {
                into.truncate(len);
                return into;
            }
            into = vec![0_u8; len];
        }
    }

    /// Frees memory if `freed` is true. `at` must point to the memory's address, length and capacity.
    unsafe fn free(&self, freed: bool, at: *const u8, size: u64, align: u64) {
        if !freed {
            return;
        }
        // SAFETY: the caller promises that `at` points to three words.
        let [start, _, cap] = unsafe { read::<Owned>(at) };
        let Some(release) = self.exports.all.iter().find(|export| export.function.role == role::RELEASE) else { return };
        if cap > 0 && start != 0 {
            let area = [start as u64, cap as u64 * size, align];
            // SAFETY: nothing uses the memory any more.
            unsafe { (release.shim)(area.as_ptr().cast(), std::ptr::null_mut()) };
        }
    }

    fn quote(&mut self, bytes: &[u8]) {
        self.text.push('"');
        for &byte in bytes {
            match byte {
                b'"' | b'\\' => drop(write!(self.text, "\\x{byte:02x}")),
                b' '..=b'~' => self.text.push(char::from(byte)),
                _ => drop(write!(self.text, "\\x{byte:02x}")),
            }
        }
        self.text.push('"');
    }
}

/// The parts of the description of an error type.
struct ErrorOf<'a> {
    decl: &'a rustgo_schema::Decl,
    single: bool,
    size: u64,
    cases: &'a [Variant],
}
