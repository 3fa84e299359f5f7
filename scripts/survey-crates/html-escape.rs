//@ std
//@ html-escape = "=0.2.13"
//@ input: a &lt; b &amp;&amp; c &eacute;&#233;&#xe9; &notin; &bogus; <script>"x"</script>
//! Encodes and decodes HTML entities.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let mut text = html_escape::encode_text(&input).into_owned();
    assert_eq!(html_escape::decode_html_entities(&text), input);
    text += &html_escape::encode_double_quoted_attribute(&input);
    text += &html_escape::decode_html_entities(&input);
    text += &html_escape::encode_script(&input);
    text += &html_escape::decode_style(&input);
    put(out, text.as_bytes())
}
