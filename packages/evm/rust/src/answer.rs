//! Results that hold lists in lists, as bytes.

/// Converts an offset or a length. It is less than 4 GiB, because Go passes no longer code.
pub fn narrow(n: usize) -> u32 {
    u32::try_from(n).expect("less than 4 GiB")
}

/// Answer is a result for Go's type answer: numbers in four bytes, the least significant first, and bytes after their number. A list begins with the
/// number of its elements.
#[derive(Default)]
pub struct Answer(Vec<u8>);

impl Answer {
    pub fn number(&mut self, n: usize) {
        self.0.extend_from_slice(&narrow(n).to_le_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    /// Appends a list, with a function that appends an element.
    pub fn list<T>(&mut self, elements: Vec<T>, mut element: impl FnMut(&mut Self, T)) {
        self.number(elements.len());
        elements.into_iter().for_each(|e| element(self, e));
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}
