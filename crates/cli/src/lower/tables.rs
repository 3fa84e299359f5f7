//! Refuses functions that pass the address of a jump table to other functions, in a register that the other functions read.
//!
//! Lowering replaces each jump table by a new table, and no code may read the new table as data ([`crate::analyze::TableAddresses`]). So a function
//! is refused if a register holds the address of a table at a call, jump or return, and the code that runs next reads this register.
//!
//! But code may also read a register whose value is undefined: the second word of a one-word result, a variable that is set only on one path, or the
//! argument registers that a variadic function saves. Compilers leave the old value in such a register, and after a jump through a table the old
//! value is often the table's address. So there are two cases. Before the jump through the table, an address in a register is a reason to refuse the
//! function. The exception is a register that only passes arguments, at a return. After the jump, an address in a register is a reason only at calls
//! and jumps with known targets, and only if the register passes no values by the convention.

use super::{FunctionContext, Symbols, address_halves};
use crate::analyze::Machine;
use crate::analyze::{InstanceId, TableAddresses};
use crate::code::Set;
use crate::diag::Diagnostic;
use std::collections::BTreeMap;

/// Returns an error for each place where a function passes the address of a jump table.
pub fn refuse(symbols: &Symbols<'_>, machine: &dyn Machine) -> Vec<Diagnostic> {
    let (facts, live) = (symbols.facts, &symbols.live);
    let passing = facts.emitted.iter().copied().filter(|&me| !facts.instances[me].summary.table_addresses.is_empty());
    let passing: Vec<InstanceId> = passing.collect();
    if passing.is_empty() {
        return Vec::new();
    }
    let used = address_halves::EntryUses::new(facts, live);
    let counted = !live.values();
    let mut refused = Vec::new();
    for me in passing {
        let instance = &facts.instances[me];
        let edges: BTreeMap<usize, usize> = instance.summary.edges.iter().enumerate().map(|(index, edge)| (edge.inst, index)).collect();
        for (&at, addresses) in &instance.summary.table_addresses {
            let (read, what) = match edges.get(&at) {
                Some(&index) => {
                    let known = if instance.summary.edges[index].targets.is_some() { counted } else { 0 };
                    // Leave out callee-saved registers: a callee reads them only to save them, because no caller passes a value in them.
                    let read = used.by_targets(live, me, index) & !live.preserved();
                    (of(*addresses, known) & read, "calls or jumps to a function")
                }
                None => (of(*addresses, 0) & live.exit(me) & (counted | live.results()), "returns"),
            };
            if read != 0 {
                let names = machine.names(read);
                let what = format!("{what} with the address of a jump table, or an entry, in {names}, which the code there reads");
                refused.extend(FunctionContext::new(symbols, me).map(|context| context.refuse(at, what)));
            }
        }
    }
    refused
}

/// Returns the registers that hold a table's address when control leaves the function, and that other code must not read. An address is spent after
/// the jump through the table has used it. A register with a spent address counts only if it is in `spent`.
fn of(addresses: TableAddresses, spent: Set) -> Set {
    Set::from(addresses.fresh) | Set::from(addresses.spent) & spent
}
