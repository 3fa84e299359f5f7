//! The functions of rustgo's fixtures/bordercost, for uniffi. user.rs has these functions for rust2go. Both files call plain.rs.

mod plain;
mod r2g_impl;
mod user;

uniffi::setup_scaffolding!();

#[uniffi::export]
pub fn increment(x: u64) -> u64 {
    plain::increment(x)
}

#[uniffi::export]
pub fn slice(x: u64, xs: Vec<u64>) -> u64 {
    plain::slice(x, &xs)
}

#[uniffi::export]
pub fn text(x: u64, s: &str) -> u64 {
    plain::text(x, s)
}

#[uniffi::export]
pub fn owned(x: u64, s: String) -> u64 {
    plain::text(x, &s)
}

#[derive(Clone, Copy, uniffi::Record)]
pub struct Point {
    pub x: u64,
    pub y: u64,
    pub z: u64,
}

#[uniffi::export]
pub fn turn(point: Point) -> Point {
    let (x, y, z) = plain::turn(point.x, point.y, point.z);
    Point { x, y, z }
}

#[uniffi::export]
pub fn half(x: u64) -> Option<u64> {
    plain::half(x)
}

#[derive(Debug, thiserror::Error, uniffi::Error)]
pub enum Parity {
    #[error("an odd number")]
    Odd,
}

#[uniffi::export]
pub fn half_or_code(x: u64) -> Result<u64, Parity> {
    plain::half(x).ok_or(Parity::Odd)
}

#[uniffi::export]
pub fn list(x: u64) -> Vec<u64> {
    plain::list(x)
}

#[uniffi::export]
pub fn message(x: u64) -> String {
    plain::message(x)
}

#[derive(uniffi::Object)]
pub struct Constant(u64);

#[uniffi::export]
impl Constant {
    #[uniffi::constructor]
    pub fn new(value: u64) -> Self {
        Constant(value)
    }

    pub fn plus(&self, x: u64) -> u64 {
        x.wrapping_add(self.0)
    }
}
