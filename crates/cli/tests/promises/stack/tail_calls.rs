//! A chain of tail calls through pointers, as an interpreter dispatches its instructions. One of the functions aligns its frame to 64 bytes, so on
//! amd64 every pointer points to an entry that aligns the stack. The chain needs constant stack, however long it is.
#![no_std]

use core::hint::black_box;

type Operation = fn(&mut State, u64) -> u64;

pub struct State {
    ops: [Operation; 3],
    sum: u64,
}

fn step(state: &mut State, left: u64) -> u64 {
    if left == 0 {
        return (state.ops[2])(state, 0);
    }
    (state.ops[(state.sum % 2) as usize])(state, left - 1)
}

fn add(state: &mut State, left: u64) -> u64 {
    if left == 0 {
        return (state.ops[2])(state, 0);
    }
    state.sum = state.sum.wrapping_add(left);
    (state.ops[(left / 2 % 2) as usize])(state, left - 1)
}

#[repr(align(64))]
struct Block([u64; 8]);

/// Returns the sum, or 0 if its local is misaligned.
fn last(state: &mut State, _: u64) -> u64 {
    let block = Block([state.sum; 8]);
    let aligned = (black_box(&raw const block) as usize).is_multiple_of(64);
    if aligned { black_box(&block).0[3] } else { 0 }
}

/// Run runs a chain of `steps` steps.
#[rustgo::export(stack = "64k")]
pub fn run(steps: u64) -> u64 {
    let mut state = State { ops: black_box([step, add, last]), sum: 1 };
    state.ops[0](&mut state, steps)
}

/// An operation of a chain. Its arguments `e` to `g` are passed on the stack. (LLVM compiles a call of it to a jump if the caller passes on its own
/// stack arguments.)
type Wide = fn(&mut WideState, u64, u64, u64, u64, u64, u64, u64, u64) -> u64;

pub struct WideState {
    ops: [Wide; 3],
    sum: u64,
}

#[expect(clippy::too_many_arguments, reason = "the last ones are passed on the stack")]
fn wide_step(state: &mut WideState, left: u64, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64) -> u64 {
    if left == 0 {
        return (state.ops[2])(state, a, b, c, d, a, e, f, g);
    }
    (state.ops[(a % 2) as usize])(state, left - 1, b, c, d, a.wrapping_add(left ^ g), e, f, g)
}

#[expect(clippy::too_many_arguments, reason = "the last ones are passed on the stack")]
fn wide_add(state: &mut WideState, left: u64, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64) -> u64 {
    state.sum = state.sum.wrapping_mul(31).wrapping_add(e ^ f);
    (state.ops[0])(state, left, d, a, b, c ^ 1, e, f, g)
}

#[expect(clippy::too_many_arguments, reason = "the last ones are passed on the stack")]
fn wide_last(state: &mut WideState, a: u64, b: u64, c: u64, d: u64, _: u64, e: u64, f: u64, g: u64) -> u64 {
    let block = Block([state.sum, a, b, c, d, e, f, g]);
    black_box(&block).0.iter().fold(0, |sum: u64, word| sum.wrapping_mul(7).wrapping_add(*word))
}

/// RunWide runs a chain of `steps` steps, with arguments on the stack.
#[rustgo::export(stack = "64k")]
pub fn run_wide(steps: u64) -> u64 {
    let mut state = WideState { ops: black_box([wide_step, wide_add, wide_last]), sum: 1 };
    state.ops[0](&mut state, steps, 1, 2, 3, 4, 5, 6, 7)
}
