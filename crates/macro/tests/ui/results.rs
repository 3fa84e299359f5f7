#![allow(unused)]

#[rustgo::export]
pub fn vector() -> Vec<u8> {
    loop {}
}

#[rustgo::export]
pub fn string() -> String {
    loop {}
}

#[rustgo::export]
pub fn boxed() -> Box<u8> {
    loop {}
}

#[rustgo::export]
pub fn option() -> Option<u8> {
    loop {}
}

#[rustgo::export]
pub fn result() -> Result<u8, ()> {
    loop {}
}

#[rustgo::export]
pub fn wide() -> u128 {
    loop {}
}

#[rustgo::export]
pub fn never() -> ! {
    loop {}
}

#[rustgo::export]
pub fn slice(x: &[u8]) -> &[u8] {
    loop {}
}

#[rustgo::export]
pub fn text() -> &'static str {
    loop {}
}

#[rustgo::export]
pub fn array() -> [u8; 32] {
    loop {}
}

#[rustgo::export]
pub fn iterator() -> impl Iterator<Item = u8> {
    std::iter::empty()
}

#[rustgo::export]
pub fn pointer() -> *const u8 {
    loop {}
}

#[rustgo::export]
pub fn function() -> fn() {
    loop {}
}

#[rustgo::export]
pub fn nine() -> (u8, u8, u8, u8, u8, u8, u8, u8, u8) {
    loop {}
}

#[rustgo::export]
pub fn parts() -> (u8, Option<u8>) {
    loop {}
}

#[rustgo::export]
pub fn nested() -> (u8, (u8, u8)) {
    loop {}
}

#[rustgo::export]
pub fn borrowed(x: &[u8]) -> (&[u8], bool) {
    loop {}
}

fn main() {}
