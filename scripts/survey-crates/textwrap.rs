//@ std
//@ support: libm
//@ textwrap = "=0.16.2"
//@ input: Memory safety without garbage collection. Concurrency without data-races; zero-cost abstractions — überall.
//! Breaks paragraphs into lines of a given width.
use textwrap::{Options, WordSplitter, WrapAlgorithm};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = String::from_utf8_lossy(input);
    let width = 5 + input.len() % 40;
    let first = Options::new(width).initial_indent("* ").subsequent_indent("  ").wrap_algorithm(WrapAlgorithm::FirstFit);
    let mut said = textwrap::fill(&text, first);
    said += &textwrap::wrap(&text, Options::new(width).word_splitter(WordSplitter::NoHyphenation)).join("|");
    said += &textwrap::dedent(&textwrap::indent(&text, "   "));
    said += &format!("{:?}", textwrap::unfill(&text).1.width);
    said += &textwrap::wrap_columns(&text, 2, 60, "| ", " | ", " |").join("\n");
    put(out, said.as_bytes())
}
