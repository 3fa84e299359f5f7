//@ native: all
//! The generated code must behave as the compiled code. Every place that can hold a function address holds one. Functions use their own addresses.
#![no_std]
use core::hint::black_box;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// A state of a state machine: a function that returns the next state, which may be the function itself.
struct State(fn(u64) -> (u64, State));

#[inline(never)]
fn idle(x: u64) -> (u64, State) {
    if x % 3 == 0 { (x / 2 + 1, State(idle)) } else { (x / 2, State(busy)) }
}

#[inline(never)]
fn busy(x: u64) -> (u64, State) {
    if x % 5 == 0 { (x / 3 + 2, State(busy)) } else { (x / 2, State(done)) }
}

#[inline(never)]
fn done(x: u64) -> (u64, State) {
    (x, State(done))
}

#[rustgo::export]
pub fn machine(x: u64) -> u64 {
    let (mut x, mut state) = (x, State(idle));
    for _ in 0..20 {
        (x, state) = (state.0)(x);
    }
    x * 2 + u64::from(core::ptr::fn_addr_eq(state.0, done as fn(u64) -> (u64, State)))
}

/// Returns its own address.
#[inline(never)]
fn myself(x: u64) -> usize {
    black_box(x);
    myself as fn(u64) -> usize as usize
}

#[rustgo::export]
pub fn itself(x: u64) -> u64 {
    u64::from(myself(x) == black_box(myself as fn(u64) -> usize) as usize)
}

/// A function in a list of functions that run one after another. It may append functions to the list, even itself.
type Job = fn(u64, &mut Jobs) -> u64;
struct Jobs([Option<Job>; 8], usize);

impl Jobs {
    fn add(&mut self, job: Job) {
        self.0[self.1 % 8] = Some(job);
        self.1 += 1;
    }
}

fn again(x: u64, jobs: &mut Jobs) -> u64 {
    if x % 2 == 0 && jobs.1 < 6 {
        jobs.add(again);
        jobs.add(other);
    }
    x / 2
}

fn other(x: u64, jobs: &mut Jobs) -> u64 {
    if jobs.1 < 3 {
        jobs.add(other);
    }
    x + jobs.1 as u64
}

#[rustgo::export]
pub fn queue(x: u64) -> u64 {
    let mut jobs = Jobs([None; 8], 0);
    jobs.add(again);
    let (mut x, mut at) = (x, 0);
    while let Some(job) = jobs.0[at % 8].take() {
        x = job(x, &mut jobs);
        at += 1;
    }
    x * 10 + at as u64
}

/// A static with a function pointer, a number, a name, and a reference to the next such static.
struct Op {
    weight: u8,
    run: fn(u64, u64) -> u64,
    next: Option<&'static Op>,
    name: &'static str,
}
static ADD: Op = Op { weight: 3, run: u64::wrapping_add, next: Some(&MUL), name: "add" };
static MUL: Op = Op { weight: 5, run: u64::wrapping_mul, next: Some(&XOR), name: "mul" };
static XOR: Op = Op { weight: 7, run: |a, b| a ^ b.rotate_left(9), next: None, name: "xor" };
static OPS: &[&Op] = &[&ADD, &MUL, &XOR, &ADD];

#[rustgo::export]
pub fn in_statics(x: u64) -> u64 {
    let mut op = Some(*black_box(OPS).get((x % 4) as usize).unwrap());
    let mut sum = x;
    while let Some(Op { weight, run, next, name }) = op {
        sum = run(sum, u64::from(*weight) + name.len() as u64);
        op = *next;
    }
    sum
}

/// The index in `OPS` of the function that `in_cells` calls.
static LAST: AtomicUsize = AtomicUsize::new(0);
static CALLS: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

#[rustgo::export]
pub fn in_cells(x: u64) -> u64 {
    let n = (x % 3) as usize;
    LAST.store(n, Relaxed);
    let before = CALLS[n].fetch_add(1, Relaxed);
    let run = OPS[LAST.load(Relaxed)].run;
    CALLS[n].fetch_sub(1, Relaxed);
    run(x, before + 3)
}

/// Compares addresses of functions as values.
#[rustgo::export]
pub fn compared(x: u64) -> u64 {
    let all: [fn(u64, u64) -> u64; 3] = black_box([OPS[0].run, OPS[1].run, OPS[2].run]);
    let mut equal = 0;
    for a in all {
        for b in all {
            equal += u64::from(core::ptr::fn_addr_eq(a, b));
        }
    }
    equal * 1000 + u64::from(core::ptr::fn_addr_eq(all[(x % 3) as usize], all[(x / 3 % 3) as usize]))
}

/// A generic function. Its instances have different addresses if their code differs.
fn scaled<const N: u64>(x: u64) -> u64 {
    x.wrapping_mul(N) ^ N
}

#[rustgo::export]
pub fn generic(x: u64) -> u64 {
    const TABLE: [fn(u64) -> u64; 5] = [scaled::<2>, scaled::<3>, scaled::<5>, scaled::<7>, |x| scaled::<11>(x) + scaled::<2>(x)];
    black_box(TABLE).iter().enumerate().fold(x, |sum, (n, f)| if (x >> n) & 1 == 1 { f(sum) } else { sum })
}

/// Calls closures through references. The closures capture variables by value, by reference, and other closures.
#[rustgo::export]
pub fn closures(x: u64) -> u64 {
    let mut count = 0u64;
    let add = |n: u64| n.wrapping_add(x);
    let twice = |f: &dyn Fn(u64) -> u64, n: u64| f(f(n));
    let mut counted = |n: u64| {
        count += 1;
        twice(&add, n) ^ count
    };
    let each: &mut dyn FnMut(u64) -> u64 = black_box(&mut counted);
    let sum = each(1) ^ each(2) ^ each(x);
    sum.wrapping_mul(31).wrapping_add(count)
}

/// Traits for tests of trait objects, which lie in a static and on the stack: with a supertrait, a default method and generic implementations.
trait Named {
    fn name(&self) -> &str {
        "nobody"
    }
}
trait Animal: Named + Sync {
    fn legs(&self) -> u64;
    fn twins(&self) -> (u64, &dyn Named);
}
#[derive(Debug)]
struct Beetle(u64);
#[derive(Debug)]
struct Many<T>(T, u16);
impl Named for Beetle {
    fn name(&self) -> &str {
        "beetle"
    }
}
impl<T> Named for Many<T> {}
impl Animal for Beetle {
    fn legs(&self) -> u64 {
        6 + self.0 % 2
    }
    fn twins(&self) -> (u64, &dyn Named) {
        (self.0, self)
    }
}
impl<T: Animal> Animal for Many<T> {
    fn legs(&self) -> u64 {
        self.0.legs() * u64::from(self.1)
    }
    fn twins(&self) -> (u64, &dyn Named) {
        (self.0.twins().0, &self.0)
    }
}
static BEETLE: Beetle = Beetle(9);
static ZOO: [&dyn Animal; 3] = [&BEETLE, &Many(Beetle(4), 3), &Many(Many(Beetle(1), 2), 500)];

#[rustgo::export]
pub fn objects(x: u64) -> u64 {
    let mine = Many(Beetle(x), 7);
    let animal: &dyn Animal = if x % 4 == 3 { &mine } else { ZOO[(x % 4) as usize] };
    let animal = black_box(animal);
    let named: &dyn Named = animal;
    let (n, twin) = animal.twins();
    animal.legs() * 100 + n % 10 * 10 + (named.name().len() + twin.name().len()) as u64
}

/// A type with a destructor. The order of destructors is a part of the result.
struct Leaves<'a>(&'a AtomicU64, u64);
impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.store(self.0.load(Relaxed).wrapping_mul(10).wrapping_add(self.1), Relaxed);
    }
}

#[rustgo::export]
pub fn dropped(x: u64) -> u64 {
    let order = AtomicU64::new(0);
    {
        let _a = Leaves(&order, 1);
        let b = Leaves(&order, 2);
        let _c: [Leaves; 2] = [Leaves(&order, 3), Leaves(&order, 4)];
        if x % 2 == 0 {
            drop(b);
        }
        let _any: &dyn core::any::Any = &5u8;
    }
    order.into_inner()
}

/// Returns x, or panics if x % 7 is 3. The message shows nested values. To format the values, Rust calls functions through pointers.
#[rustgo::export]
pub fn said(x: u64) -> u64 {
    assert!(x % 7 != 3, "{:?} {:#?}", Many(Many(Beetle(x), 2), 1), ("é\u{1f980}", Some(x as u8 as char)));
    x
}
