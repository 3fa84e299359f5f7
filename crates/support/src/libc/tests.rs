//! Compares the string functions with loops over slices, and the texts of errors with the texts of the system's C library.

use super::{error, strings};
use core::ptr::null_mut;
use std::borrow::ToOwned;
use std::ffi::CStr;
use std::string::ToString;
use std::vec;
use std::vec::Vec;

/// Calls `check` with texts of two letters, of every length up to 40, at every offset in a word.
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
