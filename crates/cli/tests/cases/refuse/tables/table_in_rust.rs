//! Inline assembly jumps through a table of its own and reads before it, where a copy of the table has other data.
use core::arch::asm;

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    let read: u64;
    // SAFETY: the table has two entries, and a word before them.
    unsafe {
        asm!(
            "lea {table}, [rip + 2f]",
            "movsxd {entry}, dword ptr [{table} + {at} * 4]",
            "add {entry}, {table}",
            "jmp {entry}",
            ".pushsection .rodata.run,\"a\",@progbits",
            ".p2align 3",
            ".quad 17",
            "2:",
            ".long 3f - 2b, 3f - 2b",
            ".popsection",
            "3:",
            "mov {read}, [{table} - 8]",
            table = out(reg) _,
            entry = out(reg) _,
            at = in(reg) x & 1,
            read = out(reg) read,
        );
    }
    read
}
