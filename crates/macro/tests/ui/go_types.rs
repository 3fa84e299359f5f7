//! Names of Go types that the attribute must refuse.
#![allow(unused)]

use rustgo::Handle;

#[rustgo::go_type("[]byte")]
pub enum Bytes {}

#[rustgo::go_type("map[string]int")]
pub enum Map {}

#[rustgo::go_type("List[int]")]
pub enum Ints {}

#[rustgo::go_type("example.com/queue.Task")]
pub enum Task {}

#[rustgo::go_type("net.conn")]
pub enum Unexported {}

#[rustgo::go_type("nil")]
pub enum Nil {}

#[rustgo::go_type("")]
pub enum Nothing {}

#[rustgo::go_type(net::Conn)]
pub enum Path {}

#[rustgo::go_type(name = "net.Conn")]
pub enum Option {}

#[rustgo::go_type]
#[allow(non_camel_case_types)]
pub enum len {}

#[rustgo::go_type("Generic")]
pub enum Generic<T> {}

#[rustgo::go_type("Borrowed")]
pub enum Borrowed<'a> {}

#[rustgo::go_type("Variants")]
pub enum Variants {
    One,
}

#[rustgo::go_type("Struct")]
pub struct Struct;

#[rustgo::go_type("Alias")]
type Alias = u8;

#[rustgo::go_type("Function")]
fn function() {}

#[rustgo::go_type("Taskⅷ")]
enum Numbered {}

fn main() {}
