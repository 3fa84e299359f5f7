//! Lowers memory operands that refer to static data.

use super::encode::{clear_low, encode_lea, encode_push, encode_through, gpr64, implicit_registers, push_pop};
use super::{Body, Lowered};
use crate::analyze::Value;
use crate::arch::x86_64::layout::{Piece, PoolRef};
use crate::arch::x86_64::{GO_NAMES, RSP, address, number};
use crate::code::{Flow, Inst, Set};
use crate::ids::DataId;
use crate::load::{RelocKind, Target};
use crate::lower::DataPlace;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// To round an address down, lowered code clears its lowest byte or its lowest two bytes. `LOW_BYTE` and `LOW_TWO` are the resulting alignments in
/// bytes. A `mov` to a part of the register clears the bytes without changing flags; an `and` with the exact mask would change flags.
const LOW_BYTE: u64 = 1 << 8;
const LOW_TWO: u64 = 1 << 16;

pub(in crate::arch::x86_64) fn rounds_to(align: u64) -> u64 {
    if align <= LOW_BYTE { LOW_BYTE } else { LOW_TWO }
}

impl Body<'_, '_, '_> {
    /// Emits a load of the address of static data into a register. Returns a displacement that the next instruction must add to this register.
    fn static_address(&mut self, place: &DataPlace, reg: usize) -> i64 {
        let (offset, rest) = place.steps();
        self.lea(&place.symbol, offset, reg);
        if let Some(rounded) = place.rounded {
            self.pieces.push(Piece::Depth(self.tracked));
            self.raw(&clear_low(reg, rounded.trailing_zeros()));
        }
        rest
    }

    /// Emits a load of the complete address of static data into a register.
    fn whole_address(&mut self, at: usize, place: &DataPlace, reg: usize) -> Lowered<()> {
        let rest = self.static_address(place, reg);
        if rest != 0 {
            let lea = encode_lea(gpr64(reg), gpr64(reg), Register::None, rest)
                .ok_or_else(|| self.context.refuse(at, "takes an address in a form that Go's assembler cannot express"))?;
            self.pieces.push(Piece::Depth(self.tracked));
            self.raw(&lea);
        }
        Ok(())
    }

    /// Emits `push qword [mem]` as the assembler's mnemonic `PUSHQ`, with the operand in Go's syntax.
    pub(super) fn push_memory(&mut self, at: usize, inst: &Inst, i: &Instruction) -> Lowered<()> {
        let refuse = |body: &Self| body.context.refuse(at, "pushes memory in a form that Go's assembler cannot express");
        let displaced = |by: i32| if by == 0 { String::new() } else { by.to_string() };
        if i.is_ip_rel_memory_operand() {
            // The operand is a pointer or a constant. Load its address, then push the word at this address.
            let Some(scratch) = (0..16).rev().find(|r| *r != RSP && *r != 5 && self.context.liveness().before(at) >> r & 1 == 0) else {
                return Err(self.context.refuse(at, "pushes static data while every register is in use"));
            };
            let place = self.data_place(at, inst)?;
            let rest = i32::try_from(self.static_address(&place, scratch)).map_err(|_| refuse(self))?;
            self.pieces.push(Piece::Depth(self.tracked));
            let bytes = encode_push(scratch, None, rest).ok_or_else(|| refuse(self))?;
            self.mnemonic(format!("PUSHQ {}({})", displaced(rest), GO_NAMES[scratch]), bytes, 8);
            return Ok(());
        }
        let refuse = || refuse(self);
        let gpr64 = |register: Register| number(register).filter(|_| register.is_gpr64());
        let base = gpr64(i.memory_base()).ok_or_else(refuse)?;
        let index = match i.memory_index() {
            Register::None => None,
            index => Some((gpr64(index).ok_or_else(refuse)?, i.memory_index_scale())),
        };
        let displacement = i32::try_from(i.memory_displacement64() as i64).map_err(|_| refuse())?;
        let bytes = encode_push(base, index, displacement).ok_or_else(refuse)?;
        let displaced = displaced(displacement);
        let indexed = index.map_or(String::new(), |(index, scale)| format!("({}*{scale})", GO_NAMES[index]));
        self.mnemonic(format!("PUSHQ {displaced}({}){indexed}", GO_NAMES[base]), bytes, 8);
        Ok(())
    }

    /// Lowers an instruction whose memory operand may be static data.
    pub(super) fn operand(&mut self, at: usize, inst: &Inst, i: &Instruction) -> Lowered<()> {
        if let Some(id) = inst.function_address {
            let (symbol, offset) = self.context.symbols.address(&Target::Function(id));
            let to = number(i.op0_register())
                .ok_or_else(|| self.context.refuse(at, "takes an address in a form that Go's assembler cannot express"))?;
            self.lea(&symbol, offset, to);
            return Ok(());
        }
        if inst.reloc.is_none() {
            self.raw(self.bytes(inst));
            return Ok(());
        }
        let reloc = &self.context.function.relocs[inst.reloc.unwrap_or_default() as usize];
        let value = address::symbol_value(self.context.function, inst);
        let to = (i.op_count() > 0 && i.op0_kind() == OpKind::Register && i.op0_register().is_gpr64())
            .then(|| number(i.op0_register()))
            .flatten();
        match (i.mnemonic(), reloc.kind, value, to) {
            // A `lea` makes the address itself, so it needs no scratch register.
            (Mnemonic::Lea, RelocKind::Pc32, Some(Value::Data(id, offset)), Some(to)) => {
                if let Some(table) = self.table(id, offset) {
                    let field = (reloc.offset - inst.offset) as usize;
                    self.pieces.push(Piece::Raw { bytes: self.bytes(inst).to_vec(), field: Some((field, table)) });
                } else {
                    let place = self.plan.place(id, offset);
                    self.whole_address(at, &place, to)?;
                }
                Ok(())
            }
            (Mnemonic::Lea, RelocKind::Pc32, Some(Value::Code(_)), Some(to))
            | (Mnemonic::Mov, RelocKind::GotPc32, Some(Value::Code(_)), Some(to)) => {
                let (symbol, offset) = self.context.symbols.address(&reloc.target);
                self.lea(&symbol, offset, to);
                Ok(())
            }
            (Mnemonic::Mov, RelocKind::GotPc32, Some(Value::Data(id, offset)), Some(to)) => {
                let place = self.plan.place(id, offset);
                self.whole_address(at, &place, to)
            }
            (Mnemonic::Lea, ..) => Err(self.context.refuse(at, "takes an address in a form that Go's assembler cannot express")),
            (_, RelocKind::Pc32, Some(Value::Data(id, offset)), _) if !address::reaches_bits(i) => {
                match self.constant(id, offset, i.memory_size().size()) {
                    Some(bytes) => {
                        // The constant needs at most the alignment that the section guarantees.
                        let natural = bytes.len().next_power_of_two().min(64) as u64;
                        let align = natural.min(self.context.symbols.object.data[id].align.max(1)) as u32;
                        let constant = self.pool.constant(bytes, align);
                        let field = (reloc.offset - inst.offset) as usize;
                        self.pieces.push(Piece::Raw { bytes: self.bytes(inst).to_vec(), field: Some((field, constant)) });
                        Ok(())
                    }
                    None => self.through_scratch(at, inst, i),
                }
            }
            _ => self.through_scratch(at, inst, i),
        }
    }

    /// Returns the bytes of an operand if they are read-only and contain no pointers.
    fn constant(&self, id: DataId, offset: i64, size: usize) -> Option<Vec<u8>> {
        let data = &self.context.symbols.object.data[id];
        let from = usize::try_from(offset).ok()?;
        let bytes = data.bytes.get(from..from + size)?;
        let pointers = data.relocs.iter().any(|r| (r.offset as usize) < from + size && r.offset as usize + 8 > from);
        (!data.writable && !pointers && size > 0).then(|| bytes.to_vec())
    }

    /// Returns the copy of the jump table at this place, if this function uses the table.
    fn table(&mut self, id: DataId, offset: i64) -> Option<PoolRef> {
        let offset = u32::try_from(offset).ok()?;
        if let Some(&known) = self.tables.get(&(id, offset)) {
            return Some(known);
        }
        // If several jumps use the table, some jumps may need only its first entries. The copy has the entries of the jump that needs the most
        // entries.
        let same = self.context.instance.summary.tables.values().filter(|table| table.place == Some((id, offset)));
        let table = same.max_by_key(|table| table.targets.len())?;
        let labels = table.targets.iter().map(|&to| self.context.code.at(to)).collect::<Option<Vec<_>>>()?;
        let made = self.pool.table(labels);
        self.tables.insert((id, offset), made);
        Some(made)
    }

    /// Returns the place to which the memory operand refers: a place in data, or a cell that holds an address.
    fn data_place(&mut self, at: usize, inst: &Inst) -> Lowered<DataPlace> {
        let reloc = &self.context.function.relocs[inst.reloc.unwrap_or_default() as usize];
        match (reloc.kind, address::symbol_value(self.context.function, inst)) {
            (RelocKind::Pc32, Some(Value::Data(id, offset))) => Ok(self.plan.place(id, offset)),
            (RelocKind::GotPc32, Some(Value::Data(id, offset))) => {
                let place = self.plan.place(id, offset);
                match place.rounded {
                    Some(_) => {
                        Err(self.context.refuse(at, "reads the address of static data that is aligned to more than 32 bytes from memory"))
                    }
                    None => Ok(self.plan.cell(&place.symbol, place.offset)),
                }
            }
            (RelocKind::GotPc32, Some(Value::Code(_))) => {
                let (symbol, offset) = self.context.symbols.address(&reloc.target);
                Ok(self.plan.cell(&symbol, offset))
            }
            _ => Err(self.context.refuse(at, "refers to static data in a form that Go's assembler cannot express")),
        }
    }

    /// Emits a load of the operand's address into a scratch register, and the instruction with this register in its operand.
    fn through_scratch(&mut self, at: usize, inst: &Inst, i: &Instruction) -> Lowered<()> {
        let place = self.data_place(at, inst)?;
        let mut used: Set = 0;
        for k in 0..i.op_count() {
            if i.op_kind(k) == OpKind::Register
                && let Some(r) = number(i.op_register(k))
            {
                used |= 1 << r;
            }
        }
        let (before, after) = (self.context.liveness().before(at), self.context.liveness().after(at));
        // Candidates are the registers that are live neither before nor after this instruction. A plain load may also use its own destination, unless
        // this register is live before: the destination can hold the address until the load overwrites it.
        let own = (matches!(i.mnemonic(), Mnemonic::Mov | Mnemonic::Movzx | Mnemonic::Movsx | Mnemonic::Movsxd)
            && i.op0_kind() == OpKind::Register)
            .then(|| number(i.op0_register()))
            .flatten()
            .filter(|&r| i.op0_register().size() >= 4 && r != RSP && before >> r & 1 == 0);
        let implicit = implicit_registers(i);
        let free = |r: &usize| *r != RSP && (before | after | used | implicit) >> *r & 1 == 0;
        let candidates = own.into_iter().chain((0..16).filter(free));
        for scratch in candidates {
            if let Some(bytes) = encode_through(i, scratch, place.steps().1) {
                self.static_address(&place, scratch);
                self.pieces.push(Piece::Depth(self.tracked));
                self.raw(&bytes);
                return Ok(());
            }
        }
        // To free a register, lowering must save it in the word below SP. This is impossible if the word lies in the red zone or below the proven
        // stack bound.
        let no_room = self.context.instance.summary.red_zone || self.tracked + 8 > self.context.symbols.facts.stacks[self.context.me].need;
        // A push around the instruction would change the SP that the instruction sees.
        let observes_alignment = (used | implicit) >> RSP & 1 != 0;
        if no_room || observes_alignment || inst.flow != Flow::Next {
            return Err(self.context.refuse(at, "uses static data while every register is in use"));
        }
        for scratch in (0..16).filter(|r| *r != RSP && (used | implicit) >> *r & 1 == 0) {
            if let Some(bytes) = encode_through(i, scratch, place.steps().1) {
                self.mnemonic(format!("PUSHQ {}", GO_NAMES[scratch]), push_pop(0x50, scratch), 8);
                self.pieces.push(Piece::Depth(self.tracked));
                self.static_address(&place, scratch);
                self.pieces.push(Piece::Depth(self.tracked));
                self.raw(&bytes);
                self.pieces.push(Piece::Depth(self.tracked));
                self.mnemonic(format!("POPQ {}", GO_NAMES[scratch]), push_pop(0x58, scratch), -8);
                return Ok(());
            }
        }
        Err(self.context.refuse(at, "uses static data in a form that Go's assembler cannot express"))
    }
}
