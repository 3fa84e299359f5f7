//! Random programs that stress calls: structs passed by value, more arguments than registers, and indexes from which a constant is subtracted.
//! Programs of csmith have none of these: its functions have few parameters, and its array indexes start at 0.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const UNSIGNED: [&str; 4] = ["uint8_t", "uint16_t", "uint32_t", "uint64_t"];
const SCALARS: [&str; 10] = ["uint64_t", "uint32_t", "uint16_t", "uint8_t", "int64_t", "int32_t", "int16_t", "int8_t", "double", "float"];

/// The start of every program. `bytes` and `spoil` receive pointers into frames. `spoil` overwrites all the memory that it is given.
const HEAD: &str = "#include <stddef.h>
#include <stdint.h>
#define NOINLINE __attribute__((noinline))
typedef unsigned __int128 wide;
static NOINLINE uint64_t bytes(const volatile void *p, size_t n) {
\tuint64_t sum = n;
\tfor (size_t i = 0; i < n; i++) sum = sum * 31 + ((const volatile uint8_t *)p)[i];
\treturn sum;
}
static NOINLINE void spoil(volatile void *p, size_t n, uint64_t x) {
\tfor (size_t i = 0; i < n; i++) ((volatile uint8_t *)p)[i] = (uint8_t)(x * (i + 1) >> 8);
}
";

/// A member of a struct: its type, and its length if it is an array.
struct Field {
    of: &'static str,
    count: Option<u64>,
}

#[derive(Clone, Copy)]
enum Param {
    Scalar(&'static str),
    /// A struct, by its index in the list of structs.
    Struct(usize),
    /// An index into an array: a number below `below`, plus the constant `added`.
    Index {
        added: u64,
        below: u64,
    },
}

struct Signature {
    params: Vec<Param>,
    /// The struct that the function returns, by index; `None` if it returns a number.
    returns: Option<usize>,
}

/// An array that a function can access: the C expression for the array, and its length.
#[derive(Clone)]
struct Array {
    name: String,
    count: u64,
    /// True if the elements are integers.
    whole: bool,
}

struct Writer {
    random: ChaCha8Rng,
    text: String,
    structs: Vec<Vec<Field>>,
    functions: Vec<Signature>,
}

/// Writes the C program of a seed to `dir`; returns the program's path.
pub fn source(dir: &Path, seed: u64) -> Option<PathBuf> {
    let path = dir.join(format!("{seed}.c"));
    std::fs::write(&path, text(seed)).expect("the scratch folder is writable");
    Some(path)
}

fn text(seed: u64) -> String {
    let random = ChaCha8Rng::seed_from_u64(seed);
    let mut writer = Writer { random, text: HEAD.to_owned(), structs: Vec::new(), functions: Vec::new() };
    for _ in 0..3 + writer.below(3) {
        writer.define_struct();
    }
    for _ in 0..5 + writer.below(4) {
        writer.define_function();
    }
    writer.define_main();
    writer.text
}

macro_rules! put {
    ($writer:expr, $($words:tt)*) => { writeln!($writer.text, $($words)*).expect("a string takes everything") };
}

impl Writer {
    fn below(&mut self, end: u64) -> u64 {
        self.random.next_u64() % end
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// Defines a struct, and a function that returns one.
    fn define_struct(&mut self) {
        let number = self.structs.len();
        let mut fields = Vec::new();
        // A small struct is passed by value. A large one is passed by reference (AAPCS64) or on the stack (psABI).
        let small = !self.one_in(3);
        for _ in 0..1 + self.below(if small { 2 } else { 5 }) {
            let array = !self.one_in(3);
            let of = if array { self.pick(&UNSIGNED) } else { self.pick(&SCALARS) };
            let room = if small { 16 / size(of) } else { 12 };
            fields.push(Field { of, count: array.then(|| 1 + self.below(room.max(1))) });
        }
        if self.one_in(6) {
            // Up to four members of the same floating-point type are passed in vector registers.
            let of = self.pick(&["float", "double"]);
            fields = vec![Field { of, count: Some(1 + self.below(4)) }];
        }
        let aligned = if self.one_in(8) { "_Alignas(16) " } else { "" };
        put!(self, "struct s{number} {{");
        for (n, field) in fields.iter().enumerate() {
            let aligned = if n == 0 { aligned } else { "" };
            match field.count {
                Some(count) => put!(self, "\t{aligned}{} m{n}[{count}];", field.of),
                None => put!(self, "\t{aligned}{} m{n};", field.of),
            }
        }
        put!(self, "}};");
        put!(self, "static NOINLINE struct s{number} make{number}(uint64_t x) {{\n\tstruct s{number} s;");
        for (n, field) in fields.iter().enumerate() {
            let factor = self.below(1 << 20) | 1;
            match field.count {
                Some(count) => put!(self, "\tfor (int i = 0; i < {count}; i++) s.m{n}[i] = (x + i) * {factor} >> 3 & 0xff;"),
                None => put!(self, "\ts.m{n} = x * {factor} >> 5 & 0x7f;"),
            }
        }
        put!(self, "\treturn s;\n}}");
        self.structs.push(fields);
    }

    fn signature(&mut self) -> Signature {
        let count = if self.one_in(3) { 1 + self.below(6) } else { 8 + self.below(7) };
        let mut params = Vec::new();
        for _ in 0..count {
            params.push(match self.below(8) {
                0..=3 => Param::Scalar(self.pick(&["uint64_t", "uint64_t", "uint32_t", "int64_t", "uint8_t", "double", "float"])),
                4..=5 => Param::Struct(self.below(self.structs.len() as u64) as usize),
                6 => Param::Index { added: self.below(24), below: 1 + self.below(6) },
                _ => Param::Scalar(self.pick(&SCALARS)),
            });
        }
        let returns = self.one_in(5).then(|| self.below(self.structs.len() as u64) as usize);
        Signature { params, returns }
    }

    fn declared(&self, name: &str, signature: &Signature) -> String {
        let param = |(n, param): (usize, &Param)| match param {
            Param::Scalar(of) => format!("{of} p{n}"),
            Param::Struct(of) => format!("struct s{of} p{n}"),
            Param::Index { .. } => format!("uint64_t p{n}"),
        };
        let params: Vec<String> = signature.params.iter().enumerate().map(param).collect();
        let returns = signature.returns.map_or("uint64_t".to_owned(), |of| format!("struct s{of}"));
        format!("{returns} {name}({})", params.join(", "))
    }

    /// Returns the arrays inside the variable `name`, which has the struct type `of`.
    fn arrays(&self, of: usize, name: &str) -> Vec<Array> {
        let fields = self.structs[of].iter().enumerate();
        let array = |(n, field): (usize, &Field)| {
            let whole = !matches!(field.of, "float" | "double");
            Some(Array { name: format!("{name}.m{n}"), count: field.count?, whole })
        };
        fields.filter_map(array).collect()
    }

    fn define_function(&mut self) {
        let number = self.functions.len();
        let signature = self.signature();
        let declared = self.declared(&format!("f{number}"), &signature);
        put!(self, "static NOINLINE {declared} {{");
        let start = self.below(1000);
        put!(self, "\tuint64_t r = {start};");
        let mut arrays = Vec::new();
        for (n, param) in signature.params.iter().enumerate() {
            if let Param::Struct(of) = *param {
                arrays.extend(self.arrays(of, &format!("p{n}")));
            }
        }
        for n in 0..self.below(3) {
            let count = 1 + self.below(10);
            let of = self.pick(&UNSIGNED);
            let aligned = if self.one_in(8) { "_Alignas(32) " } else { "" };
            let of_frame = if self.one_in(3) { "volatile " } else { "" };
            put!(self, "\t{aligned}{of_frame}{of} l{n}[{count}];");
            match self.below(2) {
                0 => put!(self, "\tspoil(l{n}, sizeof l{n}, r + {n});"),
                _ => put!(self, "\tfor (int i = 0; i < {count}; i++) l{n}[i] = r + i * 3;"),
            }
            arrays.push(Array { name: format!("l{n}"), count, whole: true });
        }
        for _ in 0..2 + self.below(5) {
            self.statement(number, &signature, &arrays);
        }
        match signature.returns {
            Some(of) => {
                put!(self, "\tstruct s{of} result = make{of}(r);");
                let same = signature.params.iter().position(|param| matches!(param, Param::Struct(other) if *other == of));
                match same {
                    Some(n) if self.one_in(2) => put!(self, "\tif (r & 1) result = p{n};"),
                    _ => {}
                }
                put!(self, "\treturn result;\n}}");
            }
            None if number > 0 && self.one_in(4) => {
                let numbers: Vec<usize> = (0..number).filter(|&n| self.functions[n].returns.is_none()).collect();
                match numbers.is_empty() {
                    true => put!(self, "\treturn r;\n}}"),
                    false => {
                        let to = self.pick(&numbers);
                        let call = self.call(to, &signature);
                        put!(self, "\treturn {call};\n}}");
                    }
                }
            }
            None => put!(self, "\treturn r;\n}}"),
        }
        if self.one_in(3) {
            // Callers use the name `q`: a pointer to this function, or a macro that names the function.
            let pointer = self.declared(&format!("(*volatile q{number})"), &signature);
            put!(self, "static {pointer} = f{number};");
        } else {
            put!(self, "#define q{number} f{number}");
        }
        self.functions.push(signature);
    }

    /// Returns a C expression that calls function `to`. The arguments are made from the parameters of the calling function `here`.
    fn call(&mut self, to: usize, here: &Signature) -> String {
        let params = self.functions[to].params.clone();
        let mut arguments = Vec::new();
        for param in params {
            let salt = self.below(100);
            arguments.push(match param {
                Param::Scalar(_) => {
                    let given: Vec<usize> = (0..here.params.len()).filter(|&n| matches!(here.params[n], Param::Scalar(_))).collect();
                    match given.is_empty() || self.one_in(2) {
                        true => format!("(r + {salt} & 0x3f)"),
                        false => format!("p{}", self.pick(&given)),
                    }
                }
                Param::Struct(of) => {
                    let given: Vec<usize> =
                        (0..here.params.len()).filter(|&n| matches!(here.params[n], Param::Struct(other) if other == of)).collect();
                    match given.is_empty() || self.one_in(3) {
                        true => format!("make{of}(r + {salt})"),
                        false => format!("p{}", self.pick(&given)),
                    }
                }
                Param::Index { added, below } => format!("{added} + (r + {salt}) % {below}"),
            });
        }
        let through = if self.one_in(3) { "q" } else { "f" };
        format!("{through}{to}({})", arguments.join(", "))
    }

    fn statement(&mut self, number: usize, signature: &Signature, arrays: &[Array]) {
        let n = self.below(signature.params.len() as u64) as usize;
        let factor = self.below(1000) | 1;
        match self.below(10) {
            0..=1 => match signature.params[n] {
                Param::Scalar(of @ ("float" | "double")) => {
                    put!(self, "\tr = r * {factor} + (uint64_t)p{n};");
                    if self.one_in(3) {
                        put!(self, "\tp{n} = ({of})(r & 0x7f);");
                    }
                }
                Param::Scalar(_) => {
                    put!(self, "\tr = r * {factor} + p{n};");
                    if self.one_in(4) {
                        // Take the parameter's address, so that the parameter is in memory.
                        put!(self, "\tr += bytes(&p{n}, sizeof p{n});");
                    }
                }
                Param::Index { .. } => put!(self, "\tr = r * {factor} + p{n};"),
                Param::Struct(of) => {
                    let m = self.below(self.structs[of].len() as u64) as usize;
                    let of_array = if self.structs[of][m].count.is_some() { "[0]" } else { "" };
                    put!(self, "\tr = r * {factor} + (uint64_t)p{n}.m{m}{of_array};");
                    if self.one_in(4) {
                        put!(self, "\tp{n}.m{m}{of_array} = r & 0x7f;");
                    }
                }
            },
            2..=4 if !arrays.is_empty() => {
                // Use a parameter as the index, if its range suits the array's length.
                let array = arrays[self.below(arrays.len() as u64) as usize].clone();
                let fits = |param: &Param| matches!(param, Param::Index { below, .. } if *below <= array.count);
                let indexes: Vec<usize> = (0..signature.params.len()).filter(|&n| fits(&signature.params[n])).collect();
                let at = match indexes.is_empty() {
                    false => {
                        let n = self.pick(&indexes);
                        let Param::Index { added, .. } = signature.params[n] else { unreachable!() };
                        format!("{}[p{n} - {added}]", array.name)
                    }
                    true => format!("{}[r % {}]", array.name, array.count),
                };
                match self.below(3) {
                    0 => put!(self, "\t{at} = r & 0x7f;"),
                    1 if array.whole => put!(self, "\t{at} += 5;\n\tr = r * {factor} + {at};"),
                    _ => put!(self, "\tr = r * {factor} + (uint64_t){at};"),
                }
            }
            5..=6 if !arrays.is_empty() => {
                let Array { name, count, .. } = arrays[self.below(arrays.len() as u64) as usize].clone();
                let from = self.below(20);
                let head = match self.below(3) {
                    0 => format!("for (uint64_t i = {from}; i < {from} + {count}; i++)"),
                    1 => format!("for (int i = {from} + {count} - 1; i >= {from}; i--)"),
                    _ => format!("for (int64_t i = {from}; i < {from} + (int64_t)(r % {count}); i++)"),
                };
                match self.below(3) {
                    0 => put!(self, "\t{head} {name}[i - {from}] = r + i & 0x7f;"),
                    _ => put!(self, "\t{head} r = r * {factor} + (uint64_t){name}[i - {from}];"),
                }
            }
            7 if !arrays.is_empty() => {
                let Array { name, count, whole } = arrays[self.below(arrays.len() as u64) as usize].clone();
                match self.below(3) {
                    0 if whole => put!(self, "\tspoil({name}, sizeof {name}, r);"),
                    1 => put!(self, "\tr ^= bytes({name} + {count} / 2, sizeof {name} - {count} / 2 * sizeof *{name});"),
                    _ => put!(self, "\tr ^= bytes({name}, sizeof {name});"),
                }
            }
            _ if number > 0 => {
                let to = self.below(number as u64) as usize;
                let call = self.call(to, signature);
                match self.functions[to].returns {
                    Some(of) => {
                        let m = self.below(self.structs[of].len() as u64) as usize;
                        let of_array = if self.structs[of][m].count.is_some() { "[0]" } else { "" };
                        put!(self, "\tr += (uint64_t){call}.m{m}{of_array};");
                    }
                    None => put!(self, "\tr = r * {factor} + {call};"),
                }
            }
            _ => put!(self, "\tr = r * {factor} + {n};"),
        }
    }

    fn define_main(&mut self) {
        put!(self, "int main(void) {{\n\tuint64_t sum = 1;\n\tfor (uint64_t r = 0; r < 60; r++) {{");
        for to in 0..self.functions.len() {
            let call = self.call(to, &Signature { params: Vec::new(), returns: None });
            match self.functions[to].returns {
                Some(of) => {
                    let of_array = if self.structs[of][0].count.is_some() { "[0]" } else { "" };
                    put!(self, "\t\tsum = sum * 31 + (uint64_t){call}.m0{of_array};");
                }
                None => put!(self, "\t\tsum = sum * 31 + {call};"),
            }
        }
        put!(self, "\t}}\n\treturn (int)(sum ^ sum >> 32);\n}}");
    }
}

/// The size of a type in bytes.
fn size(of: &str) -> u64 {
    match of {
        "uint8_t" | "int8_t" => 1,
        "uint16_t" | "int16_t" => 2,
        "uint32_t" | "int32_t" | "float" => 4,
        _ => 8,
    }
}
