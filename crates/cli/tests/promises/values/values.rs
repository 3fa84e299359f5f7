//@ native: all
//! The generated code must behave as the compiled code, for values of every kind and typical code for them: u128, floating point, slice patterns,
//! enums with niches, MaybeUninit, and matches that become jump tables, tables of values or bit masks.
#![no_std]
use core::hint::black_box;
use core::mem::MaybeUninit;
use core::num::{NonZeroU8, NonZeroU64, Wrapping};

#[rustgo::export]
pub fn wide(x: u64) -> u64 {
    let a = u128::from(x) << 64 | u128::from(!x);
    let b = black_box(u128::from(x.rotate_left(17)) | 1);
    let c = (a / b) ^ (a % b) ^ a.wrapping_mul(b) ^ (a as i128 / -(b as i128).abs().max(1)) as u128;
    let shifted = a.wrapping_shl(x as u32) ^ a.wrapping_shr(x as u32) ^ (a as i128).wrapping_shr(x as u32) as u128;
    let (sum, carried) = a.overflowing_add(c);
    let all = sum ^ shifted ^ u128::from(carried) ^ u128::from(a.leading_zeros()) ^ a.reverse_bits() ^ c.swap_bytes();
    all as u64 ^ (all >> 64) as u64
}

#[rustgo::export]
pub fn wide_floats(x: u64) -> u64 {
    let a = u128::from(x) * u128::from(x);
    let (f, g) = (a as f64, a as f32);
    let back = f as u128 ^ (g as u128) ^ (-f) as i128 as u128;
    back as u64 ^ (back >> 64) as u64 ^ f.to_bits() ^ u64::from(g.to_bits())
}

fn bits(x: f64) -> u64 {
    if x.is_nan() { 1 } else { x.to_bits() }
}

#[rustgo::export]
pub fn floats(x: u64) -> u64 {
    let f = f64::from_bits(x);
    let (a, b) = (black_box(x as f64), black_box(f));
    let c = (a - 3.5) * b.abs().min(1e10) / 7.25;
    let d = c as i64 as u64 ^ c as u8 as u64 ^ c as i32 as u64 ^ (c as f32) as u64;
    let order = u64::from(a < b) + u64::from(a == a) * 2 + u64::from(b.total_cmp(&a) as i8 as u8);
    let odd = bits(a % 7.5) ^ bits(b.clamp(-1.0, 1.0)) ^ bits(a.copysign(b)) ^ bits(c.max(b) + 0.0) ^ bits(-c);
    d ^ order << 50 ^ odd
}

#[rustgo::export(stack = "24k")]
pub fn floats_as_text(x: u64) -> u64 {
    let mut text = Text([0; 400], 0);
    let f = f64::from_bits(x & 0x7fef_ffff_ffff_ffff);
    let _ = core::fmt::write(&mut text, format_args!("{f} {f:?} {:.3} {:e}", x as f32, f));
    text.0[..text.1].iter().fold(text.1 as u64, |h, &b| h.wrapping_mul(31) ^ u64::from(b))
}

struct Text([u8; 400], usize);
impl core::fmt::Write for Text {
    fn write_str(&mut self, s: &str) -> core::fmt::Result {
        for b in s.bytes() {
            if let Some(at) = self.0.get_mut(self.1) {
                *at = b;
                self.1 += 1;
            }
        }
        Ok(())
    }
}

#[rustgo::export]
pub fn patterns(x: u64) -> u64 {
    let bytes = x.to_be_bytes();
    let slice = &black_box(bytes)[..(x % 9) as usize];
    match slice {
        [] => 1,
        [0, 0, rest @ ..] => rest.len() as u64 + 2,
        [a] => u64::from(*a) + 3,
        [a @ 1..=9, .., b] if a == b => 4,
        [first, .., last @ (0 | 128..=255)] => u64::from(*first) * 256 + u64::from(*last),
        [_, middle @ .., _] if middle.iter().all(|b| b.is_ascii_lowercase()) => 5,
        [.., a, b, c] => u64::from(a ^ b ^ c) + 1000,
        [a, b] => u64::from(*a) << 8 | u64::from(*b),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Many {
    A,
    B(u8),
    C { x: u64, y: u16 },
    D(NonZeroU8),
    E(Option<bool>, Option<Option<bool>>),
    F([u8; 3]),
    G(char),
    H(i128),
    I(&'static str),
    J(Option<&'static u64>),
    K(Result<u8, ()>),
}
static ELEVEN: u64 = 11;

#[inline(never)]
fn many(x: u64) -> Many {
    match x % 11 {
        0 => Many::A,
        1 => Many::B(x as u8),
        2 => Many::C { x, y: x as u16 },
        3 => Many::D(NonZeroU8::new(x as u8 | 1).unwrap()),
        4 => Many::E((x % 3 != 0).then_some(x % 2 == 0), Some((x % 5 == 0).then_some(true))),
        5 => Many::F([x as u8, 2, 3]),
        6 => Many::G(char::from_u32(x as u32 % 0xd800).unwrap_or('x')),
        7 => Many::H(-i128::from(x)),
        8 => Many::I(if x % 2 == 0 { "even" } else { "odd, and long" }),
        9 => Many::J((x % 4 == 0).then_some(&ELEVEN)),
        _ => Many::K(if x % 2 == 0 { Ok(x as u8) } else { Err(()) }),
    }
}

#[rustgo::export]
pub fn enums(x: u64) -> u64 {
    let (a, b) = (many(x), many(x.rotate_right(3)));
    let order = (a.cmp(&b) as i8 + 1) as u64 + u64::from(a == b) * 3;
    let value = match black_box(a) {
        Many::A => 0,
        Many::B(n) => n.into(),
        Many::C { x, y } => x ^ u64::from(y),
        Many::D(n) => n.get().into(),
        Many::E(a, b) => {
            u64::from(a == Some(true)) + u64::from(a.is_none()) * 2 + u64::from(b == Some(None)) * 4 + u64::from(b.is_none()) * 8
        }
        Many::F(all) => all.iter().map(|&n| u64::from(n)).sum(),
        Many::G(c) => c.into(),
        Many::H(n) => (n >> 3) as u64,
        Many::I(s) => s.len() as u64,
        Many::J(n) => n.copied().unwrap_or(77),
        Many::K(n) => n.map_or(500, u64::from),
    };
    value * 8 + order
}

/// Its match becomes a jump table. Most arms have different code, some share code, and some have numbers far from the other numbers.
#[inline(never)]
fn step(op: u8, a: u64, b: u64) -> Result<u64, u64> {
    Ok(match op {
        0 => a.wrapping_add(b),
        1 => a.wrapping_sub(b),
        2 => a.wrapping_mul(b),
        3 => a.checked_div(b).ok_or(3u64)?,
        4 => a.checked_rem(b).ok_or(4u64)?,
        5 => a & b,
        6 => a | b,
        7 => a ^ b,
        8 => a.wrapping_shl(b as u32),
        9 => a.wrapping_shr(b as u32),
        10 => (a as i64).wrapping_shr(b as u32) as u64,
        11 => a.rotate_left(b as u32),
        12 => u64::from(a < b),
        13 => u64::from((a as i64) < b as i64),
        14 => a.leading_zeros().into(),
        15 => a.count_ones().into(),
        16 => a.swap_bytes(),
        17 => a.checked_pow(b as u32 % 5).ok_or(17u64)?,
        18 => a.abs_diff(b),
        19 => a.isqrt(),
        20 => a.max(b) - a.min(b) / 2,
        21 => return Err(a),
        22 => black_box([a, b])[(a % 2) as usize],
        23 => (a as f64).to_bits(),
        24 => (f64::from_bits(b) as u64).wrapping_add(a),
        25 => panic!("op {op} of {a}"),
        26..=40 => u64::from(op) * a,
        200 => 5,
        201 => a.wrapping_neg(),
        202 => !b,
        203 => a ^ 1,
        204 => b ^ a.rotate_left(1),
        205..=210 => b.wrapping_sub(u64::from(op)),
        _ => a,
    })
}

#[rustgo::export]
pub fn interpreter(x: u64) -> u64 {
    let mut program = Wrapping(x | 1);
    let (mut a, mut b) = (x, 3);
    for _ in 0..40 {
        program *= Wrapping(0x5851_f42d_4c95_7f2d);
        let op = (program.0 >> 56) as u8;
        match step(if op == 25 { 26 } else { op }, a, b) {
            Ok(n) => (a, b) = (b, n),
            Err(n) => (a, b) = (n, a),
        }
    }
    a ^ b.rotate_left(32)
}

#[rustgo::export]
pub fn opcodes(x: u64) -> u64 {
    (0..=255).filter(|&op| op != 25).fold(x, |sum, op| sum.rotate_left(1) ^ step(op, x, 7).unwrap_or_else(|n| n ^ 9))
        ^ step((x % 26) as u8, 5, 2).unwrap_or(0)
}

/// Switches of several kinds: tables of values, tables of bits, nested switches, and a loop whose next state comes from a second switch.
#[rustgo::export]
pub fn switches(x: u64) -> u64 {
    let mut state = 0u8;
    let mut sum = 0u64;
    for byte in x.to_le_bytes().iter().chain(b"if(a){b[1]+=\"x\\\"y\";}//e") {
        state = match (state, byte) {
            (0, b'"') => 1,
            (1, b'\\') => 2,
            (1, b'"') => 0,
            (1, _) | (2, _) => 1,
            (0, b'/') => 3,
            (3, b'/') => 4,
            (3, _) => 0,
            (4, b'\n') => 0,
            (4, _) => 4,
            (_, b'a'..=b'z' | b'A'..=b'Z' | b'_') => 5,
            (5, b'0'..=b'9') => 5,
            (_, b'0' | b'2' | b'4' | b'6' | b'8') => 6,
            (_, b' ' | b'\t' | b'\r' | b'\n' | 0x80..) => 7,
            _ => 0,
        };
        let name = match state {
            0 => "code",
            1 | 2 => "text",
            3 => "slash",
            4 => "a comment",
            5 => "name",
            6 => "even",
            _ => "",
        };
        sum = sum.wrapping_mul(11).wrapping_add(name.len() as u64 + u64::from(state));
    }
    sum
}

#[rustgo::export]
pub fn uninitialised(x: u64) -> u64 {
    let mut room: [MaybeUninit<u64>; 40] = [const { MaybeUninit::uninit() }; 40];
    let count = (x % 41) as usize;
    for (n, place) in room[..count].iter_mut().enumerate() {
        place.write(x ^ n as u64);
    }
    black_box(&mut room);
    // SAFETY: the first `count` elements were written.
    room[..count].iter().fold(9u64, |sum, place| sum.rotate_left(3) ^ unsafe { place.assume_init() })
}

/// Returns results in memory, in two registers and in vector registers. Takes arguments in registers of all kinds and on the stack.
#[inline(never)]
#[allow(clippy::too_many_arguments)]
fn all_kinds(
    a: u8,
    b: f32,
    c: u128,
    d: [u64; 3],
    e: &str,
    f: f64,
    g: i16,
    h: (u64, f64),
    i: Option<NonZeroU64>,
    j: bool,
) -> (u64, f64, [u8; 5], u128, Many) {
    let sum = u64::from(a) ^ d[1] ^ e.len() as u64 ^ g as u64 ^ h.0 ^ i.map_or(0, NonZeroU64::get);
    (sum, f + h.1 + f64::from(b), [a, 2, j as u8, 4, 5], c.wrapping_add(sum.into()), many(sum))
}

#[rustgo::export]
pub fn conventions(x: u64) -> u64 {
    let f = (x >> 12) as f64;
    let (a, b, c, d, e) =
        all_kinds(x as u8, 1.5, u128::from(x) << 40, [x, !x, 3], "text", f, x as i16, (x / 2, -f), NonZeroU64::new(x), x % 2 == 1);
    let (g, ..) = all_kinds(c[0], b as f32, d, [a; 3], "", b, -1, (a, 0.25), None, false);
    a ^ bits(b) ^ u64::from(c[2]) ^ d as u64 ^ (d >> 64) as u64 ^ g.rotate_left(5) ^ u64::from(e < many(x))
}

/// Uses memcpy, memmove, memset and memcmp, with constant and with variable sizes.
#[rustgo::export]
pub fn memory(x: u64) -> u64 {
    let mut room: [u8; 600] = core::array::from_fn(|n| (x as usize >> (n % 8)) as u8 ^ n as u8);
    let (n, m) = ((x % 300) as usize, (x / 7 % 290) as usize);
    room.copy_within(n..n + m, 5);
    room.copy_within(5..5 + m, n);
    room[n..n + m / 2].fill(x as u8);
    let (a, b) = room.split_at_mut(300);
    a[..m].swap_with_slice(&mut b[..m]);
    let order = a.cmp(&b) as i8 as u8;
    let found = room.iter().position(|&b| b == x as u8).unwrap_or(999) as u64;
    let copy = black_box(room);
    copy.chunks(7).fold(found, |sum, chunk| sum.wrapping_mul(131) ^ u64::from(chunk[0]) ^ u64::from(order))
        ^ u64::from(copy[..n] == room[m..n.max(m)])
}
