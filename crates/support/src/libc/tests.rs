//! Compares the functions with loops over slices and with the system's C library.

use super::{error, strings};
use core::ptr::null_mut;
use std::borrow::ToOwned;
use std::ffi::CStr;
use std::string::ToString;
use std::vec;
use std::vec::Vec;

/// Calls `check` with texts of the bytes `a` and 0x80 to 0x83, of every length below 40, at the offsets 0 to 8.
fn texts(check: impl Fn(&[u8])) {
    for len in 0..40 {
        for start in 0..9 {
            for seed in 0..8u32 {
                let mut text = vec![b'b'; start];
                text.extend(
                    (0..len).map(|at: u32| if (at * 7 + seed * 13).is_multiple_of(seed + 3) { b'a' } else { 0x80 + (at as u8 & 3) }),
                );
                text.push(0);
                check(&text[start..]);
            }
        }
    }
}

fn at(text: &[u8], index: Option<usize>) -> *mut u8 {
    index.map_or(null_mut(), |index| text.as_ptr().wrapping_add(index).cast_mut())
}

#[test]
fn bytes_are_found() {
    texts(|text| {
        for byte in [b'a', b'b', 0x80, 0x81, 0, 0xff] {
            // C passes the byte as an int. The function must use only the int's low byte.
            let wide = i32::from(byte) | 0x100;
            for len in 0..=text.len() {
                let area = &text[..len];
                unsafe {
                    assert_eq!(strings::memchr(text.as_ptr(), wide, len), at(text, area.iter().position(|b| *b == byte)));
                    assert_eq!(strings::memrchr(text.as_ptr(), wide, len), at(text, area.iter().rposition(|b| *b == byte)));
                    assert_eq!(strings::strnlen(text.as_ptr(), len), len.min(text.len() - 1));
                }
            }
            unsafe {
                assert_eq!(strings::strchr(text.as_ptr(), wide), at(text, text.iter().position(|b| *b == byte)));
                assert_eq!(strings::strrchr(text.as_ptr(), wide), at(text, text.iter().rposition(|b| *b == byte)));
            }
        }
        // The length may exceed the text if the text contains the byte.
        unsafe { assert_eq!(strings::memchr(text.as_ptr(), 0, usize::MAX), at(text, Some(text.len() - 1))) };
    });
}

#[test]
fn texts_are_compared() {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for text in [&b""[..], b"a", b"ab", b"abc", b"abd", b"\xff", b"a\x80", b"a\x7f", b"abcdefghij", b"abcdefghik"] {
        all.push([text, b"\0"].concat());
    }
    for a in &all {
        for b in &all {
            let order = unsafe { strings::strcmp(a.as_ptr(), b.as_ptr()) };
            assert_eq!(order.cmp(&0), a.cmp(b), "{a:?} {b:?}");
            for most in 0..12 {
                let order = unsafe { strings::strncmp(a.as_ptr(), b.as_ptr(), most) };
                assert_eq!(order.cmp(&0), a[..most.min(a.len())].cmp(&b[..most.min(b.len())]), "{a:?} {b:?} {most}");
            }
        }
    }
}

#[test]
fn errors_have_texts() {
    let said = |number| {
        let mut text = [0xff; 64];
        let result = unsafe { error::__xpg_strerror_r(number, text.as_mut_ptr(), text.len()) };
        assert_eq!(result, 0);
        CStr::from_bytes_until_nul(&text).unwrap().to_str().unwrap().to_owned()
    };
    assert_eq!(
        (said(200), said(-7), said(i32::MIN)),
        ("Unknown error 200".into(), "Unknown error -7".into(), "Unknown error -2147483648".into())
    );
    // std takes the error's text from the C library and appends the number.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for number in (0..200).filter(|&number| error::text(number).is_some()) {
        let native = std::io::Error::from_raw_os_error(number).to_string();
        assert_eq!(native, std::format!("{} (os error {number})", said(number)));
    }
    for (size, expected) in [(0, &b"\xff\xff"[..]), (1, b"\0\xff"), (4, b"Inp\0\xff"), (19, b"Input/output error\0\xff")] {
        let mut text = [0xff; 64];
        let result = unsafe { error::__xpg_strerror_r(error::EIO, text.as_mut_ptr(), size) };
        assert_eq!((&text[..expected.len()], result), (expected, if size == 19 { 0 } else { error::ERANGE }));
    }
}

/// Compares functions of this crate with the system's functions of the same names: the same arguments must give the same results.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod as_the_system {
    use super::super::{ctype, sort, text};
    use std::format;
    use std::vec::Vec;

    mod system {
        use super::ctype;

        unsafe extern "C" {
            pub fn strspn(a: *const u8, b: *const u8) -> usize;
            pub fn strcspn(a: *const u8, b: *const u8) -> usize;
            pub fn strpbrk(a: *const u8, b: *const u8) -> *mut u8;
            pub fn strstr(a: *const u8, b: *const u8) -> *mut u8;
            pub fn strcasecmp(a: *const u8, b: *const u8) -> i32;
            pub fn strncasecmp(a: *const u8, b: *const u8, most: usize) -> i32;
            pub fn strncpy(to: *mut u8, from: *const u8, size: usize) -> *mut u8;
            pub fn strncat(to: *mut u8, from: *const u8, most: usize) -> *mut u8;
            pub fn strtol(text: *const u8, end: *mut *const u8, base: i32) -> i64;
            pub fn strtoul(text: *const u8, end: *mut *const u8, base: i32) -> u64;
            pub fn isalnum(byte: i32) -> i32;
            pub fn isalpha(byte: i32) -> i32;
            pub fn isblank(byte: i32) -> i32;
            pub fn iscntrl(byte: i32) -> i32;
            pub fn isdigit(byte: i32) -> i32;
            pub fn isgraph(byte: i32) -> i32;
            pub fn islower(byte: i32) -> i32;
            pub fn isprint(byte: i32) -> i32;
            pub fn ispunct(byte: i32) -> i32;
            pub fn isspace(byte: i32) -> i32;
            pub fn isupper(byte: i32) -> i32;
            pub fn isxdigit(byte: i32) -> i32;
            pub fn tolower(byte: i32) -> i32;
            pub fn toupper(byte: i32) -> i32;
            pub fn iswalnum(wide: u32) -> i32;
            pub fn iswalpha(wide: u32) -> i32;
            pub fn iswblank(wide: u32) -> i32;
            pub fn iswcntrl(wide: u32) -> i32;
            pub fn iswdigit(wide: u32) -> i32;
            pub fn iswgraph(wide: u32) -> i32;
            pub fn iswlower(wide: u32) -> i32;
            pub fn iswprint(wide: u32) -> i32;
            pub fn iswpunct(wide: u32) -> i32;
            pub fn iswspace(wide: u32) -> i32;
            pub fn iswupper(wide: u32) -> i32;
            pub fn iswxdigit(wide: u32) -> i32;
            pub fn towlower(wide: u32) -> u32;
            pub fn towupper(wide: u32) -> u32;
            pub fn __ctype_b_loc() -> &'static ctype::Table<u16>;
            pub fn __ctype_tolower_loc() -> &'static ctype::Table<i32>;
            pub fn __ctype_toupper_loc() -> &'static ctype::Table<i32>;
        }
    }

    #[test]
    fn texts_are_searched_and_compared() {
        let all = ["", "a", "b", "ab", "ba", "aab", "abab", "AbAB", "xyz", "x\u{7f}a", "bbbbbbbb", "aaab"].map(|text| format!("{text}\0"));
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a.as_ptr(), b.as_ptr()))) {
            unsafe {
                assert_eq!(text::strspn(a, b), system::strspn(a, b));
                assert_eq!(text::strcspn(a, b), system::strcspn(a, b));
                assert_eq!(text::strpbrk(a, b), system::strpbrk(a, b));
                assert_eq!(text::strstr(a, b), system::strstr(a, b));
                assert_eq!(text::strcasecmp(a, b).signum(), system::strcasecmp(a, b).signum());
                let mut joined = [0u8; 64];
                text::strcat(text::strcat(joined.as_mut_ptr(), a), b);
                let [a_text, b_text] = [a, b].map(|text| core::ffi::CStr::from_ptr(text.cast()).to_bytes());
                assert_eq!(
                    text::stpcpy(joined.as_mut_ptr().add(40), b),
                    joined.as_mut_ptr().add(40 + core::ffi::CStr::from_ptr(b.cast()).count_bytes())
                );
                assert!(joined.starts_with(&[a_text, b_text, b"\0"].concat()));
                for most in 0..6 {
                    assert_eq!(text::strncasecmp(a, b, most).signum(), system::strncasecmp(a, b, most).signum());
                    let (mut ours, mut theirs) = ([7u8; 32], [7u8; 32]);
                    text::strcpy(ours.as_mut_ptr(), a);
                    text::strncat(ours.as_mut_ptr(), b, most);
                    system::strncpy(theirs.as_mut_ptr(), a, 16);
                    theirs[16..].fill(7);
                    system::strncat(theirs.as_mut_ptr(), b, most);
                    let end = ours.iter().position(|byte| *byte == 0).unwrap();
                    assert_eq!(ours[..=end], theirs[..=end]);
                    assert!(ours[end + 1..].iter().all(|byte| *byte == 7 || *byte == 0), "{ours:?}");
                    let (mut ours, mut theirs) = ([7u8; 32], [7u8; 32]);
                    text::strncpy(ours.as_mut_ptr(), a, most);
                    system::strncpy(theirs.as_mut_ptr(), a, most);
                    assert_eq!(ours, theirs);
                }
            }
        }
    }

    #[test]
    fn numbers_are_read() {
        for number in [
            "",
            "0",
            "-",
            "+5",
            " \t\n12x",
            "-42",
            "--4",
            "0x",
            "0xg",
            "0x1F",
            "-0Xff",
            "010",
            "08",
            "zz",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "-9223372036854775809",
            "18446744073709551615",
            "18446744073709551616",
            "-18446744073709551616",
            "99999999999999999999999",
            "1\u{b}2",
        ] {
            let number = format!("{number}\0");
            for base in [0, 2, 8, 10, 16, 36, 1, 37] {
                let (mut end, mut its_end) = (number.as_ptr(), number.as_ptr());
                unsafe {
                    let ours = text::strtol(number.as_ptr(), &raw mut end, base);
                    assert_eq!(ours, system::strtol(number.as_ptr(), &raw mut its_end, base), "{number} {base}");
                    assert_eq!(end, its_end, "{number} {base}");
                    let ours = text::strtoul(number.as_ptr(), &raw mut end, base);
                    assert_eq!(ours, system::strtoul(number.as_ptr(), &raw mut its_end, base), "{number} {base}");
                    assert_eq!(end, its_end, "{number} {base}");
                }
            }
        }
    }

    #[test]
    fn bytes_have_classes() {
        macro_rules! same {
            ($($name:ident)*) => { [$((ctype::$name as extern "C" fn(i32) -> i32, system::$name as unsafe extern "C" fn(i32) -> i32)),*] };
        }
        for byte in -1..256 {
            for (at, (ours, theirs)) in
                same!(isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit)
                    .into_iter()
                    .enumerate()
            {
                assert_eq!(ours(byte) != 0, unsafe { theirs(byte) } != 0, "{byte} {at}");
            }
            for (ours, theirs) in same!(tolower toupper) {
                assert_eq!(ours(byte), unsafe { theirs(byte) });
            }
        }
    }

    /// The test program never calls `setlocale`, so the system's functions use the locale "C" too.
    #[test]
    fn wide_characters_have_classes() {
        macro_rules! same {
            ($result:ty: $($name:ident)*) => {
                [$((ctype::$name as extern "C" fn(u32) -> $result, system::$name as unsafe extern "C" fn(u32) -> $result)),*]
            };
        }
        let classes =
            same!(i32: iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit);
        for wide in (0..0x11_0100).chain([0x7fff_ffff, 0x8000_0041, 0xffff_ff41, u32::MAX]) {
            for (at, (ours, theirs)) in classes.into_iter().enumerate() {
                assert_eq!(ours(wide) != 0, unsafe { theirs(wide) } != 0, "{wide:#x} {at}");
            }
            for (ours, theirs) in same!(u32: towlower towupper) {
                assert_eq!(ours(wide), unsafe { theirs(wide) }, "{wide:#x}");
            }
        }
    }

    #[test]
    fn tables_have_the_classes() {
        for value in -128..256 {
            unsafe {
                assert_eq!(ctype::__ctype_b_loc().at(value), system::__ctype_b_loc().at(value), "{value}");
                assert_eq!(ctype::__ctype_tolower_loc().at(value), system::__ctype_tolower_loc().at(value), "{value}");
                assert_eq!(ctype::__ctype_toupper_loc().at(value), system::__ctype_toupper_loc().at(value), "{value}");
            }
        }
    }

    #[test]
    fn elements_are_sorted_and_found() {
        unsafe extern "C" fn compare(a: *const core::ffi::c_void, b: *const core::ffi::c_void) -> i32 {
            let [a, b] = [a, b].map(|at| unsafe { *at.cast::<[u8; 3]>() }[0]);
            i32::from(a) - i32::from(b)
        }
        for count in 0..60u8 {
            for step in [1, 7, 31, 64, 255u8] {
                // The second byte tells equal elements apart, so the order shows that the sort is stable.
                let elements: Vec<[u8; 3]> = (0..count).map(|at| [at.wrapping_mul(step) % 16, at, 9]).collect();
                let mut expected = elements.clone();
                expected.sort_by_key(|element| element[0]);
                let (mut merged, mut inserted) = (elements.clone(), elements.clone());
                unsafe {
                    sort::qsort(merged.as_mut_ptr().cast(), count.into(), 3, compare);
                    sort::insert(inserted.as_mut_ptr().cast(), count.into(), 3, compare);
                }
                assert!(merged == expected && inserted == expected);
                for key in 0..=16u8 {
                    let wanted = [key, 0, 0];
                    let found = unsafe { sort::bsearch((&raw const wanted).cast(), merged.as_ptr().cast(), count.into(), 3, compare) };
                    let has = merged.iter().any(|element| element[0] == key);
                    assert!(if has { unsafe { found.cast::<u8>().read() == key } } else { found.is_null() });
                }
            }
        }
    }
}

/// Compares formatted output of this crate and of the system for the same arguments.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod formatted {
    use super::super::format::to_memory;
    use super::super::variadic::{List, variadic};
    use std::ffi::{CStr, c_int};

    unsafe extern "C" fn ours_with_list(to: *mut u8, size: usize, format: *const u8, list: *mut List) -> c_int {
        unsafe { to_memory(to, size, format, list) }.map_or(-1, |len| len as c_int)
    }

    variadic! {
        ours calls ours_with_list after 3;
    }

    type Snprintf = unsafe extern "C" fn(*mut u8, usize, *const u8, ...) -> c_int;

    unsafe extern "C" {
        fn snprintf(to: *mut u8, size: usize, format: *const u8, ...) -> c_int;
    }

    macro_rules! same {
        ($format:expr $(, $argument:expr)*) => {
            // SAFETY: the function is variadic, which its type cannot say.
            let ours = unsafe { core::mem::transmute::<unsafe extern "C" fn(), Snprintf>(ours as unsafe extern "C" fn()) };
            for size in [0, 1, 5, 600, 2500] {
                let (mut a, mut b) = ([7u8; 2500], [7u8; 2500]);
                let results = unsafe {
                    [ours(a.as_mut_ptr(), size, $format.as_ptr().cast() $(, $argument)*), snprintf(b.as_mut_ptr(), size, $format.as_ptr().cast() $(, $argument)*)]
                };
                assert_eq!((results[0], std::string::String::from_utf8_lossy(&a[..size.min(60)])), (results[1], std::string::String::from_utf8_lossy(&b[..size.min(60)])), "{:?}", $format);
                assert!(a == b);
            }
        };
    }

    #[test]
    fn integers() {
        for number in [0i64, 1, -1, 7, 8, 255, -128, 65535, i64::from(i32::MIN), i64::from(i32::MAX), i64::MIN, i64::MAX, 0x1234_5678_9abc]
        {
            for format in [
                c"%d", c"%5d|", c"%-5d|", c"%05d|", c"%+d", c"% d", c"%.3d", c"%8.3d|", c"%-8.3d|", c"%08.3d|", c"%.0d", c"%hhd", c"%hd",
                c"%i", c"%u", c"%x", c"%X", c"%#x", c"%#X", c"%#o", c"%o", c"%#10x|", c"%#010x|", c"%-#10x|", c"%.5x", c"%#.5o", c"%hhu",
                c"%hx", c"a%%b%d", c"%c|", c"%3c|", c"%-3c|",
            ] {
                same!(format, number as c_int);
            }
            for format in [c"%ld", c"%lld", c"%zu", c"%jd", c"%td", c"%lx", c"%#lo", c"%20ld|", c"%-20lu|", c"%+.15ld", c"%p"] {
                same!(format, number);
            }
            same!(c"%*d|%-*d|%.*d", 6 as c_int, number as c_int, -7 as c_int, number as c_int, 4 as c_int, number as c_int);
            same!(c"%d %ld %d %ld %d %ld %d", 1 as c_int, number, 3 as c_int, number, 5 as c_int, number, 7 as c_int);
        }
    }

    #[test]
    fn texts() {
        let none: *const u8 = core::ptr::null();
        for text in [c"", c"a", c"longer text", c"%d"] {
            for format in [c"%s", c"%5s|", c"%-15s|", c"%.3s|", c"%8.3s|", c"<%s>", c"%.0s"] {
                same!(format, text.as_ptr());
            }
            same!(c"%s=%d,%s=%g;%.*s", text.as_ptr(), 3 as c_int, text.as_ptr(), 0.5f64, 2 as c_int, text.as_ptr());
        }
        same!(c"%s", none);
        same!(c"%p", none);
        same!(c"plain");
        let long: &CStr = c"0123456789012345678901234567890123456789";
        same!(c"%s%s%s", long.as_ptr(), long.as_ptr(), long.as_ptr());
    }

    #[test]
    fn floats() {
        for number in [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            2.5,
            0.5,
            1e5,
            1e6,
            123456.0,
            1234567.0,
            0.0001,
            0.00001,
            1e-300,
            1e300,
            9.9999995,
            99999.5,
            1e15,
            1e16,
            1e17,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            3.145926535897932,
            100.0,
            0.045,
            1.005,
        ] {
            for format in [
                c"%f",
                c"%.0f",
                c"%#.0f",
                c"%.3f",
                c"%10.2f|",
                c"%-10.2f|",
                c"%010.2f|",
                c"%+f",
                c"% f",
                c"%e",
                c"%.0e",
                c"%#.0e",
                c"%.10e",
                c"%E",
                c"%g",
                c"%G",
                c"%.3g",
                c"%.0g",
                c"%#g",
                c"%.17g",
                c"%15g|",
                c"%-15g|",
                c"%015g|",
                c"%F",
            ] {
                same!(format, number);
            }
            same!(c"%g %g %g %g %g %g %g %g %g %g %d", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, number, 10.0, 11 as c_int);
        }
    }

    /// A `double` has at most 1074 digits after the point. Further digits are zeros.
    #[test]
    fn floats_with_large_precisions() {
        for number in [0.0, 0.1, -2.5, 1e300, f64::MAX, f64::MIN_POSITIVE, 5e-324] {
            for format in [
                c"%.300f",
                c"%.600f",
                c"%.1074f",
                c"%.1075f|",
                c"%.1200f|",
                c"%.1100e|",
                c"%.1200g|",
                c"%#.1200g|",
                c"%2000.1100f|",
                c"%02000.1300e|",
                c"%-2000.1100f|",
                c"%.70000f",
                c"%.70000e",
                c"%.70000g",
            ] {
                same!(format, number);
            }
        }
    }

    #[test]
    fn other_conversions_fail() {
        let ours = unsafe { core::mem::transmute::<unsafe extern "C" fn(), Snprintf>(ours as unsafe extern "C" fn()) };
        let mut text = [7u8; 8];
        for format in [c"%a", c"%n", c"%ls", c"%lc", c"%Lf", c"%", c"%y", c"%'d", c"%m", c"%1$d"] {
            let result = unsafe { ours(text.as_mut_ptr(), 8, format.as_ptr().cast(), core::ptr::null::<u8>()) };
            assert_eq!((result, text[0]), (-1, 0), "{format:?}");
        }
    }
}

/// Compares `gmtime_r` and `timegm` with the system's C library. The system's `localtime_r` and `mktime` depend on the time zone, so the test checks
/// only that this crate's `mktime` reverses this crate's `localtime_r`.
#[cfg(target_os = "linux")]
#[test]
fn dates_are_those_of_the_system() {
    use super::calendar::{self, Calendar};
    use std::mem::zeroed;

    unsafe extern "C" {
        fn gmtime_r(seconds: *const i64, to: *mut Calendar) -> *mut Calendar;
        fn timegm(from: *mut Calendar) -> i64;
    }
    let fields = |date: &Calendar| {
        let zone = unsafe { CStr::from_ptr(date.zone.cast()) };
        let Calendar { second, minute, hour, day, month, year, week_day, year_day, daylight_saving, offset, .. } = *date;
        (second, minute, hour, day, month, year, week_day, year_day, daylight_saving, offset, zone)
    };
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 16
    };
    // The last second of the year 2³¹ - 1 + 1900, and the first second of the year -2³¹ + 1900.
    let edges = [67_768_036_191_676_799, -67_768_040_609_740_800];
    let mut all: Vec<i64> = vec![i64::MAX, i64::MIN, 0, -1, 951_782_400, 4_107_542_400];
    all.extend(edges.iter().flat_map(|edge| [edge - 1, *edge, edge + 1]));
    all.extend((0..20_000).map(|_| (random() as i64) - (1 << 47)));
    all.extend((-1_000_000..1_000_000).step_by(61).map(|day| day * 86_400 + day % 86_400));
    for seconds in all {
        let (mut ours, mut theirs): (Calendar, Calendar) = unsafe { (zeroed(), zeroed()) };
        let found = unsafe { (calendar::gmtime_r(&raw const seconds, &raw mut ours), gmtime_r(&raw const seconds, &raw mut theirs)) };
        assert_eq!(found.0.is_null(), found.1.is_null(), "{seconds}");
        if found.0.is_null() {
            continue;
        }
        assert_eq!(found.0, &raw mut ours);
        assert_eq!(fields(&ours), fields(&theirs), "{seconds}");
        assert_eq!(unsafe { calendar::timegm(&raw mut ours) }, seconds);
        let mut local: Calendar = unsafe { zeroed() };
        unsafe { calendar::localtime_r(&raw const seconds, &raw mut local) };
        assert_eq!(fields(&local).10, c"UTC");
        assert_eq!(unsafe { calendar::mktime(&raw mut local) }, seconds);
        // Compares `timegm` for fields outside their usual ranges.
        for field in [&mut ours.second, &mut ours.minute, &mut ours.hour, &mut ours.day, &mut ours.month, &mut ours.year] {
            let wide = random();
            *field = if wide % 4 == 0 { wide as i32 } else { (wide % 4001) as i32 - 2000 };
        }
        let mut theirs = ours;
        assert_eq!(unsafe { calendar::timegm(&raw mut ours) }, unsafe { timegm(&raw mut theirs) }, "{ours:?}");
        assert_eq!(fields(&ours), fields(&theirs), "{seconds}");
    }
}
