//! The attribute `#[rustgo::export]`.
