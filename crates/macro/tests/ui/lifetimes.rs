//! Functions that must be refused, because they keep references to Go memory or return such memory wrongly.
#![allow(unused)]

type Forever = &'static [u8];
type ForeverText = &'static str;
type ForeverMut = &'static mut [u8; 4];

#[rustgo::export]
pub fn written(x: &'static [u8]) {}

#[rustgo::export]
pub fn hidden(x: Forever) {}

#[rustgo::export]
pub fn hidden_text(x: u8, text: ForeverText) {}

#[rustgo::export]
pub fn hidden_mut(x: ForeverMut) {}

#[rustgo::export]
pub fn undeclared(x: &'a [u8]) {}

#[rustgo::export]
pub fn undeclared_in_path(x: View<'b>, y: &[u8]) {}

pub struct View<'a>(&'a [u8]);

// The bound `'a: 'static` makes the compiler infer that the parameter of `implied` lives for ever.
pub struct Kept<'a>(std::marker::PhantomData<&'a ()>)
where
    'a: 'static;

impl std::fmt::Display for Kept<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

static LAST: std::sync::Mutex<&'static str> = std::sync::Mutex::new("");

#[rustgo::export]
pub fn implied<'a>(x: &'a str) -> Result<(), Kept<'a>> {
    *LAST.lock().unwrap() = x;
    Ok(())
}

// The alias named `String` hides a reference.
type String<'a> = &'a str;

#[rustgo::export]
pub fn disguised(x: &str) -> String {
    x
}

#[rustgo::export]
pub fn disguised_items(x: &str) -> impl Iterator<Item = String> {
    x.split(' ')
}

#[rustgo::export]
pub fn disguised_value(x: &str) -> Result<String, std::fmt::Error> {
    Ok(x)
}

fn main() {}

// Refused: Go could write an invalid bool to the slice, and elements of size zero have no address.
#[rustgo::export]
pub fn bools(x: &[u8]) -> &[bool] {
    let _ = x;
    &[]
}

#[rustgo::export]
pub fn sizeless(x: &[[u8; 0]]) -> &[[u8; 0]] {
    x
}

#[rustgo::export]
pub fn sizeless_static() -> &'static [[u64; 0]] {
    &[]
}
