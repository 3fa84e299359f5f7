//@ std
//@ quick-xml = "=0.38.4"
//@ input: <?xml version="1.0"?><a x="1" y='&lt;&#65;'>text &amp; more<b/><![CDATA[raw <x>]]><!-- note --></a>
//@ input: <n:list xmlns:n="u"><item>1</item>\n <item k="größe">2</item></n:list>
//! Reads XML as a sequence of events, and writes the events again.
use quick_xml::{Reader, Writer, events::Event};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut reader = Reader::from_reader(input);
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let mut text = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => {
                if let Event::Start(start) | Event::Empty(start) = &event {
                    for attribute in start.attributes() {
                        match attribute {
                            Ok(attribute) => text += &format!("{attribute:?} {:?}", attribute.unescape_value()),
                            Err(error) => text += &error.to_string(),
                        }
                    }
                }
                if let Event::Text(t) = &event {
                    text += &format!("{:?}", t.decode());
                }
                writer.write_event(event).unwrap();
            }
            Err(error) => {
                text += &format!("{error} {}", reader.error_position());
                break;
            }
        }
    }
    let mut written = writer.into_inner();
    written.extend_from_slice(text.as_bytes());
    put(out, &written)
}
