//@ std
//@ url = "=2.5.8"
//@ input: https://user:pa%20ss@bücher.example:8080/a/../b%2fc/./d?x=1&y=%C3%A9#frag
//@ input: http://[2001:db8::7]:80/path;p?q
//@ input: mailto:someone@example.com
//@ input: file:///C|/windows/../x
//@ input: http://0x7f.1/
//! Parses, joins and changes URLs.
use url::Url;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let mut text = String::new();
    match Url::parse(&input) {
        Ok(mut url) => {
            text += &format!(
                "{url} {:?} {:?} {:?} {:?}",
                url.host(),
                url.port_or_known_default(),
                url.path(),
                url.origin().ascii_serialization()
            );
            text += &format!("{:?}", url.query_pairs().collect::<Vec<_>>());
            url.set_fragment(None);
            url.query_pairs_mut().append_pair("größe", "a b&c");
            text += &format!("{url} {:?}", url.set_port(Some(77)));
        }
        Err(error) => text += &format!("{error} {error:?}"),
    }
    let base = Url::parse("http://example.com/a/b/c?d").unwrap();
    text += &match base.join(&input) {
        Ok(url) => format!("{url} {:?}", base.make_relative(&url)),
        Err(error) => error.to_string(),
    };
    put(out, text.as_bytes())
}
