//@ std
//@ support: libm
//@ rhai = "=1.27.0"
//@ input: fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } } fib(9)
//@ input: let a = [1, 2.5, "größe", #{ b: 'c', d: [()] }]; a.push(x); for (v, i) in a { if i == 1 { continue; } print(v) } a.map(|v| `${v}!`).filter(|v| v.len > 2)
//@ input: let s = 0; while s < 20 { s += switch s % 3 { 0 => 1, 1 if s > 5 => 4, _ => 2 }; } try { throw s } catch (e) { e ** 2 + 7 / 0 }
//! Runs a script with limits.
use rhai::{Dynamic, Engine, Scope};
use std::cell::RefCell;
use std::rc::Rc;

/// rhai's function `sleep` needs it. A script that sleeps panics in a Go program (docs/std.md). No input sleeps.
#[cfg(rustgo)]
#[unsafe(no_mangle)]
extern "C" fn clock_nanosleep(_clock: i32, _flags: i32, _time: *const u8, _left: *mut u8) -> i32 {
    panic!("only Go can sleep")
}

#[rustgo::export(stack = "2m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let printed = Rc::new(RefCell::new(String::new()));
    let mut engine = Engine::new();
    engine.set_max_operations(20_000).set_max_call_levels(20).set_max_expr_depths(40, 30);
    engine.set_max_array_size(1000).set_max_string_size(10_000);
    let lines = printed.clone();
    engine.on_print(move |line| *lines.borrow_mut() += line);
    let mut scope = Scope::new();
    scope.push("x", 42_i64);
    let mut text = match engine.eval_with_scope::<Dynamic>(&mut scope, &input) {
        Ok(value) => format!("{value} {}", value.type_name()),
        Err(error) => error.to_string(),
    };
    text += &printed.borrow();
    put(out, text.as_bytes())
}
