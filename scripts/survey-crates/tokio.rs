//@ std
//@ tokio = { version = "=1.54.1", features = ["sync"] }
//! Uses tokio's semaphore, mutex, channels and notifications without a runtime. Panics at some inputs while permits and locks are held; then later
//! calls must find all of them free.
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use tokio::sync::{Mutex, Notify, Semaphore, broadcast, mpsc, watch};

static SEMAPHORE: Semaphore = Semaphore::const_new(3);
static NOTIFY: Notify = Notify::const_new();
static MUTEX: Mutex<u64> = Mutex::const_new(0);

fn poll<F: Future>(future: &mut Pin<&mut F>) -> Option<F::Output> {
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let free = (SEMAPHORE.available_permits(), MUTEX.try_lock().is_ok());
    let permits: Vec<_> = (0..input.len() % 5).map(|_| SEMAPHORE.try_acquire()).collect();
    let mut waiting = pin!(SEMAPHORE.acquire_many(2));
    let waits = poll(&mut waiting).is_none();
    let mut notified = pin!(NOTIFY.notified());
    let early = poll(&mut notified).is_some();
    let guard = MUTEX.try_lock();
    let mut locking = pin!(MUTEX.lock());
    assert!(poll(&mut locking).is_none() || guard.is_err());
    assert!(input.len() % 3 != 1, "{} permits, {waits}", permits.iter().flatten().count());
    NOTIFY.notify_waiters();
    let late = poll(&mut notified).is_some();
    let (send, mut receive) = mpsc::channel(8);
    let sent = input.iter().take(10).filter(|&&byte| send.try_send(byte).is_ok()).count();
    let (all, mut one) = broadcast::channel(2);
    input.iter().take(4).for_each(|&byte| drop(all.send(byte)));
    let (change, seen) = watch::channel(0);
    change.send_replace(input.len());
    assert!(input.len() % 7 != 3, "{sent} sent");
    let mut received = Vec::new();
    while let Ok(byte) = receive.try_recv() {
        received.push(byte);
    }
    put(out, format!("{free:?} {waits} {early} {late} {sent} {received:?} {:?} {}", one.try_recv(), *seen.borrow()).as_bytes())
}
