//! An entry that aligns the stack copies 24 argument words for every caller, even if a caller passes none. In a goroutine's first frames it then
//! copies words above these frames, where the export leaves room.
use std::hint::black_box;
#[repr(align(64))]
struct L64([u64; 8]);
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Big([u64; 24]);

/// Takes 24 words of arguments on the stack, and is called through a pointer.
#[inline(never)]
extern "C" fn big(b: Big) -> u64 {
    b.0[23] + b.0[0]
}
type F = extern "C" fn(Big) -> u64;

/// Takes one argument in a register, has an aligned local that is indexed, and is called through a pointer.
#[inline(never)]
fn small(x: u64) -> u64 {
    let mut l = L64([x; 8]);
    black_box(&mut l);
    l.0[(x % 8) as usize]
}

#[rustgo::export(stack = "64k")]
pub fn run_big(x: u64) -> u64 {
    black_box(vec![big as F])[0](black_box(Big([x; 24]))) + 1
}

#[rustgo::export(stack = "64k")]
pub fn run(x: u64) -> u64 {
    black_box(vec![small as fn(u64) -> u64])[0](x + 1) + 1
}
