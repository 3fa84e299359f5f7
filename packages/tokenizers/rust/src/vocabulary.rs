//! Names, ids and bytes of tokens.

use crate::error::{Failure, Reason};
use serde_json::Value;
use std::collections::HashMap;
use tokenizers::pipeline::{PipelineModel, PipelineTokenizer};

/// The ids of all tokens, by name. The crate itself finds only added tokens by name.
pub struct Vocabulary(HashMap<String, u32>);

impl Vocabulary {
    pub fn new(tokenizer: &PipelineTokenizer) -> Self {
        let mut ids: HashMap<String, u32> = match tokenizer.get_model() {
            PipelineModel::BPE(model) => model.to_config().map(|config| config.vocab.into_iter().collect()).unwrap_or_default(),
            PipelineModel::Unigram(model) => model.get_vocab(),
            PipelineModel::WordLevel(model) => model.get_vocab(),
            PipelineModel::WordPiece(model) => model.vocab().into_iter().collect(),
        };
        // An added token takes precedence over a token of the model with the same name, as in an encoding.
        ids.extend(tokenizer.get_added_vocabulary().get_vocab());
        Self(ids)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn id(&self, token: &str) -> Option<u32> {
        self.0.get(token).copied()
    }
}

/// Returns the name of the token with this id.
pub fn token(tokenizer: &PipelineTokenizer, id: u32) -> Option<String> {
    let added = tokenizer.get_added_vocabulary().simple_id_to_token(id);
    added.or_else(|| tokenizer.get_model().id_to_token(id))
}

/// Returns the bytes of a token of a byte level model from its name. The name has one visible character for each byte, as in GPT-2. `None` if the
/// name has any other character.
pub fn bytes(name: &str) -> Option<Vec<u8>> {
    let byte = |c: char| match u32::from(c) {
        code @ (0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff) => Some(code as u8),
        // The characters from 256 on stand for all other bytes, in ascending order.
        code @ 0x100..=0x120 => Some((code - 0x100) as u8),
        code @ 0x121..=0x142 => Some((code - 0x121 + 0x7f) as u8),
        0x143 => Some(0xad),
        _ => None,
    };
    name.chars().map(byte).collect()
}

/// The largest id that a file may have. The crate makes a table with an entry for each number up to the file's largest id, so a small file could
/// demand gigabytes.
const MAX_ID: u64 = (1 << 24) - 1;

/// Fails if an id of a tokenizer.json is above `MAX_ID`. The crate reports other mistakes in ids.
pub fn check_ids(file: &Value) -> Result<(), Failure> {
    let model = file["model"]["vocab"].as_object().into_iter().flat_map(|vocab| vocab.values());
    let added = file["added_tokens"].as_array().into_iter().flatten().map(|token| &token["id"]);
    match model.chain(added).find(|id| id.as_f64().is_some_and(|id| id > MAX_ID as f64)) {
        Some(id) => Err(Failure::new(Reason::Length, &format!("token id {id} is above {MAX_ID}"))),
        None => Ok(()),
    }
}
