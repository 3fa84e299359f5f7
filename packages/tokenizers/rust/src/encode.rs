//! Encodes texts as tokens, with special tokens, truncation, padding and offsets.

use crate::error::{Failure, Reason};
use crate::options::{RawOptions, check_padding};
use crate::vocabulary;
use rustgo::{Append, GoStr, Strs};
use std::ops::Range;
use tokenizers::pipeline::{EncodeOptions, Encoding, Override, PipelineModel, PipelineToken, PipelineTokenizer};
use tokenizers::{PaddingDirection, PaddingParams, TruncationDirection, pad_encodings, truncate_pair};

fn refused(error: tokenizers::Error) -> Failure {
    let truncation = error.is::<tokenizers::utils::truncation::TruncationError>();
    Failure::new(if truncation { Reason::Truncation } else { Reason::Text }, &error)
}

/// Appends the ids of the tokens of a text.
pub fn append_ids(tokenizer: &PipelineTokenizer, dst: &mut Append<u32>, text: GoStr<'_>, add_special: bool) -> Result<(), Failure> {
    let text = std::str::from_utf8(&text).map_err(|error| Failure::new(Reason::Utf8, &error))?;
    let options = EncodeOptions { add_special_tokens: add_special, padding: Override::Off, ..EncodeOptions::default() };
    let mut ids = Vec::with_capacity(text.len() / 4 + 4);
    tokenizer.encode_into(text, &options, &mut ids).map_err(refused)?;
    dst.extend_from_slice(PipelineToken::cast_slice(&ids));
    Ok(())
}

/// Fails if the tokenizer can encode no text. The crate reads files with any regular expression for splitting texts, but it encodes only with the
/// expressions for which it has code of its own. With any other expression, encoding always fails.
pub fn check(tokenizer: &PipelineTokenizer) -> Result<(), Failure> {
    let options =
        EncodeOptions { add_special_tokens: false, encode_special_tokens: true, padding: Override::Off, truncation: Override::Off };
    let failure = |error| Failure::new(Reason::Format, &error);
    tokenizer.encode_into("a", &options, &mut Vec::new()).map_err(failure)
}

/// An encoding before padding, with the positions of its special tokens.
struct Marked {
    encoding: Encoding,
    /// The ranges of the tokens that the template added.
    special: Vec<Range<usize>>,
    /// The number of tokens before padding.
    len: usize,
    /// The range of bytes of each token in its text; 0 and 0 for a special token. `None` if offsets are not requested or not known.
    offsets: Option<Vec<[u32; 2]>>,
}

/// The results for a batch. Each list has the values of the first text, then the values of the second text, and so on.
#[derive(Default)]
pub struct Batch {
    pub ids: Vec<u32>,
    /// For each text: the type ids of its tokens, then the attention mask, then the mask of special tokens, one byte for each token.
    pub columns: Vec<u8>,
    /// The number of tokens of each text.
    pub lengths: Vec<usize>,
    pub tokens: Vec<String>,
    /// The first byte and the end of each token, for the texts with known offsets.
    pub offsets: Vec<u32>,
    /// For each text: whether its offsets are known.
    pub known: Vec<bool>,
}

/// A tokenizer with the options of one call. The options apply to all texts of the call.
pub struct Encoder<'a> {
    tokenizer: &'a PipelineTokenizer,
    options: EncodeOptions,
    /// The options for encoding one text without special tokens, truncation and padding, which are added later.
    plain: EncodeOptions,
    add_special: bool,
    offsets: bool,
}

impl<'a> Encoder<'a> {
    pub fn new(tokenizer: &'a PipelineTokenizer, raw: &RawOptions) -> Result<Self, Failure> {
        let options = raw.options();
        check_padding(tokenizer.resolve_padding(&options.padding))?;
        let plain = EncodeOptions {
            add_special_tokens: false,
            encode_special_tokens: raw.special_as_text,
            padding: Override::Off,
            truncation: Override::Off,
        };
        Ok(Self { tokenizer, options, plain, add_special: raw.add_special, offsets: raw.offsets })
    }

    fn tokens(&self, text: &str) -> Result<Vec<PipelineToken>, Failure> {
        let mut tokens = Vec::with_capacity(text.len() / 4 + 4);
        self.tokenizer.encode_into(text, &self.plain, &mut tokens).map_err(refused)?;
        Ok(tokens)
    }

    /// Returns the range of bytes of each token in the text. The crate does not report ranges, so they are known only if the bytes of the tokens are
    /// the bytes of the text. Byte level models have such tokens, unless a normalizer has changed the text.
    fn offsets(&self, text: &str, tokens: &[PipelineToken]) -> Option<Vec<[u32; 2]>> {
        let PipelineModel::BPE(model) = self.tokenizer.get_model() else { return None };
        if !model.is_byte_level() || u32::try_from(text.len()).is_err() {
            return None;
        }
        let mut rest = text.as_bytes();
        let mut position = 0;
        let mut offsets = Vec::with_capacity(tokens.len());
        for token in tokens {
            let bytes = match self.tokenizer.get_added_vocabulary().simple_id_to_token(token.id()) {
                Some(added) => added.into_bytes(),
                None => vocabulary::bytes(&self.tokenizer.get_model().id_to_token(token.id())?)?,
            };
            rest = rest.strip_prefix(bytes.as_slice())?;
            let start = position;
            position += bytes.len() as u32;
            offsets.push([start, position]);
        }
        rest.is_empty().then_some(offsets)
    }

    /// Encodes a text or a pair, without padding. The crate's own function does not report where the template has added tokens.
    fn one(&self, first_text: &str, second_text: Option<&str>) -> Result<Marked, Failure> {
        let first = self.tokens(first_text)?;
        let second = second_text.map(|text| self.tokens(text)).transpose()?;
        let first_offsets = if self.offsets { self.offsets(first_text, &first) } else { None };
        let second_offsets = match (second_text, &second) {
            (Some(text), Some(tokens)) if self.offsets => self.offsets(text, tokens),
            _ => Some(Vec::new()),
        };
        let processor = self.tokenizer.get_post_processor();
        let template = if second.is_some() { &processor.pair } else { &processor.single };
        let added = if self.add_special { template.n_special() } else { 0 };
        let truncation = self.tokenizer.resolve_truncation(&self.options.truncation);
        let (first, second) = truncate_pair(first, second, truncation, added).map_err(refused)?;
        let counts = [first.len(), second.as_ref().map_or(0, Vec::len)];
        let [prefix, infix, suffix] = match self.add_special {
            true => [template.prefix.len(), template.infix.len(), template.suffix.len()],
            false => [0; 3],
        };
        let encoding =
            if self.add_special { template.post_process::<true>(first, second) } else { template.post_process::<false>(first, second) };
        let len = encoding.len();
        let special = vec![0..prefix, prefix + counts[0]..prefix + counts[0] + infix, len - suffix..len];
        let offsets = first_offsets.zip(second_offsets).map(|(first, second)| {
            let left = truncation.is_some_and(|truncation| truncation.direction == TruncationDirection::Left);
            let kept = |all: &[[u32; 2]], count: usize| match left {
                true => all[all.len() - count..].to_vec(),
                false => all[..count].to_vec(),
            };
            let empty = |count: usize| vec![[0; 2]; count];
            [empty(prefix), kept(&first, counts[0]), empty(infix), kept(&second, counts[1]), empty(suffix)].concat()
        });
        Ok(Marked { encoding, special, len, offsets })
    }

    /// Encodes texts or pairs, and pads them.
    pub fn batch(&self, first: Strs<'_>, second: Strs<'_>) -> Result<Batch, Failure> {
        let mut marks = Vec::with_capacity(first.len());
        let mut encodings = Vec::with_capacity(first.len());
        for (i, text) in first.iter().enumerate() {
            let second = if second.is_empty() { None } else { second.get(i) };
            let Marked { encoding, special, len, offsets } = self.one(text, second)?;
            encodings.push(encoding);
            marks.push((special, len, offsets));
        }
        let padding = self.tokenizer.resolve_padding(&self.options.padding);
        if let Some(padding) = padding {
            pad_encodings(&mut encodings, padding).map_err(refused)?;
        }
        let mut batch = Batch::default();
        for (encoding, (special, len, offsets)) in encodings.iter().zip(&marks) {
            let pad = encoding.len() - len;
            let left = padding.is_some_and(|padding| padding.direction == PaddingDirection::Left);
            let content = if left { pad..encoding.len() } else { 0..*len };
            batch.add(encoding, content.clone(), special);
            batch.known.push(offsets.is_some());
            if let Some(offsets) = offsets {
                batch.offsets.resize(batch.offsets.len() + 2 * content.start, 0);
                batch.offsets.extend(offsets.as_flattened());
                batch.offsets.resize(batch.offsets.len() + 2 * (encoding.len() - content.end), 0);
            }
            batch.tokens.extend(encoding.ids().iter().enumerate().map(|(i, id)| match padding {
                Some(PaddingParams { pad_token, .. }) if !content.contains(&i) && !pad_token.is_empty() => pad_token.clone(),
                _ => vocabulary::token(self.tokenizer, id.id()).unwrap_or_default(),
            }));
        }
        Ok(batch)
    }
}

impl Batch {
    /// Adds the ids and the columns of an encoding. `content` is the range of its tokens without padding; `special` counts from the start of this
    /// range. The mask of special tokens includes the padding.
    fn add(&mut self, encoding: &Encoding, content: Range<usize>, special: &[Range<usize>]) {
        let len = encoding.len();
        self.ids.extend_from_slice(PipelineToken::cast_slice(encoding.ids()));
        self.lengths.push(len);
        for (column, default) in [(encoding.type_ids(), 0), (encoding.attention_mask(), 1)] {
            match column {
                Some(column) => self.columns.extend_from_slice(column),
                None => self.columns.resize(self.columns.len() + len, default),
            }
        }
        let mut mask = vec![1; len];
        mask[content.clone()].fill(0);
        for range in special {
            mask[content.clone()][range.clone()].fill(1);
        }
        self.columns.extend(mask);
    }
}
