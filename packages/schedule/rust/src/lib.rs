//! A queue of handles: when each task is due, and the number that stands for it. The tasks themselves are Go's, and Rust never sees one.

use rustgo::Handle;
use std::collections::{BTreeMap, HashMap};

/// What is due: a value of Go's type `*Task`, which queue.go declares.
#[rustgo::go_type("*Task")]
pub enum Task {}

/// A Queue holds tasks until they are due. It must be made by [`Queue::new`], and used by one goroutine at a time: a call that begins while another
/// runs panics.
///
/// It lies outside of Go's heap, and is freed when Go's collector finds that nobody has it. The tasks that are in it then stay in memory, because
/// nobody deletes their handles: empty the queue before ([Queue.Clear]).
#[rustgo::object]
#[derive(Default)]
pub struct Queue {
    /// By time, and those of one time as they came.
    order: BTreeMap<Key, Handle<Task>>,
    keys: HashMap<Handle<Task>, Key>,
    count: u64,
}

/// When a task is due, and how many came before it.
type Key = (i64, u64);

#[rustgo::export(int = "usize")]
impl Queue {
    /// NewQueue returns an empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Push puts task, due at the given time, into the queue. If it is there already, it is due at that time now. Tasks that are due at one time
    /// come out in the order in which they were pushed.
    pub fn push(&mut self, at: i64, task: Handle<Task>) {
        let key = (at, self.count);
        self.count += 1;
        if let Some(old) = self.keys.insert(task, key) {
            self.order.remove(&old);
        }
        self.order.insert(key, task);
    }

    /// Pop removes the task that is due first, and returns it and when it is due. ok is false if the queue is empty.
    #[rustgo::export(results(task, at, ok))]
    pub fn pop(&mut self) -> Option<(Handle<Task>, i64)> {
        let ((at, _), task) = self.order.pop_first()?;
        self.keys.remove(&task);
        Some((task, at))
    }

    /// Remove removes the task and reports whether it was there.
    pub fn remove(&mut self, task: Handle<Task>) -> bool {
        self.keys.remove(&task).is_some_and(|key| self.order.remove(&key).is_some())
    }

    /// Peek returns when the first task is due. ok is false if the queue is empty.
    #[rustgo::export(name = "peek", results(at, ok))]
    pub fn peek(&self) -> Option<i64> {
        self.order.first_key_value().map(|((at, _), _)| *at)
    }

    /// Len returns the number of tasks in the queue.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "in Go one writes q.Len() == 0")]
    pub fn len(&self) -> usize {
        self.order.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let mut queue = Queue::new();
            // Some are due at one time.
            let times: Vec<i64> = numbers().take(len).map(|x| (x % 50) as i64 - 25).collect();
            for (&at, number) in times.iter().zip(1..) {
                queue.push(i64::MAX, handle(number));
                queue.push(at, handle(number));
            }
            assert_eq!(queue.len(), len);
            // Every third one is taken out from where it is.
            let mut left = Vec::new();
            for (&at, number) in times.iter().zip(1..) {
                if number % 3 == 1 {
                    assert!(queue.remove(handle(number)) && !queue.remove(handle(number)));
                } else {
                    left.push((at, number));
                }
            }
            left.sort();
            assert_eq!(queue.peek(), left.first().map(|(at, _)| *at));
            let out: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|(task, at)| (at, task.to_bits())).collect();
            assert_eq!(out, left);
            assert!(queue.len() == 0 && queue.keys.is_empty());
        }
    }
}
