//@ std
//@ support: libm
//@ jieba-rs = { version = "=0.11.0", features = ["tfidf"] }
//@ input: 我们中出了一个叛徒
//@ input: 小明硕士毕业于中国科学院计算所，后在日本京都大学深造。Hello world 3.5 größe\n
//! Splits Chinese text into words, with their kinds and the most important ones.
use jieba_rs::{Jieba, KeywordExtract, TfIdf, TokenizeMode};
use std::sync::LazyLock;

static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);
static WEIGHTS: LazyLock<TfIdf> = LazyLock::new(TfIdf::default);

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let text = format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        JIEBA.cut(&input, false),
        JIEBA.cut(&input, true),
        JIEBA.cut_for_search(&input, true),
        JIEBA.tag(&input, true),
        JIEBA.tokenize(&input, TokenizeMode::Search, false),
        WEIGHTS.extract_keywords(&JIEBA, &input, 3, vec![]).into_iter().map(|word| word.weight).collect::<Vec<_>>(),
    );
    put(out, text.as_bytes())
}
