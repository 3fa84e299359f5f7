//! Decodes pc tables, which give a value, such as the line number, for every pc (`cmd/internal/obj/pcln.go`, `funcpctab`).

/// Decodes a table. A table consists of pairs of varints. The first number of a pair, zig-zag coded, is the change of the value; the value starts at
/// −1. The second number is the length of the code with the new value, in units of `quantum` bytes. A zero ends the table. Returns pairs of a value's
/// first pc and the value, and the pc at the end of the last value.
pub(super) fn table(mut bytes: &[u8], quantum: u32) -> Result<(Vec<(u32, i32)>, u32), String> {
    let mut entries = Vec::new();
    let (mut pc, mut value) = (0u32, -1i32);
    while !bytes.is_empty() {
        let delta = varint(&mut bytes)?;
        if delta == 0 && !entries.is_empty() {
            return if bytes.is_empty() { Ok((entries, pc)) } else { Err("bytes follow the end of a pc table".into()) };
        }
        value = value.wrapping_add(unzigzag(delta));
        entries.push((pc, value));
        let span = varint(&mut bytes)?;
        pc = span.checked_mul(quantum).and_then(|span| pc.checked_add(span)).ok_or("a pc table runs beyond 4 GiB")?;
    }
    if entries.is_empty() { Ok((entries, 0)) } else { Err("a pc table has no end".into()) }
}

/// Reads a varint of at most 32 bits, the limit of the runtime's `readvarint`.
fn varint(bytes: &mut &[u8]) -> Result<u32, String> {
    let mut value = 0u64;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or("a pc table is cut short")?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return u32::try_from(value).map_err(|_| "a number in a pc table exceeds 32 bits".into());
        }
    }
    Err("a number in a pc table exceeds 32 bits".into())
}

fn unzigzag(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_values_and_spans() {
        // The value is 0 for 5 bytes, then 8 for 130 bytes, then 0 for 1 byte. The first change is +1, because the value starts at −1.
        let bytes = [2, 5, 16, 0x82, 0x01, 15, 1, 0];
        assert_eq!(table(&bytes, 1), Ok((vec![(0, 0), (5, 8), (135, 0)], 136)));
        assert_eq!(table(&bytes, 4), Ok((vec![(0, 0), (20, 8), (540, 0)], 544)));
    }

    #[test]
    fn leading_zero_does_not_end_the_table() {
        assert_eq!(table(&[0, 7, 0], 1), Ok((vec![(0, -1)], 7)));
        assert_eq!(table(&[], 1), Ok((vec![], 0)));
    }

    #[test]
    fn damage_is_an_error() {
        for bytes in [&[2][..], &[2, 5], &[2, 5, 16], &[2, 0x80], &[2, 0x80, 0x80, 0x80, 0x80, 0x10, 0], &[0x80; 9], &[2, 5, 0, 0]] {
            assert!(table(bytes, 1).is_err(), "{bytes:?}");
        }
    }
}
