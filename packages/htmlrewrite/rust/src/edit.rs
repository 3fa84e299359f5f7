//! The changes that a Go handler has made.
//!
//! A handler returns its changes as bytes, one change after another. A change is the number of a method, with the highest bit set if the content is
//! HTML, followed by the method's arguments. Each argument is a string after its length, except that the only argument of `ON_END_TAG` is the number
//! of a handler. Lengths and numbers are LEB128. The file edit.go writes the changes.

use lol_html::errors::TagNameError;
use lol_html::html_content::{Comment, ContentType, Doctype, DocumentEnd, EndTag, TextChunk};
use lol_html::{HandlerResult, send};

/// The numbers of the methods. The file edit.go has the same numbers.
mod method {
    pub const BEFORE: u8 = 1;
    pub const AFTER: u8 = 2;
    pub const PREPEND: u8 = 3;
    pub const APPEND: u8 = 4;
    pub const SET_INNER_CONTENT: u8 = 5;
    pub const REPLACE: u8 = 6;
    pub const REMOVE: u8 = 7;
    pub const REMOVE_AND_KEEP_CONTENT: u8 = 8;
    pub const SET: u8 = 9;
    pub const SET_ATTRIBUTE: u8 = 10;
    pub const REMOVE_ATTRIBUTE: u8 = 11;
    pub const ON_END_TAG: u8 = 12;
}

/// The bit of a method's number that marks the content as HTML.
const HTML: u8 = 0x80;

/// The changes that have not been applied yet.
pub struct Edits<'b>(&'b [u8]);

impl<'b> Edits<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    /// Removes and returns the next method's number and its content type; `None` if no change is left.
    fn method(&mut self) -> Option<(u8, ContentType)> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some((first & !HTML, if first & HTML == 0 { ContentType::Text } else { ContentType::Html }))
    }

    fn number(&mut self) -> usize {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let (&byte, rest) = self.0.split_first().expect("the changes of a handler end within a number");
            self.0 = rest;
            number |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        number
    }

    fn text(&mut self) -> &'b str {
        let len = self.number();
        let (text, rest) = self.0.split_at(len);
        self.0 = rest;
        // Go replaces invalid bytes before it encodes a change, so this is UTF-8.
        str::from_utf8(text).expect("the changes of a handler are not UTF-8")
    }
}

/// A function that returns the handler for an end tag. Its argument is the handler's number.
type EndTags<'a> = dyn Fn(u32) -> send::EndTagHandler<'static> + 'a;

/// A part of a document that a handler can change: an element, an end tag, a comment, a text, the doctype or the document's end.
pub trait Unit {
    /// Applies one change.
    fn apply(&mut self, method: u8, content: ContentType, edits: &mut Edits<'_>, end_tags: &EndTags<'_>) -> HandlerResult;

    /// Applies all changes.
    fn apply_all(&mut self, mut edits: Edits<'_>, end_tags: &EndTags<'_>) -> HandlerResult {
        while let Some((method, content)) = edits.method() {
            self.apply(method, content, &mut edits, end_tags)?;
        }
        Ok(())
    }
}

/// Panics: the Go files have encoded a method that the unit does not have.
fn unknown(method: u8) -> ! {
    panic!("a handler cannot call method {method} here")
}

impl Unit for send::Element<'_, '_> {
    fn apply(&mut self, method: u8, content: ContentType, edits: &mut Edits<'_>, end_tags: &EndTags<'_>) -> HandlerResult {
        match method {
            method::BEFORE => self.before(edits.text(), content),
            method::AFTER => self.after(edits.text(), content),
            method::PREPEND => self.prepend(edits.text(), content),
            method::APPEND => self.append(edits.text(), content),
            method::SET_INNER_CONTENT => self.set_inner_content(edits.text(), content),
            method::REPLACE => self.replace(edits.text(), content),
            method::REMOVE => self.remove(),
            method::REMOVE_AND_KEEP_CONTENT => self.remove_and_keep_content(),
            method::SET => self.set_tag_name(edits.text())?,
            method::SET_ATTRIBUTE => {
                let name = edits.text();
                self.set_attribute(name, edits.text())?;
            }
            method::REMOVE_ATTRIBUTE => self.remove_attribute(edits.text()),
            method::ON_END_TAG => self.on_end_tag(end_tags(edits.number() as u32))?,
            _ => unknown(method),
        }
        Ok(())
    }
}

impl Unit for EndTag<'_> {
    fn apply(&mut self, method: u8, content: ContentType, edits: &mut Edits<'_>, _: &EndTags<'_>) -> HandlerResult {
        match method {
            method::BEFORE => self.before(edits.text(), content),
            method::AFTER => self.after(edits.text(), content),
            method::REPLACE => self.replace(edits.text(), content),
            method::REMOVE => self.remove(),
            method::SET => {
                let name = edits.text();
                self.set_name(name);
                // Unlike Element::set_tag_name, set_name does not fail: it replaces a character that the encoding lacks by a character reference. The
                // name then differs.
                if self.name() != name.to_ascii_lowercase() {
                    return Err(TagNameError::UnencodableCharacter.into());
                }
            }
            _ => unknown(method),
        }
        Ok(())
    }
}

impl Unit for Comment<'_> {
    fn apply(&mut self, method: u8, content: ContentType, edits: &mut Edits<'_>, _: &EndTags<'_>) -> HandlerResult {
        match method {
            method::BEFORE => self.before(edits.text(), content),
            method::AFTER => self.after(edits.text(), content),
            method::REPLACE => self.replace(edits.text(), content),
            method::REMOVE => self.remove(),
            method::SET => self.set_text(edits.text())?,
            _ => unknown(method),
        }
        Ok(())
    }
}

impl Unit for TextChunk<'_> {
    fn apply(&mut self, method: u8, content: ContentType, edits: &mut Edits<'_>, _: &EndTags<'_>) -> HandlerResult {
        match method {
            method::BEFORE => self.before(edits.text(), content),
            method::AFTER => self.after(edits.text(), content),
            method::REPLACE => self.replace(edits.text(), content),
            method::REMOVE => self.remove(),
            method::SET => self.set_str(edits.text().to_owned()),
            _ => unknown(method),
        }
        Ok(())
    }
}

impl Unit for Doctype<'_> {
    fn apply(&mut self, method: u8, _: ContentType, _: &mut Edits<'_>, _: &EndTags<'_>) -> HandlerResult {
        match method {
            method::REMOVE => self.remove(),
            _ => unknown(method),
        }
        Ok(())
    }
}

impl Unit for DocumentEnd<'_> {
    fn apply(&mut self, method: u8, content: ContentType, edits: &mut Edits<'_>, _: &EndTags<'_>) -> HandlerResult {
        match method {
            method::APPEND => self.append(edits.text(), content),
            _ => unknown(method),
        }
        Ok(())
    }
}
