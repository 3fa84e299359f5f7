// Package schedule keeps tasks in the order in which they are due. The queue is Rust's, outside of Go's heap; it holds a number for each
// task, made by package handle, so that the tasks themselves can be any Go values. The garbage collector need not look at the queue, and
// keeps the tasks alive for as long as they are in it.
//
// [Queue.Add], [Queue.Cancel] and [Queue.Next] are what to use. Push, Pop and Remove are the methods in Rust that they rest on; Go's compiler
// checks that the handles they are given, and those they give back, stand for a *Task.
package schedule

//go:generate rustgo build --crate rust
