//! The metadata that compilers append to the code.

use crate::answer::Answer;
use evmole::{CborEntry, CborMetadata, CborValue, ContractInfoArgs, contract_info};

/// metadata returns the offset and the length of the metadata, and a list of their entries: key, one of Go's constants kindText to kindCBOR, bytes of
/// the value. The result is empty if there are no metadata.
#[rustgo::export(name = "metadata", blocking, stack = "64k")]
pub fn metadata(code: &[u8]) -> Vec<u8> {
    let mut answer = Answer::default();
    if let Some(CborMetadata { bytecode_offset, cbor_length, entries }) =
        contract_info(ContractInfoArgs::new(code).with_metadata()).metadata
    {
        answer.number(bytecode_offset);
        answer.number(cbor_length);
        answer.list(entries, |answer, CborEntry { key, value }| {
            answer.bytes(key.as_bytes());
            let (kind, bytes) = match value {
                CborValue::String(text) => (0, text.into_bytes()),
                CborValue::Bytes(bytes) => (1, bytes),
                CborValue::Integer(number) => (2, number.to_le_bytes().to_vec()),
                CborValue::Bool(value) => (3, vec![u8::from(value)]),
                CborValue::Undecoded(bytes) => (4, bytes),
            };
            answer.number(kind);
            answer.bytes(&bytes);
        });
    }
    answer.into_bytes()
}
