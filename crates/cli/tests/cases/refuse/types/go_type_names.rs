//! Types whose names clash with other items of the Go package.
#![no_std]

use rustgo::Handle;

#[rustgo::go_type]
pub enum Sum {}

#[rustgo::go_type("*net")]
pub enum Net {}

#[rustgo::go_type("handle")]
pub enum Handles {}

#[rustgo::go_type("net.Conn")]
pub enum Conn {}

#[rustgo::go_type("*text/template.Template")]
pub enum Text {}

#[rustgo::go_type("*html/template.Template")]
pub enum Html {}

#[rustgo::export]
pub fn sum(sum: Handle<Sum>, net: Handle<Net>, handle: Handle<Handles>, conn: Handle<Conn>) -> u64 {
    sum.to_bits() ^ net.to_bits() ^ handle.to_bits() ^ conn.to_bits()
}

#[rustgo::export]
pub fn templates(text: Handle<Text>, html: Handle<Html>) -> u64 {
    text.to_bits() ^ html.to_bits()
}

pub enum Made {}

impl rustgo::GoType for Made {
    type It = Self;
    const NAME: &'static str = "T]; var x = [1";
}

#[rustgo::export]
pub fn made(made: Option<Handle<Made>>) -> bool {
    made.is_some()
}
