//! Floating-point numbers to the shortest decimal text that gives the same number back, and back.
#![no_std]

/// Format writes the shortest decimal text that is read back as x to the beginning of dst and returns its length, which
/// is 24 at most. Infinities and NaN are written "inf", "-inf" and "NaN"; whole numbers end in ".0". It panics if dst is
/// too short.
#[rustgo::export]
pub fn format(dst: &mut [u8], x: f64) -> isize {
    put(dst, zmij::Buffer::new().format(x))
}

/// Format32 is Format for a float32. The length is 16 at most.
#[rustgo::export]
pub fn format32(dst: &mut [u8], x: f32) -> isize {
    put(dst, zmij::Buffer::new().format(x))
}

fn put(dst: &mut [u8], text: &str) -> isize {
    dst[..text.len()].copy_from_slice(text.as_bytes());
    text.len() as isize
}

/// Parse returns the float64 that is nearest to the decimal number in text, and whether text is such a number, all of
/// it: "1", "-.5", "6.02e23", "inf", "infinity" and "nan" in any case.
#[rustgo::export]
pub fn parse(text: &[u8]) -> (f64, bool) {
    match fast_float2::parse(text) {
        Ok(x) => (x, true),
        Err(_) => (0.0, false),
    }
}

/// Parse32 is Parse for a float32.
#[rustgo::export]
pub fn parse32(text: &[u8]) -> (f32, bool) {
    match fast_float2::parse(text) {
        Ok(x) => (x, true),
        Err(_) => (0.0, false),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;

    fn formatted(x: f64) -> String {
        let mut dst = [0; 24];
        let n = format(&mut dst, x);
        String::from_utf8(dst[..n as usize].to_vec()).unwrap()
    }

    #[test]
    fn shortest_text() {
        for (x, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.3, "0.3"),
            (0.1 + 0.2, "0.30000000000000004"),
            (5e-324, "5e-324"),
            (-2.2250738585072014e-308, "-2.2250738585072014e-308"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(formatted(x), text);
        }
        let mut dst = [0; 16];
        let n = format32(&mut dst, -f32::MIN_POSITIVE);
        assert_eq!(&dst[..n as usize], b"-1.1754944e-38");
    }

    #[test]
    #[should_panic(expected = "range end index 3 out of range for slice of length 2")]
    fn too_short() {
        format(&mut [0; 2], 1.0);
    }

    #[test]
    fn nearest_number() {
        for (text, x) in [
            ("1", 1.0),
            ("-.5", -0.5),
            ("6.02e23", 6.02e23),
            ("1e400", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
            // Half way between two numbers: ties to even, and just above.
            ("9007199254740993", 9007199254740992.0),
            ("9007199254740993.00000000000000000000000000000001", 9007199254740994.0),
            ("2.4703282292062327208e-324", 0.0),
            ("2.4703282292062328e-324", 5e-324),
        ] {
            assert_eq!(parse(text.as_bytes()), (x, true), "{text}");
        }
        assert_eq!(parse32(b"16777217"), (16777216.0, true));
    }

    #[test]
    fn not_a_number() {
        for text in ["", "-", ".", "e5", "1e", "1.5x", " 1", "0x10", "1_000"] {
            assert_eq!(parse(text.as_bytes()), (0.0, false), "{text}");
            assert_eq!(parse32(text.as_bytes()), (0.0, false), "{text}");
        }
    }
}
