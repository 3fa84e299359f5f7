//! Decodes the language-specific data of one function (LSDA): the places to which control goes if a call in the function unwinds.
//!
//! ```text
//! header       encoding of the base of landing pads, encoding of types, distance to the end of the types, encoding and size of the call sites
//! call sites   start, length, landing pad, action; ascending and without overlaps
//! actions      records (filter, distance to the next record)
//! types        one entry for each type, before the end of the types; lists of types for filters, after it
//! ```
//!
//! Rust uses a small part of the format. An action is a cleanup, the catch of every exception (a type whose entry is zero), or a filter that lets no
//! exception pass (an empty list). Anything else serves languages that select exceptions by their type, and is refused.
//!
//! Sources: Itanium C++ ABI, "Exception Handling Tables" (LSB 5.0, "DWARF Extensions", for the encodings); LLVM's `EHStreamer::emitExceptionTable`.

use std::fmt;

/// A range of code whose calls may unwind, and the place to which control goes then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Offset of the first byte in the function.
    pub start: u32,
    pub end: u32,
    /// The landing pad. Without one, control leaves the function.
    pub pad: Option<Pad>,
}

/// A landing pad: control goes there if a call unwinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pad {
    /// Offset of the landing pad in the function.
    pub offset: u32,
    pub action: Action,
}

/// The purpose of a landing pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The landing pad runs destructors and resumes unwinding.
    Cleanup,
    /// The landing pad catches every exception.
    Catch,
    /// The landing pad gets every exception that must not leave the function.
    Filter,
}

/// The reason why the data cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The data ends inside the named part.
    CutShort(&'static str),
    /// The named part has an encoding that this module does not know.
    Encoding(&'static str, u8),
    /// A call site begins before the preceding one ends.
    Overlap(u64),
    /// A call site ends after the end of the function.
    Outside(u64),
    /// A call site's landing pad is not in the function.
    PadOutside(u64),
    /// The landing pads count from an address other than the function's start.
    Base,
    /// A call site's action lies outside of the actions.
    NoAction(u64),
    /// The actions of a call site do not end.
    EndlessActions(u64),
    /// An action selects exceptions by their type.
    Types,
    /// A number does not fit into 64 bits.
    Number,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::CutShort(part) => write!(f, "{part} are cut short"),
            Refusal::Encoding(part, encoding) => write!(f, "{part} have the unknown encoding {encoding:#04x}"),
            Refusal::Overlap(start) => write!(f, "the call site at {start:#x} overlaps with the one before"),
            Refusal::Outside(start) => write!(f, "the call site at {start:#x} lies outside of the function"),
            Refusal::PadOutside(pad) => write!(f, "the landing pad at {pad:#x} lies outside of the function"),
            Refusal::Base => f.write_str("the landing pads count from another address than the function's start"),
            Refusal::NoAction(action) => write!(f, "there is no action {action}"),
            Refusal::EndlessActions(action) => write!(f, "the actions from {action} on do not end"),
            Refusal::Types => f.write_str("a landing pad selects exceptions by their type"),
            Refusal::Number => f.write_str("a number has more than 64 bits"),
        }
    }
}

/// The language-specific data of a function, with what is needed to decode it.
pub(super) struct Lsda<'a> {
    /// The bytes of the section from the function's data on.
    pub bytes: &'a [u8],
    /// Size of the function in bytes.
    pub size: u32,
    /// Returns true if a relocation fills the bytes at this offset of `bytes`. In the object, the address of a type consists of zeros that a
    /// relocation fills.
    pub relocated: &'a dyn Fn(usize) -> bool,
}

/// The encoding of an omitted part (`DW_EH_PE_omit`).
const OMIT: u8 = 0xFF;
/// The formats of numbers (`DW_EH_PE_uleb128` and others), in the lowest four bits of an encoding.
const ULEB128: u8 = 0x01;
const UDATA2: u8 = 0x02;
const UDATA4: u8 = 0x03;
const UDATA8: u8 = 0x04;
const SDATA4: u8 = 0x0B;
const SDATA8: u8 = 0x0C;
const ABSOLUTE: u8 = 0x00;
const FORMAT: u8 = 0x0F;

impl Lsda<'_> {
    /// Decodes the call sites, by ascending start.
    ///
    /// # Errors
    /// Fails if the data is damaged, or has a part that Rust does not use.
    pub fn decode(&self) -> Result<Vec<CallSite>, Refusal> {
        let mut header = Reader { bytes: self.bytes, at: 0, part: "the headers" };
        if header.byte()? != OMIT {
            return Err(Refusal::Base);
        }
        let types = match header.byte()? {
            OMIT => None,
            encoding => {
                let by = header.uleb()?;
                let end = usize::try_from(by).ok().and_then(|by| header.at.checked_add(by)).filter(|&end| end <= self.bytes.len());
                Some(Types { encoding, end: end.ok_or(Refusal::CutShort("the types"))? })
            }
        };
        let encoding = header.byte()?;
        let length = header.uleb()?;
        let end = usize::try_from(length).ok().and_then(|length| header.at.checked_add(length)).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or(Refusal::CutShort("the call sites"))?;
        let mut sites = Reader { bytes: &self.bytes[..end], at: header.at, part: "the call sites" };
        let mut found: Vec<CallSite> = Vec::new();
        while sites.at < end {
            let [start, length, pad] = [sites.number(encoding)?, sites.number(encoding)?, sites.number(encoding)?];
            let action = sites.uleb()?;
            let size = u64::from(self.size);
            if found.last().is_some_and(|last| start < u64::from(last.end)) {
                return Err(Refusal::Overlap(start));
            }
            let site_end = start.checked_add(length).filter(|&end| end <= size).ok_or(Refusal::Outside(start))?;
            let pad = match pad {
                0 => None,
                pad if pad >= size => return Err(Refusal::PadOutside(pad)),
                pad => Some(Pad { offset: pad as u32, action: self.action(action, end, types)? }),
            };
            // Both numbers are at most the function's size, which has 32 bits.
            found.push(CallSite { start: start as u32, end: site_end as u32, pad });
        }
        Ok(found)
    }

    /// Decodes the action of a landing pad. `action` is 0 for a cleanup, otherwise the offset of the action's record plus one. `actions` is the place
    /// of the first record.
    fn action(&self, action: u64, actions: usize, types: Option<Types>) -> Result<Action, Refusal> {
        let Some(offset) = action.checked_sub(1) else { return Ok(Action::Cleanup) };
        let end = types.map_or(self.bytes.len(), |types| types.end);
        let first = usize::try_from(offset).ok().and_then(|offset| actions.checked_add(offset)).filter(|&first| first < end);
        let mut at = first.ok_or(Refusal::NoAction(action))?;
        // A list of actions has fewer records than the data has bytes, because records do not overlap.
        for _ in 0..self.bytes.len() {
            let mut record = Reader { bytes: &self.bytes[..end], at, part: "the actions" };
            let filter = record.sleb()?;
            let place = record.at;
            let by = record.sleb()?;
            match filter {
                1.. => return self.catches(filter.unsigned_abs(), types),
                ..0 => return self.filters(filter.unsigned_abs(), types),
                0 if by == 0 => return Ok(Action::Cleanup),
                0 => {}
            }
            let next = usize::try_from(by.saturating_add_unsigned(place as u64)).ok();
            at = next.filter(|next| (actions..end).contains(next)).ok_or(Refusal::NoAction(action))?;
        }
        Err(Refusal::EndlessActions(action))
    }

    /// Decodes an action that catches the type with this number. A type whose entry is zero matches every exception. Refuses every other type.
    fn catches(&self, number: u64, types: Option<Types>) -> Result<Action, Refusal> {
        let types = types.ok_or(Refusal::CutShort("the types"))?;
        let size = match types.encoding & FORMAT {
            ABSOLUTE | UDATA8 | SDATA8 => 8,
            UDATA4 | SDATA4 => 4,
            UDATA2 => 2,
            _ => return Err(Refusal::Encoding("the types", types.encoding)),
        };
        let entry = usize::try_from(number).ok().and_then(|number| number.checked_mul(size)).and_then(|back| types.end.checked_sub(back));
        let entry = entry.ok_or(Refusal::CutShort("the types"))?;
        let is_zero = self.bytes[entry..entry + size].iter().all(|&byte| byte == 0);
        let is_known = is_zero && !(entry..entry + size).any(|at| (self.relocated)(at));
        if is_known { Ok(Action::Catch) } else { Err(Refusal::Types) }
    }

    /// Decodes an action that is a filter. `number` is the filter's number without the sign: the filter's list of types begins `number - 1` bytes
    /// after the entries of the types. Refuses every list except the empty one.
    fn filters(&self, number: u64, types: Option<Types>) -> Result<Action, Refusal> {
        let types = types.ok_or(Refusal::CutShort("the types"))?;
        let list = usize::try_from(number - 1).ok().and_then(|by| types.end.checked_add(by)).and_then(|at| self.bytes.get(at));
        match list {
            Some(0) => Ok(Action::Filter),
            Some(_) => Err(Refusal::Types),
            None => Err(Refusal::CutShort("the filters")),
        }
    }
}

#[derive(Clone, Copy)]
struct Types {
    encoding: u8,
    /// Offset of the first byte after the types.
    end: usize,
}

/// Reads the numbers of one part of the data.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    part: &'static str,
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, Refusal> {
        let byte = *self.bytes.get(self.at).ok_or(Refusal::CutShort(self.part))?;
        self.at += 1;
        Ok(byte)
    }

    fn uleb(&mut self) -> Result<u64, Refusal> {
        let mut value = 0u64;
        for shift in (0..).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if bits != 0 && (shift >= u64::BITS || bits << shift >> shift != bits) {
                return Err(Refusal::Number);
            }
            value |= bits.checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Refusal::Number)
    }

    fn sleb(&mut self) -> Result<i64, Refusal> {
        let mut value = 0i64;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            if shift >= i64::BITS - 1 {
                return Err(Refusal::Number);
            }
            value |= i64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                let is_negative = byte & 0x40 != 0;
                return Ok(if is_negative && shift < i64::BITS { value | -1 << shift } else { value });
            }
        }
    }

    /// Reads a number of a call site.
    fn number(&mut self, encoding: u8) -> Result<u64, Refusal> {
        let size = match encoding {
            ULEB128 => return self.uleb(),
            UDATA2 => 2,
            UDATA4 => 4,
            UDATA8 => 8,
            _ => return Err(Refusal::Encoding(self.part, encoding)),
        };
        (0..size).try_fold(0, |value, at| Ok(value | u64::from(self.byte()?) << (8 * at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Decoded = Result<Vec<CallSite>, Refusal>;

    fn decode(bytes: &[u8], size: u32) -> Decoded {
        Lsda { bytes, size, relocated: &|_| false }.decode()
    }

    fn site(start: u32, end: u32, pad: Option<(u32, Action)>) -> CallSite {
        CallSite { start, end, pad: pad.map(|(offset, action)| Pad { offset, action }) }
    }

    /// Makes the data of a function as LLVM does: the call sites (start, length, landing pad and action, each in one byte), the actions, the types
    /// (each in four bytes), and the lists of types for filters.
    fn data(sites: &[[u8; 4]], actions: &[u8], types: &[u32], lists: &[u8]) -> Vec<u8> {
        let after = 2 + sites.len() * 4 + actions.len() + types.len() * 4;
        let mut data = vec![OMIT, 0x9B, after as u8, ULEB128, (sites.len() * 4) as u8];
        data.extend(sites.as_flattened().iter().chain(actions));
        data.extend(types.iter().flat_map(|number| number.to_le_bytes()));
        data.extend(lists);
        data
    }

    /// Three actions: one that catches type 1; one that filters by the first list; and a cleanup that is followed, in its chain, by the first action.
    const ACTIONS: [u8; 6] = [1, 0, 0x7F, 0, 0, 0x7B];

    #[test]
    fn all_kinds_of_landing_pads_are_decoded() {
        let sites = [[0, 5, 40, 1], [5, 5, 41, 3], [20, 9, 42, 0], [30, 1, 0, 0], [31, 2, 43, 5]];
        let expected = [
            site(0, 5, Some((40, Action::Catch))),
            site(5, 10, Some((41, Action::Filter))),
            site(20, 29, Some((42, Action::Cleanup))),
            site(30, 31, None),
            site(31, 33, Some((43, Action::Catch))),
        ];
        assert_eq!(decode(&data(&sites, &ACTIONS, &[0], &[0]), 44), Ok(expected.to_vec()));
    }

    #[test]
    fn a_function_without_types_has_cleanups() {
        assert_eq!(decode(&[OMIT, OMIT, ULEB128, 5, 2, 3, 0x88, 0x01, 0], 200), Ok(vec![site(2, 5, Some((136, Action::Cleanup)))]));
        assert_eq!(decode(&[OMIT, OMIT, ULEB128, 0], 1), Ok(vec![]));
    }

    #[test]
    fn numbers_of_call_sites_have_several_formats() {
        for (encoding, size) in [(UDATA2, 2), (UDATA4, 4), (UDATA8, 8)] {
            let mut bytes = vec![OMIT, OMIT, encoding, 3 * size + 1];
            for number in [1u64, 2, 300] {
                bytes.extend(&number.to_le_bytes()[..usize::from(size)]);
            }
            bytes.push(0);
            assert_eq!(decode(&bytes, 301), Ok(vec![site(1, 3, Some((300, Action::Cleanup)))]), "{encoding}");
        }
    }

    #[test]
    fn types_are_not_told_apart() {
        let sites = [[0, 5, 40, 1]];
        let decode_with = |actions: &[u8], types: &[u32], lists: &[u8]| decode(&data(&sites, actions, types, lists), 44);
        assert_eq!(decode_with(&[1, 0], &[7], &[]), Err(Refusal::Types));
        assert_eq!(decode_with(&[0x7F, 0], &[0], &[1, 0]), Err(Refusal::Types));
        // The catch of a type whose address a relocation fills in.
        let bytes = data(&sites, &[1, 0], &[0], &[]);
        let relocated = |at: usize| at == bytes.len() - 4;
        assert_eq!(Lsda { bytes: &bytes, size: 44, relocated: &relocated }.decode(), Err(Refusal::Types));
        // The second of two types: it lies before the first.
        assert_eq!(decode_with(&[2, 0], &[0, 7], &[]), Ok(vec![site(0, 5, Some((40, Action::Catch)))]));
        assert_eq!(decode_with(&[2, 0], &[7, 0], &[]), Err(Refusal::Types));
    }

    #[test]
    fn damage_is_refused() {
        let with = |sites: &[[u8; 4]], actions: &[u8]| decode(&data(sites, actions, &[0], &[0]), 44);
        let cases: [(&str, Decoded, Refusal); 16] = [
            ("overlap", with(&[[0, 5, 0, 0], [4, 5, 0, 0]], &[]), Refusal::Overlap(4)),
            ("order", with(&[[9, 5, 0, 0], [0, 5, 0, 0]], &[]), Refusal::Overlap(0)),
            ("end", with(&[[40, 5, 0, 0]], &[]), Refusal::Outside(40)),
            ("pad", with(&[[0, 5, 44, 0]], &[]), Refusal::PadOutside(44)),
            ("no action", with(&[[0, 5, 40, 99]], &[]), Refusal::NoAction(99)),
            ("next action before all", with(&[[0, 5, 40, 1]], &[0, 0x7E]), Refusal::NoAction(1)),
            ("endless", with(&[[0, 5, 40, 1]], &[0, 0x7F]), Refusal::EndlessActions(1)),
            ("no such type", with(&[[0, 5, 40, 1]], &[0x3F, 0]), Refusal::CutShort("the types")),
            ("no such list", with(&[[0, 5, 40, 1]], &[0x7E, 0]), Refusal::CutShort("the filters")),
            ("base", decode(&[0x1B, 0, 0, 0, 0, OMIT, ULEB128, 0], 44), Refusal::Base),
            ("empty", decode(&[], 44), Refusal::CutShort("the headers")),
            ("no call sites", decode(&[OMIT, OMIT, ULEB128, 4, 0, 5, 0], 44), Refusal::CutShort("the call sites")),
            ("half a call site", decode(&[OMIT, OMIT, ULEB128, 3, 0, 5, 0, 0], 44), Refusal::CutShort("the call sites")),
            ("types far away", decode(&[OMIT, 0x9B, 90, ULEB128, 0], 44), Refusal::CutShort("the types")),
            ("encoding", decode(&[OMIT, OMIT, 0x1B, 4, 0, 5, 40, 0], 44), Refusal::Encoding("the call sites", 0x1B)),
            ("number", decode(&[[OMIT, OMIT, ULEB128].as_slice(), &[0xFF; 12], &[0x7F]].concat(), 44), Refusal::Number),
        ];
        for (name, found, expected) in cases {
            assert_eq!(found, Err(expected), "{name}");
        }
        let mut bytes = data(&[[0, 5, 40, 1]], &[1, 0], &[0], &[]);
        bytes[1] = 0x90 | 0x0D;
        assert_eq!(decode(&bytes, 44), Err(Refusal::Encoding("the types", 0x9D)));
    }

    #[test]
    fn damaged_bytes_never_panic() {
        let whole = data(&[[0, 5, 40, 1], [5, 5, 41, 3], [20, 9, 42, 0], [31, 2, 43, 5]], &ACTIONS, &[0], &[0]);
        assert!(decode(&whole, 44).is_ok());
        for length in 0..whole.len() {
            let _ = decode(&whole[..length], 44);
            for byte in [0, 1, 2, 3, 0x7F, 0x80, 0x9B, 0xFF] {
                let mut bytes = whole.clone();
                bytes[length] = byte;
                for found in decode(&bytes, 44).into_iter().flatten() {
                    assert!(found.start <= found.end && found.end <= 44 && found.pad.is_none_or(|pad| pad.offset < 44));
                }
            }
        }
    }
}
