//! Package evmole finds the functions in the bytecode of a contract.

use evmole::{ContractInfoArgs, SelectorDispatch, contract_info};

/// Selectors returns the selectors of the functions.
#[rustgo::export(stack = "1m", blocking)]
pub fn selectors(code: &[u8]) -> Vec<[u8; 4]> {
    let found = contract_info(ContractInfoArgs::new(code).with_selectors());
    found.functions.unwrap_or_default().into_iter().map(|function| function.selector).collect()
}

/// Functions returns the selectors of the functions, where their code begins, the types of their arguments and the state mutability as in
/// Solidity, and which functions are called through the fallback function.
#[rustgo::export(stack = "1m", blocking, results(selectors, offsets, arguments, mutability, fallback))]
pub fn functions(code: &[u8]) -> (Vec<[u8; 4]>, Vec<u64>, Vec<String>, Vec<String>, Vec<bool>) {
    let found = contract_info(ContractInfoArgs::new(code).with_selectors().with_arguments().with_state_mutability());
    let mut lists = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for function in found.functions.unwrap_or_default() {
        let arguments: Vec<String> = function.arguments.unwrap_or_default().iter().map(|kind| kind.sol_type_name().into_owned()).collect();
        lists.0.push(function.selector);
        lists.1.push(function.bytecode_offset as u64);
        lists.2.push(arguments.join(","));
        lists.3.push(function.state_mutability.map(|mutability| mutability.as_json_str().to_owned()).unwrap_or_default());
        lists.4.push(function.dispatch == SelectorDispatch::Fallback);
    }
    lists
}
