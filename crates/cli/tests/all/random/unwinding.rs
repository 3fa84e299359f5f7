//! Generates a module of random functions that panic and unwind, for a seed.
//!
//! The functions own values whose destructors log, panic, catch, write to locals and call other functions. They panic at random depths and catch some
//! of the panics. The result of an exported function is a digest of everything that was logged. A destructor that runs because of a panic lets no
//! other panic out, because that would end the native program.

use super::Random;
use super::generate::{Export, Module};
use super::types::{Param, Return, Scalar};
use std::fmt::Write as _;

/// The code at the start of every crate.
pub const CRATE: &str = r#"#![allow(warnings)]

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::fmt::{Display, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Mutex;

thread_local! {
    /// The digest of the events of the running call.
    static LOG: Cell<u64> = const { Cell::new(0) };
}
pub fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
}
pub fn log(event: u64) {
    LOG.set(mix(LOG.get().rotate_left(7) ^ event).wrapping_add(1));
}
pub fn seen() -> u64 {
    LOG.get()
}
/// Starts a call. No earlier panic of the thread may be unwinding.
pub fn start() {
    LOG.set(0);
    log(std::thread::panicking() as u64);
}
pub fn log_payload(payload: &(dyn Any + Send)) {
    let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    text.unwrap_or("not text").bytes().for_each(|byte| log(byte as u64));
}
pub fn attempt(f: impl FnOnce() -> u64) -> Result<u64, Box<dyn Any + Send>> {
    let caught = catch_unwind(AssertUnwindSafe(f));
    match &caught {
        Ok(n) => log(*n),
        Err(payload) => log_payload(&**payload),
    }
    caught
}
/// Panics for some numbers. No other call has the same site.
#[inline(never)]
pub fn check(site: u64, x: u64, one_of: u64) -> u64 {
    let x = mix(x ^ site);
    if x % one_of == 0 {
        panic!("site {site} with {x}");
    }
    x
}
#[inline]
pub fn check_inline(site: u64, x: u64, one_of: u64) -> u64 {
    assert!(x % one_of != site % one_of, "the site {site} with {x}");
    x ^ site
}

/// Logs when it is dropped.
pub struct Noisy(pub u64);
impl Drop for Noisy {
    fn drop(&mut self) {
        log(self.0);
    }
}
/// Logs whether its thread is panicking when it is dropped.
pub struct Asks(pub u64);
impl Drop for Asks {
    fn drop(&mut self) {
        log(self.0 ^ std::thread::panicking() as u64);
    }
}
/// Catches a panic when it is dropped.
pub struct Catches(pub u64);
impl Drop for Catches {
    fn drop(&mut self) {
        let held = Noisy(self.0 ^ 5);
        let caught = attempt(|| {
            let _inner = Asks(held.0 + 1);
            check(self.0 % 1000, self.0, 2)
        });
        log(caught.is_ok() as u64);
    }
}
/// Panics when it is dropped, if its thread is not panicking.
pub struct Throws(pub u64);
impl Drop for Throws {
    fn drop(&mut self) {
        let _held = Noisy(self.0);
        if self.0 % 4 == 1 && !std::thread::panicking() {
            panic!("dropped with {}", self.0);
        }
    }
}
/// Writes to a local of another function when it is dropped.
pub struct Sets<'a>(pub &'a Cell<u64>, pub u64);
impl Drop for Sets<'_> {
    fn drop(&mut self) {
        log(self.0.replace(self.1));
    }
}
/// Calls a function when it is dropped.
pub struct Calls(pub fn(u64) -> u64, pub u64);
impl Drop for Calls {
    fn drop(&mut self) {
        let _ = attempt(|| (self.0)(self.1));
    }
}
pub struct Several(pub Box<Noisy>, pub Vec<Asks>, pub u64);
#[repr(align(32))]
pub struct Aligned(pub [u64; 4], pub Noisy);

/// A key whose comparison may panic, and a value whose text may panic.
pub struct Fragile(pub Noisy, pub u64, pub u64);
impl PartialEq for Fragile {
    fn eq(&self, other: &Fragile) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Fragile {}
impl PartialOrd for Fragile {
    fn partial_cmp(&self, other: &Fragile) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Fragile {
    fn cmp(&self, other: &Fragile) -> Ordering {
        check(self.1, self.2 ^ self.0.0 ^ other.0.0.rotate_left(5), 30);
        self.0.0.cmp(&other.0.0)
    }
}
impl Display for Fragile {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.0)?;
        check(self.1, self.2, 4);
        write!(f, ".")
    }
}

/// Calls a function of std with a closure, or an implementation of a trait, that may panic.
#[inline]
pub fn library(kind: u64, site: u64, x: u64) -> u64 {
    let fragile = |i: u64| Fragile(Noisy(mix(x ^ i) % 50), site, x);
    let mut list: Vec<Fragile> = (0..x % 9).map(fragile).collect();
    match kind {
        0 => list.retain(|n| check(site, n.0.0 ^ x, 9) % 2 == 0),
        1 => list.sort(),
        2 => list.dedup(),
        3 => drop(list.into_iter().map(|n| Box::new(Asks(check(site, n.0.0, 9)))).collect::<Vec<_>>()),
        4 => return BTreeMap::from_iter(list.into_iter().map(|n| (n, Noisy(1)))).len() as u64,
        5 => return list.iter().map(Fragile::to_string).collect::<String>().len() as u64,
        6 => drop(std::array::from_fn::<_, 5, _>(|i| Asks(check(site, x ^ i as u64, 9)))),
        7 => list.drain(..list.len() / 2).for_each(|n| drop(check(site, n.0.0, 5))),
        8 => list.extend((0..3).map(|i| fragile(check(site, x ^ i, 5)))),
        9 => drop(BinaryHeap::from(list).into_sorted_vec()),
        10 => {
            let lock = Mutex::new(fragile(1));
            let caught = attempt(|| {
                let held = lock.lock().unwrap();
                check(site, held.0.0, 2)
            });
            log(lock.is_poisoned() as u64);
            return lock.into_inner().map_or(7, |held| held.0.0);
        }
        _ => {
            let shared = Rc::new(RefCell::new(list));
            let other = shared.clone();
            let caught = attempt(|| {
                let mut list = other.borrow_mut();
                list.push(fragile(3));
                list.sort();
                list.len() as u64
            });
            log(shared.try_borrow().map_or(0, |list| list.len() as u64) + Rc::strong_count(&shared) as u64);
            return 0;
        }
    }
    x
}
"#;

/// The number of kinds of `library`.
const KINDS: usize = 12;

const EXPORTS: usize = 4;

/// A function of the module.
struct Function {
    name: String,
    /// The types of the parameters.
    params: Vec<&'static str>,
    cost: u64,
}

/// The part of a function's body that is generated so far, and the names that the rest of the body may use.
struct Body<'a> {
    random: &'a mut Random,
    functions: &'a [Function],
    seed: u64,
    text: String,
    indent: usize,
    /// The numbers in scope.
    numbers: Vec<String>,
    /// The mutable numbers in scope.
    variables: Vec<String>,
    /// The cells in scope.
    cells: Vec<String>,
    /// The values of the current block that have a destructor and have not been moved.
    droppable: Vec<String>,
    names: usize,
    in_loop: bool,
    weight: u64,
    cost: u64,
    most: u64,
}

pub fn module(seed: u64) -> Module {
    let mut random = Random::new(seed ^ 0x756e_7769_6e64);
    let random = &mut random;
    let mut text =
        "use super::*;\nuse std::cell::Cell;\nuse std::hint::black_box;\nuse std::panic::{panic_any, resume_unwind};\n\n".to_owned();
    let mut functions: Vec<Function> = Vec::new();
    for n in 0..random.between(4, 8) {
        // The first function is called by destructors, and has one parameter.
        let more = if n == 0 { 0 } else { random.below(11) };
        let kinds = ["u64", "u64", "u64", "f64", "u128", "Noisy", "Catches", "Box<Asks>", "Several", "(Noisy, u32, Asks)"];
        let params: Vec<&str> = std::iter::once("u64").chain((0..more).map(|_| kinds[random.below(kinds.len())])).collect();
        let count = random.between(3, 9);
        let attributes = ["#[inline(never)]\n", "#[inline(never)]\n", "#[inline]\n", ""][random.below(4)];
        let name = format!("h{n}");
        let mut body = Body::new(random, &functions, seed, if n == 0 { 60 } else { 600 });
        let list = body.params(&params);
        body.statements(count, 3);
        let result = body.number();
        body.line(&format!("log({result}); {result}"));
        let cost = body.cost + 5;
        writeln!(text, "{attributes}fn {name}({list}) -> u64 {{\n{}}}\n", body.text).expect("a string takes everything");
        functions.push(Function { name, params, cost });
    }
    recursive(random, &functions, seed, &mut text);
    let exports = (0..EXPORTS).map(|n| export(random, &functions, seed, n, &mut text)).collect();
    Module { text, exports }
}

/// A function that calls itself up to ten times, with values alive at each depth.
fn recursive(random: &mut Random, functions: &[Function], seed: u64, text: &mut String) {
    let mut body = Body::new(random, functions, seed, 60);
    let list = body.params(&["u64", "Noisy"]);
    body.statements(3, 1);
    body.line("if depth == 0 { return check(999_999, p0, 2); }");
    body.statements(2, 1);
    let number = body.number();
    let inner = body.dropper();
    body.line(&format!("let last = r(depth - 1, mix({number}), Noisy({number} ^ depth));\n    let _inner = {inner};"));
    body.statements(2, 1);
    let number = body.number();
    writeln!(text, "#[inline(never)]\nfn r(depth: u64, {list}) -> u64 {{\n{}    last ^ {number}\n}}\n", body.text)
        .expect("a string takes everything");
}

fn export(random: &mut Random, functions: &[Function], seed: u64, n: usize, text: &mut String) -> Export {
    let scalar = Scalar::Int(64, false);
    let params: Vec<Param> = (0..random.between(1, 3)).map(|_| Param::One(scalar)).collect();
    let blocking = if random.chance(25) { "blocking, " } else { "" };
    // Some of the exports let panics out.
    let (head, tail) = if random.chance(50) { ("attempt(|| {", "}).unwrap_or(77)") } else { ("{", "}") };
    let count = random.between(4, 10);
    let mut body = Body::new(random, functions, seed, 4000);
    let list = body.params(&vec!["u64"; params.len()]);
    body.line("start();");
    body.line(&format!("let last = {head}"));
    body.statements(count, 3);
    if body.random.chance(60) {
        let number = body.number();
        body.line(&format!("log(r({number} % 10, {number}, Noisy(1)));"));
        body.statements(2, 1);
    }
    let number = body.number();
    body.line(&number);
    body.line(&format!("{tail};"));
    body.line("log(last);");
    let name = format!("s{seed}_f{n}");
    writeln!(text, "#[rustgo::export({blocking}stack = \"512k\")]\npub fn {name}({list}) -> u64 {{\n{}    seen()\n}}\n", body.text)
        .expect("a string takes everything");
    Export { seed, name, params, returns: Return::One(scalar), exhausts: false }
}

impl<'a> Body<'a> {
    fn new(random: &'a mut Random, functions: &'a [Function], seed: u64, most: u64) -> Body<'a> {
        Body {
            random,
            functions,
            seed,
            text: String::new(),
            indent: 1,
            numbers: Vec::new(),
            variables: Vec::new(),
            cells: Vec::new(),
            droppable: Vec::new(),
            names: 0,
            in_loop: false,
            weight: 1,
            cost: 0,
            most,
        }
    }

    /// Names the parameters; returns the parameter list of the declaration.
    fn params(&mut self, kinds: &[&str]) -> String {
        let mut list = Vec::new();
        for (n, kind) in kinds.iter().enumerate() {
            let name = format!("p{n}");
            list.push(format!("{name}: {kind}"));
            match *kind {
                "u64" => self.numbers.push(name),
                "f64" => self.numbers.push(format!("{name}.to_bits()")),
                "u128" => self.numbers.push(format!("(({name} >> 31) as u64)")),
                _ => self.droppable.push(name),
            }
        }
        list.join(", ")
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{}{line}", "    ".repeat(self.indent)).expect("a string takes everything");
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A random number for a place in the code. Other places of the crate have other numbers.
    fn site(&mut self) -> u64 {
        self.random.word() % 1_000_000_000 * 100 + self.seed % 100
    }

    fn number(&mut self) -> String {
        let all = self.numbers.len() + self.variables.len();
        let one = |body: &mut Self| {
            // Take the higher of two random indices. This prefers new values, so that computed values are used again.
            let at = body.random.below(all).max(body.random.below(all));
            body.numbers.get(at).unwrap_or_else(|| &body.variables[at - body.numbers.len()]).clone()
        };
        match self.random.below(4) {
            0 => one(self),
            1 => format!("mix({} ^ {})", one(self), self.random.below(1000)),
            2 => format!("({} ^ {}.rotate_left(9))", one(self), one(self)),
            _ => format!("{}.wrapping_add({})", one(self), one(self)),
        }
    }

    fn condition(&mut self) -> String {
        let most = self.random.between(2, 9);
        format!("mix({}) % {most} == 0", self.number())
    }

    /// An expression for a value with a destructor.
    fn dropper(&mut self) -> String {
        let number = self.number();
        match self.random.below(12) {
            0 | 1 => format!("Noisy({number})"),
            2 => format!("Asks({number})"),
            3 => format!("Catches({number})"),
            4 => format!("Throws({number})"),
            5 if !self.functions.is_empty() => format!("Calls(h0, {number})"),
            6 if !self.cells.is_empty() => {
                let cell = self.cells[self.random.below(self.cells.len())].clone();
                format!("Sets(&{cell}, {number})")
            }
            7 => format!("Box::new(Noisy({number}))"),
            8 => format!("(0..{number} % 4).map(|i| Asks(i ^ 3)).collect::<Vec<_>>()"),
            9 => format!("[Noisy({number}), Noisy(2), Noisy(3)]"),
            10 => format!("Aligned([1, 2, {number}, 4], Noisy(9))"),
            _ => format!("({}).then(|| Noisy(8))", self.condition()),
        }
    }

    /// An expression for an argument of this type.
    fn argument(&mut self, kind: &str) -> String {
        let number = self.number();
        match kind {
            "u64" => number,
            "f64" => format!("({number} as u32 as f64)"),
            "u128" => format!("(({number} as u128) << 40)"),
            "Noisy" | "Catches" => format!("{kind}({number})"),
            "Box<Asks>" => format!("Box::new(Asks({number}))"),
            "Several" => format!("Several(Box::new(Noisy({number})), vec![Asks(1), Asks(2)], 3)"),
            _ => format!("(Noisy({number}), 7, Asks(4))"),
        }
    }

    fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            if self.cost + 20 * self.weight > self.most {
                break;
            }
            self.cost += self.weight;
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 19 } else { 26 }) {
            0 | 1 => {
                let (name, number) = (self.name("n"), self.number());
                self.line(&format!("let {name} = black_box({number});"));
                self.numbers.push(name);
            }
            2..=5 => {
                let (name, value) = (self.name("d"), self.dropper());
                self.line(&format!("let {name} = {value};"));
                self.droppable.push(name);
            }
            6..=8 => self.check(),
            9 => {
                let (name, number) = (self.name("m"), self.number());
                self.line(&format!("let mut {name} = {number};"));
                self.variables.push(name);
            }
            10 if !self.variables.is_empty() => {
                let name = self.variables[self.random.below(self.variables.len())].clone();
                let number = self.number();
                self.line(&format!("{name} = {name}.rotate_left(3) ^ {number};"));
            }
            11 if !self.droppable.is_empty() => {
                let at = self.random.below(self.droppable.len());
                let name = self.droppable.remove(at);
                match self.random.below(4) {
                    0 => self.line(&format!("std::mem::forget({name});")),
                    1 => {
                        let condition = self.condition();
                        self.line(&format!("if {condition} {{ drop({name}); }}"));
                    }
                    _ => self.line(&format!("drop({name});")),
                }
            }
            12 => {
                let (name, number) = (self.name("c"), self.number());
                self.line(&format!("let {name} = Cell::new({number});"));
                self.numbers.push(format!("{name}.get()"));
                self.cells.push(name);
            }
            13 | 14 => self.call(),
            15 => {
                let (name, number, length) = (self.name("a"), self.number(), [3, 17, 120, 700][self.random.below(4)]);
                self.line(&format!("let mut {name} = black_box([{number}; {length}]);"));
                let index = self.random.below(length);
                self.numbers.push(format!("{name}[{index}]"));
            }
            16 => {
                let (name, number, site) = (self.name("f"), self.number(), self.site());
                let held = self.name("d");
                self.line(&format!("let {held} = Noisy({number});"));
                self.line(&format!("let {name}: Box<dyn Fn(u64) -> u64> = black_box(Box::new(move |y| check({site}, y ^ {held}.0, 9)));"));
                let number = self.number();
                let result = self.name("n");
                self.line(&format!("let {result} = {name}({number});"));
                self.numbers.push(result);
                self.droppable.push(name);
            }
            17 => {
                let condition = self.condition();
                let number = self.number();
                match self.random.below(if self.in_loop { 3 } else { 1 }) {
                    0 => self.line(&format!("if {condition} {{ return {number}; }}")),
                    1 => self.line(&format!("if {condition} {{ break; }}")),
                    _ => self.line(&format!("if {condition} {{ continue; }}")),
                }
            }
            18 if self.cost + 100 * self.weight < self.most && !self.functions.is_empty() => {
                self.cost += 100 * self.weight;
                let (name, kind, site, number) = (self.name("n"), self.random.below(KINDS), self.site(), self.number());
                self.line(&format!("let {name} = library({kind}, {site}, {number});"));
                self.numbers.push(name);
            }
            19 | 20 => {
                let condition = self.condition();
                self.line(&format!("if {condition} {{"));
                self.block(1, depth, self.in_loop);
                self.line("} else {");
                self.block(1, depth, self.in_loop);
                self.line("}");
            }
            21 | 22 => {
                let (name, number, most) = (self.name("i"), self.number(), self.random.between(1, 3) as u64);
                self.line(&format!("for {name} in 0..{number} % {} {{", most + 1));
                self.block(most, depth, true);
                self.line("}");
            }
            23..=25 => self.attempt(depth),
            _ => self.check(),
        }
    }

    /// The statements of an inner block, which run `times` as often as the code around the block.
    fn block(&mut self, times: u64, depth: usize, in_loop: bool) {
        let old = (self.numbers.len(), self.variables.len(), self.cells.len(), self.weight, self.in_loop);
        let outer = std::mem::take(&mut self.droppable);
        self.weight *= times;
        self.in_loop = in_loop;
        self.indent += 1;
        let count = self.random.between(2, 5);
        self.statements(count, depth - 1);
        self.indent -= 1;
        self.numbers.truncate(old.0);
        self.variables.truncate(old.1);
        self.cells.truncate(old.2);
        (self.weight, self.in_loop) = (old.3, old.4);
        self.droppable = outer;
    }

    /// A statement that panics for some numbers.
    fn check(&mut self) {
        let (number, site, one_of) = (self.number(), self.site(), self.random.between(4, 30));
        match self.random.below(6) {
            0 | 1 => self.line(&format!("check({site}, {number}, {one_of});")),
            2 | 3 => {
                let name = self.name("n");
                self.line(&format!("let {name} = check_inline({site}, {number}, {one_of});"));
                self.numbers.push(name);
            }
            4 => self.line(&format!("if {number} % {one_of} == 3 {{ panic_any(format!(\"any {{}} at {site}\", {number})); }}")),
            _ => self.line(&format!("if {number} % {one_of} == 3 {{ resume_unwind(Box::new(format!(\"resumed {{}}\", {number}))); }}")),
        }
    }

    fn call(&mut self) {
        if self.functions.is_empty() {
            return self.check();
        }
        let function = &self.functions[self.random.below(self.functions.len())];
        if self.cost + function.cost * self.weight > self.most {
            return self.check();
        }
        self.cost += function.cost * self.weight;
        let arguments: Vec<String> = function.params.iter().map(|kind| self.argument(kind)).collect();
        let name = self.name("n");
        self.line(&format!("let {name} = {}({});", function.name, arguments.join(", ")));
        self.numbers.push(name);
    }

    /// A block whose panics are caught. Some of them are resumed.
    fn attempt(&mut self, depth: usize) {
        self.line("match attempt(|| {");
        self.block(1, depth, false);
        let number = self.number();
        self.line(&format!("    {number}"));
        self.line("}) {");
        let condition = self.condition();
        let number = self.number();
        self.line(&format!("    Err(payload) if {condition} => resume_unwind(payload),"));
        self.line(&format!("    Err(payload) if {number} % 5 == 0 => std::mem::forget((payload, {number})),"));
        self.line("    Err(payload) => drop(payload),");
        self.line("    Ok(n) => log(n),");
        self.line("}");
    }
}
