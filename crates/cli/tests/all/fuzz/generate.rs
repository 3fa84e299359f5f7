//! Generates random programs in assembly: each has a dozen functions in the shapes that compilers write, and a function calls only later ones.
//!
//! A function receives a number in rax and returns one in rax. It may change rcx, rdx, r8 to r11 and xmm0, and preserves the other registers.

use std::fmt::Write as _;

/// A generator (xorshift64*) that gives the same numbers for a seed on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 24
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

const FUNCTIONS: u64 = 12;
const SAVED: [&str; 5] = ["rbx", "r12", "r13", "r14", "r15"];

/// Appends a line of assembly; writing to a string never fails.
macro_rules! asm {
    ($out:expr, $($arg:tt)*) => { writeln!($out, $($arg)*).expect("a string takes everything") };
}

/// The text of a program. One in three functions is exported.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut out = format!("# Generated from the seed {seed}.\n");
    for entry in (0..FUNCTIONS).step_by(3) {
        asm!(out, "//@ export: Run{entry} run{entry}");
        asm!(out, "\t.section .text.run{entry},\"ax\",@progbits\n\t.globl run{entry}\n\t.type run{entry},@function\nrun{entry}:");
        asm!(out, "\tpush rbx\n\tmov rbx, rsi\n\tmov rax, [rdi]\n\tcall f{entry}@PLT\n\tmov [rbx], rax\n\tpop rbx\n\tret");
    }
    for id in 0..FUNCTIONS {
        Function {
            random: &mut random,
            out: &mut out,
            id,
            label: 0,
            pushed: Vec::new(),
            frame: 0,
            aligned: 0,
            tables: String::new(),
            live: 0,
        }
        .write();
    }
    out
}

struct Function<'a> {
    random: &'a mut Random,
    out: &'a mut String,
    id: u64,
    label: u32,
    /// Callee-saved registers that the function has pushed, in this order, and may use.
    pushed: Vec<&'static str>,
    /// The size of the frame below the pushed registers, in bytes.
    frame: u64,
    /// The alignment of the frame in bytes, in functions that address the frame by rbp; 0 in others.
    aligned: u64,
    tables: String,
    /// The number of pushed registers that hold a value of the function.
    live: usize,
}

impl Function<'_> {
    fn write(mut self) {
        let id = self.id;
        asm!(self.out, "\n\t.section .text.f{id},\"ax\",@progbits\n\t.p2align 4\n\t.globl f{id}\n\t.type f{id},@function\nf{id}:");
        self.prologue();
        for _ in 0..3 + self.random.below(8) {
            self.piece();
        }
        self.epilogue();
        if id + 1 < FUNCTIONS && self.random.one_in(3) {
            let to = id + 1 + self.random.below(FUNCTIONS - id - 1);
            asm!(self.out, "\tjmp f{to}@PLT");
        } else {
            asm!(self.out, "\tret");
        }
        if !self.tables.is_empty() {
            asm!(self.out, "\t.section .rodata.tables{id},\"a\",@progbits\n\t.p2align 2\n{}", self.tables);
        }
        let constant: Vec<String> = (0..2).map(|_| self.random.next().to_string()).collect();
        asm!(self.out, "\t.section .rodata.c{id},\"a\",@progbits\n\t.p2align 4\nc{id}:\n\t.quad {}", constant.join(", "));
        asm!(self.out, "\t.section .data.s{id},\"aw\",@progbits\n\t.p2align 3\ns{id}:\n\t.quad {}", self.random.below(1 << 30));
    }

    fn prologue(&mut self) {
        if self.random.one_in(3) {
            // Not 16: the psABI guarantees an SP that is aligned to 16 at every entry.
            self.aligned = [32, 64][self.random.below(2) as usize];
            asm!(self.out, "\tpush rbp\n\tmov rbp, rsp");
        } else if self.random.one_in(3) {
            self.pushed.push("rbp");
            asm!(self.out, "\tpush rbp");
        }
        for reg in SAVED {
            if self.random.one_in(3) {
                self.pushed.push(reg);
                asm!(self.out, "\tpush {reg}");
            }
        }
        self.frame = match self.random.below(10) {
            0..3 => 0,
            9 => 4096 + 8 * self.random.below(400),
            _ => 8 * (1 + self.random.below(30)),
        };
        // The psABI requires SP at a multiple of 16 before a call.
        let depth = if self.aligned > 0 { self.frame } else { 8 * (1 + self.pushed.len() as u64) + self.frame };
        self.frame += depth % 16;
        if self.aligned > 0 {
            asm!(self.out, "\tand rsp, -{}", self.aligned);
        }
        match self.frame {
            0 => {}
            4096.. if self.random.one_in(2) => {
                asm!(self.out, "\tlea r11, [rsp-4096]\n2:\tsub rsp, 4096\n\tmov qword ptr [rsp], 0\n\tcmp rsp, r11\n\tjne 2b");
                if self.frame > 4096 {
                    asm!(self.out, "\tsub rsp, {}", self.frame - 4096);
                }
            }
            frame => asm!(self.out, "\tsub rsp, {frame}"),
        }
        if self.frame > 0 {
            asm!(self.out, "\tmov [rsp], rax\n\tmov [rsp+{}], rax", self.frame - 8);
        }
    }

    fn epilogue(&mut self) {
        if self.aligned > 0 {
            match self.pushed.len() {
                0 if self.random.one_in(2) => {
                    asm!(self.out, "\tleave");
                    return;
                }
                0 => asm!(self.out, "\tmov rsp, rbp"),
                n => asm!(self.out, "\tlea rsp, [rbp-{}]", n * 8),
            }
        } else if self.frame > 0 {
            asm!(self.out, "\tadd rsp, {}", self.frame);
        }
        for reg in self.pushed.iter().rev() {
            asm!(self.out, "\tpop {reg}");
        }
        if self.aligned > 0 {
            asm!(self.out, "\tpop rbp");
        }
    }

    fn fresh(&mut self) -> String {
        self.label += 1;
        format!(".L{}_{}", self.id, self.label)
    }

    fn arithmetic(&mut self) {
        let n = self.random.below(1 << 20);
        match self.random.below(6) {
            0 => asm!(self.out, "\tadd rax, {n}"),
            1 => asm!(self.out, "\txor rax, {n}"),
            2 => asm!(self.out, "\timul rax, rax, {}", n | 1),
            3 => asm!(self.out, "\trol rax, {}", 1 + n % 63),
            4 => asm!(self.out, "\tlea rax, [rax+rax*{}+{}]", [2, 4, 8][(n % 3) as usize], n % 100),
            _ => asm!(self.out, "\tmov rcx, rax\n\tshr rcx, {}\n\tsub rax, rcx", 1 + n % 60),
        }
    }

    fn piece(&mut self) {
        let id = self.id;
        match self.random.below(13) {
            0 | 1 => self.arithmetic(),
            2 if self.frame > 0 => {
                let at = 8 * self.random.below(self.frame / 8);
                asm!(self.out, "\tmov [rsp+{at}], rax");
                self.arithmetic();
                asm!(self.out, "\tadd rax, [rsp+{at}]");
            }
            3 if self.live < self.pushed.len() => {
                let reg = self.pushed[self.live];
                self.live += 1;
                asm!(self.out, "\tmov {reg}, rax");
            }
            4 if self.live > 0 => {
                let reg = self.pushed[self.random.below(self.live as u64) as usize];
                let op = self.random.pick(&["add", "xor", "sub", "imul"]);
                asm!(self.out, "\t{op} rax, {reg}");
            }
            5 => {
                let op = self.random.pick(&[
                    "mov rcx, [rip+s@]\n\tadd rax, rcx",
                    "add rax, [rip+s@]",
                    "xor rax, [rip+s@]",
                    "inc qword ptr [rip+s@]\n\tsub rax, [rip+s@]\n\tdec qword ptr [rip+s@]",
                ]);
                asm!(self.out, "\t{}", op.replace('@', &id.to_string()));
            }
            6 => {
                let op = self.random.pick(&["pxor", "paddq", "psubd", "pand"]);
                asm!(self.out, "\tmovq xmm0, rax\n\t{op} xmm0, xmmword ptr [rip+c{id}]\n\tmovq rcx, xmm0\n\txor rax, rcx");
            }
            7 => self.early_return(),
            8 => {
                let over = self.fresh();
                let bit = 1u64 << self.random.below(8);
                asm!(self.out, "\ttest eax, {bit}\n\tje {over}\n\tpush rax\n\tpush {}", self.random.below(1 << 16));
                self.arithmetic();
                asm!(self.out, "\tpop rcx\n\tpop rdx\n\tadd rax, rcx\n\txor rax, rdx\n{over}:");
            }
            9 => self.jump_table(),
            10 => {
                let again = self.fresh();
                asm!(self.out, "\tmov ecx, {}\n{again}:\n\tlea rax, [rax+rcx*4+3]", 1 + self.random.below(9));
                asm!(self.out, "\t{}", if self.random.one_in(2) { format!("loop {again}") } else { format!("dec ecx\n\tjne {again}") });
            }
            _ if id + 1 < FUNCTIONS => {
                let to = id + 1 + self.random.below(FUNCTIONS - id - 1);
                match self.random.below(4) {
                    0 => asm!(self.out, "\tcall [rip+f{to}@GOTPCREL]"),
                    1 => asm!(self.out, "\tmov r8, [rip+f{to}@GOTPCREL]\n\tcall r8"),
                    _ => asm!(self.out, "\tcall f{to}@PLT"),
                }
            }
            _ => self.arithmetic(),
        }
    }

    fn early_return(&mut self) {
        let on = self.fresh();
        let bits = 1 + self.random.below(15);
        asm!(self.out, "\tmov ecx, eax\n\tand ecx, 15\n\tcmp ecx, {bits}\n\tjne {on}");
        self.arithmetic();
        self.epilogue();
        asm!(self.out, "\tret\n{on}:");
    }

    fn jump_table(&mut self) {
        let (table, join) = (self.fresh(), self.fresh());
        asm!(
            self.out,
            "\tmov ecx, eax\n\tand ecx, 3\n\tlea rdx, [rip+{table}]\n\tmovsxd rcx, dword ptr [rdx+rcx*4]\n\tadd rcx, rdx\n\tjmp rcx"
        );
        let mut entries = Vec::new();
        for _ in 0..2 + self.random.below(3) {
            let label = self.fresh();
            asm!(self.out, "{label}:");
            self.arithmetic();
            if self.random.one_in(4) {
                self.epilogue();
                asm!(self.out, "\tret");
            } else {
                asm!(self.out, "\tjmp {join}");
            }
            entries.push(label);
        }
        asm!(self.out, "{join}:");
        asm!(self.tables, "{table}:");
        for k in 0..4 {
            asm!(self.tables, "\t.long {}-{table}", entries[k % entries.len()]);
        }
    }
}
