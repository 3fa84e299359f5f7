//! Compares the live registers that lowering computes for random programs with the result of a search. The search looks for a read of a register
//! along all paths of the program, through calls and returns.

use crate::common;
use crate::common::archive;
use rustgo_cli::testing::backend;
use rustgo_cli::testing::decode;
use rustgo_cli::testing::lower::Live;
use rustgo_cli::testing::target::Arch;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

crate::tests!(live_registers_match_a_search_of_all_paths,);

/// The places that the programs read and write: caller-saved registers and the carry flag.
const PLACES: [&str; 10] = ["rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "carry"];
const CARRY: usize = 9;
/// The bit of each place in a register set. The flags follow the 16 registers; the carry flag is the fifth flag.
const BITS: [u32; 10] = [0, 1, 2, 6, 7, 8, 9, 10, 11, 16 + 4];

#[derive(Clone, Copy, Debug)]
enum Op {
    Read(usize),
    Write(usize),
    /// A branch that goes to this instruction of the function, or falls through to the next.
    Branch(usize),
    Jump(usize),
    Call(usize),
    /// A call through a pointer that may hold any of the program's pointers.
    Indirect,
    Tail(usize),
    TailIf(usize),
    Return,
}

/// A program: the code of each function, and the two functions whose addresses are in the table of pointers. The first function is the export.
struct Program {
    functions: Vec<Vec<Op>>,
    pointers: [usize; 2],
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % limit as u64) as usize
    }
}

/// Generates the program of a seed, with `count` functions. If `cycles`, a function may call any function of the program; if not, only later
/// functions.
fn program(seed: u64, count: usize, cycles: bool) -> Program {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
    (0..8).for_each(|_| _ = random.below(2));
    let pointers = [count - 1, count - 2];
    let function = |me: usize| {
        let length = 4 + random.below(8);
        let callee = |random: &mut Random| match cycles {
            true => Some(random.below(count)),
            false => (me + 1 < count).then(|| me + 1 + random.below((count - me - 1).max(1))),
        };
        let indirect = cycles || me < count - 2;
        let mut ops: Vec<Op> = (0..length)
            .map(|at| match random.below(12) {
                0..4 => Op::Write(random.below(PLACES.len())),
                4..6 => Op::Read(random.below(PLACES.len())),
                // The target is never the first instruction, which only a call of the function may reach.
                6 => Op::Branch(1 + random.below(length)),
                7 if at + 1 < length => Op::Jump(at + 1 + random.below(length - at)),
                8 if indirect => Op::Indirect,
                9 if me > 0 => callee(&mut random).map_or(Op::Return, Op::TailIf),
                _ => callee(&mut random).map_or(Op::Write(0), Op::Call),
            })
            .collect();
        let tail = if me > 0 && random.below(3) == 0 { callee(&mut random) } else { None };
        ops.push(tail.map_or(Op::Return, Op::Tail));
        ops
    };
    Program { functions: (0..count).map(function).collect(), pointers }
}

fn assembly(program: &Program) -> String {
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    for (me, ops) in program.functions.iter().enumerate() {
        line(format!(".section .text.f{me},\"ax\",@progbits\n.globl f{me}\n.type f{me},@function\nf{me}:"));
        if me == 0 {
            // The table's address escapes, so unknown code may write to the table.
            line("lea r15, [rip + pointers]\nmov [rip + sink], r15".into());
        }
        for (at, op) in ops.iter().enumerate() {
            line(format!(".Lf{me}_{at}:"));
            line(match *op {
                Op::Read(CARRY) => "jc 9f\n9:".to_owned(),
                Op::Read(place) => format!("mov [rip + sink], {}", PLACES[place]),
                Op::Write(CARRY) => "stc".to_owned(),
                Op::Write(place) => format!("mov {}, 1", PLACES[place]),
                Op::Branch(to) => format!("js .Lf{me}_{to}"),
                Op::Jump(to) => format!("jmp .Lf{me}_{to}"),
                Op::Call(to) => format!("call f{to}@PLT"),
                Op::Indirect => "call [rip + pointers]".to_owned(),
                Op::Tail(to) => format!("jmp f{to}@PLT"),
                Op::TailIf(to) => format!("js f{to}@PLT"),
                Op::Return => "ret".to_owned(),
            });
        }
    }
    let [a, b] = program.pointers;
    line(format!(".section .data.pointers,\"aw\",@progbits\n.balign 8\npointers: .quad f{a}, f{b}"));
    line(".section .bss.sink,\"aw\",@nobits\n.balign 8\nsink: .zero 8".into());
    text
}

impl Program {
    fn callees(&self, op: Op) -> Vec<usize> {
        match op {
            Op::Call(to) | Op::Tail(to) | Op::TailIf(to) => vec![to],
            Op::Indirect => self.pointers.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The instructions that execution can reach, each as a function and an index.
    fn reached(&self) -> BTreeSet<(usize, usize)> {
        let (mut returning, mut reached) = (BTreeSet::new(), BTreeSet::new());
        loop {
            let before = (returning.len(), reached.len());
            let (mut seen, mut work) = (BTreeSet::new(), vec![(0, 0)]);
            while let Some((me, at)) = work.pop() {
                if !seen.insert((me, at)) {
                    continue;
                }
                let op = self.functions[me][at];
                let callees = self.callees(op);
                work.extend(callees.iter().map(|&to| (to, 0)));
                let comes_back = callees.iter().any(|to| returning.contains(to));
                match op {
                    Op::Return => _ = returning.insert(me),
                    Op::Tail(_) | Op::TailIf(_) if comes_back => _ = returning.insert(me),
                    _ => {}
                }
                match op {
                    Op::Jump(to) => work.push((me, to)),
                    Op::Branch(to) => work.extend([(me, to), (me, at + 1)]),
                    Op::Call(_) | Op::Indirect if comes_back => work.push((me, at + 1)),
                    Op::Read(_) | Op::Write(_) | Op::TailIf(_) => work.push((me, at + 1)),
                    _ => {}
                }
            }
            reached = seen;
            if before == (returning.len(), reached.len()) {
                return reached;
            }
        }
    }
}

/// A state of the search:
/// 1. The calls that have not returned, each as the caller and the index of the instruction after the call.
/// 2. The outermost function. When no such call is left, a return continues after any call of this function in the program.
/// 3. The current function. It can differ from the outermost one even when no call is left: after a tail jump.
/// 4. The index of the current instruction.
type State = (Vec<(usize, usize)>, usize, usize, usize);

/// A search for a read of `place`, along all paths from the entry of a function. When this function returns, the search continues after every call of
/// the function in the program.
struct Search<'a> {
    program: &'a Program,
    reached: &'a BTreeSet<(usize, usize)>,
    place: usize,
    /// The largest number of nested calls that the search follows.
    deepest: usize,
    seen: BTreeSet<State>,
}

impl Search<'_> {
    fn reads(&mut self, function: usize) -> bool {
        let mut work = vec![(Vec::new(), function, function, 0)];
        while let Some((stack, whom, me, at)) = work.pop() {
            if !self.seen.insert((stack.clone(), whom, me, at)) {
                continue;
            }
            let op = self.program.functions[me][at];
            let mut go = |stack: &[(usize, usize)], whom, me, at| work.push((stack.to_vec(), whom, me, at));
            match op {
                Op::Read(place) if place == self.place => return true,
                Op::Write(place) if place == self.place => {}
                Op::Read(_) | Op::Write(_) => go(&stack, whom, me, at + 1),
                Op::Jump(to) => go(&stack, whom, me, to),
                Op::Branch(to) => {
                    go(&stack, whom, me, to);
                    go(&stack, whom, me, at + 1);
                }
                Op::Call(_) | Op::Indirect if stack.len() < self.deepest => {
                    let deeper = [&stack[..], &[(me, at + 1)]].concat();
                    self.program.callees(op).into_iter().for_each(|to| go(&deeper, whom, to, 0));
                }
                Op::Call(_) | Op::Indirect => {}
                Op::Tail(to) => go(&stack, whom, to, 0),
                Op::TailIf(to) => {
                    go(&stack, whom, to, 0);
                    go(&stack, whom, me, at + 1);
                }
                Op::Return => match stack.split_last() {
                    Some((&(me, at), rest)) => go(rest, whom, me, at),
                    None => self.returns(whom).into_iter().for_each(|(me, at)| go(&[], me, me, at)),
                },
            }
        }
        false
    }

    /// The instructions at which execution may continue when `function` returns. They follow a call of `function`, or a call of a function that
    /// tail-jumps to `function`, directly or through others.
    fn returns(&self, function: usize) -> Vec<(usize, usize)> {
        let calls = |whom: usize, tail: bool| {
            let all =
                self.program.functions.iter().enumerate().flat_map(|(me, ops)| ops.iter().enumerate().map(move |(at, &op)| (me, at, op)));
            let is_tail = |op| matches!(op, Op::Tail(_) | Op::TailIf(_));
            all.filter(move |&(me, at, op)| {
                is_tail(op) == tail && self.reached.contains(&(me, at)) && self.program.callees(op).contains(&whom)
            })
        };
        let (mut as_whom, mut work) = (BTreeSet::from([function]), vec![function]);
        while let Some(whom) = work.pop() {
            work.extend(calls(whom, true).filter_map(|(me, ..)| as_whom.insert(me).then_some(me)));
        }
        as_whom.iter().flat_map(|&whom| calls(whom, false).map(|(me, at, _)| (me, at + 1))).collect()
    }
}

fn live_registers_match_a_search_of_all_paths() {
    let mut compared = 0;
    for seed in 0..96 {
        let cycles = seed % 2 == 1;
        let program = program(seed, 6, cycles);
        let text = format!("//@ export: Run f0 65536\n{}", assembly(&program));
        let object = common::objects(Arch::Amd64, &text, true).remove(0).1;
        let object = common::load(Arch::Amd64, &archive(&[("case.o", &object)])).unwrap_or_else(|e| panic!("{}", common::failure_text(&e)));
        let machine = backend::machine(Arch::Amd64);
        let decoded = decode::decode(&object, machine);
        // If a call through a pointer may reach the export, the tool refuses the program, because the export does not preserve r15.
        let Ok(facts) = common::analyze(Arch::Amd64, &object, &decoded) else { continue };
        let live = Live::new(&object, &decoded, &facts, machine);
        let reached = program.reached();
        let mut found = BTreeMap::new();
        for &me in &facts.emitted {
            let symbol = &object.functions[facts.instances[me].function].symbol;
            found.insert(symbol[1..].parse::<usize>().expect("a number"), live.entry(me));
        }
        for (&function, &set) in &found {
            for place in 0..PLACES.len() {
                let deepest = if cycles { 3 } else { 8 };
                let read = Search { program: &program, reached: &reached, place, deepest, seen: BTreeSet::new() }.reads(function);
                let live = set >> BITS[place] & 1 != 0;
                let name = PLACES[place];
                assert!(live || !read, "program {seed}: {name} is read behind f{function}, and is taken for free\n{text}");
                // Without cycles the search visits every path. So a place for which the search finds no read must not be live.
                assert!(read || cycles || !live, "program {seed}: {name} is not read behind f{function}, and is taken for live\n{text}");
                compared += 1;
            }
        }
    }
    assert!(compared > 2_000, "{compared}");
}
