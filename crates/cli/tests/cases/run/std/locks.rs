//! std's locks and cells without contention, and after a panic.
use std::cell::RefCell;
use std::sync::{Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, mpsc};
use std::time::Duration;

static MUTEX: Mutex<u64> = Mutex::new(0);
static LIST: LazyLock<Vec<u64>> = LazyLock::new(|| (1..10).map(|x| x * x).collect());

thread_local! {
    static LAST: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

#[rustgo::export(stack = "64k")]
pub fn mutex(x: u64) -> u64 {
    let mut held = MUTEX.lock().expect("nobody has panicked while they held it");
    *held = x;
    *held + u64::from(MUTEX.try_lock().is_err())
}

#[rustgo::export(stack = "64k")]
pub fn read_and_written(x: u64) -> u64 {
    let lock = RwLock::new(vec![x]);
    lock.write().expect("as above").push(x / 2);
    let (a, b) = (lock.read().expect("as above"), lock.read().expect("as above"));
    a[0].wrapping_add(b[1]) ^ u64::from(lock.try_write().is_err())
}

#[rustgo::export(stack = "64k")]
pub fn once(x: u64) -> u64 {
    static ONCE: Once = Once::new();
    static CELL: OnceLock<u64> = OnceLock::new();
    let mut sum = x ^ LIST.iter().sum::<u64>() ^ *CELL.get_or_init(|| 12);
    ONCE.call_once(|| sum += 0);
    sum + u64::from(ONCE.is_completed())
}

#[rustgo::export(stack = "64k")]
pub fn sent(x: u64) -> u64 {
    let (sender, receiver) = mpsc::channel();
    (0..x % 50).for_each(|at| sender.send(at * x).expect("there is a receiver"));
    drop(sender);
    receiver.iter().fold(0, |sum: u64, value| sum.wrapping_mul(3).wrapping_add(value))
}

/// There is no notification, so the wait ends at its time limit.
#[rustgo::export(stack = "64k")]
pub fn notified(x: u64) -> u64 {
    if x % 50 > 1 {
        return x;
    }
    let (mutex, condvar) = (Mutex::new(x), Condvar::new());
    let held = mutex.lock().expect("as above");
    let (held, result) = condvar.wait_timeout_while(held, Duration::from_millis(1), |_| true).expect("as above");
    *held * 2 + u64::from(result.timed_out())
}

#[rustgo::export(stack = "64k")]
pub fn own(x: u64) -> u64 {
    LAST.with_borrow_mut(|last| {
        last.clear();
        last.extend([x, x + 1]);
        last.iter().sum()
    })
}

/// A panic runs no destructors, so the lock stays locked; only this call uses it.
#[rustgo::export(stack = "64k")]
pub fn held_panics(x: u64) -> u64 {
    let mutex = Mutex::new(x);
    let held = mutex.lock().expect("as above");
    assert!(*held != u64::MAX, "all bits of {held} are set");
    *held
}
