//! Generates random functions that call each other and panic at random depths, for a seed. They complement the functions of [`super::unwinding`], in
//! which the generated text mostly decides what is called and what panics.
//!
//! The functions pass on a random state. At run time this state decides which functions panic, at what depth, and in what order values are dropped.
//! Functions keep integers and floating-point numbers in registers across calls, and use them after a call or in an inlined destructor. So landing
//! pads need the values of these registers. Values are dropped on some paths only, are replaced by assignments, are moved in part, and are in vectors
//! of trait objects. Destructors call these functions too, and catch their panics. As in [`super::unwinding`], the result is a digest of all logged
//! events.

use super::Random;
use super::generate::{Export, Module};
use super::types::{Param, Return, Scalar};
use std::fmt::Write as _;

/// The code at the start of every crate, after [`super::unwinding::CRATE`].
pub const CRATE: &str = r#"
/// The random state of a call.
pub struct State {
    random: u64,
    /// The number of functions that may still be entered.
    pub fuel: u32,
    /// The number of places that are passed before one panics, at most.
    most: u64,
    /// The number of places until the next panic.
    until: u64,
}
impl State {
    pub fn new(seed: u64, fuel: u32) -> State {
        let most = 4 << mix(seed ^ 4) % 7;
        State { random: mix(seed), fuel, most, until: mix(seed ^ 3) % most + 1 }
    }
    #[inline(never)]
    pub fn next(&mut self) -> u64 {
        self.random = mix(self.random).wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.random >> 7
    }
    /// Panics at a random time.
    #[inline(never)]
    pub fn may(&mut self, site: u64) -> u64 {
        let n = self.next();
        self.until -= 1;
        if self.until == 0 {
            self.until = n % self.most + 1;
            match n % 8 {
                0 => std::panic::panic_any(Noisy(n)),
                1 => std::panic::resume_unwind(Box::new(format!("resumed at {site}"))),
                _ => panic!("site {site} with {n}, fuel {}", self.fuel),
            }
        }
        n
    }
}
pub type Step = fn(&mut State, u32, f64, u64) -> f64;

pub fn log_float(x: f64) {
    log(if x.is_nan() { 7 } else { x.to_bits() });
}
/// Keeps numbers small, so that they do not all become infinite.
pub fn fit(x: f64) -> f64 {
    if x.abs() < 1e9 { x } else { 1.25 }
}
/// Returns what a closure returns, or its panic.
#[inline]
pub fn caught<T>(f: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    let caught = catch_unwind(AssertUnwindSafe(f));
    if let Err(payload) = &caught {
        match payload.downcast_ref::<Noisy>() {
            Some(noisy) => log(noisy.0),
            None => log_payload(&**payload),
        }
    }
    caught
}

/// Something with a virtual method that may panic.
pub trait Act {
    fn act(&mut self, s: &mut State, x: u64) -> f64;
}
impl Act for Noisy {
    fn act(&mut self, s: &mut State, x: u64) -> f64 {
        let held = Asks(x);
        self.0 ^= s.may(1);
        (held.0 % 99) as f64
    }
}
impl Act for Throws {
    fn act(&mut self, s: &mut State, x: u64) -> f64 {
        self.0 = s.next();
        x as u32 as f64
    }
}
/// Logs a number that may be in a floating-point register.
pub struct Tone(pub f64, pub u64);
impl Drop for Tone {
    #[inline(always)]
    fn drop(&mut self) {
        log_float(self.0 * 1.5 + self.1 as u32 as f64);
    }
}
impl Act for Tone {
    #[inline(never)]
    fn act(&mut self, s: &mut State, x: u64) -> f64 {
        self.1 ^= x;
        let half = self.0 * 0.5;
        self.0 += s.may(2) as u16 as f64;
        half + self.0
    }
}
/// Several numbers, for vector registers.
pub struct Quad(pub [f64; 4], pub Asks);
impl Drop for Quad {
    #[inline]
    fn drop(&mut self) {
        log_float(self.0.iter().fold(0.5, |sum, x| sum * 0.25 + x));
    }
}
impl Act for Quad {
    fn act(&mut self, s: &mut State, x: u64) -> f64 {
        let old = self.0;
        self.0 = self.0.map(|y| fit(y * 2.0 + 1.0));
        let n = s.may(3);
        self.0[(n % 4) as usize] = old[(x % 4) as usize];
        old[0] + old[3]
    }
}
/// Writes a number to a local of another function.
pub struct Marks<'a>(pub &'a Cell<f64>, pub f64);
impl Drop for Marks<'_> {
    fn drop(&mut self) {
        log_float(self.0.replace(self.1));
    }
}
/// Runs a function, which may panic, with less fuel.
pub struct Runs(pub Step, pub u64, pub u32);
impl Drop for Runs {
    fn drop(&mut self) {
        let result = caught(|| (self.0)(&mut State::new(self.1, self.2), 0, 0.75, self.1));
        log_float(result.unwrap_or(-1.0));
    }
}
impl Act for Runs {
    fn act(&mut self, s: &mut State, x: u64) -> f64 {
        (self.0)(s, 1, 2.5, x)
    }
}
/// A result that does not fit into registers.
pub struct Large {
    pub words: [u64; 6],
    pub noisy: Noisy,
    pub tone: Tone,
}
impl Act for Large {
    fn act(&mut self, s: &mut State, x: u64) -> f64 {
        std::mem::replace(&mut self.tone, Tone(x as u8 as f64, s.may(4))).0
    }
}
/// Takes values whose construction may have been interrupted.
#[inline(never)]
pub fn keep<A, B>(first: A, n: u64, second: B) -> u64 {
    log(n);
    drop(second);
    n ^ 1
}
/// Drops the values in a random order, with panics in between.
#[inline]
pub fn scatter(s: &mut State, mut all: Vec<Box<dyn Act>>, site: u64) {
    while !all.is_empty() {
        let at = (s.next() % all.len() as u64) as usize;
        let mut one = all.swap_remove(at);
        if site % 3 == 0 {
            log_float(one.act(s, at as u64));
        }
        s.may(site);
    }
}
"#;

const EXPORTS: usize = 3;

/// The type of a function's result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returns {
    Number,
    Float,
    Both,
    Fallible,
    Large,
    Object,
}

impl Returns {
    const ALL: [Returns; 6] = [Returns::Number, Returns::Float, Returns::Both, Returns::Fallible, Returns::Large, Returns::Object];

    fn name(self) -> &'static str {
        match self {
            Returns::Number => "u64",
            Returns::Float => "f64",
            Returns::Both => "(u64, f64)",
            Returns::Fallible => "Result<f64, Noisy>",
            Returns::Large => "Large",
            Returns::Object => "Box<dyn Act>",
        }
    }
}

/// A function of the module. Each has the parameters of `Step` first.
struct Function {
    name: String,
    /// The types of the other parameters.
    extra: Vec<&'static str>,
    returns: Returns,
    abi: &'static str,
}

impl Function {
    fn is_step(&self) -> bool {
        self.extra.is_empty() && self.returns == Returns::Float && self.abi.is_empty()
    }
}

/// A variable whose value has a destructor and has not been moved.
#[derive(Clone)]
struct Owned {
    name: String,
    /// The kind of the value, if the variable is mutable.
    kind: Option<usize>,
}

/// The part of a function's body that is generated so far, and the names that the rest of the body may use.
struct Body<'a> {
    random: &'a mut Random,
    functions: &'a [Function],
    text: String,
    indent: usize,
    numbers: Vec<String>,
    floats: Vec<String>,
    /// The mutable numbers and the mutable floating-point numbers in scope.
    variables: (Vec<String>, Vec<String>),
    /// The cells in scope.
    cells: Vec<String>,
    owned: Vec<Owned>,
    /// The labels of the loops in scope.
    labels: Vec<String>,
    returns: Returns,
    names: usize,
}

/// Returns functions whose names differ from those of [`super::unwinding::module`].
pub fn module(seed: u64) -> Module {
    let mut random = Random::new(seed ^ 0x6465_7074_6873);
    let random = &mut random;
    let extras = ["f64", "f64", "f64", "u64", "u128", "f32", "Noisy", "Tone", "Box<dyn Act>", "[u64; 3]"];
    let functions: Vec<Function> = (0..random.between(4, 7))
        .map(|n| {
            let is_step = n < 2 || random.chance(20);
            let extra = if is_step { Vec::new() } else { (0..random.below(9)).map(|_| extras[random.below(extras.len())]).collect() };
            let returns = if is_step { Returns::Float } else { Returns::ALL[random.below(Returns::ALL.len())] };
            let abi = if !is_step && random.chance(15) { "extern \"C-unwind\" " } else { "" };
            Function { name: format!("g{n}"), extra, returns, abi }
        })
        .collect();
    let mut text = String::new();
    for function in &functions {
        let attribute = if random.chance(75) { "#[inline(never)]" } else { "#[inline]" };
        let count = random.between(5, 9);
        let mut body = Body::new(random, &functions, function.returns);
        let mut list = vec!["s: &mut State".to_owned(), "d: u32".to_owned(), "a: f64".to_owned(), "x: u64".to_owned()];
        body.numbers.extend(["x".to_owned(), "(d as u64)".to_owned()]);
        body.floats.push("a".to_owned());
        for (n, kind) in function.extra.iter().enumerate() {
            list.push(format!("e{n}: {kind}"));
            body.parameter(&format!("e{n}"), kind);
        }
        body.line("log(x ^ d as u64);");
        let early = body.result();
        body.line(&format!("if s.fuel == 0 {{ return {early}; }}"));
        body.line("s.fuel -= 1;");
        body.statements(count, 3);
        body.log_all();
        let result = body.result();
        body.line(&result);
        let Function { name, returns, abi, .. } = function;
        writeln!(text, "{attribute}\n{abi}fn {name}({}) -> {} {{\n{}}}\n", list.join(", "), returns.name(), body.text)
            .expect("a string takes everything");
    }
    let steps: Vec<&str> = functions.iter().filter(|function| function.is_step()).map(|function| function.name.as_str()).collect();
    writeln!(text, "static STEPS: [Step; {}] = [{}];\n", steps.len(), steps.join(", ")).expect("a string takes everything");
    let exports = (0..EXPORTS).map(|n| export(random, &functions, seed, n, &mut text)).collect();
    Module { text, exports }
}

fn export(random: &mut Random, functions: &[Function], seed: u64, n: usize, text: &mut String) -> Export {
    // The first export lets panics out.
    let leaves = n == 0;
    let count = random.between(4, 8);
    let mut body = Body::new(random, functions, Returns::Float);
    body.numbers.push("x".to_owned());
    body.floats.push("1.5".to_owned());
    body.line("start();");
    body.line("let (mut state, d) = (State::new(x, 60), 0u32);");
    body.line("let s = &mut state;");
    body.line(if leaves { "let last = (|s: &mut State| -> f64 {" } else { "let last = caught(|| -> f64 {" });
    body.indent += 1;
    body.statements(count, 3);
    body.call();
    body.log_all();
    let result = body.result();
    body.line(&result);
    body.indent -= 1;
    body.line(if leaves { "})(s);" } else { "}).unwrap_or(77.5);" });
    body.line("log_float(last);");
    body.line("log(s.next());");
    let name = format!("s{seed}_d{n}");
    writeln!(text, "#[rustgo::export(stack = \"512k\")]\npub fn {name}(x: u64) -> u64 {{\n{}    seen()\n}}\n", body.text)
        .expect("a string takes everything");
    let scalar = Scalar::Int(64, false);
    Export { seed, name, params: vec![Param::One(scalar)], returns: Return::One(scalar), exhausts: false }
}

/// The number of kinds of values in mutable variables.
const KINDS: usize = 8;

impl<'a> Body<'a> {
    fn new(random: &'a mut Random, functions: &'a [Function], returns: Returns) -> Body<'a> {
        Body {
            random,
            functions,
            text: String::new(),
            indent: 1,
            numbers: Vec::new(),
            floats: Vec::new(),
            variables: Default::default(),
            cells: Vec::new(),
            owned: Vec::new(),
            labels: Vec::new(),
            returns,
            names: 0,
        }
    }

    fn parameter(&mut self, name: &str, kind: &str) {
        match kind {
            "f64" => self.floats.push(name.to_owned()),
            "f32" => self.floats.push(format!("({name} as f64)")),
            "u64" => self.numbers.push(name.to_owned()),
            "u128" => self.numbers.push(format!("(({name} >> 29) as u64)")),
            "[u64; 3]" => self.numbers.push(format!("{name}[1]")),
            _ => self.owned.push(Owned { name: name.to_owned(), kind: None }),
        }
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{}{line}", "    ".repeat(self.indent)).expect("a string takes everything");
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn site(&mut self) -> u64 {
        self.random.word() % 1_000_000_000
    }

    /// One of the names, with a preference for the first ones: these live across the most calls.
    fn one(random: &mut Random, names: &[String], variables: &[String]) -> String {
        let all = names.len() + variables.len();
        let at = random.below(all).min(random.below(all));
        names.get(at).unwrap_or_else(|| &variables[at - names.len()]).clone()
    }

    fn number(&mut self) -> String {
        let mut one = || Body::one(self.random, &self.numbers, &self.variables.0);
        let (first, second) = (one(), one());
        match self.random.below(5) {
            0 => first,
            1 => "s.next()".to_owned(),
            2 => format!("mix({first} ^ {})", self.random.below(1000)),
            3 => format!("({first} ^ {second}.rotate_left(9))"),
            _ => format!("{first}.wrapping_add({second})"),
        }
    }

    /// An expression for a number that does not use the state `s`.
    fn plain(&mut self) -> String {
        Some(self.number()).filter(|number| !number.contains("s.")).unwrap_or_else(|| "9".to_owned())
    }

    fn float(&mut self) -> String {
        let mut one = || Body::one(self.random, &self.floats, &self.variables.1);
        let (first, second) = (one(), one());
        match self.random.below(6) {
            0 | 1 => first,
            2 => format!("fit({first} * 1.5 + {second})"),
            3 => format!("fit({first} - {second} / 3.0)"),
            4 => format!("fit({first} + ({} as u32 as f64))", self.plain()),
            _ => format!("fit({first} * {second}).abs().sqrt()"),
        }
    }

    fn condition(&mut self) -> String {
        let most = self.random.between(2, 6);
        match self.random.below(4) {
            0 => format!("{} < {}", self.float(), self.float()),
            _ => format!("mix({}) % {most} == 0", self.number()),
        }
    }

    /// An expression for the result of the function or closure.
    fn result(&mut self) -> String {
        let (number, float) = (self.plain(), self.float());
        match self.returns {
            Returns::Number => number,
            Returns::Float => float,
            Returns::Both => format!("({number}, {float})"),
            Returns::Fallible => format!("if {number} % 3 == 0 {{ Err(Noisy({number})) }} else {{ Ok({float}) }}"),
            Returns::Large => {
                format!("Large {{ words: [1, {number}, 3, 4, 5, 6], noisy: Noisy({number}), tone: Tone({float}, s.may({})) }}", self.site())
            }
            Returns::Object => self.object(),
        }
    }

    /// An expression for a value of this kind.
    fn value(&mut self, kind: usize) -> String {
        let (number, float) = (self.plain(), self.float());
        match kind {
            0 => format!("Noisy({number})"),
            1 | 2 => format!("Tone({float}, {number})"),
            3 => format!("Throws({number})"),
            4 => format!("Quad([{float}, {}, 2.0, {float}], Asks({number}))", self.float()),
            5 => format!("Runs(g{}, {number}, s.fuel / 4)", self.random.below(2)),
            6 => format!("({} % 3 == 0).then(|| Tone({float}, {number}))", self.plain()),
            _ => format!("Rc::new(Noisy({number}))"),
        }
    }

    fn object(&mut self) -> String {
        let kind = [0, 1, 3, 4, 5][self.random.below(5)];
        format!("(Box::new({}) as Box<dyn Act>)", self.value(kind))
    }

    fn argument(&mut self, kind: &str) -> String {
        match kind {
            "f64" => self.float(),
            "f32" => format!("({} as f32)", self.float()),
            "u64" => self.plain(),
            "u128" => format!("(({} as u128) << 33)", self.plain()),
            "[u64; 3]" => format!("[1, {}, 3]", self.plain()),
            "Noisy" => self.value(0),
            "Tone" => self.value(1),
            _ => self.object(),
        }
    }

    /// Logs some values that are alive, so that they must have survived all calls before.
    fn log_all(&mut self) {
        for _ in 0..2 {
            let (number, float) = (self.number(), self.float());
            self.line(&format!("log({number});"));
            self.line(&format!("log_float({float});"));
        }
    }

    fn statements(&mut self, count: usize, depth: usize) {
        (0..count).for_each(|_| self.statement(depth));
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 19 } else { 29 }) {
            0 => {
                let (name, number) = (self.name("n"), self.number());
                self.line(&format!("let {name} = {number};"));
                self.numbers.push(name);
            }
            1 | 2 => {
                let (name, float) = (self.name("f"), self.float());
                self.line(&format!("let {name} = {float} + 0.125;"));
                self.floats.push(name);
            }
            3 => self.variable(),
            4 => self.assign(),
            5..=7 => self.own(),
            8 | 9 => {
                let (name, site) = (self.name("n"), self.site());
                self.line(&format!("let {name} = s.may({site});"));
                self.numbers.push(name);
            }
            10..=12 => self.call(),
            13 => self.forgo(),
            14 => {
                let (name, site) = (self.name("n"), self.site());
                let (first, second) = (self.value(0), self.value(4));
                self.line(&format!("let {name} = keep({first}, s.may({site}), {second});"));
                self.numbers.push(name);
            }
            15 => {
                let (site, count) = (self.site(), self.random.between(2, 5));
                let all: Vec<String> = (0..count).map(|_| self.object()).collect();
                self.line(&format!("let all: Vec<Box<dyn Act>> = vec![{}];", all.join(", ")));
                self.line(&format!("scatter(s, all, {site});"));
            }
            16 => self.jump(),
            17 => {
                let (name, float) = (self.name("c"), self.float());
                self.line(&format!("let {name} = Cell::new({float});"));
                self.floats.push(format!("{name}.get()"));
                self.cells.push(name);
            }
            18 => self.act(),
            19 | 20 => {
                let condition = self.condition();
                self.line(&format!("if {condition} {{"));
                self.block(depth, Vec::new());
                self.line("} else {");
                self.block(depth, Vec::new());
                self.line("}");
            }
            21 => self.move_on_one_path(depth),
            22 | 23 => self.repeat(depth),
            24 => {
                let (value, site) = (self.value(1), self.site());
                self.line(&format!("match ({value}, s.may({site})).1 % 3 {{"));
                self.line("0 => {");
                self.block(depth, Vec::new());
                self.line("}\n1 => {");
                self.block(depth, Vec::new());
                self.line("}\n_ => {}\n}");
            }
            _ => self.catch(depth),
        }
    }

    fn variable(&mut self) {
        if self.random.chance(50) {
            let (name, number) = (self.name("m"), self.number());
            self.line(&format!("let mut {name} = {number};"));
            self.variables.0.push(name);
        } else {
            let (name, float) = (self.name("v"), self.float());
            self.line(&format!("let mut {name} = {float};"));
            self.variables.1.push(name);
        }
    }

    /// Changes a variable, or replaces a value that has a destructor.
    fn assign(&mut self) {
        let again: Vec<Owned> = self.owned.iter().filter(|owned| owned.kind.is_some()).cloned().collect();
        if self.random.chance(50) && !again.is_empty() {
            let Owned { name, kind } = &again[self.random.below(again.len())];
            let value = self.value(kind.expect("these have a kind"));
            match self.random.below(2) {
                0 => self.line(&format!("{name} = {value};")),
                _ => self.line(&format!("drop(std::mem::replace(&mut {name}, {value}));")),
            }
        } else if let Some(name) = self.variables.0.last().cloned() {
            let number = self.number();
            self.line(&format!("{name} = {name}.rotate_left(3) ^ {number};"));
        } else if let Some(name) = self.variables.1.last().cloned() {
            let float = self.float();
            self.line(&format!("{name} = fit({name} * 0.75 + {float});"));
        }
    }

    fn own(&mut self) {
        let name = self.name("o");
        match self.random.below(6) {
            0 if !self.cells.is_empty() => {
                let (cell, float) = (self.cells[self.random.below(self.cells.len())].clone(), self.float());
                self.line(&format!("let {name} = Marks(&{cell}, {float});"));
                self.owned.push(Owned { name, kind: None });
            }
            1 => {
                // On one path the variable gets no value.
                let (condition, kind, number) = (self.condition(), self.random.below(KINDS), self.number());
                let value = self.value(kind);
                self.line(&format!("let {name};\n    if {condition} {{ {name} = {value}; log({number}); }}"));
            }
            2 => {
                // On one path a part of the value is dropped early.
                let (first, second, third) = (self.value(0), self.value(1), self.value(4));
                let condition = self.condition();
                self.line(&format!("let {name} = ({first}, {second}, {third});"));
                self.line(&format!("if {condition} {{ drop({name}.1); }}"));
            }
            _ => {
                let kind = self.random.below(KINDS);
                let value = self.value(kind);
                self.line(&format!("let mut {name} = {value};"));
                self.owned.push(Owned { name, kind: Some(kind) });
            }
        }
    }

    /// Writes a statement that moves the value out of an owned variable, or drops it.
    fn forgo(&mut self) {
        if self.owned.is_empty() {
            return self.own();
        }
        let Owned { name, kind } = self.owned.remove(self.random.below(self.owned.len()));
        let site = self.site();
        match self.random.below(5) {
            0 => self.line(&format!("std::mem::forget({name});")),
            1 => self.line(&format!("keep({name}, s.may({site}), Noisy(4));")),
            2 => {
                let condition = self.condition();
                self.line(&format!("if {condition} {{ drop({name}); }}"));
            }
            3 if kind.is_some() => {
                // The variable has no value while other code runs.
                let value = self.value(kind.expect("it has a kind"));
                self.line(&format!("drop({name});\n    s.may({site});\n    {name} = {value};"));
                self.owned.push(Owned { name, kind });
            }
            _ => self.line(&format!("drop({name});")),
        }
    }

    fn act(&mut self) {
        let (name, object, number, result) = (self.name("b"), self.object(), self.plain(), self.name("f"));
        self.line(&format!("let mut {name} = {object};"));
        self.line(&format!("let {result} = fit({name}.act(s, {number}));"));
        self.floats.push(result);
        self.owned.push(Owned { name, kind: None });
    }

    fn call(&mut self) {
        let (float, number) = (self.float(), self.plain());
        let (f, n) = (self.name("f"), self.name("n"));
        if self.random.chance(20) {
            let at = self.plain();
            self.line(&format!("let {f} = STEPS[({at} % STEPS.len() as u64) as usize](s, d + 1, {float}, {number});"));
            return self.floats.push(f);
        }
        let function = &self.functions[self.random.below(self.functions.len())];
        let mut arguments = vec!["s".to_owned(), "d + 1".to_owned(), float, number];
        for kind in &function.extra {
            // An argument that may panic comes after others that have destructors.
            let argument = if *kind == "u64" { format!("{{ let n = {}; n }}", self.plain()) } else { self.argument(kind) };
            arguments.push(argument);
        }
        // Arguments that read the state must be made before the state is lent to the function.
        let mut made = Vec::new();
        for argument in &mut arguments[2..] {
            if argument.contains("s.") {
                let name = format!("t{}_{}", self.names, made.len());
                made.push(format!("let {name} = {argument};"));
                *argument = name;
            }
        }
        made.iter().for_each(|line| self.line(line));
        let call = format!("{}({})", function.name, arguments.join(", "));
        match function.returns {
            Returns::Number => self.line(&format!("let {n} = {call};")),
            Returns::Float => self.line(&format!("let {f} = {call};")),
            Returns::Both => self.line(&format!("let ({n}, {f}) = {call};")),
            Returns::Fallible => self.line(&format!("let {f} = {call}.unwrap_or_else(|noisy| (noisy.0 % 77) as f64);")),
            Returns::Large | Returns::Object => {
                let name = self.name("b");
                self.line(&format!("let mut {name} = {call};"));
                self.line(&format!("let {f} = fit({name}.act(s, 5));"));
                self.owned.push(Owned { name, kind: None });
            }
        }
        if matches!(function.returns, Returns::Number | Returns::Both) {
            self.numbers.push(n);
        }
        if function.returns != Returns::Number {
            self.floats.push(f);
        }
    }

    /// A `return`, `break` or `continue` under a condition.
    fn jump(&mut self) {
        let condition = self.condition();
        match self.labels.last().cloned() {
            Some(label) if self.random.chance(80) => {
                let label = if self.random.chance(40) { self.labels[0].clone() } else { label };
                let word = ["break", "continue"][self.random.below(2)];
                self.line(&format!("if {condition} {{ {word} {label}; }}"));
            }
            _ => {
                let result = self.result();
                self.line(&format!("if {condition} {{ return {result}; }}"));
            }
        }
    }

    fn repeat(&mut self, depth: usize) {
        let (label, most) = (format!("'{}", self.name("l")), self.random.between(2, 5));
        if self.random.chance(40) {
            let (name, kind) = (self.name("o"), self.random.below(5));
            let values: Vec<String> = (0..most).map(|_| self.value(kind)).collect();
            self.line(&format!("let mut all = vec![{}];", values.join(", ")));
            self.line(&format!("{label}: while let Some(mut {name}) = all.pop() {{"));
            self.labels.push(label);
            self.block(depth, vec![Owned { name, kind: Some(kind) }]);
        } else {
            let (name, number) = (self.name("i"), self.number());
            self.line(&format!("{label}: for {name} in 0..{number} % {most} {{"));
            self.labels.push(label);
            self.block(depth, Vec::new());
        }
        self.labels.pop();
        self.line("}");
    }

    /// Generates two paths. One of them drops a value. The paths also contain other code.
    fn move_on_one_path(&mut self, depth: usize) {
        if self.owned.is_empty() {
            return self.own();
        }
        let Owned { name, .. } = self.owned.remove(self.random.below(self.owned.len()));
        let condition = self.condition();
        self.line(&format!("if {condition} {{"));
        self.block(depth, Vec::new());
        self.line(&format!("drop({name});"));
        self.block(depth, Vec::new());
        self.line("} else {");
        self.block(depth, Vec::new());
        self.line("}");
    }

    /// The statements of an inner block, which owns these values.
    fn block(&mut self, depth: usize, owned: Vec<Owned>) {
        let old = (self.numbers.len(), self.floats.len(), self.variables.0.len(), self.variables.1.len(), self.cells.len());
        let outer = std::mem::replace(&mut self.owned, owned);
        self.indent += 1;
        self.line("{");
        let count = self.random.between(2, 4);
        self.statements(count, depth - 1);
        self.line("}");
        self.indent -= 1;
        self.numbers.truncate(old.0);
        self.floats.truncate(old.1);
        self.variables.0.truncate(old.2);
        self.variables.1.truncate(old.3);
        self.cells.truncate(old.4);
        self.owned = outer;
    }

    /// A closure whose panics are caught, and sometimes resumed or followed by others.
    fn catch(&mut self, depth: usize) {
        let returns = [Returns::Number, Returns::Float, Returns::Both, Returns::Large][self.random.below(4)];
        let name = self.name("r");
        self.line(&format!("let {name} = caught(|| -> {} {{", returns.name()));
        let outer = std::mem::replace(&mut self.returns, returns);
        let labels = std::mem::take(&mut self.labels);
        self.block(depth, Vec::new());
        let result = self.result();
        self.line(&format!("    {result}"));
        (self.returns, self.labels) = (outer, labels);
        self.line("});");
        let (condition, number, float, site) = (self.condition(), self.plain(), self.float(), self.site());
        self.line(&format!("match {name} {{"));
        let shown = match returns {
            Returns::Number => "log(result)",
            Returns::Float => "log_float(result)",
            Returns::Both => "log_float(result.1 + result.0 as u8 as f64)",
            _ => "log(result.words[1])",
        };
        self.line(&format!("    Ok(result) => {shown},"));
        match self.random.below(4) {
            0 => self.line(&format!("    Err(payload) if {condition} => resume_unwind(payload),")),
            1 => self.line(&format!("    Err(payload) => {{ let _held = (payload, Tone({float}, {number})); s.may({site}); }}")),
            _ => {}
        }
        self.line(&format!("    Err(payload) => {{ drop(payload); log({number}); log_float({float}); }}"));
        self.line("}");
    }
}
