#![allow(unused)]

#[rustgo::export(nmae = "Sum")]
pub fn unknown() {}

#[rustgo::export(name)]
pub fn no_value() {}

#[rustgo::export(name = 1)]
pub fn no_text() {}

#[rustgo::export(stack = 65536)]
pub fn number() {}

#[rustgo::export(name = "A", name = "B")]
pub fn twice() {}

#[rustgo::export(stack = "1k", stack = "1k")]
pub fn stack_twice() {}

#[rustgo::export("Sum")]
pub fn bare() {}

#[rustgo::export(stack = "64kb")]
pub fn unit() {}

#[rustgo::export(stack = "")]
pub fn empty() {}

#[rustgo::export(stack = "0k")]
pub fn nothing() {}

#[rustgo::export(stack = "1024m")]
pub fn too_much() {}

#[rustgo::export(blocking = true)]
pub fn blocking_value() {}

#[rustgo::export(blocking, blocking)]
pub fn blocking_twice() {}

#[rustgo::export(blocking, blocking_over = 1)]
pub fn blocking_both(_: &[u8]) {}

#[rustgo::export(blocking_over)]
pub fn over_nothing(_: &[u8]) {}

#[rustgo::export(blocking_over = 1)]
pub fn blocking_over_numbers(x: u8, y: f64) {}

#[rustgo::object]
pub struct Numbers(u8);

#[rustgo::export(blocking_over = 1)]
impl Numbers {
    pub fn new() -> Self {
        Numbers(0)
    }

    pub fn add(&mut self, x: u8) {
        self.0 += x;
    }
}

#[rustgo::export(blocking_over = 0)]
pub fn over_zero(_: &[u8]) {}

#[rustgo::export(blocking_over = "64k")]
pub fn over_text(_: &[u8]) {}

#[rustgo::export(blocking_over = -1)]
pub fn over_negative(_: &[u8]) {}

#[rustgo::export(blocking_over = 4096u32)]
pub fn over_suffix(_: &[u8]) {}

#[rustgo::export(blocking_over = 1073741825)]
pub fn over_too_much(_: &[u8]) {}

#[rustgo::export(blocking_over(64))]
pub fn over_list(_: &[u8]) {}

#[rustgo::export(blocking_over = 64)]
pub fn over_no_parameters() {}

#[rustgo::export(results)]
pub fn results_bare() -> u8 {
    0
}

#[rustgo::export(results = "a")]
pub fn results_text() -> u8 {
    0
}

#[rustgo::export(results())]
pub fn results_none() -> u8 {
    0
}

#[rustgo::export(results(a), results(a))]
pub fn results_twice() -> u8 {
    0
}

#[rustgo::export(results("a"))]
pub fn results_quoted() -> u8 {
    0
}

#[rustgo::export(results(a, _))]
pub fn results_blank() -> (u8, u8) {
    (0, 0)
}

#[rustgo::export(results(x))]
pub fn results_parameter(x: u8) -> u8 {
    x
}

#[rustgo::export(results(a, a))]
pub fn results_alike() -> (u8, u8) {
    (0, 0)
}

#[rustgo::export(results(value))]
pub fn results_too_few() -> Option<u8> {
    None
}

#[rustgo::export(results(a, b))]
pub fn results_too_many() -> u8 {
    0
}

#[rustgo::export(panic = "abort")]
pub fn unknown_panic() {}

#[rustgo::export(panic)]
pub fn panic_without_value() {}

#[rustgo::export(panic = "abandon")]
pub const PANICS: u8 = 1;

#[rustgo::export(task = true)]
pub fn task_value() {}

#[rustgo::export(task, blocking)]
pub fn task_blocking() {}

#[rustgo::export(task)]
pub const TASK: u8 = 1;

fn main() {}
