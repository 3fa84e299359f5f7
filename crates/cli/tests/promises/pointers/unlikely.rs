//! Calls that the tool considers unlikely, because it does not know where their function pointers come from.
#![no_std]

use core::hint::black_box;

trait Step {
    fn done(&self, n: u64) -> u64;
    fn next(&self, n: u64) -> u64;
}

/// A type whose method `next` calls itself through a vtable entry that it reads at an unknown index.
struct Hidden;
/// A type whose methods do not recurse.
struct Plain;

impl Step for Hidden {
    #[inline(never)]
    fn done(&self, n: u64) -> u64 {
        n.rotate_left(7)
    }
    #[inline(never)]
    fn next(&self, n: u64) -> u64 {
        let mut local = [0u8; 1000];
        black_box(&mut local)[n as usize % 1000] = 1;
        let below = if n == 0 { 0 } else { at_index(black_box(&Hidden), 4)(black_box(&Hidden), n - 1) };
        below + black_box(&local).iter().map(|&b| u64::from(b)).sum::<u64>()
    }
}

impl Step for Plain {
    #[inline(never)]
    fn done(&self, n: u64) -> u64 {
        n + 1
    }
    #[inline(never)]
    fn next(&self, n: u64) -> u64 {
        n * 2
    }
}

/// Reads the function at this index of the vtable. (A trait object is two words, one of which is the vtable's address.)
#[inline(always)]
fn at_index(step: &dyn Step, index: usize) -> fn(&Hidden, u64) -> u64 {
    let [data, table]: [*const usize; 2] = unsafe { core::mem::transmute(step) };
    let table = if data == table { data } else { table };
    // black_box hides the index from the compiler.
    unsafe { core::mem::transmute(*table.add(black_box(index))) }
}

/// Returns n + 1: each of n + 1 nested calls adds 1. The computed stack bound includes none of these calls.
#[rustgo::export]
pub fn hidden(n: u64) -> u64 {
    at_index(black_box(&Hidden), 4)(black_box(&Hidden), n)
}

/// Makes calls whose targets the tool knows.
#[rustgo::export]
pub fn known(n: u64, plain: bool) -> u64 {
    let step: &dyn Step = if black_box(plain) { black_box(&Plain) } else { black_box(&Hidden) };
    step.done(n)
}
