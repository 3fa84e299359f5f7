#![allow(unused)]

#[rustgo::export]
pub fn boxed() -> Box<u8> {
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
pub fn optional_parts() -> Vec<Option<u8>> {
    loop {}
}

#[rustgo::export]
pub fn pairs() -> Vec<(u8, u8)> {
    loop {}
}

#[rustgo::export]
pub fn nested_pairs() -> Vec<Vec<(u8, u8)>> {
    loop {}
}

#[rustgo::export]
pub fn result_part() -> (u8, Result<u8, String>) {
    loop {}
}

#[rustgo::export]
pub fn map() -> std::collections::HashMap<u8, u8> {
    loop {}
}

#[rustgo::export]
pub fn written_to(x: &mut [u8]) -> &mut [u8] {
    x
}

#[rustgo::export]
pub fn reference(x: &u64) -> &u64 {
    x
}

#[rustgo::export]
pub fn references(x: &str) -> (&String, Option<&Vec<u8>>) {
    loop {}
}

#[rustgo::export]
pub fn array_reference(x: &[u8; 4]) -> &[u8; 4] {
    x
}

#[rustgo::export]
pub fn implementation() -> impl Fn() {
    || ()
}

#[rustgo::export]
pub fn dynamic() -> Box<dyn std::fmt::Debug> {
    loop {}
}

#[rustgo::export]
pub fn shared() -> std::sync::Arc<str> {
    loop {}
}

#[rustgo::export]
pub fn triples() -> Vec<(u8, u8, String)> {
    loop {}
}

#[rustgo::export]
pub fn results() -> Vec<Result<u8, String>> {
    loop {}
}

#[rustgo::export]
pub fn closure() -> Box<dyn Fn(u8) -> u8> {
    loop {}
}

#[rustgo::export]
pub fn optional_function() -> Option<fn()> {
    loop {}
}

#[rustgo::export]
pub fn texts() -> [&'static str; 2] {
    loop {}
}

#[rustgo::export]
pub fn strings() -> [String; 2] {
    loop {}
}

#[rustgo::export]
pub fn arrays_of_lists() -> ([Vec<String>; 2], [[&'static [u8]; 2]; 2]) {
    loop {}
}

#[rustgo::export]
pub fn slices() -> Result<&'static [&'static str], String> {
    loop {}
}

#[rustgo::export]
pub fn slices_of_slices() -> (&'static [Vec<u8>], &'static [&'static u8]) {
    loop {}
}

fn main() {}
