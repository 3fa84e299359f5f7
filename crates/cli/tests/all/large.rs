//! Inputs that are large in one respect: much code, a long function, a long cycle of calls, a large jump table, many exports, many errors. The tool
//! must end in bounded time and memory, with a result or a refusal.
//!
//! An ordinary run measures each input in two sizes, of which one is four times the other. It fails if the larger size takes more than `MOST` times
//! the time. Other work on the machine can make one measurement long. So each size is measured up to `ATTEMPTS` times, and the shortest times are
//! compared. `scripts/large` (`LARGE=whole`) runs the full size once. It also proves the result, and prints the time of each stage and the peak
//! memory.

use crate::common::{self, Export, MAX_STACK, archive, assemble, failure_text, record};
use rustgo_cli::testing::analyze::{Limits, analyze};
use rustgo_cli::testing::api::Package;
use rustgo_cli::testing::backend::machine;
use rustgo_cli::testing::bind;
use rustgo_cli::testing::decode::decode;
use rustgo_cli::testing::diag::Result;
use rustgo_cli::testing::gosrc;
use rustgo_cli::testing::lower::lower;
use rustgo_cli::testing::runtime::Runtime;
use rustgo_cli::testing::target::Arch;
use rustgo_cli::testing::usage;
use rustgo_cli::testing::verify::verify;
use std::fmt::Write as _;
use std::time::Instant;

crate::tests!(
    much_code,
    a_long_function,
    a_long_cycle,
    a_dense_cycle,
    a_cycle_without_budget,
    a_large_jump_table,
    a_table_of_functions,
    many_exports,
    many_errors,
    much_data,
);

/// In each stage before the proof, an input of four times the size may take at most this many times the processor time. Linear work takes 4 times as
/// long, quadratic work 16 times.
const MOST: f64 = 9.0;

/// The largest number of measurements of each size. The sizes are measured again only if the shortest times so far are too long.
const ATTEMPTS: usize = 5;

/// A stage is compared only if it takes at least this much processor time for the larger size, in seconds. Shorter times are too inexact.
const MEASURABLE: f64 = 0.2;

/// A kind of input. `text` makes the assembly for a size, and `exports` names the symbols to export.
struct Large {
    small: usize,
    whole: usize,
    text: fn(usize) -> String,
    /// The exports of an input: the symbols, and their stack budget.
    exports: fn(usize) -> Vec<String>,
    budget: Option<u64>,
    /// The start of the message, if the tool refuses the input.
    refusal: &'static str,
}

/// An input with the export `f0` and a budget.
const RECURSIVE: Large =
    Large { small: 0, whole: 0, text: |_| String::new(), exports: |_| vec!["f0".into()], budget: Some(65536), refusal: "" };
const PLAIN: Large = Large { budget: None, ..RECURSIVE };

/// The times of one run, by stage, in seconds: processor time, then wall-clock time.
type Times = Vec<(&'static str, f64, f64)>;

/// The processor time of a stage for the smaller size and for four times the size, in seconds.
struct Pair {
    stage: &'static str,
    one: f64,
    four: f64,
}

impl Pair {
    fn is_short(&self) -> bool {
        self.four < MEASURABLE || self.four < MOST * self.one
    }
}

impl Large {
    fn test(&self) {
        if std::env::var("LARGE").is_ok_and(|value| value == "whole") {
            let times = self.run(self.whole, true);
            let shown: Vec<String> = times.iter().map(|(stage, _, wall)| format!("{stage} {wall:.1} s")).collect();
            return crate::say!(
                "{}: {}, peak {} MiB",
                self.whole,
                shown.join(", "),
                usage::peak().expect("Linux tells the memory of processes") >> 20
            );
        }
        let mut least = self.pairs();
        for _ in 1..ATTEMPTS {
            if least.iter().all(Pair::is_short) {
                break;
            }
            for (least, pair) in least.iter_mut().zip(self.pairs()) {
                (least.one, least.four) = (least.one.min(pair.one), least.four.min(pair.four));
            }
        }
        if let Some(Pair { stage, one, four }) = least.iter().find(|pair| !pair.is_short()) {
            panic!("{stage} takes {one:.3} s for size {}, and {four:.3} s for four times the size", self.small);
        }
    }

    /// Measures both sizes once.
    fn pairs(&self) -> Vec<Pair> {
        let (one, four) = (self.run(self.small, false), self.run(4 * self.small, false));
        one.into_iter().zip(four).map(|((stage, one, _), (_, four, _))| Pair { stage, one, four }).collect()
    }

    /// Runs the stages for one size, with the proof if `proves`. Fails if the outcome is not the expected one.
    fn run(&self, size: usize, proves: bool) -> Times {
        let mut text = (self.text)(size);
        for (index, symbol) in (self.exports)(size).into_iter().enumerate() {
            text.push_str(&record(&Export { go_name: format!("F{index}"), symbol, budget: self.budget, blocking: None }));
        }
        let object = assemble(Arch::Amd64, "large", &text);
        drop(text);
        let archive = archive(&[("large.o", &object)]);
        let mut times = Vec::new();
        match stages(&archive, proves, &mut times) {
            Ok(()) => assert!(self.refusal.is_empty(), "it is accepted"),
            Err(failure) => {
                let said = timed(&mut times, "message", || failure_text(&failure));
                let right = !self.refusal.is_empty() && said.starts_with(self.refusal);
                assert!(right && said.len() < 1 << 16, "{} bytes: {}", said.len(), said.chars().take(2000).collect::<String>());
            }
        }
        times
    }
}

fn stages(archive: &[u8], proves: bool, times: &mut Times) -> Result<()> {
    let machine = machine(Arch::Amd64);
    let object = timed(times, "load", || common::load(Arch::Amd64, archive))?;
    let program = timed(times, "decode", || decode(&object, machine));
    let facts = timed(times, "analyze", || analyze(&object, &program, machine, Limits { max_stack: MAX_STACK, above_roots: None }))?;
    let package = Package::new(object.exports.values(), &object.constants);
    let header = vec![gosrc::generated_line("rustgo build")];
    let rt = Runtime::Published.symbols();
    let asm = timed(times, "lower", || lower(&object, &program, &facts, machine, &package, &rt, header.clone()))?;
    let options = bind::Options { header, package: "p".into(), arches: vec![Arch::Amd64], ..bind::Options::default() };
    let go = timed(times, "bind", || bind::bind(&package, options))?;
    if proves {
        timed(times, "verify", || verify(&[(&asm, machine)], &go, &Runtime::Published, &common::go()))?;
    }
    Ok(())
}

fn timed<T>(times: &mut Times, stage: &'static str, work: impl FnOnce() -> T) -> T {
    let (began, used) = (Instant::now(), processor_time());
    let result = work();
    times.push((stage, processor_time() - used, began.elapsed().as_secs_f64()));
    result
}

/// The processor time that this thread has used, in seconds.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells the time of threads");
    text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).expect("a number of nanoseconds") / 1e9
}

/// Random numbers: equal in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % limit
    }
}

/// Begins the function `f{index}` in a section of its own.
fn function(text: &mut String, index: usize) {
    line(text, &format!(".section .text.f{index},\"ax\",@progbits\n.globl f{index}\n.type f{index},@function\nf{index}:"));
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Functions of 4 KiB each that call each other as a tree. `size` is in KiB.
fn much_code() {
    let text = |size| {
        let (mut text, mut random, count) = (String::new(), Random(1), size / 4);
        for index in 0..count {
            function(&mut text, index);
            line(&mut text, "push rbx\npush r12\nsub rsp, 72\nmov rbx, rdi\nmov r12, rdi");
            for block in 0..100 {
                let factor = random.below(1 << 30);
                let (slot, other, bit) = (8 * (block % 8), 8 * (block * 3 % 8), 1 << (block % 7));
                writeln!(text, "mov rax, rbx\nimul rax, rax, {factor}\nadd r12, rax\nmov [rsp+{slot}], r12\ntest bl, {bit}\nje 1f")
                    .expect("room");
                writeln!(text, "xor rbx, [rsp+{other}]\nrol r12, 7\n1: lea rbx, [rbx+r12+{block}]\nshr rbx, 1").expect("room");
            }
            for callee in [2 * index + 1, 2 * index + 2].into_iter().filter(|&callee| callee < count) {
                writeln!(text, "test bl, 1\nje 1f\nmov rdi, rbx\ncall f{callee}\nadd rbx, rax\n1:").expect("room");
            }
            line(&mut text, "mov rax, rbx\nadd rsp, 72\npop r12\npop rbx\nret");
        }
        text
    };
    Large { small: 256, whole: 30 << 10, text, ..PLAIN }.test();
}

/// A function of `size` KiB, with a branch forward and one back every 33 bytes.
fn a_long_function() {
    let text = |size| {
        let (mut text, mut random, blocks) = (String::new(), Random(1), size * 1024 / 33);
        function(&mut text, 0);
        line(&mut text, "push rbx\npush r12\nsub rsp, 136\nmov rbx, rdi\nmov r12, rdi");
        for block in 0..blocks {
            let (ahead, back) = ((block + 1 + random.below(39)).min(blocks - 1), block.saturating_sub(random.below(40)));
            let (slot, other, bit, factor) = (8 * (block % 16), 8 * (block * 3 % 16), 1 << (block % 7), random.below(1 << 30));
            writeln!(text, ".Lb{block}: imul rax, rbx, {factor}\nmov [rsp+{slot}], rax\nxor rbx, [rsp+{other}]").expect("room");
            writeln!(text, "test bl, {bit}\nje .Lb{ahead}\ndec r12\njne .Lb{back}").expect("room");
        }
        line(&mut text, "mov rax, rbx\nadd rsp, 136\npop r12\npop rbx\nret");
        text
    };
    Large { small: 64, whole: 2 << 10, text, ..PLAIN }.test();
}

/// Functions that call each other in a circle. Each has `further` calls of random functions too.
fn circle(size: usize, further: usize) -> String {
    let (mut text, mut random) = (String::new(), Random(1));
    for index in 0..size {
        function(&mut text, index);
        writeln!(text, "push rbx\nmov rbx, rdi\ntest rdi, rdi\nje 1f\ndec rdi\ncall f{}", (index + 1) % size).expect("room");
        for _ in 0..further {
            writeln!(text, "lea rdi, [rbx-1]\ncall f{}", random.below(size)).expect("room");
        }
        line(&mut text, "1: lea rax, [rbx+1]\npop rbx\nret");
    }
    text
}

fn a_long_cycle() {
    Large { small: 2000, whole: 100_000, text: |size| circle(size, 0), ..RECURSIVE }.test();
}

fn a_dense_cycle() {
    Large { small: 1000, whole: 100_000, text: |size| circle(size, 3), ..RECURSIVE }.test();
}

/// The exports state no budget, so the tool chooses one.
fn a_cycle_without_budget() {
    Large { small: 2000, whole: 100_000, text: |size| circle(size, 1), ..PLAIN }.test();
}

fn a_large_jump_table() {
    let text = |size| {
        let (mut text, mut random) = (String::new(), Random(1));
        function(&mut text, 0);
        writeln!(text, "mov eax, edi\ncmp rax, {}\nja 9f\nlea rcx, [rip+table]", size - 1).expect("room");
        line(&mut text, "movsxd rax, dword ptr [rcx+rax*4]\nadd rax, rcx\njmp rax\n9: xor eax, eax\nret");
        for case in 0..size {
            let code = if case % 3 == 0 { "imul rdi, rdi, 5" } else { "lea rax, [rdi+7]\nret" };
            writeln!(text, ".Lt{case}: add rdi, {}\n{code}", random.below(1 << 20)).expect("room");
        }
        line(&mut text, "lea rax, [rdi+1]\nret\n.section .rodata.table,\"a\",@progbits\n.p2align 2\ntable:");
        (0..size).for_each(|case| writeln!(text, ".long .Lt{case}-table").expect("room"));
        text
    };
    Large { small: 2500, whole: 100_000, text, ..PLAIN }.test();
}

/// Functions that call each other through a table with the addresses of all of them.
fn a_table_of_functions() {
    let text = |size: usize| {
        let mut text = String::new();
        for index in 0..size {
            function(&mut text, index);
            line(&mut text, "push rbx\nmov rbx, rdi\ntest rdi, rdi\nje 1f\ndec rdi\nlea rax, [rip+table]\nmov rcx, rbx");
            writeln!(text, "imul rcx, rcx, {}\nand ecx, {}", 2 * index + 1, (size / 2).next_power_of_two() - 1).expect("room");
            line(&mut text, "call [rax+rcx*8]\n1: lea rax, [rbx+1]\npop rbx\nret");
        }
        line(&mut text, ".section .data.rel.ro.table,\"aw\",@progbits\n.p2align 3\ntable:");
        (0..size).for_each(|index| writeln!(text, ".quad f{index}").expect("room"));
        text
    };
    Large { small: 250, whole: 10_000, text, ..RECURSIVE }.test();
}

fn many_exports() {
    let text = |size| {
        let mut text = String::new();
        for index in 0..size {
            function(&mut text, index);
            writeln!(text, "imul rax, [rdi], {index}\nmov [rsi], rax\nret").expect("room");
        }
        text
    };
    let exports = |size| (0..size).map(|index| format!("f{index}")).collect();
    Large { small: 3000, whole: 50_000, text, exports, ..PLAIN }.test();
}

/// Each function has an instruction that the tool refuses. Every tenth function is an export.
fn many_errors() {
    let text = |size| {
        let mut text = String::new();
        for index in 0..size {
            function(&mut text, index);
            writeln!(text, "push rbx\ntest rdi, rdi\nje 1f\ncall f{}\n1: mov rsp, [rdi]\npop rbx\nret", (index * 7 + 1) % size)
                .expect("room");
        }
        text
    };
    let exports = |size| (0..size).step_by(10).map(|index| format!("f{index}")).collect();
    Large { small: 1000, whole: 50_000, text, exports, refusal: "rustgo: error: ", ..PLAIN }.test();
}

/// Data items with pointers to each other and constants; the code reads every item.
fn much_data() {
    let text = |size| {
        let (mut text, mut random) = (String::new(), Random(1));
        function(&mut text, 0);
        line(&mut text, "xor eax, eax");
        (0..size).for_each(|item| writeln!(text, "add rax, [rip+d{item}+8]\nlea rcx, [rip+d{item}]\nmov [rsi], rcx").expect("room"));
        line(&mut text, "ret");
        for item in 0..size {
            let to = random.below(size);
            writeln!(
                text,
                ".section .data.rel.ro.d{item},\"aw\",@progbits\n.p2align 3\nd{item}: .quad d{to}\n.quad {item}\n.quad d{}",
                to / 2
            )
            .expect("room");
        }
        text
    };
    Large { small: 5000, whole: 50_000, text, ..PLAIN }.test();
}
