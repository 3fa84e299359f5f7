//@ std
//@ support: libm
//@ whatlang = "=0.18.0"
//@ input: Ĉu vi ne volas eklerni Esperanton? Bonvolu! Estas unu de la plej bonaj aferoj!
//@ input: Wie groß ist die Welt? Das weiß ich nicht, aber sie ist schön.
//@ input: 日本語のテキストと漢字 и русский текст, ಕನ್ನಡ, עברית.
//! Finds the language and the script of a text.
use whatlang::{Detector, Lang, detect, detect_script};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let mut text = format!("{:?} {:?}\n", detect_script(&input), detect(&input));
    if let Some(info) = detect(&input) {
        text += &format!("{} {} {} {}\n", info.lang(), info.lang().name(), info.confidence(), info.is_reliable());
    }
    let few = Detector::with_allowlist(vec![Lang::Eng, Lang::Deu, Lang::Epo, Lang::Rus]);
    text += &format!("{:?}", few.detect(&input));
    put(out, text.as_bytes())
}
