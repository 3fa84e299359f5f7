//! Reads debug information entries (DWARF): inlined calls with their place in the author's source, and each function's compiler.
//!
//! The line table names a line of the innermost inlined function, which may be in the standard library. The tree of debug information entries
//! contains the inlined calls around this function (DWARF 5, section 3.3.8, "Inlined Subroutines").

use super::debug_info::{Bytes, Sources, file_name, place};
use super::{Function, Inlined};
use crate::ids::{FileId, SectionId};
use cranelift_entity::SecondaryMap;
use gimli::Reader;
use gimli::constants as dw;
use std::collections::{BTreeMap, HashMap};

/// The range of code that the compiler made for an inlined call, as offsets in its section.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    start: u64,
    end: u64,
    /// Depth in the tree of debug information entries. A call that is inlined into another inlined call is deeper.
    depth: isize,
    /// The source file of the call, as an index into the names of [`Sources`].
    source: u32,
    line: u32,
}

/// The inlined calls and compiled functions of each section.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) frames: SecondaryMap<SectionId, Vec<Frame>>,
    /// For each section, the offsets where compiled functions start, with the function's compiler. Functions in assembly are not listed, even if they
    /// are part of a compiled source file.
    pub(super) compiled: SecondaryMap<SectionId, BTreeMap<u64, Compiler>>,
}

/// A compiler whose code passes values between functions only as the calling convention allows. Whether gcc does this depends on its flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compiler {
    Rustc,
    /// The compiler gcc, with `-fno-ipa-ra`.
    Gcc,
}

/// Reads the debug information entries of a compilation unit that concern the sections in `wanted`.
pub(super) fn read_unit<'a>(
    dwarf: &gimli::Dwarf<Bytes<'a>>,
    unit: &gimli::Unit<Bytes<'a>>,
    wanted: &HashMap<u64, SectionId>,
    sources: &mut Sources,
    found: &mut Entries,
) -> gimli::Result<()> {
    let Some(header) = unit.line_program.as_ref().map(gimli::IncompleteLineProgram::header) else { return Ok(()) };
    let mut indices: HashMap<u64, Option<u32>> = HashMap::new();
    let mut entries = unit.entries();
    let (mut compiler, mut compiled, mut has_global_register) = (None, Vec::new(), false);
    while let Some(entry) = entries.next_dfs()? {
        match entry.tag() {
            dw::DW_TAG_compile_unit => {
                let is_rust = matches!(entry.attr_value(dw::DW_AT_language), Some(gimli::AttributeValue::Language(dw::DW_LANG_Rust)));
                let producer = entry.attr_value(dw::DW_AT_producer).and_then(|value| dwarf.attr_string(unit, value).ok());
                let is_gcc = producer.is_some_and(|producer| producer.to_string_lossy().is_ok_and(|text| is_strict_gcc(&text)));
                compiler = is_rust.then_some(Compiler::Rustc).or(is_gcc.then_some(Compiler::Gcc));
            }
            dw::DW_TAG_subprogram => {
                if let Some(compiler) = compiler
                    && let Some((section, start)) = entry_point(dwarf, unit, entry)?
                    && let Some(&id) = wanted.get(&section)
                {
                    compiled.push((id, start, compiler));
                }
            }
            dw::DW_TAG_variable if entry.depth() == 1 => has_global_register |= is_in_register(entry),
            _ => {}
        }
        if entry.tag() != dw::DW_TAG_inlined_subroutine {
            continue;
        }
        let number = |name| entry.attr_value(name).and_then(|value| value.udata_value());
        let (Some(file), Some(line)) = (file_index(entry), number(dw::DW_AT_call_line)) else { continue };
        let source = *indices.entry(file).or_insert_with(|| file_name(dwarf, unit, header, file).map(|name| sources.intern(name)));
        let (Some(source), Ok(line)) = (source, u32::try_from(line)) else { continue };
        let mut ranges = dwarf.die_ranges(unit, entry)?;
        while let Some(range) = ranges.next()? {
            let Some((section, start)) = place(range.begin) else { continue };
            let Some(&id) = wanted.get(&section) else { continue };
            let end = start.saturating_add(range.end.saturating_sub(range.begin));
            found.frames[id].push(Frame { start, end, depth: entry.depth(), source, line });
        }
    }
    for (id, start, compiler) in compiled {
        // If the C code keeps a global variable in a register (a gcc extension), all functions of the unit share the register, outside of any calling
        // convention. So the functions of such a unit are not listed.
        if compiler == Compiler::Rustc || !has_global_register {
            found.compiled[id].insert(start, compiler);
        }
    }
    Ok(())
}

/// The section and the offset of a function's first byte. If a function has several ranges of code, it begins with the first range.
fn entry_point<'a>(
    dwarf: &gimli::Dwarf<Bytes<'a>>,
    unit: &gimli::Unit<Bytes<'a>>,
    entry: &gimli::DebuggingInformationEntry<Bytes<'a>>,
) -> gimli::Result<Option<(u64, u64)>> {
    // An empty range is ignored: another function may start at its address.
    let first = dwarf.die_ranges(unit, entry)?.next()?.filter(|range| range.begin != range.end);
    Ok(first.and_then(|range| place(range.begin)))
}

/// True if the variable lives in a register (gcc's `register int i asm("r11")`).
fn is_in_register(entry: &gimli::DebuggingInformationEntry<Bytes<'_>>) -> bool {
    let Some(gimli::AttributeValue::Exprloc(expression)) = entry.attr_value(dw::DW_AT_location) else { return false };
    let first = expression.0.clone().read_u8().map(dw::DwOp);
    first.is_ok_and(|first| (dw::DW_OP_reg0..=dw::DW_OP_reg31).contains(&first) || first == dw::DW_OP_regx)
}

/// True if `producer`, the debug information's text about the compiler, names gcc with `-fno-ipa-ra` and without flags that change the calling
/// convention (`-fcall-saved-r11` preserves a register, `-ffixed-r11` reserves one). gcc states its name, the language and its flags: `GNU C17
/// 12.2.0 -O3 -fno-ipa-ra`. The assembler states `GNU AS`.
fn is_strict_gcc(producer: &str) -> bool {
    let mut flags = producer.split(' ');
    let own_convention = flags.clone().any(|word| word.starts_with("-fcall-") || word.starts_with("-ffixed-r"));
    let flag = flags.rfind(|word| word.ends_with("ipa-ra"));
    producer.starts_with("GNU C") && !own_convention && flag == Some("-fno-ipa-ra")
}

/// The number of the source file that contains the inlined call. Compilers encode this attribute in several forms.
fn file_index(entry: &gimli::DebuggingInformationEntry<Bytes<'_>>) -> Option<u64> {
    match entry.attr_value(dw::DW_AT_call_file)? {
        gimli::AttributeValue::FileIndex(index) => Some(index),
        value => value.udata_value(),
    }
}

/// The inlined calls in one function that stand in the author's files, outer calls first.
pub(super) fn inlined_of(frames: &[Frame], function: &Function, mut file: impl FnMut(u32) -> Option<FileId>) -> Vec<Inlined> {
    let (start, end) = (function.offset, function.offset + function.code.len() as u64);
    let mut own: Vec<Frame> = frames.iter().filter(|frame| frame.start < end && frame.end > start).copied().collect();
    own.sort_by_key(|frame| frame.depth);
    let inlined = |frame: Frame| {
        let (from, to) = (frame.start.max(start) - start, frame.end.min(end) - start);
        Some(Inlined { start: from as u32, end: to as u32, file: file(frame.source)?, line: frame.line })
    };
    own.into_iter().filter_map(inlined).collect()
}

#[cfg(test)]
mod tests {
    use super::is_strict_gcc;

    /// The producer texts come from gcc 12 and 14, clang 14 and binutils 2.40. If a flag and its opposite are given, the last one applies.
    #[test]
    fn gcc_is_known_by_its_flag() {
        for (producer, is_strict) in [
            ("GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -O2 -fno-ipa-ra", true),
            ("GNU C++17 14.2.0 -mlittle-endian -mabi=lp64 -O3 -fPIC -fno-ipa-ra -fno-lto", true),
            ("GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -O2", false),
            ("GNU C17 12.2.0 -mtune=generic -O2 -fno-ipa-ra -fipa-ra", false),
            ("GNU C17 12.2.0 -fcall-saved-r11 -O2 -fno-ipa-ra", false),
            ("GNU C17 12.2.0 -ffixed-r11 -O2 -fno-ipa-ra", false),
            ("GNU AS 2.40", false),
            ("GNU AS 2.40 -fno-ipa-ra", false),
            ("Debian clang version 14.0.6", false),
        ] {
            assert_eq!(is_strict_gcc(producer), is_strict, "{producer}");
        }
    }
}
