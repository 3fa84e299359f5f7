//@ native: all
//! Code that uses a function's own address as an ordinary function pointer: state machines whose states are functions, and values whose formatting
//! calls itself through a pointer.
#![no_std]
use core::fmt;
use core::hint::black_box;

/// A state of a state machine: a function that returns the next state, which may be the function itself.
#[derive(Clone, Copy)]
struct State(fn(&mut Machine) -> State);

struct Machine {
    input: u64,
    steps: u32,
    sum: u64,
}

impl Machine {
    fn next(&mut self) -> u64 {
        let bit = self.input & 3;
        self.input >>= 2;
        self.steps += 1;
        bit
    }
}

#[inline(never)]
fn add(machine: &mut Machine) -> State {
    let bit = machine.next();
    machine.sum = machine.sum.wrapping_mul(31).wrapping_add(bit);
    State(if bit == 0 { turn } else { add })
}

#[inline(never)]
fn turn(machine: &mut Machine) -> State {
    let bit = machine.next();
    machine.sum = machine.sum.rotate_left(bit as u32 + 1);
    State(if bit == 3 { add } else { turn })
}

#[rustgo::export]
pub fn states(x: u64) -> u64 {
    let mut machine = Machine { input: x, steps: 0, sum: 1 };
    let mut state = State(add);
    while machine.steps < 32 {
        state = (state.0)(&mut machine);
    }
    machine.sum
}

/// Compares the address of the function `itself` with the argument.
#[inline(never)]
fn is_itself(other: fn(usize) -> u64) -> bool {
    black_box(other) as usize == itself as fn(usize) -> u64 as usize
}

#[inline(never)]
fn itself(n: usize) -> u64 {
    if n == 0 { u64::from(is_itself(itself)) } else { n as u64 + 2 }
}

#[rustgo::export]
pub fn compared(x: u64) -> u64 {
    black_box(itself as fn(usize) -> u64)(x as usize & 1)
}

enum Tree {
    Leaf(u64),
    Node(&'static Tree, &'static Tree, u64),
}

static ONE: Tree = Tree::Leaf(1);
static TWO: Tree = Tree::Node(&ONE, &ONE, 2);
static SIX: Tree = Tree::Node(&TWO, &ONE, 6);

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Leaf(n) => write!(f, "{n}"),
            Tree::Node(a, b, n) => write!(f, "({a} {n} {b})"),
        }
    }
}

#[derive(Debug)]
#[allow(dead_code)]
struct List {
    first: u64,
    rest: Option<&'static List>,
}

static LAST: List = List { first: 3, rest: None };
static LIST: List = List { first: 4, rest: Some(&LAST) };

#[rustgo::export]
pub fn prints_itself(x: u64) -> u64 {
    assert!(x % 3 != 1, "{}", black_box(&SIX));
    assert!(x % 5 != 2, "{:?}", black_box(&LIST));
    x
}
