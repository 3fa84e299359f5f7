//! Threads, processes and the network: each kind has one example, the most important first, and a line in the summary. Files are no reason.
//@ args: build

use std::net::TcpStream;
use std::process::Command;

#[rustgo::export]
pub fn angle(x: f64) -> f64 {
    x.atan2(2.0)
}

#[rustgo::export]
pub fn length(path: &str) -> u64 {
    std::fs::read(path).map_or(0, |bytes| bytes.len() as u64)
}

#[rustgo::export]
pub fn connects(to: &str) -> bool {
    TcpStream::connect(to).is_ok()
}

#[rustgo::export]
pub fn runs(program: &str) -> bool {
    Command::new(program).spawn().is_ok()
}

#[rustgo::export]
pub fn doubled(x: u64) -> u64 {
    std::thread::spawn(move || 2 * x).join().unwrap_or(0)
}
