//! Applies one instruction to the abstract state: updates SP, known addresses and saved words, and returns the instruction's [`Effect`].
//!
//! All instructions that this module does not name are handled alike: registers that they write become unknown, memory that they write is
//! forgotten, and writes of SP are refused.

use super::insn::{Access, Branch, FP, Form, Insn, Kind, LR, Mode, SP};
use super::{ARGUMENTS, CALLEE_SAVED, aligned, instruction, link_holds_return_address};
use crate::analyze::{Effect, Knowledge, Origin, Reach, Refusal, State, Value, refuse, refuse_undefined};
use crate::code::{Callee, Inst, Reg, Role};
use crate::diag::ErrorCode;
use crate::ids::DataId;
use crate::load::{Function, Object, Reloc, RelocKind, Target};

/// The address of a memory operand, as far as the analysis knows the address.
enum Address {
    /// An address in the frame, at this distance in bytes from SP on entry.
    Frame(i64),
    /// An address in the frame, at an unknown index.
    SomeFrame,
    Data(DataId, i64),
    /// An address at an unknown index, counted from this place in data (section, offset).
    Indexed(DataId, i64),
    /// The address of a GOT cell that holds this value.
    Cell(Value),
    /// An unknown address. A word loaded from there has this origin.
    Unknown(Origin),
}

const CODE_AS_DATA: &str = "reads or writes the code of a function as data";

/// The numbers of the registers that pass the second and third argument (AAPCS64 §6.8).
const LATER_ARGUMENTS: [u8; 2] = [1, 2];

/// The size of a page, in bytes. The lower part of an address is its offset in its page.
pub(super) const PAGE: i64 = 4096;

/// The largest distance in bytes by which a register may move SP. Lowering supports no larger frame.
const LARGEST_FRAME: i64 = 1 << 24;

/// Returns the value of the symbol in the instruction's relocation; `None` if the instruction has no relocation.
fn symbol_value(function: &Function, inst: &Inst) -> Result<Option<Value>, Refusal> {
    let Some(reloc) = inst.reloc.map(|r| &function.relocs[r as usize]) else { return Ok(None) };
    match &reloc.target {
        Target::Data(id) => Ok(Some(Value::Data(*id, reloc.addend))),
        Target::Undefined(name) => refuse_undefined(name),
        Target::AmongCode(_) => refuse(ErrorCode::Unsupported, reloc.target.among_code().unwrap_or_default()),
        target if reloc.addend == 0 => Ok(Callee::of(target).map(Value::code)),
        _ => refuse(ErrorCode::Unsupported, "needs the address of an instruction"),
    }
}

fn address(access: &Access, state: &State) -> Address {
    let offset = if access.mode == Mode::Post { 0 } else { access.offset };
    match (&state.regs[access.base], access.form) {
        // A post-indexed access adds the index to the base only after the access.
        (Value::Sp(n), Form::Indexed) if access.mode == Mode::Post => Address::Frame(*n),
        (Value::Data(id, at), Form::Indexed) if access.mode == Mode::Post => Address::Data(*id, *at),
        (Value::Sp(_), Form::Indexed) => Address::SomeFrame,
        (Value::Data(id, at), Form::Indexed) => Address::Indexed(*id, *at),
        (Value::Sp(n), _) => Address::Frame(n + offset),
        (Value::Data(id, at), _) => Address::Data(*id, at + offset),
        (_, Form::Indexed) => Address::Unknown(Origin::Indexed),
        (base, _) => Address::Unknown(Origin::at(base, offset, LATER_ARGUMENTS)),
    }
}

/// Returns the value of the word that lies `offset` bytes after the address `at`.
fn load(at: &Address, offset: i64, state: &State, knowledge: &mut dyn Knowledge) -> Value {
    let value = match at {
        Address::Frame(base) => return state.slots.value(base + offset).cloned().unwrap_or(Value::Kept),
        Address::SomeFrame => return Value::Kept,
        Address::Data(id, base) => knowledge.load(*id, base + offset),
        Address::Indexed(id, from) => knowledge.load_any(*id, *from),
        Address::Cell(value) => value.clone(),
        Address::Unknown(origin) => return Value::Loaded(origin.further(offset)),
    };
    if value == Value::Unknown { Value::Whole } else { value }
}

/// Returns the number of bytes by which lowering moves a place away from SP on entry. Only stack arguments (`above`) move: in lowered code, the
/// caller's return address lies between SP on entry and the arguments.
fn shift(above: bool) -> i64 {
    if above { i64::from(super::LINK) } else { 0 }
}

/// True for a value that code stores in the frame only to load it again, so no pointer to its word exists. Such values are the values of callee-saved
/// registers and x30 on entry, the upper parts of addresses, and frame addresses that may be wrong by now ([`Value::Lost`]).
fn is_saved(value: &Value) -> bool {
    is_callee_saved_entry(value) || matches!(value, Value::Entry(reg) if Reg::from(*reg) == LR) || value.is_part() || *value == Value::Lost
}

/// True if this is the value that a callee-saved register had on entry.
fn is_callee_saved_entry(value: &Value) -> bool {
    matches!(value, Value::Entry(reg) if CALLEE_SAVED.contains(&Reg::from(*reg)))
}

/// True if code may save and restore the value but not use it in other ways. The analysis must follow such a value wherever code stores it.
fn is_tracked(value: &Value) -> bool {
    value.is_part() || is_callee_saved_entry(value) || *value == Value::Lost
}

/// Applies a store of `size` bytes at an address. `value` is the stored value if a whole word is stored.
fn store(at: &Address, offset: i64, size: i64, value: &Value, state: &mut State, knowledge: &mut dyn Knowledge) {
    match at {
        Address::Frame(base) => {
            let at = base + offset;
            state.slots.forget(at..at + size);
            if size == 8 && !matches!(value, Value::Unknown | Value::Kept | Value::Number(_)) {
                state.slots.set(at, value.clone(), is_saved(value));
            }
        }
        Address::Data(id, base) => {
            let at = base + offset;
            for cell in at - 7..at + size {
                knowledge.store(*id, cell, if cell == at && size == 8 && !is_tracked(value) { value } else { &Value::Unknown });
            }
        }
        Address::Indexed(id, _) => knowledge.take_address(*id),
        Address::SomeFrame => state.slots.retain(|slot| slot.pushed || slot.value.is_part()),
        Address::Cell(_) | Address::Unknown(_) => state.forget_memory(),
    }
}

/// Sets a register to a value. A frame address in a register other than SP and the frame pointer counts as escaped.
fn set(state: &mut State, reg: Reg, value: Value, knowledge: &mut dyn Knowledge) -> Result<(), Refusal> {
    match value {
        Value::Sp(at) if reg == SP && at % 16 != 0 => {
            return refuse(ErrorCode::DynamicStack, "moves the stack pointer to an address that is not a multiple of 16");
        }
        Value::Sp(_) => {}
        _ if reg == SP => {
            return refuse(ErrorCode::DynamicStack, "moves the stack pointer by an unknown amount (a dynamic frame)");
        }
        _ => {}
    }
    match &value {
        Value::Sp(_) if reg != SP && reg != FP => state.escaped = true,
        Value::Data(id, _) => knowledge.take_address(*id),
        _ => {}
    }
    state.regs[reg] = value;
    Ok(())
}

/// Returns the registers in the set, in order.
fn members(set: u32) -> impl Iterator<Item = Reg> {
    (0..32).filter(move |r| set >> r & 1 != 0)
}

pub fn step(function: &Function, inst: &Inst, state: &mut State, knowledge: &mut dyn Knowledge) -> Result<Effect, Refusal> {
    let mut effect = Effect { aligned_frame: state.aligned.map(|frame| frame.size as u32), ..Effect::default() };
    if state.sp(SP) == 0 && !link_holds_return_address(state) {
        return refuse(ErrorCode::DynamicStack, "has a value other than its return address in x30 while it has no frame");
    }
    match inst.role {
        Role::Dropped => return Ok(effect),
        Role::ProbeLoop { end } => {
            let sp = state.sp(SP);
            match state.regs[end] {
                Value::Sp(to) if to < sp && (sp - to) % 4096 == 0 => state.regs[SP] = Value::Sp(to),
                _ => return refuse(ErrorCode::DynamicStack, "probes the stack down to an unknown address"),
            }
            return Ok(effect);
        }
        Role::Plain => {}
    }
    let i = instruction(function, inst);
    let reloc = inst.reloc.map(|r| function.relocs[r as usize].kind);
    if reloc == Some(RelocKind::ThreadLocal) {
        return refuse(ErrorCode::ThreadLocal, "uses thread-local storage");
    }
    check_address_parts(function, inst, &i, state, &mut effect)?;
    effect.boundary_escapes = boundary_escapes(&i, state);
    effect.indexes = indexes(&i, state) || !function.is_llvm && stores_address(&i, state);
    match (reloc, i.kind) {
        (None, Kind::Adr { rd, .. }) if inst.function_address.is_some() => {
            let value = inst.function_address.map_or(Value::Unknown, |id| Value::code(Callee::Function(id)));
            set(state, rd, value, knowledge)?;
            return Ok(effect);
        }
        (None, Kind::Adrp { .. } | Kind::Adr { .. } | Kind::Literal) => {
            return refuse(ErrorCode::Unsupported, "refers to data between its instructions");
        }
        (Some(RelocKind::Page | RelocKind::GotPage), Kind::Adrp { rd }) => {
            symbol_value(function, inst)?;
            state.regs[rd] = page(function, inst);
            return Ok(effect);
        }
        (Some(RelocKind::PageOffset), Kind::AddImmediate { .. }) if i.word & 0x4040_0000 != 0 => {
            return refuse(ErrorCode::Unsupported, "completes an address by a subtraction or a shifted number");
        }
        (Some(RelocKind::Adr), Kind::Adr { rd, .. }) | (Some(RelocKind::PageOffset), Kind::AddImmediate { rd, .. }) if rd != SP => {
            match symbol_value(function, inst)? {
                Some(value) => set(state, rd, value, knowledge)?,
                None => return refuse(ErrorCode::Unsupported, "has a relocation that cannot be expressed"),
            }
            return Ok(effect);
        }
        (Some(RelocKind::PageOffset | RelocKind::GotPageOffset), Kind::Memory(access))
            if access.form == Form::Single && access.mode == Mode::Offset && i.word >> 24 & 1 == 1 =>
        {
            let at = match (reloc, symbol_value(function, inst)?) {
                (Some(RelocKind::GotPageOffset), Some(value)) if access.loads && access.words[0].is_some() => Address::Cell(value),
                (Some(RelocKind::PageOffset), Some(Value::Data(id, offset))) => Address::Data(id, offset),
                (Some(RelocKind::PageOffset), Some(_)) => {
                    return refuse(ErrorCode::Unsupported, CODE_AS_DATA);
                }
                _ => return refuse(ErrorCode::Unsupported, "has a relocation that cannot be expressed"),
            };
            effect.reach = reach(&access, &at, state, knowledge.object());
            transfer(&i, &access, &at, state, knowledge)?;
            return Ok(effect);
        }
        (None, _) | (Some(RelocKind::Branch26), Kind::Branch(Branch::Jump(_) | Branch::Call(_))) => {}
        (Some(kind), _) => return refuse(ErrorCode::Unsupported, format!("has a relocation that cannot be expressed ({kind:?})")),
    }
    match i.kind {
        Kind::AddImmediate { rd: SP, rn, by: 0 } if matches!(state.regs[rn], Value::Aligned { .. }) => {
            aligned::enter(state, &state.regs[rn].clone())?;
        }
        Kind::Align { rd: SP, rn, to } => aligned::enter(state, &aligned::rounded(&state.regs[rn], to))?,
        Kind::Align { rd, rn, to } => {
            state.escaped |= matches!(state.regs[rn], Value::Sp(_));
            state.regs[rd] = aligned::rounded(&state.regs[rn], to);
        }
        Kind::AddImmediate { rd: SP, rn, by } if state.aligned.is_some() => aligned::leave(state, rn, by)?,
        Kind::AddImmediate { rd, rn, by } => {
            let value = match state.regs[rn] {
                Value::Sp(n) => Value::Sp(n + by),
                Value::Data(id, offset) => Value::Data(id, offset + by),
                ref other if by == 0 => other.clone(),
                _ => Value::Unknown,
            };
            match (&state.regs[rn], &value) {
                (&Value::Sp(from), &Value::Sp(to)) if function.is_llvm && aligned::begins_outside(state, from, to) => {
                    state.escaped = true;
                    set(state, rd, Value::Unknown, knowledge)?;
                }
                (&Value::Sp(from), &Value::Sp(to)) => {
                    moved_address(state, rd, from, to, &mut effect)?;
                    set(state, rd, value, knowledge)?;
                }
                _ => set(state, rd, value, knowledge)?,
            }
        }
        Kind::Constant { rd, value, shift, keeps } => {
            state.regs[rd] = match state.regs[rd] {
                Value::Number(before) if keeps => Value::Number(before & !(0xffff << shift) | value),
                _ if keeps => Value::Unknown,
                _ => Value::Number(value),
            };
        }
        Kind::AddToSp { rd: SP, rm, subtracts } => {
            let to = moved_sp(state, rm, subtracts)?;
            set(state, SP, Value::Sp(to), knowledge)?;
        }
        Kind::AddToSp { rd, rm, subtracts } if matches!(state.regs[rm], Value::Number(_)) => {
            let from = state.sp(SP);
            let to = known_sum(state, rm, subtracts)
                .filter(|to| (-LARGEST_FRAME..=LARGEST_FRAME).contains(to))
                .map_or_else(|| refuse(ErrorCode::DynamicStack, "makes an address far from its frame"), Ok)?;
            moved_address(state, rd, from, to, &mut effect)?;
            set(state, rd, Value::Sp(to), knowledge)?;
        }
        Kind::AddToSp { .. } if state.sp(SP) == 0 => {
            return refuse(ErrorCode::DynamicStack, "accesses its stack arguments by an index");
        }
        Kind::AddToSp { rd, .. } => {
            state.escaped = true;
            // The sum may be an address in the frame or in the caller's arguments.
            effect.boundary = true;
            set(state, rd, Value::Unknown, knowledge)?;
        }
        // A comparison of the compiler's SP with a register changes only flags.
        Kind::CompareSp { .. } => {}
        Kind::Move { rd, rm } => {
            let value = state.regs[rm].clone();
            state.escaped |= matches!(value, Value::Sp(_));
            set(state, rd, value, knowledge)?;
        }
        Kind::Memory(access) => memory(&i, &access, state, knowledge, &mut effect)?,
        Kind::Branch(Branch::IndirectCall(reg) | Branch::IndirectJump(reg)) => {
            effect.target = Some(state.regs[reg].clone());
        }
        Kind::Branch(Branch::Return(reg)) => {
            if state.regs[reg] != Value::Entry(LR as u8) {
                return refuse(ErrorCode::DynamicStack, "returns to an address other than its return address");
            }
        }
        Kind::Branch(_) => {}
        _ => general(&i, state)?,
    }
    Ok(effect)
}

/// Returns the value of SP after `rm` is added or subtracted.
fn moved_sp(state: &State, rm: Reg, subtracts: bool) -> Result<i64, Refusal> {
    if !matches!(state.regs[rm], Value::Number(_)) {
        return refuse(ErrorCode::DynamicStack, "moves the stack pointer by an unknown amount (a dynamic frame)");
    }
    if state.aligned.is_some() {
        return refuse(ErrorCode::DynamicStack, "moves the stack pointer in an aligned frame");
    }
    match known_sum(state, rm, subtracts).filter(|to| (-LARGEST_FRAME..=0).contains(to)) {
        Some(to) => Ok(to),
        None => refuse(ErrorCode::DynamicStack, "moves the stack pointer out of its frame"),
    }
}

/// Records the effect of an instruction that computes the address `to` from the address `from` and puts it into `rd`. Both addresses are distances
/// from SP on entry, in bytes.
fn moved_address(state: &State, rd: Reg, from: i64, to: i64, effect: &mut Effect) -> Result<(), Refusal> {
    aligned::within(state, from, to..=to)?;
    // Addresses above SP on entry belong to the caller's arguments.
    effect.stack_arguments = to > 0;
    effect.argument_bytes = to;
    effect.moved = shift(to > 0) - shift(from > 0);
    effect.boundary = to == 0 && rd != SP;
    Ok(())
}

/// Returns SP plus the number in `rm`, or SP minus the number; `None` if the number is unknown.
fn known_sum(state: &State, rm: Reg, subtracts: bool) -> Option<i64> {
    let Value::Number(by) = state.regs[rm] else { return None };
    let (from, by) = (state.sp(SP), by.cast_signed());
    if subtracts { from.checked_sub(by) } else { from.checked_add(by) }
}

/// Returns the upper part of the address in the instruction's relocation.
fn page(function: &Function, inst: &Inst) -> Value {
    let reloc = inst.reloc.map(|r| &function.relocs[r as usize]);
    let page = |r: &Reloc| Value::Page { to: r.target.clone(), addend: r.addend, cell: r.kind == RelocKind::GotPage };
    reloc.map_or(Value::Unknown, page)
}

/// Checks how the instruction uses the upper part of an address (the result of `adrp`). Code may copy an upper part, and save it in a whole word of
/// the frame. In lowered code, the instruction that adds the lower part makes the whole address, and does not read the upper part from its register.
/// So both parts must belong to one symbol, at offsets less than a page apart. (If they lay in two pages, the compiler's own code would be wrong.)
/// If code reads an upper part in another way, here or in another function, lowering must compute the upper part (`lower/address_halves.rs`). The
/// check also records which values of callee-saved registers on entry the instruction uses.
fn check_address_parts(function: &Function, inst: &Inst, i: &Insn, state: &State, effect: &mut Effect) -> Result<(), Refusal> {
    let reloc = inst.reloc.map(|r| &function.relocs[r as usize]);
    let completes = reloc.filter(|r| matches!(r.kind, RelocKind::PageOffset | RelocKind::GotPageOffset));
    let base = match i.kind {
        // If the instruction also stores its base register, it reads the register as a value.
        Kind::Memory(access) => Some(access.base).filter(|_| !(access.stores && stored(i, &access))),
        Kind::AddImmediate { rn, .. } => Some(rn),
        _ => None,
    };
    if let Some(reloc) = completes {
        let got = reloc.kind == RelocKind::GotPageOffset;
        match base.map(|reg| &state.regs[reg]) {
            Some(Value::Page { to, addend, cell }) if *to == reloc.target && (addend - reloc.addend).abs() < PAGE && *cell == got => {}
            Some(Value::Page { .. }) => return refuse(ErrorCode::Unsupported, "combines the upper and lower parts of different addresses"),
            _ => return refuse(ErrorCode::Unsupported, "completes an address whose upper part is unknown"),
        }
    }
    let kept = |reg: Reg| match i.kind {
        Kind::Move { .. } => true,
        Kind::Memory(access) => access.stores && !access.loads && access.words.contains(&Some(reg)) && own_word(&access, state),
        _ => false,
    };
    let completed = |reg: Reg| completes.is_some() && base == Some(reg);
    let read = members(i.reads).filter(|&reg| !completed(reg) && !kept(reg));
    let touched = accessed_in_part(i, state);
    for (value, reg) in read.map(|reg| (&state.regs[reg], Some(reg))).chain(touched.map(|value| (value, None))) {
        match value {
            Value::Lost if reg == Some(FP) => {
                return refuse(ErrorCode::Unsupported, "reads x29, which a callee does not restore");
            }
            Value::Lost => {
                return refuse(ErrorCode::Unsupported, "reads a frame address that may have changed");
            }
            Value::Entry(entry) if is_callee_saved_entry(value) => effect.uses_entry |= 1 << entry,
            value => effect.reads_part |= value.is_part(),
        }
    }
    Ok(())
}

/// True if the access goes to a known place in the function's own frame.
fn own_word(access: &Access, state: &State) -> bool {
    matches!(address(access, state), Address::Frame(at) if at < 0)
}

/// Returns the tracked values in the frame of which the instruction reads or overwrites only a part.
fn accessed_in_part<'s>(i: &Insn, state: &'s State) -> impl Iterator<Item = &'s Value> {
    let place = i.access().and_then(|access| match address(&access, state) {
        Address::Frame(at) if access.loads || access.stores => Some((access, at)),
        _ => None,
    });
    place.into_iter().flat_map(|(access, at)| {
        let end = at + i64::from(access.size);
        let inside = state.slots.range(at - 7..end);
        inside.filter_map(move |(slot, value)| {
            let loaded = |k: usize| access.words[k].is_some() && slot == at + k as i64 * 8;
            let whole = if access.loads { !access.stores && (loaded(0) || loaded(1)) } else { at <= slot && slot + 8 <= end };
            (!whole && is_tracked(value)).then_some(value)
        })
    })
}

/// True if the analysis loses track of the *boundary*, the address where the frame ends and the arguments begin, or of a higher address. Code may use
/// such an address to access the frame or the arguments. Only an access at a known offset shows which of the two areas the code accesses. So every
/// use counts, except a copy, the addition of a constant, an access, and a comparison with the boundary itself. A comparison with a higher address
/// counts, because this address may be the end of an array, and lowering changes its distance from the frame.
fn boundary_escapes(i: &Insn, state: &State) -> bool {
    let between = |set: u32| members(set).any(|reg| reg != SP && matches!(state.regs[reg], Value::Sp(0..)));
    let above = |set: u32| members(set).any(|reg| reg != SP && matches!(state.regs[reg], Value::Sp(1..)));
    match i.kind {
        Kind::AddImmediate { .. } | Kind::Move { .. } => false,
        Kind::Memory(access) => {
            let base = 1 << access.base;
            access.form == Form::Indexed && between(i.reads)
                || between(i.reads & !base)
                || access.stores && stored(i, &access) && between(base)
        }
        Kind::Branch(Branch::Call(_) | Branch::IndirectCall(_)) => between(i.reads | ARGUMENTS),
        _ => has_result(i) && between(i.reads) || above(i.reads),
    }
}

/// True if the instruction has a result in a general register or a vector, not only in the flags.
fn has_result(i: &Insn) -> bool {
    i.writes != 0 || !i.replaces_flags() && !i.reads_flags() && !matches!(i.kind, Kind::Branch(_))
}

/// True if a register in the set holds a frame address.
fn has_frame_address(set: u32, state: &State) -> bool {
    members(set).any(|reg| matches!(state.regs[reg], Value::Sp(..0) | Value::Aligned { .. }))
}

/// True if the instruction adds an unknown number to a frame address (`Effect::indexes`).
fn indexes(i: &Insn, state: &State) -> bool {
    match i.kind {
        Kind::AddImmediate { .. } | Kind::Move { .. } | Kind::Branch(_) | Kind::CompareSp { .. } => false,
        Kind::AddToSp { rm, .. } => !matches!(state.regs[rm], Value::Number(_)),
        Kind::Align { rd, rn, .. } => rd != SP && has_frame_address(1 << rn, state),
        Kind::Memory(access) => access.form == Form::Indexed && has_frame_address(1 << access.base, state),
        _ => has_result(i) && has_frame_address(i.reads & !(1 << SP), state),
    }
}

/// True if the instruction stores a frame address. Other code may load the address and add an unknown number.
fn stores_address(i: &Insn, state: &State) -> bool {
    i.access().is_some_and(|access| {
        let base = 1 << access.base;
        let own = if stored(i, &access) { base & !(1 << SP) } else { 0 };
        access.stores && has_frame_address(i.reads & !base | own, state)
    })
}

/// True if the instruction stores its own base register.
fn stored(i: &Insn, access: &Access) -> bool {
    let pair = access.form == Form::Pair && i.word >> 10 & 31 == access.base as u32;
    i.word >> 26 & 1 == 0 && (i.word & 31 == access.base as u32 || pair)
}

/// Returns the kind of memory that the instruction accesses. The kind shows if the access can fault.
fn reach(access: &Access, at: &Address, state: &State, object: &Object) -> Reach {
    match at {
        Address::Data(id, _) if access.stores && !object.data[*id].writable => Reach::Anywhere,
        Address::Data(id, offset) if object.data[*id].has(*offset) => Reach::There,
        // Addresses above SP on entry lie in the caller's frame, whose size only the caller knows.
        Address::Frame(offset) if *offset < 0 => Reach::There,
        Address::Cell(_) => Reach::There,
        Address::Unknown(_) if access.form != Form::Indexed && matches!(state.regs[access.base], Value::Entry(0 | 1)) => Reach::Areas,
        _ => Reach::Anywhere,
    }
}

fn memory(i: &Insn, access: &Access, state: &mut State, knowledge: &mut dyn Knowledge, effect: &mut Effect) -> Result<(), Refusal> {
    if matches!(state.regs[access.base], Value::Code(_) | Value::Label(_)) && !access.prefetch {
        return refuse(ErrorCode::Unsupported, CODE_AS_DATA);
    }
    let at = address(access, state);
    effect.reach = reach(access, &at, state, knowledge.object());
    if access.base == SP && access.mode != Mode::Offset && state.aligned.is_some() {
        return refuse(ErrorCode::DynamicStack, "moves the stack pointer in an aligned frame");
    }
    if let (&Address::Frame(offset), &Value::Sp(base)) = (&at, &state.regs[access.base])
        && !access.prefetch
    {
        aligned::within(state, base, offset..=offset + i64::from(access.size))?;
    }
    if let Address::Frame(offset) = at {
        let sp = if access.base == SP && access.mode == Mode::Pre { offset } else { state.sp(SP) };
        if offset < sp && !access.prefetch {
            return refuse(ErrorCode::DynamicStack, "uses memory below the stack pointer, which a signal may overwrite");
        }
        // gcc may merge an access to the end of the frame with an access to the first arguments. Then frame and arguments must be contiguous.
        let across = offset < 0 && offset + i64::from(access.size) > 0 && !access.prefetch;
        effect.boundary_escapes |= across;
        let bytes = Some((offset, offset + i64::from(access.size))).filter(|_| !access.prefetch);
        // LLVM probes the bottom of a large aligned frame by a load into xzr. The bottom may hold arguments, which only the callee reads.
        let reads = access.loads && (access.stores || !is_discarded(i, access));
        (effect.reads, effect.writes) = (bytes.filter(|_| reads), bytes.filter(|_| access.stores));
        effect.stack_arguments = (offset >= 0 || across) && !access.prefetch;
        if effect.stack_arguments {
            effect.argument_bytes = offset + i64::from(access.size);
        }
        effect.moved = match state.regs[access.base] {
            Value::Sp(base) => shift(offset >= 0) - shift(base > 0),
            _ => 0,
        };
    }
    if matches!(at, Address::SomeFrame) && access.base == SP && state.sp(SP) == 0 {
        return refuse(ErrorCode::DynamicStack, "accesses its stack arguments by an index");
    }
    if access.base == SP && access.form == Form::Indexed && access.mode == Mode::Post {
        return refuse(ErrorCode::DynamicStack, "moves the stack pointer by an unknown amount (a dynamic frame)");
    }
    if access.mode != Mode::Offset {
        if access.words.contains(&Some(access.base)) {
            return refuse(ErrorCode::Decode, "loads or stores its base register with write-back, which is unpredictable");
        }
        let value = match (&state.regs[access.base], access.form) {
            (_, Form::Indexed) => Value::Unknown,
            (Value::Sp(n), _) => Value::Sp(n + access.offset),
            (Value::Data(id, offset), _) => Value::Data(*id, offset + access.offset),
            _ => Value::Unknown,
        };
        if let (&Value::Sp(from), &Value::Sp(to)) = (&state.regs[access.base], &value)
            && access.base != SP
        {
            aligned::within(state, from, to..=to)?;
            effect.stack_arguments |= to > 0;
            effect.boundary |= to == 0 || (from > 0) != (to > 0) || effect.moved != 0;
        }
        set(state, access.base, value, knowledge)?;
    }
    if access.stores && !matches!(at, Address::Frame(_) | Address::SomeFrame) {
        let stored = members(i.reads).filter(|&reg| reg != access.base || stored(i, access));
        effect.published.extend(stored.map(|reg| state.regs[reg].clone()).filter(Value::is_address));
    }
    transfer(i, access, &at, state, knowledge)
}

/// True for a load into the zero register alone.
fn is_discarded(i: &Insn, access: &Access) -> bool {
    let is_vector = i.word >> 26 & 1 == 1;
    let back = if access.mode == Mode::Offset { 0 } else { 1 << access.base };
    !is_vector && i.writes & !back == 0
}

/// Applies a memory access to memory and to the registers that it loads or stores.
fn transfer(i: &Insn, access: &Access, at: &Address, state: &mut State, knowledge: &mut dyn Knowledge) -> Result<(), Refusal> {
    // The analysis no longer tracks a frame address after an instruction stores it, passes it to an atomic operation, or uses it as an index.
    for reg in members(i.reads).filter(|&r| r != access.base || access.words.contains(&Some(r))) {
        if matches!(state.regs[reg], Value::Sp(_)) && (access.stores || access.form == Form::Indexed) {
            state.escaped = true;
        }
    }
    let words = access.words;
    let loaded: Vec<(Reg, Value)> = (0..2)
        .filter_map(|k| words[k].map(|reg| (reg, if access.stores { Value::Unknown } else { load(at, k as i64 * 8, state, knowledge) })))
        .collect();
    if access.stores {
        let count = if access.form == Form::Pair { 2 } else { 1 };
        let unit = i64::from(access.size) / count;
        let whole = !access.loads && unit == 8;
        for k in 0..count {
            let value = words[k as usize].filter(|_| whole).map_or(Value::Unknown, |reg| state.regs[reg].clone());
            store(at, k * unit, unit, &value, state, knowledge);
        }
    }
    if access.loads || i.writes & !(1 << access.base) != 0 {
        let back = if access.mode == Mode::Offset { 0 } else { 1 << access.base };
        for reg in members(i.writes & !back) {
            let value = loaded.iter().find(|(to, _)| *to == reg && access.loads).map_or(Value::Unknown, |(_, value)| value.clone());
            set(state, reg, value, knowledge)?;
        }
    }
    Ok(())
}

/// Handles instructions that need no special treatment: forgets the registers that they write.
fn general(i: &Insn, state: &mut State) -> Result<(), Refusal> {
    // Arithmetic on a frame address may make a pointer that the analysis does not track. A comparison sets only flags.
    if has_result(i) {
        state.escaped |= members(i.reads).any(|r| r != SP && matches!(state.regs[r], Value::Sp(_)));
    }
    if (i.reads | i.writes) & 1 << SP != 0 {
        return refuse(ErrorCode::DynamicStack, "reads or writes the stack pointer in a way that is not understood");
    }
    for reg in members(i.writes) {
        state.regs[reg] = Value::Unknown;
    }
    Ok(())
}
