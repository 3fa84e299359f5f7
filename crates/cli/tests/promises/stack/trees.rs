//@ native: all
//! A logger prints a tree. It formats its own values, and it passes on format arguments that it receives from callers.
#![no_std]

use core::fmt::{self, Display, Write};

/// A buffer of fixed size. A write that does not fit fails.
struct Buffer<'b> {
    bytes: &'b mut [u8],
    len: usize,
}

impl fmt::Write for Buffer<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let free = self.bytes.get_mut(self.len..).ok_or(fmt::Error)?;
        free.get_mut(..text.len()).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

struct Log<'b> {
    to: Buffer<'b>,
    lines: u32,
    ticks: u64,
}

impl Log<'_> {
    /// Formats its own values, and then the format arguments that it receives.
    fn line(&mut self, level: u8, args: fmt::Arguments<'_>) -> fmt::Result {
        self.lines += 1;
        self.ticks += 1009;
        let name = if level == 0 { "ERROR" } else { "INFO" };
        write!(self.to, "[{:5}.{:03}] {name:<5} #{:04}: ", self.ticks / 1000, self.ticks % 1000, self.lines)?;
        self.to.write_fmt(args)?;
        self.to.write_str("\n")
    }
}

/// A node of an expression: the entry of `nodes` at the index `at`. An entry has an operation and the indexes of its operands.
#[derive(Clone, Copy)]
struct Tree<'a> {
    nodes: &'a [(u32, u16, u16)],
    at: u16,
}

impl Display for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &(what, left, right) = self.nodes.get(self.at as usize).ok_or(fmt::Error)?;
        match what {
            0 => write!(f, "{left}"),
            1 => write!(f, "-{}", Tree { at: left, ..*self }),
            what => write!(f, "({} {} {})", Tree { at: left, ..*self }, char::from_u32(what).unwrap_or('?'), Tree { at: right, ..*self }),
        }
    }
}

/// The nodes of an expression. Each node refers only to nodes before it.
static NODES: [(u32, u16, u16); 64] = {
    let mut nodes = [(0, 7, 0); 64];
    let mut i = 2;
    while i < 64 {
        nodes[i] = if i % 4 == 3 { (1, i as u16 - 1, 0) } else { ('+' as u32, 0, i as u16 - 1) };
        i += 1;
    }
    nodes
};

#[rustgo::export]
pub fn printed(n: u64, out: &mut [u8]) -> u64 {
    let mut log = Log { to: Buffer { bytes: out, len: 0 }, lines: 0, ticks: 0 };
    let tree = Tree { nodes: &NODES, at: (n % 64) as u16 };
    let mut all = log.line(2, format_args!("start {n}"));
    all = all.and(log.line(2, format_args!("the tree is {tree}")));
    if n % 3 == 0 {
        all = all.and(log.line(0, format_args!("done {}", n / 3)));
    }
    let len = log.to.len;
    log.to.bytes[..len].iter().fold(u64::from(all.is_ok()), |sum, &byte| sum.wrapping_mul(31) ^ u64::from(byte))
}
