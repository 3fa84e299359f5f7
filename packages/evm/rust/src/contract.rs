//! The functions and the variables of a contract.

use crate::answer::Answer;
use evmole::{ContractInfoArgs, Function, Selector, SelectorDispatch, StateMutability, StorageRecord, contract_info};

/// selectors returns the selectors of the functions in ascending order.
#[rustgo::export(name = "selectors", blocking, stack = "64k")]
pub fn selectors(code: &[u8]) -> Vec<[u8; 4]> {
    let found = contract_info(ContractInfoArgs::new(code).with_selectors()).functions.unwrap_or_default();
    found.into_iter().map(|function| function.selector).collect()
}

/// functions returns a list of the functions in the order of their selectors: selector, offset, 1 if the fallback function dispatches it, index into Go's
/// variable mutabilities, list of the types of the arguments.
///
/// The arguments can be nested 6,000 levels deep, because the crate allows an analysis of arguments 50,000 units of gas. It follows them by recursion with
/// frames of 568 bytes on amd64.
#[rustgo::export(name = "functions", blocking, stack = "6m")]
pub fn functions(code: &[u8], with_arguments: bool, with_mutability: bool) -> Vec<u8> {
    let mut wanted = ContractInfoArgs::new(code).with_selectors();
    if with_arguments {
        wanted = wanted.with_arguments();
    }
    if with_mutability {
        wanted = wanted.with_state_mutability();
    }
    let mut answer = Answer::default();
    answer.list(contract_info(wanted).functions.unwrap_or_default(), |answer, function: Function| {
        answer.bytes(&function.selector);
        answer.number(function.bytecode_offset);
        answer.number(usize::from(function.dispatch == SelectorDispatch::Fallback));
        answer.number(match function.state_mutability {
            None => 0,
            Some(StateMutability::Pure) => 1,
            Some(StateMutability::View) => 2,
            Some(StateMutability::NonPayable) => 3,
            Some(StateMutability::Payable) => 4,
        });
        answer.list(function.arguments.unwrap_or_default(), |answer, argument| answer.bytes(argument.sol_type_name().as_bytes()));
    });
    answer.into_bytes()
}

/// storage returns the list of the permanent variables and that of the transient ones, in the order of their places: slot, offset, type, list of the
/// selectors that read, list of the selectors that write. It analyses the arguments too, so it needs the stack of functions.
#[rustgo::export(name = "storage", blocking, stack = "6m")]
pub fn storage(code: &[u8]) -> Vec<u8> {
    let contract = contract_info(ContractInfoArgs::new(code).with_storage());
    let mut answer = Answer::default();
    for records in [contract.storage, contract.transient_storage] {
        answer.list(records.unwrap_or_default(), |answer, StorageRecord { slot, offset, r#type, reads, writes }| {
            answer.bytes(&slot);
            answer.number(usize::from(offset));
            answer.bytes(r#type.as_bytes());
            for selectors in [reads, writes] {
                answer.list(selectors, |answer, selector: Selector| answer.bytes(&selector));
            }
        });
    }
    answer.into_bytes()
}
