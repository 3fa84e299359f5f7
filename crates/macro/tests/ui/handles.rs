//! Handles that must be refused as parameters or results.
#![allow(unused)]

use rustgo::{GoType, Handle};

#[rustgo::go_type("net.Conn")]
pub enum Conn {}

pub struct Plain;

pub trait Visitor {}

#[rustgo::export]
pub fn plain(handle: Handle<Plain>) {}

#[rustgo::export]
pub fn number(handle: Handle<u64>) -> Handle<u64> {
    handle
}

#[rustgo::export]
pub fn unsized_types(a: Handle<str>, b: &[Handle<[u8]>], c: Handle<dyn Visitor>) {}

#[rustgo::export]
pub fn optional(handle: Option<Handle<Plain>>) {}

#[rustgo::export]
pub fn generic<T: GoType>(handle: Handle<T>) {}

#[rustgo::export]
pub fn reference(handle: &Handle<Conn>, more: &mut Handle<Conn>) {}

#[rustgo::export]
pub fn marker(conn: Conn) -> Conn {
    conn
}

#[rustgo::export]
pub fn twice(handle: Option<Option<Handle<Conn>>>) {}

#[rustgo::export]
pub fn hidden(handle: Option<Number>) -> Option<Plain> {
    None
}

type Number = u64;

fn mix(conn: Handle<Conn>) -> Handle {
    conn
}

fn main() {}
