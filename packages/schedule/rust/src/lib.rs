//! A binary heap in two slices of Go's: when each task is due, and the handle that stands for it. The tasks themselves are
//! Go's, and Rust never sees one.
#![no_std]

use rustgo::Handle;

/// What is due: a value of Go's type `*Task`, which queue.go declares.
#[rustgo::go_type("*Task")]
pub enum Task {}

/// Push puts task, due at the given time, into a heap that has room for one more: what the last elements of due and tasks
/// hold does not matter. It panics if there is no such element, or due and tasks are not of the same length.
#[rustgo::export]
pub fn push(due: &mut [i64], tasks: &mut [Option<Handle<Task>>], at: i64, task: Handle<Task>) {
    let heap = &mut Heap::new(due, tasks);
    let last = heap.due.len().checked_sub(1).expect("due and tasks have no room for one more");
    heap.due[last] = at;
    heap.tasks[last] = Some(task);
    heap.rise(last);
}

/// Pop removes the task that is due first, and returns it and when it is due. The last elements of due and tasks no longer
/// belong to the heap then: they hold 0 and the zero handle. Of an empty heap Pop returns these. It panics if due and tasks are
/// not of the same length.
#[rustgo::export]
pub fn pop(due: &mut [i64], tasks: &mut [Option<Handle<Task>>]) -> (Option<Handle<Task>>, i64) {
    Heap::new(due, tasks).remove(0)
}

/// Remove removes the task and reports whether it was there; if so, the last elements of due and tasks no longer belong to
/// the heap. It panics if due and tasks are not of the same length.
#[rustgo::export]
pub fn remove(due: &mut [i64], tasks: &mut [Option<Handle<Task>>], task: Handle<Task>) -> bool {
    let found = tasks.iter().position(|other| *other == Some(task));
    found.is_some_and(|at| Heap::new(due, tasks).remove(at).0.is_some())
}

/// The element at `i` is due no later than those at `2i + 1` and `2i + 2`.
struct Heap<'a> {
    due: &'a mut [i64],
    tasks: &'a mut [Option<Handle<Task>>],
}

impl<'a> Heap<'a> {
    fn new(due: &'a mut [i64], tasks: &'a mut [Option<Handle<Task>>]) -> Self {
        assert!(due.len() == tasks.len(), "due and tasks are not of the same length");
        Self { due, tasks }
    }

    fn swap(&mut self, i: usize, j: usize) {
        self.due.swap(i, j);
        self.tasks.swap(i, j);
    }

    /// Moves what is at `i` up to where it belongs.
    fn rise(&mut self, mut i: usize) {
        while i > 0 && self.due[i] < self.due[(i - 1) / 2] {
            self.swap(i, (i - 1) / 2);
            i = (i - 1) / 2;
        }
    }

    /// Moves what is at `i` down to where it belongs among the first `len`.
    fn sink(&mut self, mut i: usize, len: usize) {
        loop {
            let mut first = i;
            for child in [2 * i + 1, 2 * i + 2] {
                if child < len && self.due[child] < self.due[first] {
                    first = child;
                }
            }
            if first == i {
                return;
            }
            self.swap(i, first);
            i = first;
        }
    }

    /// Takes out what is at `i`; the last element takes its place.
    fn remove(&mut self, i: usize) -> (Option<Handle<Task>>, i64) {
        let Some(last) = self.due.len().checked_sub(1) else { return (None, 0) };
        self.swap(i, last);
        self.sink(i, last);
        if i < last {
            self.rise(i);
        }
        (self.tasks[last].take(), core::mem::take(&mut self.due[last]))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    fn handle(number: u64) -> Handle<Task> {
        Handle::from_bits(number).unwrap()
    }

    /// Numbers from a linear congruential generator (Knuth's MMIX).
    fn numbers() -> impl Iterator<Item = u64> {
        std::iter::successors(Some(1_u64), |x| Some(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)))
            .map(|x| x >> 33)
    }

    #[test]
    fn tasks_come_out_as_they_are_due() {
        for len in 0..70 {
            let (mut due, mut tasks) = (Vec::new(), Vec::new());
            // Some are due at one time.
            let times: Vec<i64> = numbers().take(len).map(|x| (x % 50) as i64 - 25).collect();
            for (i, &at) in times.iter().enumerate() {
                due.push(i64::MAX);
                tasks.push(None);
                push(&mut due, &mut tasks, at, handle(i as u64 + 1));
            }
            // Every third one is taken out from where it is.
            let (mut left, mut out) = (Vec::new(), Vec::new());
            for (i, &at) in times.iter().enumerate() {
                if i % 3 == 0 {
                    assert!(remove(&mut due, &mut tasks, handle(i as u64 + 1)));
                    assert_eq!((due.pop(), tasks.pop()), (Some(0), Some(None)));
                } else {
                    left.push((at, i as u64 + 1));
                }
            }
            assert!(!remove(&mut due, &mut tasks, handle(1)));
            while let (Some(task), at) = pop(&mut due, &mut tasks) {
                out.push((at, task.to_bits()));
                assert_eq!((due.pop(), tasks.pop()), (Some(0), Some(None)));
            }
            assert!(due.is_empty() && out.is_sorted_by_key(|(at, _)| *at), "{out:?}");
            left.sort_unstable();
            out.sort_unstable();
            assert_eq!(out, left);
        }
    }

    #[test]
    #[should_panic(expected = "due and tasks are not of the same length")]
    fn lengths_that_differ() {
        push(&mut [0, 0], &mut [None], 1, handle(1));
    }

    #[test]
    #[should_panic(expected = "due and tasks have no room for one more")]
    fn no_room() {
        push(&mut [], &mut [], 1, handle(1));
    }
}
