//@ std
//@ support: libm
//@ tokenizers = { version = "=0.21.4", default-features = false, features = ["fancy-regex"] }
//@ ahash = "0.8"
//! Splits text into tokens by byte-pair encoding with a small vocabulary, and decodes the tokens.
use tokenizers::models::bpe::BPE;
use tokenizers::normalizers::unicode::NFC;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::{TokenizerBuilder, decoders::byte_level::ByteLevel as Decoder, processors::byte_level::ByteLevel as Processor};

#[rustgo::export(stack = "512k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut letters: Vec<String> = ByteLevel::alphabet().into_iter().map(String::from).collect();
    letters.sort();
    let merges = [("t", "h"), ("th", "e"), ("o", "v"), ("l", "a"), ("Ġ", "the"), ("q", "u")];
    letters.extend(merges.iter().map(|(a, b)| format!("{a}{b}")));
    let vocabulary: ahash::AHashMap<String, u32> = letters.into_iter().zip(0u32..).collect();
    let model = BPE::builder().vocab_and_merges(vocabulary, merges.map(|(a, b)| (a.into(), b.into())).into()).build().unwrap();
    let tokenizer = TokenizerBuilder::new()
        .with_model(model)
        .with_normalizer(Some(NFC))
        .with_pre_tokenizer(Some(ByteLevel::default()))
        .with_post_processor(Some(Processor::default()))
        .with_decoder(Some(Decoder::default()))
        .build()
        .unwrap();
    let input = String::from_utf8_lossy(&input[..input.len().min(500)]);
    let text = match tokenizer.encode(&*input, false) {
        Ok(tokens) => format!("{:?} {:?} {:?}", tokens.get_ids(), tokens.get_offsets(), tokenizer.decode(tokens.get_ids(), false)),
        Err(error) => error.to_string(),
    };
    put(out, text.as_bytes())
}
