//! A panic handler besides the support crate's.
//@ compare: refusal
#![no_std]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}
