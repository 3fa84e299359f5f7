//! Counts bytes.

/// Takes bytes.
pub trait Update {
    /// Adds bytes.
    fn update(&mut self, data: &[u8]);

    /// Returns the sum.
    fn value(&self) -> u64;
}

/// What all types have that take bytes.
pub trait Counting {
    /// Makes an empty one.
    fn new() -> Self;

    /// Adds bytes.
    fn absorb(&mut self, data: impl AsRef<[u8]>);

    /// Returns the sum.
    fn total(self) -> u64;

    /// Returns the sum of bytes.
    fn digest(data: impl AsRef<[u8]>) -> u64;
}

impl<D: Update + Default> Counting for D {
    fn new() -> D {
        D::default()
    }

    fn absorb(&mut self, data: impl AsRef<[u8]>) {
        self.update(data.as_ref());
    }

    fn total(self) -> u64 {
        self.value()
    }

    fn digest(data: impl AsRef<[u8]>) -> u64 {
        let mut made = D::new();
        made.absorb(data);
        made.total()
    }
}
