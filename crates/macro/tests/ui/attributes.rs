//! Other attributes that change a function after `export` has read it.
#![allow(unused)]

#[rustgo::export]
#[culpa::throws(std::num::ParseIntError)]
pub fn result(s: &str) -> String {
    s.parse::<u8>()?.to_string()
}

#[rustgo::object]
pub struct Object(u8);

#[rustgo::export]
impl Object {
    /// `export` expands before all attributes of the methods.
    #[culpa::throws(std::num::ParseIntError)]
    pub fn method(&self, s: &str) -> u64 {
        s.parse()?
    }
}

fn main() {}
