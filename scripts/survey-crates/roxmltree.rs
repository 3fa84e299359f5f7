//@ std
//@ roxmltree = "=0.20.0"
//@ input: <?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "v<b/>">]><a x="1" y='&lt;&#65;'>text &e; &amp; more<b/><![CDATA[raw <x>]]><!-- note --></a>
//@ input: <n:list xmlns:n="u" xmlns="d"><item>1</item>\n <item n:k="größe">2</item></n:list>
//! Parses XML into a tree.
use roxmltree::{Document, ParsingOptions};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let options = ParsingOptions { allow_dtd: true, ..Default::default() };
    let text = match Document::parse_with_options(&input, options) {
        Ok(document) => {
            let mut text = format!("{document:?}");
            for node in document.descendants() {
                text += &format!("{:?} {:?} {:?}", node.tag_name(), node.text(), document.text_pos_at(node.range().start));
                text += &node.attributes().map(|a| format!("{a:?}")).collect::<String>();
            }
            text
        }
        Err(error) => format!("{error} {:?}", error.pos()),
    };
    put(out, text.as_bytes())
}
