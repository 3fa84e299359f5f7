//! Generates a module of random functions for a seed.
//!
//! The Rust module contains static tables, structs, functions that call earlier ones, a table of function pointers, trait objects, a recursive
//! function, some exports, and the items of `odd`. It compiles, always ends, needs no allocator, and gives the same results on every machine.

use super::Random;
use super::body::{Body, Kind, World};
use super::odd;
use super::types::{Function, Param, Return, Scalar, Struct};
use std::fmt::Write as _;

/// An exported function.
pub struct Export {
    pub seed: u64,
    /// The name in Rust, for example `s17_f3`. The Go function is then called `S17F3`.
    pub name: String,
    pub params: Vec<Param>,
    pub returns: Return,
    /// True if the function may exhaust its stack budget. The native program always has enough stack.
    pub exhausts: bool,
}

impl Export {
    pub fn go_name(&self) -> String {
        self.name.to_uppercase().replace('_', "")
    }
}

pub struct Module {
    pub text: String,
    pub exports: Vec<Export>,
}

impl Module {
    /// Adds the functions of another module. The two modules must use different names.
    pub fn with(self, other: Module) -> Module {
        Module { text: self.text + &other.text, exports: self.exports.into_iter().chain(other.exports).collect() }
    }
}

/// True if the functions of this seed may have locals aligned to more than 16 bytes. Only some seeds have such locals, because for arm64 the tool
/// refuses a function that has such a local and also passes arguments on the stack.
pub fn aligned(seed: u64) -> bool {
    seed.is_multiple_of(8)
}

const EXPORTS: usize = 4;

/// The code at the start of every crate.
pub const CRATE: &str = "#![no_std]
#![allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals, unconditional_recursion)]
#![allow(clippy::all)]

/// The bits of a number. All NaNs become the same number, because their bits differ between machines.
pub fn bits64(x: f64) -> u64 {
    if x.is_nan() { 0x7ff8_0000_0000_0000 } else { x.to_bits() }
}
pub fn bits32(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}
pub fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
}
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct A16<T>(pub T);
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct A32<T>(pub T);
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct A64<T>(pub T);
";

/// A random element type and length of an array, which determine a frame's size. Most frames are small; some are so large that one instruction
/// cannot address the whole frame.
pub fn frame(random: &mut Random) -> Option<(Scalar, usize)> {
    let bytes = match random.below(20) {
        0 | 1 => random.between(505, 1100),
        2 => random.between(4000, 4600),
        3 => random.between(5000, 9000),
        4 if random.chance(40) => random.between(32_700, 41_000),
        _ => return None,
    };
    let scalar = Scalar::any(random, false);
    Some((scalar, bytes / scalar.bytes()))
}

/// Declares an array that makes the function's frame large.
pub fn with_large(body: &mut Body, large: Option<(Scalar, usize)>) {
    if let Some((scalar, length)) = large {
        body.let_array(scalar, length);
        let array = body.scope.last().expect("it was just made").name.clone();
        body.line(&format!("core::hint::black_box(&{array});"));
    }
}

pub fn module(seed: u64) -> Module {
    let mut random = Random::new(seed);
    let random = &mut random;
    let mut text = "use super::*;\n\n".to_owned();

    let statics: Vec<(String, Scalar, usize)> = (0..random.below(4))
        .map(|n| {
            let (name, scalar, length) = (format!("T{n}"), Scalar::any(random, false), random.length().min(65));
            let values: Vec<String> = (0..length).map(|_| scalar.literal(random)).collect();
            writeln!(text, "static {name}: [{}; {length}] = [{}];", scalar.name(), values.join(", ")).expect("a string takes everything");
            (name, scalar, length)
        })
        .collect();
    let structs: Vec<Struct> = (0..random.below(4)).map(|n| structure(random, n, aligned(seed), &mut text)).collect();

    let mut functions: Vec<Function> = Vec::new();
    let mut world = World {
        structs: &structs,
        functions: &[],
        shapes: 0,
        table: 0,
        statics: &statics,
        aligned: aligned(seed),
        recursion: false,
        odd: None,
    };
    for n in 0..random.between(3, 7) {
        let made = function(random, &World { functions: &functions, ..world }, &format!("h{n}"), &mut text);
        functions.push(made);
    }
    // Functions that are called by pointer or through a trait have a low cost, and make no such calls themselves.
    let small: Vec<Function> = functions.iter().filter(|function| function.cost < 100).cloned().collect();
    let leaf = World { functions: &small, ..world };
    let table = if random.chance(50) { pointers(random, &leaf, &mut text) } else { 0 };
    let shapes = if random.chance(50) { shapes(random, &leaf, &mut text) } else { 0 };
    world = World { shapes, table, ..world };
    for n in 0..random.between(2, 5) {
        let made = function(random, &World { functions: &functions, ..world }, &format!("g{n}"), &mut text);
        functions.push(made);
    }
    if random.chance(40) {
        let made = recursive(random, &World { functions: &functions, ..world }, &mut text);
        functions.push(made);
    }
    let mut exports = (0..EXPORTS).map(|n| export(random, &World { functions: &functions, ..world }, seed, n, &mut text)).collect();
    odd::add(seed, &world, &functions, &mut text, &mut exports);
    Module { text, exports }
}

fn structure(random: &mut Random, n: usize, aligned: bool, text: &mut String) -> Struct {
    let align = random.chance(12).then(|| [16, 32, 64][random.below(if aligned { 3 } else { 1 })]);
    let fields: Vec<(Scalar, Option<usize>)> =
        (0..random.between(1, 6)).map(|_| (Scalar::any(random, false), random.chance(30).then(|| random.length().min(33)))).collect();
    text.push_str("#[derive(Clone, Copy)]\n");
    if let Some(align) = align {
        writeln!(text, "#[repr(align({align}))]").expect("a string takes everything");
    }
    writeln!(text, "pub struct S{n} {{").expect("a string takes everything");
    for (at, (scalar, length)) in fields.iter().enumerate() {
        match length {
            Some(length) => writeln!(text, "    f{at}: [{}; {length}],", scalar.name()),
            None => writeln!(text, "    f{at}: {},", scalar.name()),
        }
        .expect("a string takes everything");
    }
    text.push_str("}\n\n");
    Struct { fields }
}

/// A random `inline` attribute for a function.
fn inlining(random: &mut Random) -> &'static str {
    match random.below(10) {
        0 => "",
        1 => "#[inline]\n",
        2 => "#[cold]\n#[inline(never)]\n",
        _ => "#[inline(never)]\n",
    }
}

fn function(random: &mut Random, world: &World, name: &str, text: &mut String) -> Function {
    let params: Vec<Param> = (0..random.between(1, 16)).map(|_| Param::any(random, false, world.structs.len())).collect();
    let returns = Return::of_helper(random, world.structs.len());
    let (attributes, large, count) = (inlining(random), frame(random), random.between(2, 14));
    let mut body = Body::new(random, world, returns.clone(), 1500);
    let list = body.params(&params);
    with_large(&mut body, large);
    body.statements(count, 3);
    let value = body.result(true);
    body.line(&value);
    let cost = body.cost + 5;
    writeln!(text, "{attributes}fn {name}({list}) -> {} {{\n{}}}\n", returns.name(), body.text).expect("a string takes everything");
    Function { name: name.to_owned(), params, returns, cost, recursive: false }
}

/// A function that calls itself once or twice, and is called at most six levels deep.
fn recursive(random: &mut Random, world: &World, text: &mut String) -> Function {
    let mut params: Vec<Param> = (0..random.between(1, 11)).map(|_| Param::any(random, false, world.structs.len())).collect();
    params.insert(0, Param::One(Scalar::Int(32, false)));
    let returns = Return::of_helper(random, world.structs.len());
    let mut function = Function { name: "r".to_owned(), params, returns, cost: 0, recursive: true };
    let count = random.between(3, 8);
    let mut body = Body::new(random, world, function.returns.clone(), 100);
    let list = body.params(&function.params).replacen("p0:", "depth:", 1);
    body.scope[0].name = "depth".to_owned();
    let end = body.result(false);
    body.line(&format!("if depth == 0 {{ return {end}; }}"));
    body.statements(count, 2);
    // The function calls itself here, and possibly a second time later.
    body.itself = Some((function.clone(), 1));
    if let Some(call) = body.call_of(&function, true) {
        let value = body.value_of(&call, &function.returns, Scalar::Int(64, false));
        let name = body.declare("v", Kind::One(Scalar::Int(64, false)), false);
        body.line(&format!("let {name} = core::hint::black_box({value});"));
    }
    body.statements(2, 1);
    let value = body.result(true);
    body.line(&value);
    function.cost = body.cost * 64;
    writeln!(text, "#[inline(never)]\nfn r({list}) -> {} {{\n{}}}\n", function.returns.name(), body.text)
        .expect("a string takes everything");
    function
}

/// Generates `TABLE`, whose functions are called by pointer. Returns their number.
fn pointers(random: &mut Random, world: &World, text: &mut String) -> usize {
    let count = random.between(2, 5);
    let params = [Param::One(Scalar::Int(64, false)), Param::One(Scalar::F64)];
    for n in 0..count {
        let mut body = Body::new(random, world, Return::One(Scalar::Int(64, false)), 150);
        let list = body.params(&params);
        body.statements(3, 1);
        let value = body.result(true);
        body.line(&value);
        writeln!(text, "fn e{n}({list}) -> u64 {{\n{}}}\n", body.text).expect("a string takes everything");
    }
    let names: Vec<String> = (0..count).map(|n| format!("e{n}")).collect();
    writeln!(text, "static TABLE: [fn(u64, f64) -> u64; {count}] = [{}];\n", names.join(", ")).expect("a string takes everything");
    count
}

/// Generates `shapes()`, which returns objects that are called through a trait. Returns their number.
fn shapes(random: &mut Random, world: &World, text: &mut String) -> usize {
    let count = random.between(2, 4);
    text.push_str("trait Shape: Sync {\n    fn area(&self, p0: u64) -> u64;\n}\n");
    let mut names = Vec::new();
    for n in 0..count {
        let mut body = Body::new(random, world, Return::One(Scalar::Int(64, false)), 150);
        let list = body.params(&[Param::One(Scalar::Int(64, false))]);
        body.line("let v0 = self.0;");
        body.scope.push(super::body::Variable {
            name: "v0".to_owned(),
            kind: Kind::One(Scalar::Int(16, false)),
            mutable: false,
            reference: false,
            hidden: false,
        });
        body.statements(3, 1);
        let value = body.result(true);
        body.line(&value);
        writeln!(
            text,
            "struct O{n}(u16);\nimpl Shape for O{n} {{\n    fn area(&self, {list}) -> u64 {{\n{}    }}\n}}\nstatic OBJECT{n}: O{n} = O{n}({});\n",
            body.text,
            n * 77
        )
        .expect("a string takes everything");
        names.push(format!("&OBJECT{n}"));
    }
    writeln!(text, "fn shapes() -> [&'static dyn Shape; {count}] {{ core::hint::black_box([{}]) }}\n", names.join(", "))
        .expect("a string takes everything");
    count
}

fn export(random: &mut Random, world: &World, seed: u64, n: usize, text: &mut String) -> Export {
    let params: Vec<Param> = (0..random.between(1, 12)).map(|_| Param::any(random, true, 0)).collect();
    let returns = Return::of_export(random);
    let count = random.between(3, 12);
    let large = frame(random);
    let budget = world.functions.iter().any(|function| function.recursive);
    // The last export of a seed calls the recursive function, if there is one.
    let budget = budget && n + 1 == EXPORTS;
    let world = World { recursion: budget, ..*world };
    let mut body = Body::new(random, &world, returns.clone(), 12_000);
    let list = body.params(&params);
    if let Some((scalar, length)) = large {
        body.let_array(scalar, length);
    }
    if budget {
        let function = world.functions.iter().find(|function| function.recursive).expect("there is one").clone();
        if let Some(call) = body.call_of(&function, false) {
            let value = body.value_of(&call, &function.returns, Scalar::Int(64, false));
            let name = body.declare("v", Kind::One(Scalar::Int(64, false)), false);
            body.line(&format!("let {name} = {value};"));
        }
    }
    body.statements(count, 3);
    let value = body.result(true);
    body.line(&value);
    let attribute = if budget { "#[rustgo::export(stack = \"512k\")]" } else { "#[rustgo::export]" };
    let name = format!("s{seed}_f{n}");
    let arrow = if matches!(returns, Return::Unit) { String::new() } else { format!(" -> {}", returns.name()) };
    writeln!(text, "{attribute}\npub fn {name}({list}){arrow} {{\n{}}}\n", body.text).expect("a string takes everything");
    Export { seed, name, params, returns, exhausts: false }
}
