//! Names that Go's standard library lacks, or that are not types.
#![no_std]

use rustgo::Handle;

#[rustgo::go_type("net.Connection")]
pub enum Conn {}

#[rustgo::go_type("*sync/atomic.Pointer")]
pub enum Pointer {}

#[rustgo::go_type("net.Dial")]
pub enum Dial {}

#[rustgo::export]
pub fn connection(conn: Handle<Conn>) -> bool {
    conn.to_bits() != 1
}

#[rustgo::export]
pub fn others(pointer: Option<Handle<Pointer>>, dial: Option<Handle<Dial>>) -> bool {
    pointer.is_some() && dial.is_some()
}
