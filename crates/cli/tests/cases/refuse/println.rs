//! Output belongs to Go.
//@ compare: first
#[rustgo::export]
pub fn run(x: u64) -> u64 {
    println!("x is {x}");
    x
}
