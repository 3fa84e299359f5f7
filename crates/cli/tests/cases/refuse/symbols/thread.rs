//! Threads belong to Go.
//@ compare: first
#[rustgo::export]
pub fn run(x: u64) -> u64 {
    std::thread::spawn(move || x + 1).join().unwrap_or(0)
}
