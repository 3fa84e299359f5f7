//! The instructions and the control flow of a contract.

use crate::answer::{Answer, narrow};
use evmole::control_flow_graph::{Block, BlockType, DynamicJump};
use evmole::{ContractInfoArgs, contract_info};

/// rawRange is a basic block: the offsets of its first and its last instruction.
#[derive(Clone, Copy, rustgo::Value)]
#[rustgo(name = "rawRange")]
#[repr(C)]
pub struct RawRange {
    pub start: u32,
    pub end: u32,
}

/// disassemble returns the offsets of the instructions, and their texts, each followed by a line feed.
#[rustgo::export(name = "disassemble", blocking, stack = "64k", results(offsets, texts))]
pub fn disassemble(code: &[u8]) -> (Vec<u32>, String) {
    let instructions = contract_info(ContractInfoArgs::new(code).with_disassemble()).disassembled.unwrap_or_default();
    let mut texts = String::with_capacity(instructions.iter().map(|(_, text)| text.len() + 1).sum());
    let offset = |(offset, text): (usize, String)| {
        texts.push_str(&text);
        texts.push('\n');
        narrow(offset)
    };
    let offsets = instructions.into_iter().map(offset).collect();
    (offsets, texts)
}

/// basicBlocks returns the basic blocks in the order of their offsets.
#[rustgo::export(name = "basicBlocks", blocking, stack = "64k")]
pub fn basic_blocks(code: &[u8]) -> Vec<RawRange> {
    let blocks = contract_info(ContractInfoArgs::new(code).with_basic_blocks()).basic_blocks.unwrap_or_default();
    blocks.into_iter().map(|(start, end)| RawRange { start: narrow(start), end: narrow(end) }).collect()
}

/// controlFlow returns a list of the blocks that can be reached, in the order of their offsets: start, end, value of Go's type Exit; then the offset to
/// which it jumps, or the list of the paths of a dynamic jump; for a branch, the offset after it. A path has a list of the offsets of its blocks and, plus 1,
/// the offset to which it leads, or 0.
///
/// The crate follows at most 256 blocks of a path by recursion, with frames of 760 bytes on amd64.
#[rustgo::export(name = "controlFlow", blocking, stack = "384k")]
pub fn control_flow(code: &[u8]) -> Vec<u8> {
    let graph = contract_info(ContractInfoArgs::new(code).with_control_flow_graph()).control_flow_graph;
    let blocks: Vec<Block> = graph.map(|graph| graph.blocks.into_values().collect()).unwrap_or_default();
    let mut answer = Answer::default();
    answer.list(blocks, |answer, block| {
        answer.number(block.start);
        answer.number(block.end);
        match block.btype {
            BlockType::Terminate { success } => answer.number(usize::from(!success)),
            BlockType::Jump { to } => [2, to].into_iter().for_each(|n| answer.number(n)),
            BlockType::Jumpi { true_to, false_to } => [3, true_to, false_to].into_iter().for_each(|n| answer.number(n)),
            BlockType::DynamicJump { to } => {
                answer.number(4);
                answer.list(to, path);
            }
            BlockType::DynamicJumpi { true_to, false_to } => {
                answer.number(5);
                answer.list(true_to, path);
                answer.number(false_to);
            }
        }
    });
    answer.into_bytes()
}

fn path(answer: &mut Answer, jump: DynamicJump) {
    answer.list(jump.path, Answer::number);
    answer.number(jump.to.map_or(0, |to| to + 1));
}
