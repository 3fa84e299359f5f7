//@ std
//@ support: libm
//@ evmole = "=0.9.4"
//@ input: 6080604052600a60405160405180910390f35b600080fd5b6004361061003b576000357c0100000000000000000000000000000000000000000000000000000000900480632125b65b14604057806385a61c5614604d575b600080fd5b604b60043560243560443560ff565b005b6055606e565b60005460405190815260200160405180910390f35b80600055
//@ input: 608060405234801561001057600080fd5b50600436106100365760003560e01c8063a9059cbb1461003b578063dd62ed3e1461006b575b600080fd5b61005560048036038101906100509190610200565b6100a0565b60405161006291906102b0565b60405180910390f35b6000602052816000526040600020602052806000526040600020600091509150505481565b6001600160a01b0316331461009a57fe5b50600155565b
//! Finds the functions, their arguments and the storage in the bytecode of a contract, given in hexadecimal digits.
use evmole::{ContractInfoArgs, contract_info};

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let digits: Vec<u32> = input.iter().filter_map(|b| char::from(*b).to_digit(16)).collect();
    let code: Vec<u8> = match digits.is_empty() {
        true => input.to_vec(),
        false => digits.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect(),
    };
    let args = ContractInfoArgs::new(&code)
        .with_selectors()
        .with_arguments()
        .with_state_mutability()
        .with_storage()
        .with_disassemble()
        .with_control_flow_graph()
        .with_metadata();
    put(out, format!("{:?}", contract_info(args)).as_bytes())
}
