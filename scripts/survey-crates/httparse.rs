//@ httparse = { version = "=1.10.1", default-features = false }
//! Parses the head of an HTTP request.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut headers = [httparse::EMPTY_HEADER; 16];
    let mut request = httparse::Request::new(&mut headers);
    let text = b"GET /survey HTTP/1.1\r\nHost: example.com\r\nAccept: */*\r\n\r\n";
    let end = match request.parse(&text[..text.len() - input.len() % 3]) {
        Ok(httparse::Status::Complete(end)) => end,
        Ok(httparse::Status::Partial) => 1000,
        Err(_) => 2000,
    };
    out[..8].copy_from_slice(&((end + request.path.map_or(0, str::len)) as u64).to_le_bytes());
    8
}
