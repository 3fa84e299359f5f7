//! Measures the time of one operation.

use crate::inputs;
use column::{Column, NewKem, NewSigner, OVERHEAD};
use std::hint::black_box;
use std::time::Duration;

/// Returns the processor time of the process.
pub fn used() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: clock_gettime only writes to `now`.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut now) }, 0);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Repeats a call for `milliseconds` and returns the mean time in ns. Before, repeats the call for the same time, but at most 10 ms, to warm up.
fn measure(milliseconds: usize, mut call: impl FnMut(u64)) -> String {
    let least = Duration::from_millis(milliseconds as u64);
    let mut run = |least: Duration| {
        let (start, mut n, mut each) = (used(), 0, 1);
        loop {
            call(each);
            n += each;
            let took = used() - start;
            if took >= least {
                return took.as_nanos() as f64 / n as f64;
            }
            // A reading of the clock takes some hundred nanoseconds. So read the clock only a few times during the measurement.
            let left = (least - took).as_nanos() as f64 / (took.as_nanos().max(1) as f64 / n as f64);
            each = (left as u64 / 2).clamp(1, 2 * n.max(1));
        }
    };
    run(least.min(Duration::from_millis(10)));
    format!(r#"{{"ns":{}}}"#, run(least))
}

fn repeat<T>(n: u64, mut call: impl FnMut() -> T) {
    for _ in 0..n {
        black_box(call());
    }
}

pub fn time(column: &Column, operation: &str, size: usize, fresh: bool, milliseconds: usize) -> String {
    match operation {
        "aes-seal" | "aes-open" | "chacha-seal" | "chacha-open" => aead(column, operation, size, fresh, milliseconds),
        "x25519" => {
            let exchange = column.x25519.expect("X25519");
            let (scalar, mut shared) = (inputs::counting(2), inputs::point());
            measure(milliseconds, |n| {
                for _ in 0..n {
                    let point = shared;
                    exchange(&mut shared, &scalar, black_box(&point));
                }
            })
        }
        "sign" => {
            let (signer, message) = (signer(column)(&inputs::counting(1)), inputs::text(size));
            measure(milliseconds, |n| repeat(n, || signer.sign(black_box(&message))))
        }
        "verify" => {
            let verify = column.verify.expect("signatures");
            let (signer, message) = (signer(column)(&inputs::counting(1)), inputs::text(size));
            let (public, signature) = (signer.public(), signer.sign(&message));
            measure(milliseconds, |n| (0..n).for_each(|_| assert!(verify(black_box(&public), &message, &signature))))
        }
        "batch" => batch(column, size, milliseconds),
        "keygen" => {
            let (kem, seed) = (kem(column), inputs::counting(4));
            measure(milliseconds, |n| repeat(n, || kem(black_box(&seed)).public()))
        }
        "encaps" => {
            let (encapsulate, public) = (column.encapsulate.expect("ML-KEM"), kem(column)(&inputs::counting(4)).public());
            measure(milliseconds, |n| repeat(n, || encapsulate(black_box(&public))))
        }
        "decaps" => {
            let kem = kem(column)(&inputs::counting(4));
            let (_, ciphertext) = (column.encapsulate.expect("ML-KEM"))(&kem.public());
            measure(milliseconds, |n| repeat(n, || kem.decapsulate(black_box(&ciphertext))))
        }
        "empty" => measure(milliseconds, column.empty.expect("an empty call")),
        other => panic!("no operation {other}"),
    }
}

fn signer(column: &Column) -> NewSigner {
    column.signer.expect("signatures")
}

fn kem(column: &Column) -> NewKem {
    column.kem.expect("ML-KEM")
}

/// Measures an operation of an AEAD. Texts and results go through `black_box`, because the compiler would not compute a result that nothing reads.
fn aead(column: &Column, operation: &str, size: usize, fresh: bool, milliseconds: usize) -> String {
    let make = if operation.starts_with("aes") { column.aes.expect("AES") } else { column.chacha };
    let (aead, nonce, additional) = (make(&inputs::key()), inputs::nonce(), inputs::additional());
    let mut text = inputs::text(size);
    let mut sealed = vec![0; size + OVERHEAD];
    aead.seal(&mut sealed, &nonce, &text, &additional);
    match (operation.ends_with("seal"), fresh) {
        (true, false) => measure(milliseconds, |n| {
            for _ in 0..n {
                aead.seal(black_box(&mut sealed), &nonce, black_box(&text), &additional);
                black_box(&sealed);
            }
        }),
        (true, true) => measure(milliseconds, |n| {
            for _ in 0..n {
                let mut sealed = vec![0; size + OVERHEAD];
                aead.seal(&mut sealed, &nonce, black_box(&text), &additional);
                black_box(&sealed);
            }
        }),
        (false, _) => measure(milliseconds, |n| {
            (0..n).for_each(|_| assert!(aead.open(black_box(&mut text), &nonce, black_box(&sealed), &additional)))
        }),
    }
}

fn batch(column: &Column, size: usize, milliseconds: usize) -> String {
    let verify = column.batch.expect("a batch");
    let message = inputs::text(size);
    let signers: Vec<_> = (0..inputs::BATCH).map(|i| signer(column)(&inputs::counting(i as u8))).collect();
    let publics: Vec<[u8; 32]> = signers.iter().map(|signer| signer.public()).collect();
    let signatures: Vec<[u8; 64]> = signers.iter().map(|signer| signer.sign(&message)).collect();
    let messages = vec![message.as_slice(); inputs::BATCH];
    measure(milliseconds, |n| (0..n).for_each(|_| assert!(verify(black_box(&publics), &messages, &signatures))))
}
