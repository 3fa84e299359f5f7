//! Latencies of many simultaneous requests to sign, by tasks of tokio. The Go program cmd/worker does the same with goroutines.

use crate::inputs;
use column::{Column, Signer};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::{Barrier, mpsc};
use tokio::task::yield_now;

/// The duration of a request in ns, measured from its intended start, and measured from the call.
type Sample = (u64, u64);

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().build().expect("threads")
}

fn signer(column: &Column) -> Arc<dyn Signer> {
    Arc::from((column.signer.expect("signatures"))(&inputs::counting(1)))
}

fn since(start: Instant) -> u64 {
    start.elapsed().as_nanos() as u64
}

/// Starts `n` tasks. Each task makes `each` requests to sign, one after another. For a request the task yields, and signs when its turn comes.
pub fn closed(column: &Column, n: usize, each: usize) -> String {
    let signer = signer(column);
    let message: Arc<[u8]> = inputs::text(inputs::MESSAGE).into();
    let runtime = runtime();
    let barrier = Arc::new(Barrier::new(n));
    let start = Arc::new(OnceLock::new());
    let began = start.clone();
    let samples = runtime.block_on(async {
        let tasks: Vec<_> = (0..n)
            .map(|_| {
                let (signer, message, barrier, start) = (signer.clone(), message.clone(), barrier.clone(), start.clone());
                tokio::spawn(async move {
                    let mut samples: Vec<Sample> = Vec::with_capacity(each);
                    barrier.wait().await;
                    let mut asked: Instant = *start.get_or_init(Instant::now);
                    for _ in 0..each {
                        yield_now().await;
                        let called = Instant::now();
                        std::hint::black_box(signer.sign(&message));
                        let answered = Instant::now();
                        samples.push(((answered - asked).as_nanos() as u64, (answered - called).as_nanos() as u64));
                        asked = answered;
                    }
                    samples
                })
            })
            .collect();
        let mut all = Vec::with_capacity(n * each);
        for task in tasks {
            all.extend(task.await.expect("a result"));
        }
        all
    });
    let rate = (n * each) as f64 / began.get().map_or(1.0, |start| start.elapsed().as_secs_f64());
    answer(&samples, rate)
}

/// Gives requests to `n` tasks in turn, at random times with a mean rate of `rate` a second, for `milliseconds`. The times are determined
/// beforehand. The latency of a request is measured from its intended time, so a late start makes the latency longer.
pub fn open(column: &Column, n: usize, rate: usize, milliseconds: usize) -> String {
    let signer = signer(column);
    let message: Arc<[u8]> = inputs::text(inputs::MESSAGE).into();
    let schedule = schedule(rate, milliseconds);
    let requests = schedule.len();
    let samples = runtime().block_on(async {
        let (done, mut results) = mpsc::unbounded_channel::<Sample>();
        let senders: Vec<mpsc::UnboundedSender<Instant>> = (0..n)
            .map(|_| {
                let (send, mut receive) = mpsc::unbounded_channel::<Instant>();
                let (signer, message, done) = (signer.clone(), message.clone(), done.clone());
                tokio::spawn(async move {
                    while let Some(due) = receive.recv().await {
                        let called = Instant::now();
                        std::hint::black_box(signer.sign(&message));
                        done.send((since(due), since(called))).expect("a receiver");
                    }
                });
                send
            })
            .collect();
        tokio::spawn(async move {
            let start = Instant::now() + Duration::from_millis(20);
            for (i, after) in schedule.into_iter().enumerate() {
                let due = start + after;
                while Instant::now() < due {
                    yield_now().await;
                }
                senders[i % n].send(due).expect("a receiver");
            }
            // `senders` is dropped here, which ends the tasks.
        });
        let mut all = Vec::with_capacity(requests);
        while all.len() < requests {
            all.push(results.recv().await.expect("a result"));
        }
        all
    });
    answer(&samples, rate as f64)
}

/// Returns times with exponentially distributed gaps. All columns get the same times, from xorshift64*, which is easy to write in both Go and
/// Rust.
fn schedule(rate: usize, milliseconds: usize) -> Vec<Duration> {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut at = 0.0;
    let mut all = Vec::new();
    loop {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let uniform = (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64;
        at -= (1.0 - uniform).ln() / rate as f64;
        if at * 1000.0 >= milliseconds as f64 {
            return all;
        }
        all.push(Duration::from_secs_f64(at));
    }
}

fn answer(samples: &[Sample], rate: f64) -> String {
    let response = quantiles(samples.iter().map(|sample| sample.0).collect());
    let service = quantiles(samples.iter().map(|sample| sample.1).collect());
    format!(r#"{{"response":{response},"service":{service},"rate":{rate}}}"#)
}

/// Returns p50, p99, p99.9, the maximum, and the quantiles 1 - 10^(-k/20) for k from 0 to 80.
fn quantiles(mut samples: Vec<u64>) -> String {
    samples.sort_unstable();
    let at = |q: f64| samples[((samples.len() as f64 * q) as usize).min(samples.len() - 1)];
    let curve: Vec<String> = (0..=80).map(|k| at(1.0 - 10f64.powf(-f64::from(k) / 20.0)).to_string()).collect();
    format!(r#"{{"p50":{},"p99":{},"p999":{},"max":{},"curve":[{}]}}"#, at(0.5), at(0.99), at(0.999), at(1.0), curve.join(","))
}
