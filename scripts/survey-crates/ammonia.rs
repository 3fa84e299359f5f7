//@ std
//@ support: libm
//@ ammonia = "=4.2.5"
//@ input: <b><img src='' onerror=alert('hax')>I'm not trying to XSS you</b>
//@ input: <a href="javascript:x" title=größe>1</a><a href="/y?q=1&amp;r" target=_blank>2<p>3</a><table><td>4<script>5</script><!-- 6 --><svg><desc><style>7</style></svg><math><mi><mglyph>&#x41;&notit;&copy
//! Removes what is dangerous from HTML.
use ammonia::{Builder, UrlRelative};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let mut text = ammonia::clean(&input);
    let mut builder = Builder::default();
    builder.add_tags(["svg"]).add_tag_attributes("p", ["style"]).link_rel(Some("nofollow")).url_relative(UrlRelative::Deny).strip_comments(false).id_prefix(Some("x-"));
    text += &builder.clean(&input).to_string();
    text += &format!("{} {}", ammonia::clean_text(&input), ammonia::is_html(&input));
    put(out, text.as_bytes())
}
