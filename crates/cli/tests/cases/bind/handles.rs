//! Handles, and the Go types that they stand for.
#![no_std]

use rustgo::Handle;

/// A type of the Go package, and a pointer to one.
#[rustgo::go_type]
pub enum Task {}

#[rustgo::go_type("*job")]
pub enum Job {}

#[rustgo::go_type("net.Conn")]
pub enum Conn {}

#[rustgo::go_type("*net/http.Request")]
pub enum Request {}

#[rustgo::go_type("*math/rand/v2.Rand")]
pub enum Rand {}

#[rustgo::go_type("error")]
pub enum Error {}

/// First returns the first task, and the zero handle if there is none.
#[rustgo::export]
pub fn first(tasks: &[Option<Handle<Task>>]) -> Option<Handle<Task>> {
    *tasks.first()?
}

#[rustgo::export]
pub fn swap(job: Handle<Job>, handle: Handle<Request>, net: Handle<Conn>) -> (Handle<Conn>, Handle<Job>, Handle<Request>) {
    (net, job, handle)
}

#[rustgo::export]
pub fn place(all: &mut [Handle<Conn>; 4], pairs: &[[Option<Handle<Error>>; 2]], untyped: Handle, rand: Option<Handle<Rand>>) -> Handle {
    all.reverse();
    match (pairs, rand) {
        ([[Some(error), _], ..], None) => error.cast(),
        _ => untyped,
    }
}
