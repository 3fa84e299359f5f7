//! Snapshots of the units of a document (elements, texts and so on), which Go handlers read.
//!
//! A snapshot is one string, because Go gets a string with one allocation and its parts without any. A number in a snapshot has six bits in each
//! byte, lowest bits first. Each byte of a number except the last also has the bit 0x40. So all bytes are ASCII, and the string is UTF-8. The file
//! snapshot.go reads snapshots.

use lol_html::html_content::{Comment, Doctype, EndTag, SourceLocation, TextChunk, TextType};
use lol_html::send;

/// The bits of a unit's flags. Elements have the first three, text chunks have `REMOVED` and `LAST_IN_TEXT_NODE`, and other units have only
/// `REMOVED`. The file snapshot.go has the same numbers.
const REMOVED: usize = 1;
const CAN_HAVE_CONTENT: usize = 2;
const SELF_CLOSING: usize = 4;
const LAST_IN_TEXT_NODE: usize = 2;
/// The number of bits for flags. The bits above them are the namespace of an element or the type of a text chunk.
const ABOVE_FLAGS: u32 = 3;

#[derive(Default)]
pub struct Snapshot(String);

impl Snapshot {
    /// Begins a snapshot of a unit in the memory of an earlier one. The order is: flags, first byte in the input, length in bytes.
    fn begin(&mut self, flags: usize, location: &SourceLocation) {
        self.0.clear();
        self.number(flags);
        let bytes = location.bytes();
        self.number(bytes.start);
        self.number(bytes.end - bytes.start);
    }

    fn number(&mut self, mut number: usize) {
        while number >= 0x40 {
            self.0.push(char::from(0x40 | (number & 0x3f) as u8));
            number >>= 6;
        }
        self.0.push(char::from(number as u8));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.push_str(text);
    }

    /// Appends 1 and a text, or 0 and an empty text if there is none.
    fn optional(&mut self, text: Option<&str>) {
        self.number(usize::from(text.is_some()));
        self.text(text.unwrap_or_default());
    }

    pub fn element(&mut self, element: &send::Element<'_, '_>) -> &str {
        let namespace = match element.namespace_uri() {
            "http://www.w3.org/1999/xhtml" => 0,
            "http://www.w3.org/2000/svg" => 1,
            _ => 2,
        };
        let mut flags = namespace << ABOVE_FLAGS;
        for (bit, is_set) in
            [(REMOVED, element.removed()), (CAN_HAVE_CONTENT, element.can_have_content()), (SELF_CLOSING, element.is_self_closing())]
        {
            flags |= if is_set { bit } else { 0 };
        }
        self.begin(flags, &element.source_location());
        self.text(&element.tag_name());
        let attributes = element.attributes();
        self.number(attributes.len());
        for attribute in attributes {
            self.text(&attribute.name());
            self.text(&attribute.value());
        }
        &self.0
    }

    pub fn end_tag(&mut self, tag: &EndTag<'_>) -> &str {
        self.begin(usize::from(tag.removed()) * REMOVED, &tag.source_location());
        self.0.push_str(&tag.name());
        &self.0
    }

    pub fn comment(&mut self, comment: &Comment<'_>) -> &str {
        self.begin(usize::from(comment.removed()) * REMOVED, &comment.source_location());
        self.0.push_str(&comment.text());
        &self.0
    }

    pub fn chunk(&mut self, chunk: &TextChunk<'_>) -> &str {
        let kind = match chunk.text_type() {
            TextType::Data => 0,
            TextType::PlainText => 1,
            TextType::RawText => 2,
            TextType::ScriptData => 3,
            TextType::RCData => 4,
            TextType::CDataSection => 5,
        };
        let flags = usize::from(chunk.removed()) * REMOVED + usize::from(chunk.last_in_text_node()) * LAST_IN_TEXT_NODE;
        self.begin(flags | kind << ABOVE_FLAGS, &chunk.source_location());
        self.0.push_str(chunk.as_str());
        &self.0
    }

    pub fn doctype(&mut self, doctype: &Doctype<'_>) -> &str {
        let flags = usize::from(doctype.removed()) * REMOVED;
        self.begin(flags, &doctype.source_location());
        self.optional(doctype.name().as_deref());
        self.optional(doctype.public_id().as_deref());
        self.optional(doctype.system_id().as_deref());
        &self.0
    }
}
