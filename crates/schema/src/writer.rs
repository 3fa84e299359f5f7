//! A writer of bytes that works in constant evaluation.

/// Writes bytes into an array of `N` bytes. Discards bytes that do not fit, but counts them.
pub struct Writer<const N: usize> {
    /// The written bytes, followed by zeros.
    pub bytes: [u8; N],
    /// The number of bytes that were written or counted.
    pub at: usize,
}

impl<const N: usize> Writer<N> {
    pub const fn text(&mut self, tag: u16, text: &str) {
        let start = self.open(tag);
        self.raw(text.as_bytes());
        self.close(start);
    }

    pub const fn long(&mut self, tag: u16, number: u64) {
        let start = self.open(tag);
        self.raw(&number.to_le_bytes());
        self.close(start);
    }

    pub const fn number(&mut self, tag: u16, number: u32) {
        let start = self.open(tag);
        self.u32(number);
        self.close(start);
    }

    /// Begins a field. Returns the position at which the field's content starts, for `close`.
    pub const fn open(&mut self, tag: u16) -> usize {
        self.raw(&tag.to_le_bytes());
        self.u32(0);
        self.at
    }

    /// Ends the field whose content starts at `start`: writes the content's length into the four bytes before the content.
    pub const fn close(&mut self, start: usize) {
        let len = self.at - start;
        assert!(len <= u32::MAX as usize, "a field of an export's description is longer than 4 GiB");
        let end = self.at;
        self.at = start - 4;
        self.u32(len as u32);
        self.at = end;
    }

    pub const fn u32(&mut self, number: u32) {
        self.raw(&number.to_le_bytes());
    }

    pub const fn raw(&mut self, bytes: &[u8]) {
        let mut i = 0;
        while i < bytes.len() {
            if self.at < N {
                self.bytes[self.at] = bytes[i];
            }
            self.at += 1;
            i += 1;
        }
    }
}
