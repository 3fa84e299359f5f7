//! Items that ordinary code rarely has: statics that change, results that depend on addresses, functions that use their own address, tables of
//! functions, reads of address 0, and recursion that exceeds its budget.
//!
//! These items use a separate random generator, so that the other code of a seed does not depend on them.

use super::Random;
use super::body::{Body, Kind, World};
use super::generate::{Export, frame, with_large};
use super::types::{Function, Param, Return, Scalar};
use std::fmt::Write as _;

const U64: Scalar = Scalar::Int(64, false);

/// The stack budget of the functions that recurse too deeply. The native program has enough stack.
const BUDGET: &str = "256k";

/// Sizes of the statics in one module.
#[derive(Clone, Copy, Debug)]
pub struct Odd {
    /// The number of functions `o0`, `o1` …, which equals the number of entries in `OPS`.
    operations: usize,
    /// The lengths of `SLOTS`, `CELLS` and `WIDE`.
    slots: usize,
    cells: usize,
    wide: usize,
    /// The alignments of `CELLS` and `WIDE`, in bytes.
    aligned: (usize, usize),
}

/// Rust code that every generated crate contains. The unusual items use it.
pub const CRATE: &str = "
/// Accesses memory near address 0, which faults. The native program panics instead, because it cannot recover from a fault.
#[inline(always)]
pub fn nothing(x: u64) -> u64 {
    if cfg!(feature = \"native\") {
        panic!(\"address 0\");
    }
    let address = core::hint::black_box((x % 500 * 8) as usize);
    // SAFETY: none, the fault is intended: no memory has so low an address.
    unsafe {
        if x & 1 == 0 {
            (address as *const u64).read_volatile()
        } else {
            (address as *mut u64).write_volatile(x);
            x
        }
    }
}
";

/// Adds unusual items and exports that use them to a module. The exports may call the functions in `functions`.
pub fn add(seed: u64, world: &World, functions: &[Function], text: &mut String, exports: &mut Vec<Export>) {
    let mut random = Random::new(seed ^ 0x0dd5_eed5_0000_0000);
    let random = &mut random;
    let odd = Odd {
        operations: random.between(3, 6),
        slots: random.length().min(33),
        cells: random.length().min(19),
        wide: random.length(),
        aligned: ([8, 16, 32][random.below(3)], [16, 32, 64][random.below(3)]),
    };
    statics(random, &odd, text);
    let leaf = World { functions: &[], shapes: 0, table: 0, odd: None, recursion: false, ..*world };
    operations(random, &odd, &leaf, text);
    choose(random, &leaf, text);
    let world = World { odd: Some(&odd), recursion: false, ..*world };
    let mut functions: Vec<Function> = functions.iter().filter(|function| !function.recursive).cloned().collect();
    for n in 0..random.between(1, 3) {
        let params: Vec<Param> = (0..random.between(1, 9)).map(|_| Param::any(random, false, world.structs.len())).collect();
        let returns = Return::of_helper(random, world.structs.len());
        let (large, count) = (frame(random).or_else(|| large(random)), random.between(3, 10));
        let inside = World { functions: &functions, ..world };
        let mut body = Body::new(random, &inside, returns.clone(), 1500);
        let list = body.params(&params);
        with_large(&mut body, large);
        body.statements(count, 3);
        let value = body.result(true);
        body.line(&value);
        let cost = body.cost + 5;
        writeln!(text, "#[inline(never)]\nfn m{n}({list}) -> {} {{\n{}}}\n", returns.name(), body.text).expect("a string takes everything");
        functions.push(Function { name: format!("m{n}"), params, returns, cost, recursive: false });
    }
    let inside = World { functions: &functions, ..world };
    let first = exports.len();
    exports.push(export(random, &inside, seed, first, text));
    exports.push(deep(random, &inside, seed, first + 1, text));
}

/// With a probability of 30 %, the element type and the length of an array of 5 to 40 KB; otherwise `None`.
fn large(random: &mut Random) -> Option<(Scalar, usize)> {
    random.chance(30).then(|| (Scalar::Int(8, false), random.between(5000, 40_000)))
}

/// Generates one static of each kind, and `reset`, which sets the mutable statics to initial values. Every export calls `reset` first, so that its
/// results depend only on its arguments.
fn statics(random: &mut Random, odd: &Odd, text: &mut String) {
    let Odd { slots, cells, wide, aligned: (cells_align, wide_align), .. } = *odd;
    let bytes: Vec<String> = (0..wide).map(|_| random.below(256).to_string()).collect();
    let first = random.word();
    write!(
        text,
        "use core::sync::atomic::{{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::*}};
static GUARD: AtomicBool = AtomicBool::new(false);
static SMALL: AtomicU8 = AtomicU8::new(7);
static COUNT: AtomicU64 = AtomicU64::new({first});
static mut SLOTS: [u64; {slots}] = [{first}; {slots}];
#[repr(align({cells_align}))]
struct Cells([AtomicU32; {cells}]);
static CELLS: Cells = Cells([const {{ AtomicU32::new(0) }}; {cells}]);
#[repr(align({wide_align}))]
struct Wide([u8; {wide}]);
static WIDE: Wide = Wide([{}]);

fn reset() {{
    GUARD.store(false, SeqCst);
    SMALL.store(7, Relaxed);
    COUNT.store({first}, Release);
    CELLS.0.iter().for_each(|cell| cell.store(3, Relaxed));
    // SAFETY: calls do not overlap.
    unsafe {{ (&raw mut SLOTS).write([{first}; {slots}]) }};
}}

/// Changes a slot while GUARD is set.
#[inline(never)]
fn counted(p0: u64) -> u64 {{
    assert!(!GUARD.swap(true, Acquire), \"it is being counted\");
    // SAFETY: GUARD is set, so this is the only reference.
    let slots = unsafe {{ &mut *&raw mut SLOTS }};
    let slot = &mut slots[p0 as usize % {slots}];
    *slot = slot.rotate_left(7) ^ p0;
    let value = *slot;
    GUARD.store(false, Release);
    value
}}

",
        bytes.join(", ")
    )
    .expect("a string takes everything");
}

/// Generates `o0`, `o1` …; `OPS`, a table of these functions whose entries refer to other entries; and `itself`, which returns its own address.
fn operations(random: &mut Random, odd: &Odd, leaf: &World, text: &mut String) {
    let count = odd.operations;
    for n in 0..count {
        let mut body = Body::new(random, leaf, Return::One(U64), 100);
        let list = body.params(&[Param::One(U64)]);
        body.statements(2, 1);
        let value = body.result(true);
        body.line(&value);
        writeln!(text, "fn o{n}({list}) -> u64 {{\n{}}}\n", body.text).expect("a string takes everything");
    }
    text.push_str("struct Op {\n    code: u8,\n    run: fn(u64) -> u64,\n    next: Option<&'static Op>,\n    more: &'static [u16],\n}\n");
    for n in 0..count {
        let next = match random.below(count + 1) {
            next if next == count => "None".to_owned(),
            next => format!("Some(&OP{next})"),
        };
        let more: Vec<String> = (0..random.below(5)).map(|_| random.below(1 << 16).to_string()).collect();
        let (code, run) = (random.below(256), random.below(count));
        writeln!(text, "static OP{n}: Op = Op {{ code: {code}, run: o{run}, next: {next}, more: &[{}] }};", more.join(", "))
            .expect("a string takes everything");
    }
    let all: Vec<String> = (0..count).map(|n| format!("&OP{n}")).collect();
    let address = random.below(2);
    write!(
        text,
        "static OPS: [&Op; {count}] = [{}];

/// Runs operations, one after another.
#[inline(never)]
fn chained(p0: u64, p1: u64) -> u64 {{
    let (mut op, mut x) = (core::hint::black_box(&OPS)[p0 as usize % {count}], p1);
    for n in 0..4 {{
        x = (op.run)(x).wrapping_add(op.code as u64 ^ op.more.iter().fold(n, |sum, &x| mix(sum ^ x as u64)));
        match op.next {{
            Some(next) if x & 8 != 0 => op = next,
            _ => break,
        }}
    }}
    x
}}

/// Returns its own address, changed by the lowest bit of p0.
#[inline(never)]
fn itself(p0: u64) -> usize {{
    let me = itself as fn(u64) -> usize as usize;
    if p0 & 4 == 0 && {address} == 1 {{ core::hint::black_box(o0 as fn(u64) -> u64); }}
    me ^ (p0 & 1) as usize
}}

",
        all.join(", ")
    )
    .expect("a string takes everything");
}

/// Generates `choose`: a `match` with many arms, each with different code.
fn choose(random: &mut Random, leaf: &World, text: &mut String) {
    let arms = random.between(12, 60);
    let mut body = Body::new(random, leaf, Return::One(U64), 6000);
    let list = body.params(&[Param::One(U64), Param::One(U64)]);
    body.line("let mut sum = p1;");
    body.line(&format!("match p0 % {} {{", arms + 1));
    body.depth += 1;
    for n in 0..arms {
        let value = body.expression(U64, 1);
        let text = match body.random.below(5) {
            0 => format!("{n} => return o0({value}),"),
            1 => format!("{n} => sum = o1(sum ^ {value}),"),
            2 => format!("{n} => {{ COUNT.fetch_add({value}, Relaxed); sum = sum.wrapping_mul({}); }}", 2 * n + 3),
            3 => format!("{n} => sum = core::hint::black_box(sum.rotate_left({}) ^ {value}),", n % 63 + 1),
            _ => format!("{n} => sum = counted({value}).wrapping_sub(sum),"),
        };
        body.line(&text);
    }
    body.line("_ => sum = !sum,");
    body.depth -= 1;
    body.line("}");
    body.line("mix(sum)");
    writeln!(text, "#[inline(never)]\nfn choose({list}) -> u64 {{\n{}}}\n", body.text).expect("a string takes everything");
}

fn export(random: &mut Random, world: &World, seed: u64, n: usize, text: &mut String) -> Export {
    let params: Vec<Param> = (0..random.between(1, 8)).map(|_| Param::any(random, true, 0)).collect();
    let returns = Return::of_export(random);
    let (large, count) = (frame(random), random.between(4, 12));
    let mut body = Body::new(random, world, returns.clone(), 8000);
    let list = body.params(&params);
    body.line("reset();");
    with_large(&mut body, large);
    body.statements(count, 3);
    let value = body.result(true);
    body.line(&value);
    let name = format!("s{seed}_f{n}");
    let arrow = if matches!(returns, Return::Unit) { String::new() } else { format!(" -> {}", returns.name()) };
    writeln!(text, "#[rustgo::export]\npub fn {name}({list}){arrow} {{\n{}}}\n", body.text).expect("a string takes everything");
    Export { seed, name, params, returns, exhausts: false }
}

/// An export that recurses as deeply as its argument says, directly or through another function.
fn deep(random: &mut Random, world: &World, seed: u64, n: usize, text: &mut String) -> Export {
    let bytes = random.between(8, 2500);
    // No function recurses through a pointer. Otherwise the tool would assume that every call through a pointer may recurse.
    let how = ["down", "over"][random.below(2)];
    let world = World { functions: &[], ..*world };
    let mut body = Body::new(random, &world, Return::One(U64), 60);
    let list = body.params(&[Param::One(U64), Param::One(U64)]);
    body.line("if p0 == 0 { return p1; }");
    body.line(&format!("let mut frame = [p1 as u8; {bytes}];"));
    body.line("core::hint::black_box(&mut frame);");
    body.statements(2, 1);
    let below = body.name("v");
    body.line(&format!("let {below} = {how}(p0 - 1, mix(p1));"));
    body.scope.push(super::body::Variable { name: below, kind: Kind::One(U64), mutable: false, reference: false, hidden: false });
    body.line(&format!("core::hint::black_box(&frame)[p0 as usize % {bytes}] as u64 ^ "));
    let value = body.result(true);
    body.line(&value);
    let made = body.text;
    let name = format!("s{seed}_f{n}");
    write!(
        text,
        "#[inline(never)]\nfn down({list}) -> u64 {{\n{made}}}\n
#[inline(never)]\nfn over(p0: u64, p1: u64) -> u64 {{\n    let room = core::hint::black_box([p1; 9]);\n    down(p0, p1) ^ room[3]\n}}\n
#[rustgo::export(stack = \"{BUDGET}\")]\npub fn {name}(p0: u64, p1: u64) -> u64 {{\n    reset();\n    down(p0 % 600, p1)\n}}\n"
    )
    .expect("a string takes everything");
    Export { seed, name, params: vec![Param::One(U64), Param::One(U64)], returns: Return::One(U64), exhausts: true }
}

impl Body<'_> {
    /// An expression whose value depends on one of the unusual items.
    pub fn odd(&mut self, odd: &Odd, wanted: Scalar) -> Option<String> {
        if !self.affordable(120) {
            return None;
        }
        self.spend(100);
        let x = self.expression(U64, 1);
        let made = match self.random.below(13) {
            0 => {
                let aligned = if self.world.aligned { [16, 32, 64][self.random.below(3)] } else { 16 };
                let (length, at) = (self.random.length().min(40), self.random.below(64));
                let name = self.name("w");
                format!(
                    "{{ let {name} = A{aligned}([{x}; {length}]); core::hint::black_box(&{name}); (&raw const {name} as u64 % {aligned}) ^ core::hint::black_box(&{name}).0[{}] }}",
                    at % length
                )
            }
            1 => {
                let scalar = Scalar::any(self.random, false);
                let value = self.convert(x, U64, scalar);
                let name = self.name("w");
                let name_of = scalar.name();
                format!(
                    "{{ let {name}: {name_of} = {value}; core::hint::black_box(&{name}); &raw const {name} as u64 % core::mem::align_of::<{name_of}>() as u64 }}"
                )
            }
            2 => format!("{{ let (x, me) = ({x}, itself as fn(u64) -> usize as usize); (itself(x) ^ me) as u64 }}"),
            3 => format!("{{ let me: fn(u64) -> usize = core::hint::black_box(itself); (me({x}) & !1 == me as usize) as u64 }}"),
            4 => format!("chained({x}, {})", self.expression(U64, 1)),
            5 => {
                let names: Vec<String> = (0..3).map(|_| format!("o{}", self.random.below(odd.operations))).collect();
                let which = self.index(Some(3), "");
                format!("{{ let which: [fn(u64) -> u64; 3] = core::hint::black_box([{}]); which[{which}]({x}) }}", names.join(", "))
            }
            6 => format!("choose({x}, {})", self.expression(U64, 1)),
            7 => format!("counted({x})"),
            8 => {
                let how = ["fetch_add", "swap", "fetch_xor", "fetch_min", "fetch_and"][self.random.below(5)];
                let order = ["Relaxed", "SeqCst", "AcqRel"][self.random.below(3)];
                match self.random.below(3) {
                    0 => format!("SMALL.{how}({x} as u8, {order}) as u64"),
                    1 => format!("COUNT.{how}({x}, {order})"),
                    _ => format!("CELLS.0[{}].{how}({x} as u32, {order}) as u64", self.index(Some(odd.cells), "")),
                }
            }
            9 => format!("COUNT.compare_exchange({x}, {}, SeqCst, Relaxed).unwrap_or_else(|old| !old)", self.expression(U64, 1)),
            10 => format!("(WIDE.0[{}] as u64 ^ {x})", self.index(Some(odd.wide), "")),
            11 => {
                let (cells, wide) = odd.aligned;
                format!(
                    "(core::hint::black_box(&raw const CELLS) as u64 % {cells} * 3 + core::hint::black_box(&raw const WIDE) as u64 % {wide})"
                )
            }
            _ => format!("CELLS.0[{}].load(Relaxed) as u64", self.index(Some(odd.cells), "")),
        };
        Some(self.convert(format!("({made})"), U64, wanted))
    }

    /// Generates code that occasionally reads or writes near address 0.
    pub fn fault(&mut self) {
        let (a, n) = (self.expression(U64, 2), self.random.below(13));
        let name = self.name("v");
        self.line(&format!("let {name} = {a};"));
        self.line(&format!("if {name} % 13 == {n} {{ core::hint::black_box(nothing({name})); }}"));
    }
}
