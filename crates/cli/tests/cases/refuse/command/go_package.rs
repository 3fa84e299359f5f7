//! A package that Go's standard library does not have.
#![no_std]

use rustgo::Handle;

#[rustgo::go_type("net.Conn")]
pub enum Conn {}

#[rustgo::go_type("queue/tasks.Task")]
pub enum Task {}

#[rustgo::export]
pub fn run(task: Option<Handle<Task>>, conn: Option<Handle<Conn>>) -> bool {
    task.is_some() && conn.is_some()
}
