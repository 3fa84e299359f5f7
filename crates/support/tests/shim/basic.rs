//! Tests exports with numbers, slices of numbers, strings, handles and pointers.

use crate::common::{Frame, Shim, array, exports, field, find};
use rustgo_schema::{Basic, Function, Type};

mod exports {
    use rustgo::Handle;

    /// Increment adds one.
    ///
    ///     code stays
    #[rustgo::export]
    pub fn increment(x: u64) -> u64 {
        x.wrapping_add(1)
    }

    #[rustgo::export]
    pub fn nothing() {}

    #[allow(clippy::too_many_arguments)]
    #[rustgo::export(name = "Mixed", stack = "64k", blocking)]
    pub fn many_kinds(a: u8, b: u16, c: bool, d: f64, e: i8, f: char, g: f32, h: usize) -> (bool, u64, char, i16, f32, u8, isize, i8) {
        let sum = u64::from(a) + u64::from(b) + d as u64 + e.unsigned_abs() as u64 + g as u64 + h as u64;
        (!c, sum, f, -5, g * 2.0, a, -(h as isize), e)
    }

    #[rustgo::export]
    pub fn one_byte_result(b: &[u8]) -> bool {
        b.is_empty()
    }

    #[rustgo::export]
    pub fn narrow(x: u32) {
        let _ = x;
    }

    type Key = [u8; 32];
    type Shared<'a> = &'a Key;

    /** Mix mixes.
     *  In blocks. */
    #[rustgo::export]
    pub fn mix(dst: &mut Key, k: Shared, u: Shared<'_>) {
        for i in 0..32 {
            dst[i] = k[i] ^ u[i];
        }
    }

    #[rustgo::export]
    pub fn gather(dst: &mut [u64], src: &[u64], at: &[[u16; 2]; 2], name: &str) -> (u64, usize) {
        for (dst, src) in dst.iter_mut().zip(src) {
            *dst = src * u64::from(at[1][0]);
        }
        (dst.len() as u64, name.chars().count())
    }

    #[rustgo::export(blocking_over = 100)]
    pub fn two_mut(a: &mut [u32], b: &mut [u32]) {
        a.swap_with_slice(b);
    }

    #[rustgo::export]
    pub fn runes(all: &[char], pair: &[[char; 2]; 1], out: &mut [char]) -> u32 {
        out.fill(pair[0][1]);
        all.iter().map(|c| *c as u32).sum()
    }

    #[rustgo::export]
    pub fn zero_sized(a: &mut [u8; 0], b: &mut [u8; 0], c: &mut [u8]) -> usize {
        a.len() + b.len() + c.len()
    }

    #[rustgo::go_type("*net/http.Request")]
    pub enum Request {}

    /// Uses handles by value, handles in Go's memory, and handles of any type.
    #[rustgo::export]
    pub fn handles(
        flag: bool,
        sure: Handle<Request>,
        maybe: Option<Handle<Request>>,
        all: &mut [Option<Handle<Request>>],
        pair: &[Handle; 2],
        some: &[Handle<Request>],
    ) -> (bool, Option<Handle<Request>>, Handle) {
        all.fill(Some(sure));
        if let [first, ..] = all {
            *first = None;
        }
        (!flag && some.is_empty(), maybe, pair[1])
    }

    #[rustgo::export]
    pub fn no_handle(x: Option<Handle>) -> Option<Handle> {
        x.and_then(|x| Handle::from_bits(x.to_bits() - 1))
    }

    #[rustgo::export]
    pub fn pointers(a: &mut u16, b: &char, c: Option<&u64>, d: Option<&mut [bool; 3]>) -> u64 {
        *a += 1;
        if let Some(d) = d {
            d[1] = !d[1];
        }
        *b as u64 + c.copied().unwrap_or(7)
    }

    #[rustgo::export(results(small, large, r#type))]
    pub fn missing(there: bool) -> Option<(u8, u64)> {
        there.then_some((1, 2))
    }

    #[rustgo::export]
    pub fn missing_one(there: bool) -> Option<u16> {
        there.then_some(0x0102)
    }

    // Declares names that generated code might use too.
    #[rustgo::export]
    pub fn args(args: u8, results: u8, u64: u8, value0: u8, r#type: u8) -> u8 {
        args + results + u64 + value0 + r#type
    }

    #[rustgo::export]
    pub fn r#match(rustgo: u8, core: u8) -> u8 {
        rustgo + core
    }

    #[rustgo::export]
    fn private(mut x: u8) -> u8 {
        x += 1;
        x
    }

    #[rustgo::export]
    #[deprecated]
    #[must_use]
    pub const fn attributes(#[allow(unused_variables)] x: u8) -> u8 {
        1
    }

    #[rustgo::export]
    #[cfg(any())]
    pub fn not_there(x: NoSuchType) {}

    macro_rules! made {
        ($name:ident, $ty:ty) => {
            #[rustgo::export]
            pub fn $name(x: $ty) -> $ty {
                x
            }
        };
    }
    made!(made_by_macro, i64);
}

#[test]
fn every_export_has_one_record() {
    let here = |shim: &Shim| shim.export.rust_path.starts_with("shim::basic::") || shim.export.rust_path == "rustgo::release";
    let mut names: Vec<String> = exports().into_iter().filter(here).map(|shim| shim.export.go_name).collect();
    names.sort();
    let expected = [
        "Args",
        "Attributes",
        "Gather",
        "Handles",
        "Increment",
        "MadeByMacro",
        "Match",
        "Missing",
        "MissingOne",
        "Mix",
        "Mixed",
        "Narrow",
        "NoHandle",
        "Nothing",
        "OneByteResult",
        "Pointers",
        "Private",
        "Runes",
        "TwoMut",
        "ZeroSized",
        "rust_release",
    ];
    assert_eq!(names, expected);
}

#[test]
fn record_of_a_function_is_complete() {
    let export = find("Increment").export;
    let line = 1 + include_str!("basic.rs").lines().position(|line| line.contains("pub fn increment")).unwrap();
    assert_eq!(
        export,
        Function {
            go_name: "Increment".into(),
            rust_path: "shim::basic::exports::increment".into(),
            file: file!().into(),
            line: line as u32,
            doc: "Increment adds one.\n\n    code stays".into(),
            stack: None,
            blocking: None,
            params: vec![field("x", Type::Basic(Basic::Uint64), 0)],
            results: vec![field("", Type::Basic(Basic::Uint64), 8)],
            results_offset: 8,
            frame_size: 16,
            owner: String::new(),
            role: 0,
            borrows: false,
            nilable: 0,
            abandons: false,
            task: false,
        }
    );
    assert_eq!((find("Mixed").export.stack, find("Mixed").export.blocking), (Some(65536), Some(0)));
    assert_eq!(find("TwoMut").export.blocking, Some(100));
    assert_eq!(find("Mixed").export.rust_path, "shim::basic::exports::many_kinds");
    assert_eq!(find("Mix").export.doc, "Mix mixes.\n In blocks.");
    assert_eq!(find("Match").export.rust_path, "shim::basic::exports::match");
    assert_eq!(find("Args").export.params[4].name, "type");
}

#[test]
fn layouts_are_those_of_abi0() {
    // go vet (asmdecl) computes the same sizes: $0-0, $0-4, $0-16, $0-24, $0-25.
    let size = |name| (find(name).export.results_offset, find(name).export.frame_size);
    assert_eq!(size("Nothing"), (0, 0));
    assert_eq!(size("Narrow"), (8, 4));
    assert_eq!(size("Increment"), (8, 16));
    assert_eq!(size("Mix"), (24, 24));
    assert_eq!(size("OneByteResult"), (24, 25));

    let mixed = find("Mixed").export;
    let expected = [
        field("a", Type::Basic(Basic::Uint8), 0),
        field("b", Type::Basic(Basic::Uint16), 2),
        field("c", Type::Basic(Basic::Bool), 4),
        field("d", Type::Basic(Basic::Float64), 8),
        field("e", Type::Basic(Basic::Int8), 16),
        field("f", Type::Basic(Basic::Rune), 20),
        field("g", Type::Basic(Basic::Float32), 24),
        field("h", Type::Basic(Basic::Uint), 32),
    ];
    assert_eq!(mixed.params, expected);
    let expected = [
        field("", Type::Basic(Basic::Bool), 40),
        field("", Type::Basic(Basic::Uint64), 48),
        field("", Type::Basic(Basic::Rune), 56),
        field("", Type::Basic(Basic::Int16), 60),
        field("", Type::Basic(Basic::Float32), 64),
        field("", Type::Basic(Basic::Uint8), 68),
        field("", Type::Basic(Basic::Int), 72),
        field("", Type::Basic(Basic::Int8), 80),
    ];
    assert_eq!(mixed.results, expected);
    assert_eq!((mixed.results_offset, mixed.frame_size), (40, 81));

    let gather = find("Gather").export;
    let expected = [
        field("dst", Type::Slice { mutable: true, elem: Box::new(Type::Basic(Basic::Uint64)) }, 0),
        field("src", Type::Slice { mutable: false, elem: Box::new(Type::Basic(Basic::Uint64)) }, 24),
        field("at", Type::Pointer { mutable: false, elem: array(2, *array(2, Type::Basic(Basic::Uint16))) }, 48),
        field("name", Type::Basic(Basic::String), 56),
    ];
    assert_eq!(gather.params, expected);
    assert_eq!((gather.results_offset, gather.frame_size), (72, 88));
}

#[test]
fn handles_are_numbers_and_none_is_zero() {
    let handles = find("Handles");
    let request = || Type::Handle { of: "*net/http.Request".into() };
    let any = || Type::Handle { of: String::new() };
    let expected = [
        field("flag", Type::Basic(Basic::Bool), 0),
        field("sure", request(), 8),
        field("maybe", request(), 16),
        field("all", Type::Slice { mutable: true, elem: Box::new(request()) }, 24),
        field("pair", Type::Pointer { mutable: false, elem: array(2, any()) }, 48),
        field("some", Type::Slice { mutable: false, elem: Box::new(request()) }, 56),
    ];
    assert_eq!(handles.export.params, expected);
    assert_eq!(handles.export.results, [field("", Type::Basic(Basic::Bool), 80), field("", request(), 88), field("", any(), 96)]);
    assert_eq!((handles.export.results_offset, handles.export.frame_size), (80, 104));

    let call = |sure: u64, maybe: u64, pair: [u64; 2], some: &[u64]| {
        let mut all = [0, 7, u64::MAX];
        let mut frame = Frame::of(&handles.export);
        frame.put(0, &[0]).word(8, sure as usize).word(16, maybe as usize).slice(24, &raw mut all);
        frame.word(48, pair.as_ptr().addr()).slice(56, some).try_call(&handles)?;
        Ok((all, frame.bytes()[80], frame.0[11], frame.0[12]))
    };
    let large = 0xfedc_ba98_7654_3210;
    assert_eq!(call(large, 0, [1, 2], &[]), Ok(([0, large, large], 1, 0, 2)));
    assert_eq!(call(1, large, [1, u64::MAX], &[3]), Ok(([0, 1, 1], 0, large, u64::MAX)));
    assert_eq!(call(0, 1, [1, 2], &[]), Err("zero handle passed for parameter sure".to_string()));
    assert_eq!(call(1, 0, [1, 0], &[]), Err("parameter pair holds a zero handle".into()));
    assert_eq!(call(1, 0, [1, 2], &[1, 1, 0]), Err("parameter some holds a zero handle".into()));

    let no_handle = find("NoHandle");
    for (x, result) in [(0, 0), (1, 0), (2, 1), (u64::MAX, u64::MAX - 1)] {
        let mut frame = Frame::of(&no_handle.export);
        frame.word(0, x as usize).call(&no_handle);
        assert_eq!(frame.0[1], result);
    }
}

#[test]
fn values_cross_both_ways() {
    let increment = find("Increment");
    let mut frame = Frame::of(&increment.export);
    frame.put(0, &41_u64.to_ne_bytes()).call(&increment);
    assert_eq!(frame.0[..2], [41, 42]);

    let mixed = find("Mixed");
    let mut frame = Frame::of(&mixed.export);
    frame.put(0, &[1]).put(2, &1000_u16.to_ne_bytes()).put(4, &[1]).put(8, &2.5_f64.to_ne_bytes());
    frame.put(16, &[0xff]).put(20, &('ß' as u32).to_ne_bytes()).put(24, &3.0_f32.to_ne_bytes()).word(32, 7);
    let before = frame.bytes().to_vec();
    frame.call(&mixed);
    let mut after = Frame(vec![0; 0]);
    after.0 = frame.0.clone();
    after.0[5..].fill(0xa5a5_a5a5_a5a5_a5a5);
    assert_eq!(&after.bytes()[..40], &before[..40], "arguments are not written to");
    // Each result lies at its offset, and the gaps between results are unchanged.
    after.put(40, &[0]).put(48, &1014_u64.to_ne_bytes()).put(56, &('ß' as u32).to_ne_bytes()).put(60, &(-5_i16).to_ne_bytes());
    after.put(64, &6.0_f32.to_ne_bytes()).put(68, &[1]).put(72, &(-7_i64).to_ne_bytes()).put(80, &[0xff]);
    assert_eq!(frame.bytes(), after.bytes());

    let made = find("MadeByMacro");
    let mut frame = Frame::of(&made.export);
    frame.word(0, usize::MAX - 4).call(&made);
    assert_eq!(frame.0[1] as i64, -5);

    for (name, args, result) in [("Args", 5, 15), ("Match", 2, 3), ("Private", 1, 2)] {
        let shim = find(name);
        let mut frame = Frame::of(&shim.export);
        for i in 0..args {
            frame.put(i, &[i as u8 + 1]);
        }
        frame.call(&shim);
        assert_eq!(frame.bytes()[8], result, "{name}");
    }
}

#[test]
fn memory_is_used_in_place() {
    let mix = find("Mix");
    let (mut dst, k, u) = ([0_u8; 32], [0x0f_u8; 32], [0xff_u8; 32]);
    Frame::of(&mix.export).word(0, dst.as_mut_ptr().addr()).word(8, k.as_ptr().addr()).word(16, u.as_ptr().addr()).call(&mix);
    assert_eq!(dst, [0xf0; 32]);
    // Two shared references may point to the same value.
    Frame::of(&mix.export).word(0, dst.as_mut_ptr().addr()).word(8, k.as_ptr().addr()).word(16, k.as_ptr().addr()).call(&mix);
    assert_eq!(dst, [0; 32]);

    let gather = find("Gather");
    let (mut dst, src, at) = ([0_u64; 3], [1_u64, 2, 3], [[9_u16, 9], [10, 9]]);
    let mut frame = Frame::of(&gather.export);
    frame.slice(0, &raw mut dst).slice(24, &raw const src).word(48, at.as_ptr().addr());
    frame.word(56, "größe".as_ptr().addr()).word(64, "größe".len()).call(&gather);
    assert_eq!(dst, [10, 20, 30]);
    assert_eq!(frame.0[9..11], [3, 5]);
}

#[test]
fn nil_slices_and_strings_are_empty() {
    let gather = find("Gather");
    let at = [[0_u16; 2]; 2];
    let mut frame = Frame::of(&gather.export);
    frame.slice::<u64>(0, &[]).slice::<u64>(24, &[]).word(48, at.as_ptr().addr()).word(56, 0).word(64, 0);
    frame.word(0, 0).word(24, 0).call(&gather);
    assert_eq!(frame.0[9..11], [0, 0]);

    let empty = find("OneByteResult");
    let mut frame = Frame::of(&empty.export);
    frame.word(0, 0).word(8, 0).word(16, 0).call(&empty);
    assert_eq!(frame.bytes()[24..32], [1, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5], "one byte is written");
}

#[test]
fn nil_pointers_are_named() {
    let mix = find("Mix");
    let (mut dst, k) = ([0_u8; 32], [1_u8; 32]);
    let mut call = |dst_nil: bool, k_nil: bool| {
        let dst = if dst_nil { 0 } else { dst.as_mut_ptr().addr() };
        let k_at = if k_nil { 0 } else { k.as_ptr().addr() };
        Frame::of(&mix.export).word(0, dst).word(8, k_at).word(16, k.as_ptr().addr()).try_call(&mix).unwrap_err()
    };
    assert_eq!(call(true, false), "nil pointer passed for parameter dst");
    assert_eq!(call(false, true), "nil pointer passed for parameter k");
    // Two nil pointers do not overlap.
    assert_eq!(call(true, true), "nil pointer passed for parameter dst");
    assert_eq!(dst, [0; 32], "the function was called");
}

#[test]
fn overlaps_are_named() {
    let mix = find("Mix");
    let mut memory = [0_u8; 96];
    let base = memory.as_mut_ptr().addr();
    let call = |dst: usize, k: usize, u: usize| {
        let mut frame = Frame::of(&mix.export);
        frame.word(0, base + dst).word(8, base + k).word(16, base + u);
        frame.try_call(&mix)
    };
    assert_eq!(call(0, 32, 64), Ok(()));
    assert_eq!(call(32, 0, 0), Ok(()));
    assert_eq!(call(64, 31, 0), Ok(()));
    assert_eq!(call(0, 0, 64), Err("parameters dst and k overlap".into()));
    assert_eq!(call(0, 31, 64), Err("parameters dst and k overlap".into()));
    assert_eq!(call(31, 0, 64), Err("parameters dst and k overlap".into()));
    assert_eq!(call(32, 64, 63), Err("parameters dst and u overlap".into()));

    let two = find("TwoMut");
    let mut memory = [1_u32, 2, 3, 4];
    let base = &raw mut memory;
    let call = |a: std::ops::Range<usize>, b: std::ops::Range<usize>| {
        let part =
            |range: std::ops::Range<usize>| std::ptr::slice_from_raw_parts(unsafe { base.cast::<u32>().add(range.start) }, range.len());
        let mut frame = Frame::of(&two.export);
        frame.slice(0, part(a)).slice(24, part(b));
        frame.try_call(&two)
    };
    assert_eq!(call(0..2, 2..4), Ok(()));
    assert_eq!(call(0..2, 1..3), Err("parameters a and b overlap".into()));
    assert_eq!(call(0..4, 3..4), Err("parameters a and b overlap".into()));
    // An empty slice overlaps nothing, even inside another slice. (The call panics for another reason: the lengths differ.)
    let lengths = call(0..4, 2..2).unwrap_err();
    assert!(lengths.contains("different lengths"), "{lengths}");
    assert_eq!(call(1..1, 1..1), Ok(()));
    assert_eq!(memory, [3, 4, 1, 2]);

    let zero = find("ZeroSized");
    let at = memory.as_mut_ptr().addr();
    let mut frame = Frame::of(&zero.export);
    frame.word(0, at).word(8, at).slice::<u8>(16, std::ptr::slice_from_raw_parts(base.cast::<u8>(), 16)).call(&zero);
    assert_eq!(frame.0[5], 16);
}

#[test]
fn strings_must_be_utf8() {
    let gather = find("Gather");
    let at = [[0_u16; 2]; 2];
    let mut frame = Frame::of(&gather.export);
    frame.slice::<u64>(0, &[]).slice::<u64>(24, &[]).word(48, at.as_ptr().addr());
    let bytes = b"ab\xff";
    frame.word(56, bytes.as_ptr().addr()).word(64, bytes.len());
    assert_eq!(frame.try_call(&gather).unwrap_err(), "parameter name is not valid UTF-8 (byte 2)");
}

#[test]
fn runes_must_be_characters() {
    let mixed = find("Mixed");
    for bad in [0xd800_u32, 0xdfff, 0x11_0000, u32::MAX] {
        let mut frame = Frame::of(&mixed.export);
        frame.put(4, &[0]).put(20, &bad.to_ne_bytes());
        assert_eq!(frame.try_call(&mixed).unwrap_err(), format!("parameter f is not a valid rune ({bad:#x})"));
    }

    let runes = find("Runes");
    let good = ['a' as u32, 0x10_ffff];
    let bad = ['a' as u32, 0xd800];
    let mut out = good;
    let mut call = |all: [u32; 2], pair: [u32; 2], before: [u32; 2]| {
        out = before;
        let mut frame = Frame::of(&runes.export);
        frame.slice(0, &raw const all).word(24, pair.as_ptr().addr()).slice(32, &raw mut out);
        frame.try_call(&runes).map(|()| (u32::from_ne_bytes(frame.bytes()[56..60].try_into().unwrap()), out))
    };
    assert_eq!(call(good, good, good), Ok(('a' as u32 + 0x10_ffff, [0x10_ffff; 2])));
    assert_eq!(call(bad, good, good), Err("parameter all holds an invalid rune".into()));
    assert_eq!(call(good, bad, good), Err("parameter pair holds an invalid rune".into()));
    assert_eq!(call(good, good, bad), Err("parameter out holds an invalid rune".into()));
}

#[test]
fn pointers_are_addresses_and_nil_may_be_none() {
    let shim = find("Pointers");
    let pointer = |mutable, elem| Type::Pointer { mutable, elem };
    let basic = |basic| Box::new(Type::Basic(basic));
    let expected = [
        field("a", pointer(true, basic(Basic::Uint16)), 0),
        field("b", pointer(false, basic(Basic::Rune)), 8),
        field("c", pointer(false, basic(Basic::Uint64)), 16),
        field("d", pointer(true, array(3, Type::Basic(Basic::Bool))), 24),
    ];
    assert_eq!((shim.export.params.as_slice(), shim.export.nilable), (expected.as_slice(), 0b1100));
    let (mut a, b, c, mut d) = (41_u16, 'b', 5_u64, [true, true, false]);
    let address = |pointer: *const u8| pointer.addr();
    let mut frame = Frame::of(&shim.export);
    frame.word(0, address((&raw mut a).cast())).word(8, address((&raw const b).cast())).word(16, 0).word(24, 0);
    frame.call(&shim);
    assert_eq!((a, d, frame.0[4]), (42, [true, true, false], 'b' as u64 + 7));
    frame.word(16, address((&raw const c).cast())).word(24, address((&raw mut d).cast()));
    frame.call(&shim);
    assert_eq!((a, d, frame.0[4]), (43, [true, false, false], 'b' as u64 + 5));

    assert_eq!(frame.word(8, 0).try_call(&shim).unwrap_err(), "nil pointer passed for parameter b");
    let no_char = 0x11_0000_u32;
    frame.word(8, address((&raw const no_char).cast()));
    assert_eq!(frame.try_call(&shim).unwrap_err(), "parameter b holds an invalid rune");
    frame.word(8, address((&raw const b).cast())).word(24, address((&raw mut a).cast()));
    assert_eq!(frame.try_call(&shim).unwrap_err(), "parameters a and d overlap");
}

#[test]
fn none_is_zero_and_false() {
    let shim = find("Missing");
    let expected = [
        field("small", Type::Basic(Basic::Uint8), 8),
        field("large", Type::Basic(Basic::Uint64), 16),
        field("type", Type::Basic(Basic::Bool), 24),
    ];
    assert_eq!((shim.export.results.as_slice(), shim.export.frame_size), (expected.as_slice(), 25));
    for (there, small, large) in [(1, 1, 2), (0, 0, 0)] {
        let mut frame = Frame::of(&shim.export);
        frame.put(0, &[there]).call(&shim);
        // The bytes between and after the results keep the fill pattern 0xa5.
        let words = [0xa5a5_a5a5_a5a5_a500 | small, large, 0xa5a5_a5a5_a5a5_a500 | u64::from(there)];
        assert_eq!(frame.0[1..4], words);
    }
    let shim = find("MissingOne");
    assert_eq!(shim.export.frame_size, 11);
    for (there, word) in [(1, 0xa5a5_a5a5_a501_0102), (0, 0xa5a5_a5a5_a500_0000)] {
        let mut frame = Frame::of(&shim.export);
        frame.put(0, &[there]).call(&shim);
        assert_eq!(frame.0[1], word, "{:x}", frame.0[1]);
    }
}
