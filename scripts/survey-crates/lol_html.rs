//@ std
//@ support: libm
//@ lol_html = "=3.0.3"
//@ input: <!DOCTYPE html><div class="a b"><a href="http://x.y/?q=1&amp;r">link</a> <!-- note --> <img src=a.png><p>text <b>bold</b></div>
//@ input: <ul><li id=one>1<li id='two'>2</ul><script>if (a < b) { "</div>" }</script><textarea><b></textarea><svg><title>größe</title></svg><a HREF="http:z"/>
//! Rewrites HTML as a stream, with handlers for elements, comments and text.
use lol_html::html_content::ContentType;
use lol_html::{HtmlRewriter, Settings, comments, element, text};

fn rewrite(input: &[u8], size: usize) -> Result<Vec<u8>, (Vec<u8>, String)> {
    let mut output = vec![];
    let mut notes = String::new();
    let settings = Settings::new()
        .append_element_content_handler(element!("a[href]", |el| {
            let href = el.get_attribute("href").unwrap().replace("http:", "https:");
            el.set_attribute("href", &href)?;
            Ok(())
        }))
        .append_element_content_handler(element!("div.a > p, li:nth-child(2)", |el| {
            el.before("<hr>", ContentType::Html);
            el.append("a < b", ContentType::Text);
            Ok(())
        }))
        .append_element_content_handler(element!("img", |el| {
            el.remove();
            Ok(())
        }))
        .append_element_content_handler(comments!("*", |comment| {
            comment.set_text(" changed ")?;
            Ok(())
        }))
        .append_element_content_handler(text!("b", |chunk| {
            notes += chunk.as_str();
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |bytes: &[u8]| output.extend_from_slice(bytes));
    let mut result = Ok(());
    for part in input.chunks(size) {
        result = rewriter.write(part);
        if result.is_err() {
            break;
        }
    }
    let result = result.and_then(|()| rewriter.end());
    match result {
        Ok(()) => {
            output.extend_from_slice(notes.as_bytes());
            Ok(output)
        }
        Err(error) => Err((output, error.to_string())),
    }
}

#[rustgo::export(stack = "512k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    match rewrite(input, 1 + input.len() / 3) {
        Ok(output) => put(out, &output),
        Err((mut output, error)) => {
            output.extend_from_slice(error.as_bytes());
            put(out, &output)
        }
    }
}
