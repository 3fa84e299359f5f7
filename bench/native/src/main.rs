//! Times the functions of the packages called from Rust. The output has the form of `go test -bench`, so that the same program reads both.
//!
//! The argument is the least time for a measurement, in milliseconds (1000 by default).

use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    let benchtime = match std::env::args().nth(1).map(|arg| arg.parse()) {
        None => 1000,
        Some(Ok(milliseconds)) => milliseconds,
        Some(Err(_)) => {
            eprintln!("native: the argument should be a number of milliseconds");
            std::process::exit(2);
        }
    };
    let benchtime = Duration::from_millis(benchtime);

    let mut x = 0;
    bench("BenchmarkCall/native-Rust-noinline", benchtime, || x = increment(x));
    black_box(x);

    let k = std::array::from_fn(|i| i as u8 * 7 + 3);
    let mut dst = [0; 32];
    bench("BenchmarkScalarBaseMult/native-Rust", benchtime, || edwards25519::scalar_base_mult(black_box(&mut dst), black_box(&k)));

    let msg: Vec<u8> = (0..251).cycle().take(1 << 20).collect();
    bench("BenchmarkBLAKE3_1MiB/native-Rust", benchtime, || rustgo_blake3::sum256(black_box(&mut dst), black_box(&msg)));
}

#[inline(never)]
fn increment(x: u64) -> u64 {
    callcost::increment(x)
}

/// Calls `run` many times and prints the time of one call. As in Go's package testing, the number of calls grows until the calls take long enough,
/// and each number is computed from the time of the calls before.
fn bench(name: &str, benchtime: Duration, mut run: impl FnMut()) {
    let mut n: u64 = 1;
    loop {
        let start = Instant::now();
        for _ in 0..n {
            run();
        }
        let took = start.elapsed();
        if took >= benchtime || n >= 1_000_000_000 {
            println!("{name}\t{n}\t{:.4} ns/op", took.as_nanos() as f64 / n as f64);
            return;
        }
        let next = n as f64 * 1.2 * benchtime.as_nanos() as f64 / took.as_nanos().max(1) as f64;
        n = (next as u64).clamp(n + 1, n * 100).min(1_000_000_000);
    }
}
