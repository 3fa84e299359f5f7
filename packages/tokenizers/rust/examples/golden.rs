//! Prints the encodings that the crate tokenizers makes from the texts in testdata, for the test TestGolden:
//!
//!     cargo run --release --example golden > ../testdata/golden.json
//!
//! It calls the crate tokenizers directly, not the exports of this package.

use tokenizers::pipeline::{EncodeOptions, Encoding, Inputs, Override, PipelineToken, PipelineTokenizer};
use tokenizers::{PaddingDirection, PaddingParams, PaddingStrategy, TruncationDirection, TruncationParams, TruncationStrategy};

fn main() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata");
    let text = std::fs::read_to_string(data.join("texts.json")).expect("the texts");
    let json = tokenizers::json::Json::parse(&text).expect("the texts are JSON");
    let texts: Vec<&str> = json.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect();
    let mut lines = Vec::new();
    for name in ["anthropic", "bytelevel", "fallback", "wordpiece", "unigram", "wordlevel"] {
        let file = data.join(format!("{name}.json"));
        let canonical = tokenizers::canonicalize_file(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let tokenizer = tokenizers::from_json(&canonical).unwrap_or_else(|error| panic!("{name}: {error}"));
        for (i, text) in texts.iter().enumerate() {
            let other = texts[(i + 1) % texts.len()];
            lines.push(line(&tokenizer, name, "text", &[text], (*text).into(), &EncodeOptions::default()));
            lines.push(line(&tokenizer, name, "plain", &[text], (*text).into(), &plain()));
            lines.push(line(&tokenizer, name, "pair", &[text, other], (*text, other).into(), &EncodeOptions::default()));
            lines.push(line(&tokenizer, name, "cut", &[text, other], (*text, other).into(), &cut()));
        }
        lines.push(line(&tokenizer, name, "batch", &texts, texts.clone().into(), &padded()));
    }
    println!("[\n{}\n]", lines.join(",\n"));
}

fn plain() -> EncodeOptions {
    EncodeOptions { add_special_tokens: false, encode_special_tokens: true, ..EncodeOptions::default() }
}

fn cut() -> EncodeOptions {
    EncodeOptions {
        truncation: Override::With(TruncationParams {
            direction: TruncationDirection::Left,
            max_length: 9,
            strategy: TruncationStrategy::LongestFirst,
            stride: 0,
        }),
        ..EncodeOptions::default()
    }
}

fn padded() -> EncodeOptions {
    EncodeOptions {
        padding: Override::With(PaddingParams {
            strategy: PaddingStrategy::BatchLongest,
            direction: PaddingDirection::Left,
            pad_to_multiple_of: Some(8),
            pad_id: 3,
            pad_type_id: 2,
            pad_token: "[PAD]".to_owned(),
        }),
        ..EncodeOptions::default()
    }
}

/// One encoding, or the encodings of a batch, as an object of JSON.
fn line(tokenizer: &PipelineTokenizer, file: &str, kind: &str, texts: &[&str], inputs: Inputs, options: &EncodeOptions) -> String {
    let encodings = match tokenizer.encode(inputs, options).wait() {
        Ok(encodings) => encodings,
        Err(error) => {
            return format!(
                "{{\"file\":{},\"kind\":{},\"texts\":{},\"error\":{}}}",
                quote(file),
                quote(kind),
                list(texts, |text| quote(text)),
                quote(&error.to_string())
            );
        }
    };
    let one = |encoding: &Encoding| {
        let ids = PipelineToken::cast_slice(encoding.ids());
        let zeros = vec![0; ids.len()];
        let ones = vec![1; ids.len()];
        format!(
            "{{\"ids\":{ids:?},\"types\":{:?},\"mask\":{:?},\"tokens\":{},\"text\":{},\"clean\":{}}}",
            encoding.type_ids().unwrap_or(&zeros),
            encoding.attention_mask().unwrap_or(&ones),
            list(&tokenizer.decode_tokens(ids, false), |token| quote(token)),
            quote(&tokenizer.decode(ids, false).expect("the ids are decoded")),
            quote(&tokenizer.decode(ids, true).expect("the ids are decoded")),
        )
    };
    format!(
        "{{\"file\":{},\"kind\":{},\"texts\":{},\"encodings\":{}}}",
        quote(file),
        quote(kind),
        list(texts, |text| quote(text)),
        list(&encodings, one)
    )
}

fn list<T>(items: &[T], item: impl FnMut(&T) -> String) -> String {
    format!("[{}]", items.iter().map(item).collect::<Vec<_>>().join(","))
}

fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if u32::from(c) < 0x20 => out += &format!("\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
