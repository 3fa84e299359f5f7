//! Tokenizers of Hugging Face's crate tokenizers, as objects for the Go files of the package.

mod encode;
mod error;
mod options;
mod vocabulary;

use encode::{Batch, Encoder};
use error::{Failure, Reason};
use options::RawOptions;
use rustgo::{Append, GoStr, Strs};
use std::sync::OnceLock;
use tokenizers::pipeline::PipelineTokenizer;
use vocabulary::Vocabulary;

/// native is a tokenizer. Goroutines call its methods without locks of this crate. The crate tokenizers takes the buffers of a call from a pool,
/// which has 64 parts with a lock each; a thread always uses the same part.
#[rustgo::object(name = "native")]
pub struct Native {
    tokenizer: PipelineTokenizer,
    vocabulary: OnceLock<Vocabulary>,
}

impl Native {
    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary.get_or_init(|| Vocabulary::new(&self.tokenizer))
    }
}

#[rustgo::export(int = "usize")]
impl Native {
    /// newNative reads a tokenizer.json of any version.
    #[rustgo::export(name = "newNative", blocking, stack = "1m")]
    pub fn new(json: &[u8]) -> Result<Self, Failure> {
        let format = |error: &dyn std::fmt::Display| Failure::new(Reason::Format, error);
        let mut file = serde_json::from_slice(json).map_err(|error| format(&error))?;
        vocabulary::check_ids(&file)?;
        tokenizers::canonicalize_value(&mut file).map_err(|error| format(&error))?;
        let tokenizer = tokenizers::from_json(&file.to_string()).map_err(|error| format(&error))?;
        options::check_padding(tokenizer.get_padding())?;
        encode::check(&tokenizer)?;
        Ok(Self { tokenizer, vocabulary: OnceLock::new() })
    }

    /// appendIDs appends the ids of the tokens of a text to dst. The file determines the truncation, and there is no padding.
    #[rustgo::export(name = "appendIDs", blocking_over = 16384, stack = "448k")]
    pub fn append_ids(&self, dst: &mut Append<u32>, text: GoStr<'_>, add_special: bool) -> Result<(), Failure> {
        encode::append_ids(&self.tokenizer, dst, text, add_special)
    }

    /// encode encodes each text of first. If second is not empty, each text of first is encoded as a pair with the text of second that has the same
    /// index. The results are the fields of encode::Batch.
    #[rustgo::export(name = "encode", stack = "448k", results(ids, columns, lengths, tokens, offsets, known, err))]
    #[allow(clippy::type_complexity)]
    pub fn encode(
        &self,
        first: Strs<'_>,
        second: Strs<'_>,
        options: RawOptions,
    ) -> Result<(Vec<u32>, Vec<u8>, Vec<usize>, Vec<String>, Vec<u32>, Vec<bool>), Failure> {
        let Batch { ids, columns, lengths, tokens, offsets, known } = Encoder::new(&self.tokenizer, &options)?.batch(first, second)?;
        Ok((ids, columns, lengths, tokens, offsets, known))
    }

    /// encodeLong does what encode does, and is for long texts. The option blocking_over does not suit encode: it would count 16 bytes for each text,
    /// not the length of the text.
    #[rustgo::export(name = "encodeLong", blocking, stack = "448k", results(ids, columns, lengths, tokens, offsets, known, err))]
    #[allow(clippy::type_complexity)]
    pub fn encode_long(
        &self,
        first: Strs<'_>,
        second: Strs<'_>,
        options: RawOptions,
    ) -> Result<(Vec<u32>, Vec<u8>, Vec<usize>, Vec<String>, Vec<u32>, Vec<bool>), Failure> {
        self.encode(first, second, options)
    }

    /// decode returns the text of the tokens with these ids.
    #[rustgo::export(name = "decode", blocking_over = 16384, stack = "448k")]
    pub fn decode(&self, ids: &[u32], skip_special: bool) -> Result<String, Failure> {
        self.tokenizer.decode(ids, skip_special).map_err(|error| Failure::new(Reason::Text, &error))
    }

    /// vocabSize returns the number of tokens, including the file's added tokens.
    #[rustgo::export(name = "vocabSize", stack = "448k")]
    pub fn vocab_size(&self) -> usize {
        self.vocabulary().len()
    }

    /// loadVocabulary makes the table that vocabSize and tokenToID use. Without loadVocabulary their first call makes the table.
    #[rustgo::export(name = "loadVocabulary", blocking, stack = "448k")]
    pub fn load_vocabulary(&self) {
        self.vocabulary();
    }

    /// tokenToID returns the id of the token with this name.
    #[rustgo::export(name = "tokenToID", stack = "448k")]
    pub fn token_to_id(&self, token: GoStr<'_>) -> Option<u32> {
        self.vocabulary().id(std::str::from_utf8(&token).ok()?)
    }

    /// idToToken returns the name of the token with this id.
    #[rustgo::export(name = "idToToken", stack = "448k")]
    pub fn id_to_token(&self, id: u32) -> Option<String> {
        vocabulary::token(&self.tokenizer, id)
    }
}
