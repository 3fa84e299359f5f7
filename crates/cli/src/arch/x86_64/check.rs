//! An independent check of assembled code, for verify. It computes SP before every reachable instruction.
//!
//! The check starts from the bytes that the assembler made. It shares only the decoder with `analyze` and lowering.

mod saved;

use super::record::{self, Record};
use crate::abi::WINDOWS_STACK;
use crate::verify::{Mode, Reference};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Mnemonic, OpKind, Register};
use std::collections::BTreeMap;

/// The configurations in which verify runs the assembler. The assembled code differs between them in accesses to thread-local storage and in
/// references to other packages. `system` is the number of bytes that the operating system may write below SP. Only Windows writes there, because its
/// exception handlers run on the interrupted stack (see `entry`).
pub const MODES: [Mode; 5] = [
    Mode { name: "linux", goos: "linux", flags: &[], system: 0 },
    Mode { name: "position-independent code", goos: "linux", flags: &["-shared"], system: 0 },
    Mode { name: "a plugin", goos: "linux", flags: &["-shared", "-dynlink"], system: 0 },
    Mode { name: "darwin", goos: "darwin", flags: &["-shared"], system: 0 },
    Mode { name: "windows", goos: "windows", flags: &["-shared"], system: WINDOWS_STACK },
];

/// Returns the symbol that a line of assembly refers to, and the offset from it. Entries name symbols only in calls, jumps and LEAQ, as the first
/// operand.
pub fn reference_of(line: &str) -> Option<Reference> {
    let (mnemonic, operands) = line.split_once(' ')?;
    let operand = operands.split_once("(SB)").filter(|_| ["CALL", "JMP", "RET", "LEAQ"].contains(&mnemonic))?.0;
    let (symbol, offset) = operand.rsplit_once('+').map_or((operand, Some(0)), |(symbol, offset)| (symbol, offset.parse().ok()));
    Some((symbol.to_owned(), offset?))
}

/// For each reachable instruction, by its offset, the number of bytes by which SP is lower than on entry.
type Depths = BTreeMap<u32, u32>;

/// Computes the depth before every reachable instruction: the number of bytes by which SP is lower than on entry. Control starts at `starts`, a
/// list of pairs (offset, depth).
///
/// Fails with an offset and a reason if SP moves in a way that Go's tables cannot describe, or if two paths arrive with different depths. The depth
/// after a call is the depth before it. A jump out of `code` ends a path. If a call may unwind, its record must agree with the depth and with the
/// saved registers, and control may go on at the record's landing pad.
pub fn depths(code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)]) -> Result<Depths, (u32, String)> {
    let mut found = Depths::new();
    let mut work: Vec<(u32, u32)> = starts.to_vec();
    while let Some((at, depth)) = work.pop() {
        if let Some(&known) = found.get(&at) {
            if known != depth {
                return Err((at, format!("two paths arrive {known} and {depth} bytes deep")));
            }
            continue;
        }
        let Some(bytes) = code.get(at as usize..) else { return Err((at, "control leaves the function".into())) };
        let i = Decoder::with_ip(64, bytes, u64::from(at), DecoderOptions::NONE).decode();
        if i.is_invalid() {
            return Err((at, "bytes that are not an instruction".into()));
        }
        found.insert(at, depth);
        let next = at + i.len() as u32;
        let is_sp = |operand: u32| i.op_kind(operand) == OpKind::Register && i.op_register(operand).full_register() == Register::RSP;
        // These two instructions write both operands.
        let written = if matches!(i.mnemonic(), Mnemonic::Xchg | Mnemonic::Xadd) { 2 } else { 1 };
        let writes_sp = (0..written.min(i.op_count())).any(is_sp);
        let by = match i.mnemonic() {
            Mnemonic::Push | Mnemonic::Pushfq => 8,
            Mnemonic::Pop if !writes_sp => -8,
            Mnemonic::Sub | Mnemonic::Add if writes_sp && i.op1_kind() != OpKind::Register && i.op1_kind() != OpKind::Memory => {
                let value = i.immediate(1) as i64;
                if i.mnemonic() == Mnemonic::Sub { value } else { -value }
            }
            Mnemonic::Cmp | Mnemonic::Test => 0,
            _ if writes_sp || matches!(i.mnemonic(), Mnemonic::Leave | Mnemonic::Enter | Mnemonic::Pop | Mnemonic::Popfq) => {
                return Err((at, format!("{:?} writes SP", i.mnemonic())));
            }
            _ => 0,
        };
        if by % 8 != 0 {
            return Err((at, "SP becomes a value that is not a multiple of 8".to_owned()));
        }
        let after = u32::try_from(i64::from(depth) + by).map_err(|_| (at, "SP rises above its value on entry".to_owned()))?;
        // A branch with a relocation leaves the function, because the linker fills in its displacement later.
        let out = next.checked_sub(4).is_some_and(relocated);
        let target = || u32::try_from(i.near_branch_target()).ok().filter(|&t| !out && (t as usize) < code.len());
        match i.flow_control() {
            FlowControl::Next => work.push((next, after)),
            FlowControl::Call | FlowControl::IndirectCall => {
                work.push((next, after));
                if let Some(found) = code.get(next as usize..).and_then(|rest| rest.strip_prefix(&record::MARK)) {
                    let (record, pad) = record_at(code, found, next).ok_or((
                        next,
                        "has a mark after a call that may unwind, but the mark leads to no valid unwinding record".to_owned(),
                    ))?;
                    if record.frame != after {
                        return Err((next, format!("unwinds {} bytes, but SP is {after} bytes deep", record.frame)));
                    }
                    let depth = after.checked_sub(8 * u32::from(record.raised));
                    work.extend(
                        pad.map(|pad| depth.map(|depth| (pad, depth)).ok_or((next, "SP rises above its value on entry".to_owned())))
                            .transpose()?,
                    );
                }
            }
            FlowControl::UnconditionalBranch => work.extend(target().map(|t| (t, after))),
            FlowControl::ConditionalBranch => {
                work.push((next, after));
                work.extend(target().map(|t| (t, after)));
            }
            FlowControl::Return if after != 0 => return Err((at, format!("returns {after} bytes deep"))),
            _ => {}
        }
    }
    saved::check(code, relocated, starts, &found)?;
    Ok(found)
}

/// Reads the record of a call that may unwind, and returns the record with the offset of its landing pad. `mark` is the offset of the call's mark,
/// the instruction that encodes the distance to the record. `distance` is the code that begins with the bytes of this distance.
fn record_at(code: &[u8], distance: &[u8], mark: u32) -> Option<(Record, Option<u32>)> {
    let distance = i32::from_le_bytes(*distance.first_chunk()?);
    let at = (mark + record::MARK_SIZE as u32).checked_add_signed(distance)?;
    let (record, pad) = Record::read(code.get(at as usize..)?)?;
    let pad = if pad == 0 { None } else { Some(at.checked_add_signed(pad)?) };
    Some((record, pad))
}
