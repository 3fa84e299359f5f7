//@ args: --max-stack 128k
//! No call overflows its stack bound. The deepest path of these exports is hard to find. The test fills the stack below a call with a pattern.
#![no_std]
use core::cell::Cell;
use core::fmt::Write;
use core::hint::black_box;

/// Makes a function for each frame size at which compilers change their code: near a page, near the range of a displacement, and for stack probes.
macro_rules! frames {
    ($($name:ident $size:literal)*) => {$(
        #[rustgo::export]
        pub fn $name(x: u64) -> u64 {
            let mut room = [x as u8; $size];
            black_box(&mut room);
            room[0] as u64 + room[$size - 1] as u64
        }
    )*};
}
frames!(frame_1 1 frame_127 127 frame_128 128 frame_129 129 frame_255 255 frame_500 500 frame_520 520 frame_4080 4080 frame_4096 4096);
frames!(frame_4097 4097 frame_8192 8192 frame_20k 20_000 frame_32k 32_768 frame_60k 61_440 frame_65520 65_520);

/// Has a frame that is larger than `--max-stack`. The stated budget allows this frame.
#[rustgo::export(stack = "256k")]
pub fn frame_200k(x: u64) -> u64 {
    let mut room = [x as u8; 200_000];
    black_box(&mut room);
    room[0] as u64 + room[199_999] as u64
}

/// Takes its deepest path only if which % 4 is 2.
#[rustgo::export]
pub fn one_of(which: u64, x: u64) -> u64 {
    match which % 4 {
        0 => shallow(x),
        1 => middle(x),
        2 => deep(x) + middle(x),
        _ => x,
    }
}

#[inline(never)]
fn shallow(x: u64) -> u64 {
    black_box([x; 20])[19]
}

#[inline(never)]
fn middle(x: u64) -> u64 {
    black_box([x; 200])[199] + shallow(x)
}

#[inline(never)]
fn deep(x: u64) -> u64 {
    black_box([x; 2000])[1999] + middle(x)
}

/// A call through a pointer of this type needs the stack of the largest function of this type. The last arguments are passed on the stack.
type Many = fn(u64, u64, u64, u64, u64, u64, u64, u64, u64) -> u64;
static MANY: [Many; 3] = [sum, spill, |a, _, _, _, _, _, _, _, i| a ^ i];

#[inline(never)]
#[allow(clippy::too_many_arguments)]
fn sum(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64, i: u64) -> u64 {
    a + b + c + d + e + f + g + h + i
}

#[inline(never)]
#[allow(clippy::too_many_arguments)]
fn spill(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64, i: u64) -> u64 {
    let room = black_box([a, b, c, d, e, f, g, h, i].repeat_to::<900>());
    room[899]
}

trait RepeatTo {
    fn repeat_to<const N: usize>(&self) -> [u64; N];
}
impl RepeatTo for [u64; 9] {
    fn repeat_to<const N: usize>(&self) -> [u64; N] {
        core::array::from_fn(|n| self[n % 9])
    }
}

#[rustgo::export]
pub fn by_pointer(which: u64, x: u64) -> u64 {
    MANY[(which % 3) as usize](x, 1, 2, 3, 4, 5, 6, 7, 8)
}

trait Shape {
    fn area(&self, of: &Cell<u64>) -> u64;
}
struct Small(u64);
struct Large([u64; 300]);
impl Shape for Small {
    fn area(&self, of: &Cell<u64>) -> u64 {
        of.set(of.get() + 1);
        self.0 + 1
    }
}
impl Shape for Large {
    fn area(&self, of: &Cell<u64>) -> u64 {
        let other = Large(black_box(self.0));
        of.set(of.get() + 1);
        black_box([other.0[7]; 700])[699] + 1
    }
}

#[rustgo::export]
pub fn by_trait(which: u64, x: u64) -> u64 {
    let calls = Cell::new(0);
    let (small, large) = (Small(x), Large([x; 300]));
    let shapes: [&dyn Shape; 2] = black_box([&small, &large]);
    shapes[(which % 2) as usize].area(&calls) + calls.get()
}

/// A writer that fails if the text has more than 64 bytes.
struct Text([u8; 64], usize);
impl Write for Text {
    fn write_str(&mut self, s: &str) -> core::fmt::Result {
        let end = self.1 + s.len();
        self.0.get_mut(self.1..end).ok_or(core::fmt::Error)?.copy_from_slice(s.as_bytes());
        self.1 = end;
        Ok(())
    }
}

#[rustgo::export]
pub fn not_recursive_sort(x: u64) -> u64 {
    let mut values: [u64; 16] = core::array::from_fn(|n| x.wrapping_mul(n as u64 * 7 + 3));
    for n in 1..values.len() {
        values[..=n].rotate_right(1);
    }
    let mut text = Text([0; 64], 0);
    let digits = [b'0' + (x % 10) as u8];
    let _ = text.write_str(core::str::from_utf8(&digits).unwrap());
    values[3] ^ u64::from(text.0[0])
}
