//! Many simultaneous operations: throughput, memory, and one large payload in chunks.

use crate::inputs;
use crate::time::used;
use column::{Column, Nonce, OVERHEAD};
use rayon::iter::{IndexedParallelIterator as _, ParallelIterator as _};
use rayon::slice::{ParallelSlice as _, ParallelSliceMut as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

/// Makes X25519 exchanges with a number of threads. Returns the number of exchanges per second of elapsed time, and per second of processor time.
pub fn scale(column: &Column, threads: usize, milliseconds: usize) -> String {
    let exchange = column.x25519.expect("X25519");
    let (stop, count, barrier) = (AtomicBool::new(false), AtomicU64::new(0), Barrier::new(threads + 1));
    let (began, before) = std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let (scalar, mut shared, mut n) = (inputs::counting(2), inputs::point(), 0);
                barrier.wait(); // all threads have started
                barrier.wait(); // all threads begin
                while !stop.load(Ordering::Relaxed) {
                    let point = shared;
                    exchange(&mut shared, &scalar, &point);
                    n += 1;
                }
                count.fetch_add(n, Ordering::Relaxed);
            });
        }
        barrier.wait();
        // Read the clocks before the threads begin. So the threads' work counts even if this thread is scheduled late.
        let start = (Instant::now(), used());
        barrier.wait();
        std::thread::sleep(Duration::from_millis(milliseconds as u64));
        stop.store(true, Ordering::Relaxed);
        start
    });
    let n = count.into_inner() as f64;
    format!(r#"{{"persecond":{},"percpu":{}}}"#, n / began.elapsed().as_secs_f64(), n / (used() - before).as_secs_f64())
}

/// Returns the value of a field of /proc/self/status, in bytes.
fn status(field: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("linux");
    let line = text.lines().find(|line| line.starts_with(field)).expect("the field");
    1024 * line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).expect("a number")
}

/// Starts `n` tasks. Each task signs, exchanges keys, encrypts 1 KiB, and keeps its keys and buffers until all tasks have done so. Returns the
/// growth of the process's resident memory, and the resident memory before.
pub fn memory(column: &Column, n: usize) -> String {
    let runtime = tokio::runtime::Builder::new_multi_thread().build().expect("threads");
    let (new_signer, exchange, new_aead) = (column.signer.expect("signatures"), column.x25519.expect("X25519"), column.aes.expect("AES"));
    let operation = move |i: usize| {
        let signer = new_signer(&inputs::counting(i as u8));
        let signature = signer.sign(&[i as u8; inputs::MESSAGE]);
        let mut shared = [0; 32];
        exchange(&mut shared, &inputs::counting(i as u8), &inputs::point());
        let aead = new_aead(&shared);
        let text = inputs::text(1024);
        let mut sealed = vec![0; text.len() + OVERHEAD];
        aead.seal(&mut sealed, &inputs::nonce(), &text, &signature);
        (signer, aead, text, sealed)
    };
    let (before, after) = runtime.block_on(async move {
        tokio::spawn(async move { drop(operation(0)) }).await.expect("a result");
        let before = status("VmRSS");
        let barrier = Arc::new(tokio::sync::Barrier::new(n + 1));
        let (release, _) = tokio::sync::broadcast::channel::<()>(1);
        let tasks: Vec<_> = (0..n)
            .map(|i| {
                let (barrier, mut released) = (barrier.clone(), release.subscribe());
                tokio::spawn(async move {
                    let kept = operation(i);
                    barrier.wait().await;
                    let _ = released.recv().await;
                    drop(kept);
                })
            })
            .collect();
        barrier.wait().await;
        let after = status("VmRSS");
        drop(release);
        for task in tasks {
            task.await.expect("a result");
        }
        (before, after)
    });
    format!(r#"{{"rss":{},"base":{before}}}"#, after.saturating_sub(before))
}

/// Returns the nonce of a chunk in the construction STREAM: a prefix, the number of the chunk, and 1 for the last chunk or 0 for others.
fn nonce(i: usize, last: bool) -> Nonce {
    let mut nonce = inputs::nonce();
    nonce[7..11].copy_from_slice(&(i as u32).to_be_bytes());
    nonce[11] = u8::from(last);
    nonce
}

fn seal(column: &Column, payload: &[u8], out: &mut [u8], chunk: usize) {
    let aead = (column.aes.expect("AES"))(&inputs::key());
    let chunks = payload.len().div_ceil(chunk);
    payload.par_chunks(chunk).zip(out.par_chunks_mut(chunk + OVERHEAD)).enumerate().for_each(|(i, (text, out))| {
        aead.seal(out, &nonce(i, i + 1 == chunks), text, b"");
    });
}

/// Encrypts the payload in chunks, by rayon with a number of threads. Returns the encrypted chunks.
pub fn stream(column: &Column, payload: &[u8], chunk: usize, threads: usize) -> Vec<u8> {
    let mut out = vec![0; payload.len() + payload.len().div_ceil(chunk) * OVERHEAD];
    pool(threads).install(|| seal(column, payload, &mut out, chunk));
    out
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// Returns the time in ns in which `seal` encrypts a payload of `size` bytes in chunks, with a reused buffer.
pub fn chunks(column: &Column, size: usize, chunk: usize, threads: usize, milliseconds: usize) -> String {
    let payload = inputs::text(size);
    let mut out = vec![0; payload.len() + payload.len().div_ceil(chunk) * OVERHEAD];
    pool(threads).install(|| {
        seal(column, &payload, &mut out, chunk);
        let (start, mut n) = (Instant::now(), 0);
        while n == 0 || start.elapsed() < Duration::from_millis(milliseconds as u64) {
            seal(column, &payload, &mut out, chunk);
            n += 1;
        }
        format!(r#"{{"ns":{}}}"#, start.elapsed().as_nanos() as f64 / f64::from(n))
    })
}
