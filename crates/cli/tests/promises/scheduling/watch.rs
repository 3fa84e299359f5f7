//! A package built by `rustgo build --watch`. rt.Watch reports long calls that return, panic or fault. It does not report blocking calls.
//@ args: --watch
use std::hint::black_box;

fn work(rounds: u64) -> u64 {
    let mut state = rounds | 1;
    for _ in 0..rounds {
        state = black_box(state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
    }
    state
}

/// Spin works for a number of rounds. The export's entry contains its body.
#[rustgo::export]
pub fn spin(rounds: u64) -> u64 {
    work(rounds)
}

/// SpinFramed does the work of Spin, in a function with a frame that needs a stack check.
#[rustgo::export]
pub fn spin_framed(rounds: u64) -> u64 {
    let mut space = [rounds; 256];
    black_box(&mut space);
    work(space[255])
}

/// SpinBlocking does the work of Spin in a blocking call.
#[rustgo::export(blocking)]
pub fn spin_blocking(rounds: u64) -> u64 {
    work(rounds)
}

/// SpinBlockingOver is a blocking call for more than 100 bytes. rt.Watch never reports its calls.
#[rustgo::export(blocking_over = 100)]
pub fn spin_blocking_over(data: &[u8], rounds: u64) -> u64 {
    work(rounds) + data.len() as u64
}

/// Panics after some work, if the index is out of range.
#[rustgo::export]
pub fn panics(data: &[u8], index: usize, rounds: u64) -> u8 {
    work(rounds);
    data[index]
}

/// Exhausts its budget after some work, if the depth is large.
#[rustgo::export(stack = "16k")]
pub fn exhausts(depth: u64, rounds: u64) -> u64 {
    fn down(depth: u64) -> u64 {
        let here = black_box([depth; 16]);
        if depth == 0 { here[3] } else { down(depth - 1) + here[(depth % 16) as usize] }
    }
    work(rounds);
    down(depth)
}

/// Faults after some work.
#[rustgo::export]
pub fn faults(rounds: u64) -> u64 {
    work(rounds);
    // SAFETY: none; the test expects the fault.
    unsafe { black_box(8 as *const u64).read_volatile() }
}

/// Takes and returns values of all kinds, which must arrive unchanged.
#[rustgo::export]
pub fn mixed(rt: u8, rust_mixed: &str, data: &mut [u16], pair: &[u32; 2], x: f64, end: bool) -> (u64, f64, bool, char) {
    data.reverse();
    (u64::from(rt) + rust_mixed.len() as u64 + u64::from(pair[0] + pair[1]), x * 2.0, !end, 'ß')
}
